//! The print of an entry: every visible answer and no hidden one, for those who may read it, however long it is.

use std::{collections::BTreeMap, process::Command};

use domain::{
    access::cases::CASES,
    formula::{self, FormulaKind, Target},
    jobs::Queue,
    register::ValueType,
    runs::{self, NewPrint},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::World;

impl World {
    /// Asks for the print as the api does, for the world's worker.
    async fn ask_print(&self, entry: i64) -> Uuid {
        let id = self.insert_print(entry, false, false).await;
        self.announce(id, Queue::Interactive).await;
        id
    }

    /// The same of the summary of the entry's patient.
    async fn ask_summary(&self, entry: i64) -> Uuid {
        let id = self.insert_print(entry, true, false).await;
        self.announce(id, Queue::Interactive).await;
        id
    }

    /// The same of the dates on which the entry's patient is awaited.
    async fn ask_dates(&self, entry: i64) -> Uuid {
        let id = self.insert_print(entry, false, true).await;
        self.announce(id, Queue::Interactive).await;
        id
    }

    /// The row of a print, of which Redis hears nothing.
    async fn insert_print(&self, entry: i64, sazetak: bool, termini: bool) -> Uuid {
        let register =
            sqlx::query_scalar("select registar_id from entry where id = $1").bind(entry).fetch_one(&self.db.owner).await.unwrap();
        let print = NewPrint {
            id: Uuid::now_v7(),
            unos_id: entry,
            radnik_id: self.radnik,
            ustanova_id: self.ustanova,
            registar_id: register,
            sazetak,
            termini,
        };
        let mut connection = self.db.app.acquire().await.unwrap();
        runs::insert_print(&mut connection, &print, None).await.unwrap().expect("a print without a key is always new")
    }

    /// The text of the finished print, page by page.
    async fn printed(&self, run: Uuid) -> Vec<String> {
        let ended = self.end(run).await;
        assert_eq!(ended.status, "succeeded", "{ended:?}");
        let [(format, pdf)] = self.files(run).await.try_into().expect("one file");
        assert_eq!(format, "PDF");
        let path = self.folder.path().join(format!("{run}.pdf"));
        std::fs::write(&path, pdf).unwrap();
        let output = Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output().expect("pdftotext");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.trim_end_matches('\u{c}').split('\u{c}').map(str::to_owned).collect()
    }

    /// Writes as the owner, in the name of the world's worker.
    pub async fn write(&self, sql: &'static str, id: i64, value: Value) {
        let mut tx = domain::db::begin(&self.db.owner, self.radnik).await.unwrap();
        sqlx::query(sql).bind(id).bind(value).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// An entry of the demo's examinations in the worker's institution, with most answers first.
    pub async fn demo_entry(&self) -> i64 {
        sqlx::query_scalar(
            "select e.id from entry e join form f on f.id = e.tsa_id
              where f.naziv = 'Pregled' and e.ustanova_id = $1 and e.aktivan
              order by (select count(*) from jsonb_object_keys(e.vrednosti)) desc, e.id limit 1",
        )
        .bind(self.ustanova)
        .fetch_one(&self.db.owner)
        .await
        .unwrap()
    }
}

/// What survives every way of wrapping.
fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Whether a line begins with the label and goes on with the answer; both may go on below.
fn stands_beside(text: &str, label: &str, answer: &str) -> bool {
    let (label, answer) = (label.chars().take(16).collect::<String>(), answer.trim().split([' ', '\n']).next().unwrap_or_default());
    text.lines().any(|line| line.trim_start().strip_prefix(label.trim_end()).is_some_and(|rest| rest.contains(answer)))
}

#[tokio::test]
async fn a_print_is_headed_by_the_logo_of_the_institution_that_made_the_entry() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let _engine = world.engine(&[]);
    let pictures = async |run| {
        assert_eq!(world.end(run).await.status, "succeeded");
        let [(_, pdf)] = world.files(run).await.try_into().expect("one file");
        super::logos::pictures(&pdf)
    };
    assert_eq!(pictures(world.ask_print(entry).await).await, [0; 0]);
    world.keep_logo(world.ustanova, &super::logos::png(40)).await;
    assert_eq!(pictures(world.ask_print(entry).await).await, [40]);
}

/// The demo's rheumatology repeats visits without an end: one of them is always to come.
#[tokio::test]
async fn dates_to_take_home_are_those_that_are_awaited_and_none_of_who_died() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let _engine = world.engine(&[]);
    let dates = squeezed(&world.printed(world.ask_dates(entry).await).await.concat());
    // The name of the visit takes two lines.
    assert!(dates.contains("Terminikontrola") && dates.contains("Redovna"), "{dates}");
    let died = "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
                select pacijent_id, 'preminuo', ($2::jsonb #>> '{}')::date, 'potvrda', ustanova_id from entry where id = $1";
    world.write(died, entry, json!("2026-11-20")).await;
    assert!(!squeezed(&world.printed(world.ask_dates(entry).await).await.concat()).contains("Redovna"));
}

#[tokio::test]
async fn a_print_says_that_the_patient_died() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let _engine = world.engine(&[]);
    assert!(!squeezed(&world.printed(world.ask_print(entry).await).await.concat()).contains("Dansmrti"));
    let died = "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
                select pacijent_id, 'preminuo', ($2::jsonb #>> '{}')::date, 'potvrda', ustanova_id from entry where id = $1";
    world.write(died, entry, json!("2026-11-20")).await;
    assert!(squeezed(&world.printed(world.ask_print(entry).await).await.concat()).contains("Dansmrti20.11.2026."));
}

#[derive(sqlx::FromRow)]
struct SavedField {
    id: i64,
    naziv: String,
    labeled: bool,
    kind: i16,
    unit: Option<String>,
    shown: bool,
    value: Option<Value>,
    items: Option<String>,
}

/// The answer as people write it, told without the engine's code.
fn expected(saved: &SavedField) -> Option<String> {
    let unit = saved.unit.as_deref().unwrap_or_default();
    Some(match (saved.kind, saved.value.as_ref()?) {
        (1, value) => if value == &json!(true) { "Da" } else { "Ne" }.to_owned(),
        (2, value) => format!("{} {unit}", value.as_f64()?.to_string().replace('.', ",")),
        (3, value) => value.as_str()?.to_owned(),
        (4, _) => saved.items.clone()?,
        (5, value) => value.as_str()?.rsplit('-').collect::<Vec<_>>().join(".") + ".",
        _ => return None,
    })
}

async fn saved(world: &World, entry: i64) -> Vec<SavedField> {
    sqlx::query_as(
        "select f.id, f.naziv, f.ispisuje_se_labela as labeled, t.tip_vrednosti_atributa as kind, t.jedinica as unit, f.prikazuje_se as shown,
                e.vrednosti -> f.id::text as value,
                (select string_agg(i.naziv, ', ' order by i.redosled, i.id) from enum_item i
                  where jsonb_typeof(e.vrednosti -> f.id::text) = 'array' and e.vrednosti -> f.id::text @> to_jsonb(i.id)) as items
           from entry e join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.aktivan
           join attribute_type t on t.id = f.tip_atributa_id
          where e.id = $1 order by f.redosled, f.id",
    )
    .bind(entry)
    .fetch_all(&world.db.owner)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_print_holds_every_visible_answer_of_an_examination_and_no_hidden_one() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    // Answers that lie in the row although the form does not show them.
    let fields = saved(&world, entry).await;
    let by_code: BTreeMap<String, i64> = sqlx::query_as(
        "select f.sifra, f.id from form_field f join entry e on e.tsa_id = f.tip_skupa_atributa_id where e.id = $1 and f.sifra is not null and f.aktivan",
    )
    .bind(entry)
    .fetch_all(&world.db.owner)
    .await
    .unwrap()
    .into_iter()
    .collect();
    let text_field = fields.iter().find(|field| field.kind == 3).expect("a text");
    let (not_shown, hidden) = (by_code["se"], text_field.id);
    world.write("update form_field set prikazuje_se = $2::boolean where id = $1", not_shown, json!(false)).await;
    let known: Vec<formula::Field> = by_code
        .iter()
        .map(|(code, id)| formula::Field { id: *id, sifra: Some(code.clone()), tip_vrednosti: ValueType::Number, ..Default::default() })
        .collect();
    let never = formula::compile("$(tjc28) < 0", Target { field: hidden, kind: FormulaKind::Display }, &known).unwrap();
    let never = serde_json::to_value(never.formula).unwrap();
    world.write("update form_field set formula_za_prikaz_ast = $2 where id = $1", hidden, never).await;
    let planted = json!({ hidden.to_string(): "TAJNA NAPOMENA", not_shown.to_string(): 97 });
    let planting = "update entry set vrednosti = vrednosti || $2, form_version_id = make_form_version(tsa_id) where id = $1";
    world.write(planting, entry, planted).await;

    let _engine = world.engine(&[]);
    let pages = world.printed(world.ask_print(entry).await).await;
    let text = pages.join("\n");
    let plain = squeezed(&text);
    let mut told = 0;
    for field in saved(&world, entry).await {
        let Some(answer) = expected(&field).filter(|_| field.shown && field.id != hidden) else { continue };
        if field.labeled {
            assert!(field.naziv.split(' ').all(|word| text.contains(word)), "the label {} is missing in\n{text}", field.naziv);
            assert!(stands_beside(&text, &field.naziv, &answer), "{}: {answer} is missing in\n{text}", field.naziv);
            told += 1;
        } else if field.value == Some(json!(true)) {
            assert!(plain.contains(&squeezed(&field.naziv)), "the marked dot {} is missing in\n{text}", field.naziv);
        }
    }
    assert!(told > 10, "an examination has many answers: {told}");
    assert!(!text.contains("TAJNA") && !plain.contains("97mm/h"), "{text}");
    let (pacijent, jmbg, obrazac, ustanova): (String, String, String, String) = sqlx::query_as(
        "select p.prezime || ' ' || p.ime, p.jmbg, f.naziv, u.naziv from entry e join patient p on p.id = e.pacijent_id
           join form f on f.id = e.tsa_id join institution u on u.id = e.ustanova_id where e.id = $1",
    )
    .bind(entry)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    for head in [&pacijent, &jmbg, &obrazac, &ustanova, "Reumatologija", "Verzija", "Štampano "] {
        assert!(plain.contains(&squeezed(head)), "{head} is missing in\n{text}");
    }
    assert!(text.contains(&format!("Strana 1 od {}", pages.len())), "{text}");
    assert_eq!(
        world.count("select count(*) from report_run where unos_id is not null and expires_at between now() + interval '23 hours' and now() + interval '25 hours'").await,
        1,
        "a print is kept for a day"
    );
}

#[tokio::test]
async fn files_are_printed_by_name_and_pictures_among_them_are_shown() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let field = file_field(&world, entry).await;
    let folder = world.artifacts().join(".prilozi/ab");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("1"), super::logos::png(60)).unwrap();
    std::fs::write(folder.join("2"), super::logos::png(1500)).unwrap();
    let mut files = Vec::new();
    for (naziv, tip, putanja) in
        [("snimak.png", "png", "1"), ("veliki.png", "png", "2"), ("nalaz.pdf", "pdf", "3"), ("nema.png", "png", "4")]
    {
        let id: i64 = sqlx::query_scalar(
            "insert into entry_file (pacijent_id, polje_id, radnik_id, unos_id, naziv, vrsta, velicina, sha256, putanja, sacuvan)
             select pacijent_id, $2, $3, id, $4, $5, 1536, '', '.prilozi/ab/' || $6, true from entry where id = $1 returning id",
        )
        .bind(entry)
        .bind(field)
        .bind(world.radnik)
        .bind(naziv)
        .bind(tip)
        .bind(putanja)
        .fetch_one(&world.db.owner)
        .await
        .unwrap();
        files.push(json!({ "id": id, "naziv": naziv, "tip": tip, "velicina": 1536, "sha256": "" }));
    }
    let planting = "update entry set vrednosti = vrednosti || $2, form_version_id = make_form_version(tsa_id) where id = $1";
    world.write(planting, entry, json!({ field.to_string(): files })).await;
    let _engine = world.engine(&[]);
    let run = world.ask_print(entry).await;
    let text = squeezed(&world.printed(run).await.join("\n"));
    for told in ["snimak.png (1,5 KB), veliki.png (1,5 KB), nalaz.pdf", "Slika „nema.png” nije odštampana: nije u skladištu fajlova."]
    {
        assert!(text.contains(&squeezed(told)), "{told} is missing in\n{text}");
    }
    let [(_, pdf)] = world.files(run).await.try_into().expect("one file");
    assert_eq!(super::logos::pictures(&pdf), [60, 1000], "no more pixels than paper shows");
}

/// A field with files at the end of the form of an entry.
pub async fn file_field(world: &World, entry: i64) -> i64 {
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    let field = sqlx::query_scalar(
        "with t as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Prilozi', 13) returning id)
         insert into form_field (tip_skupa_atributa_id, tip_atributa_id, sifra, naziv, redosled, opcioni)
         select e.tsa_id, t.id, 'prilozi', 'Prilozi', 9999, true from entry e, t where e.id = $1 returning id",
    )
    .bind(entry)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    field
}

#[tokio::test]
async fn an_entry_is_printed_by_the_version_of_its_form_that_it_keeps() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let fields = saved(&world, entry).await;
    let filled = |kind: i16| fields.iter().find(move |field| field.kind == kind && field.labeled && field.shown && field.value.is_some());
    let (number, set) = (filled(2).expect("a number"), filled(4).expect("a set"));
    for (sql, id) in [
        ("update form_field set naziv = $2 ->> 0 where id = $1", number.id),
        ("update attribute_type set jedinica = $2 ->> 0 where id = (select tip_atributa_id from form_field where id = $1)", number.id),
        (
            "update enum_item set naziv = ($2 ->> 0) || id where tip_atributa_id = (select tip_atributa_id from form_field where id = $1)",
            set.id,
        ),
        ("update form_field set aktivan = false where id = $1 and $2 is not null", set.id),
    ] {
        world.write(sql, id, json!(["Novijavrednost"])).await;
    }
    let _engine = world.engine(&[]);
    let text = world.printed(world.ask_print(entry).await).await.join("\n");
    assert!(text.contains("verzija 1 formulara, od "), "{text}");
    assert!(!text.contains("Novijavrednost"), "{text}");
    for field in [number, set] {
        assert!(stands_beside(&text, &field.naziv, &expected(field).expect("an answer")), "{}: {text}", field.naziv);
    }
}

#[tokio::test]
async fn a_value_that_was_marked_before_the_version_of_its_entry_is_printed_with_its_mark_under_it() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let numbers: Vec<SavedField> =
        saved(&world, entry).await.into_iter().filter(|field| field.kind == 2 && field.labeled && field.shown).collect();
    let [first, second, third, fourth, ..] = &numbers.iter().filter(|field| field.value.is_some()).collect::<Vec<_>>()[..] else {
        panic!("an examination has numbers")
    };
    let marks = [
        (first, json!(["formula", null]), "Današnja formula daje drugi rezultat"),
        (second, json!(["neprovereno", null]), "Formula je promenjena posle ovog rezultata"),
        (third, json!(["jedinica", "mg/dL"]), "Uneto u jedinici mg/dL"),
        (fourth, json!(["jedinica", null]), "Uneto dok polje nije imalo jedinicu"),
    ];
    let _engine = world.engine(&[]);
    let plain = world.printed(world.ask_print(entry).await).await.join("\n");
    for (field, reason, words) in &marks {
        assert!(!plain.contains(*words), "{words} where nothing is marked: {plain}");
        let reason = json!([entry, reason[0], reason[1]]);
        world
            .write(
                "insert into stale_result (polje_id, unos_id, razlog, jedinica, vreme)
                 -- A result is marked by a formula that came after the entry's version, too.
                 values ($1, ($2 ->> 0)::bigint, $2 ->> 1, $2 ->> 2, case $2 ->> 1 when 'formula' then now() else '2020-01-01' end)",
                field.id,
                reason,
            )
            .await;
    }
    let marked = world.printed(world.ask_print(entry).await).await.join("\n");
    for (field, _, words) in &marks {
        let lines: Vec<&str> = marked.lines().collect();
        let at = lines.iter().position(|line| line.contains(*words)).unwrap_or_else(|| panic!("{words} is missing in\n{marked}"));
        let answer = expected(field).expect("it has a value");
        assert!(
            stands_beside(&lines[at.saturating_sub(3)..at].join("\n"), &field.naziv, &answer),
            "{words} does not stand under {}",
            field.naziv
        );
    }
}

#[tokio::test]
async fn nothing_is_printed_for_whom_the_patient_is_blurred() {
    let world = World::of_the_demo().await;
    let entry: i64 = sqlx::query_scalar(
        "select e.id from entry e join patient p on p.id = e.pacijent_id
          where e.aktivan and p.ustanova_id <> $1 and not exists (select from entry o where o.pacijent_id = p.id and o.ustanova_id = $1) limit 1",
    )
    .bind(world.ustanova)
    .fetch_one(&world.db.owner)
    .await
    .expect("the demo has patients whom the institution does not know");
    let _engine = world.engine(&[]);
    let ended = world.end(world.ask_print(entry).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("unauthorised")), "{ended:?}");
    assert_eq!(world.published(), Vec::<std::path::PathBuf>::new(), "there is no file at all");
}

#[tokio::test]
async fn an_entry_is_printed_for_whom_the_rule_of_all_programs_lets() {
    let world = World::of_the_demo().await;
    let own = world.demo_entry().await;
    let _engine = world.engine(&[]);
    for case in CASES {
        case.lay_out(&world.db.owner, world.radnik, world.ustanova).await.unwrap();
        let ended = world.end(world.ask_print(own).await).await;
        let expected = if case.patients { ("succeeded", None) } else { ("failed", Some("unauthorised")) };
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), expected, "{}: {ended:?}", case.who);
    }
}

#[tokio::test]
async fn a_print_says_the_state_of_the_entry_and_who_signed_it() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let _engine = world.engine(&[]);
    assert!(squeezed(&world.printed(world.ask_print(entry).await).await.concat()).contains("Stanjeunosauradu"));
    let signs = "insert into entry_state (unos_id, stanje, radnja, znacenje) values ($1, 'potpisan', 'potpis', $2 #>> '{}')";
    world.write(signs, entry, json!("autor")).await;
    world.write(signs, entry, json!("odobrio")).await;
    let signed = squeezed(&world.printed(world.ask_print(entry).await).await.concat());
    assert!(signed.contains("Stanjeunosapotpisan") && signed.contains("(autorunosa),") && signed.contains("(odobrio),"), "{signed}");
    let reopens = "insert into entry_state (unos_id, stanje, radnja, razlog) values ($1, 'uRadu', 'vracanje', $2 #>> '{}')";
    world.write(reopens, entry, json!("Ispravka")).await;
    let open = squeezed(&world.printed(world.ask_print(entry).await).await.concat());
    assert!(open.contains("Stanjeunosauradu") && !open.contains("(odobrio)"), "{open}");
}

#[tokio::test]
async fn a_deleted_entry_is_not_printed() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    world.write("update entry set aktivan = $2::boolean where id = $1", entry, json!(false)).await;
    let _engine = world.engine(&[]);
    let ended = world.end(world.ask_print(entry).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("gone")), "{ended:?}");
}

#[tokio::test]
async fn a_print_is_made_once_although_its_engine_is_killed_and_redis_says_nothing() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let run = world.insert_print(entry, false, false).await;
    let first = world.engine(&[("ENGINE_FAILPOINT", "render"), ("ENGINE_LEASE_SECONDS", "3")]);
    first.says("failpoint render reached").await;
    first.kill();
    assert_eq!(world.published(), Vec::<std::path::PathBuf>::new(), "nothing can be fetched of a print that is not over");
    let _second = world.engine(&[]);
    assert!(world.printed(run).await[0].contains("Klinički centar Srbije"));
    let ended = world.row(run).await;
    assert_eq!((ended.fence, ended.crash_count, world.published().len()), (2, 1, 1), "{ended:?}");
}

const PANELS: i64 = 40;
const FIELDS: i64 = 20;

/// A form of 800 fields in 40 panels, every one filled.
async fn large_entry(world: &World) -> i64 {
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    sqlx::raw_sql(
        "insert into register (naziv) values ('Veliki registar');
         insert into form (registar_id, naziv) select id, 'Veliki obrazac' from register where naziv = 'Veliki registar';
         insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Velika grupa', 8), ('Veliki tekst', 3)",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    for (sql, most) in [
        (
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled)
          select f.id, t.id, 'Grupa broj ' || n, n from form f, attribute_type t, generate_series(1, $1) n
           where f.naziv = 'Veliki obrazac' and t.naziv = 'Velika grupa'",
            PANELS,
        ),
        (
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, nadredjeni_atribut_u_tipu_skupa_id, naziv, redosled)
          select p.tip_skupa_atributa_id, t.id, p.id, 'Pitanje ' || p.redosled || '/' || n || '.', 1000 + n
            from form_field p, attribute_type t, generate_series(1, $1) n where p.naziv like 'Grupa broj %' and t.naziv = 'Veliki tekst'",
            FIELDS,
        ),
    ] {
        sqlx::query(sql).bind(most).execute(&mut *tx).await.unwrap();
    }
    let entry: i64 = sqlx::query_scalar(
        "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
         select (select min(id) from patient where ustanova_id = $1), f.registar_id, f.id, '2026-03-05', $1,
                (select jsonb_object_agg(q.id::text, 'odgovor ' || q.id || ' šđčćž' || case when q.redosled = 1001 then repeat(' duga napomena', 40) else '' end)
                   from form_field q where q.tip_skupa_atributa_id = f.id and q.nadredjeni_atribut_u_tipu_skupa_id is not null)
           from form f where f.naziv = 'Veliki obrazac' returning id",
    )
    .bind(world.ustanova)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    entry
}

#[tokio::test]
async fn an_entry_of_800_answers_is_printed_over_many_pages_without_losing_one_and_no_group_ends_a_page() {
    let world = World::of_the_demo().await;
    let entry = large_entry(&world).await;
    let _engine = world.engine(&[]);
    let pages = world.printed(world.ask_print(entry).await).await;
    assert!((12..40).contains(&pages.len()), "{} pages", pages.len());
    let plain = squeezed(&pages.join("\n"));
    let answers = saved(&world, entry).await;
    let filled: Vec<_> = answers.iter().filter(|field| field.value.is_some()).collect();
    assert_eq!(filled.len() as i64, PANELS * FIELDS);
    for field in filled {
        assert_eq!(plain.matches(&squeezed(&field.naziv)).count(), 1, "{}", field.naziv);
        assert_eq!(plain.matches(&format!("odgovor{}šđčćž", field.id)).count(), 1, "{}", field.naziv);
    }
    for (index, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("Strana {} od {}", index + 1, pages.len())), "{page}");
        let last = page.lines().filter(|line| !line.trim().is_empty()).rev().nth(1).unwrap();
        assert!(!last.contains("Grupa broj"), "the head of a group ends page {}: {last}", index + 1);
        assert!(index == 0 || page.trim_start().starts_with("Veliki obrazac – "), "later pages say whose they are: {page}");
    }
}

#[tokio::test]
async fn a_summary_is_a_page_of_the_last_visit_and_what_changed_at_it() {
    let world = World::of_the_demo().await;
    // A patient of whom the worker's institution has several examinations, and the newest of them.
    let newest: i64 = sqlx::query_scalar(
        "select e.id from entry e join form f on f.id = e.tsa_id
          where f.naziv = 'Pregled' and e.ustanova_id = $1 and e.aktivan
            and (select count(*) from entry o where o.pacijent_id = e.pacijent_id and o.tsa_id = e.tsa_id and o.aktivan) > 2
          order by e.datum_unosa desc, e.id desc limit 1",
    )
    .bind(world.ustanova)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    let (patient, day): (String, String) = sqlx::query_as(
        "select p.prezime || ' ' || p.ime, to_char(e.datum_unosa, 'DD.MM.YYYY.') from entry e join patient p on p.id = e.pacijent_id where e.id = $1",
    )
    .bind(newest)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    let _engine = world.engine(&[]);
    let summary = world.printed(world.ask_summary(newest).await).await.join("\n");
    for told in ["Sažetak pacijenta", &patient, "Poslednja poseta", &day, "Od prošle posete", "Ranije"] {
        assert!(squeezed(&summary).contains(&squeezed(told)), "{told}: {summary}");
    }
    let entry = world.printed(world.ask_print(newest).await).await.join("\n");
    assert!(squeezed(&entry).contains(&squeezed("Od prošle posete")), "{entry}");
    assert!(entry.contains("U istoj poseti"), "{entry}");
}

/// How many, and never what: neither is a fact of the entry.
#[tokio::test]
async fn a_print_says_how_many_findings_and_questions_are_open_and_none_of_their_words() {
    let world = World::of_the_demo().await;
    let entry = world.demo_entry().await;
    let _engine = world.engine(&[]);
    let plain = squeezed(&world.printed(world.ask_print(entry).await).await.concat());
    assert!(!plain.contains("Otvorenih"), "{plain}");
    let found = "insert into quality_finding (pravilo_id, unos_id, pacijent_id, ustanova_id, otisak)
                 select (select min(id) from quality_rule), e.id, e.pacijent_id, e.ustanova_id, $2 #>> '{}' from entry e where e.id = $1";
    world.write(found, entry, json!("x")).await;
    let asked = "with q as (insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
                            select e.id, e.pacijent_id, e.ustanova_id, 'kolega', 1 from entry e where e.id = $1 returning id)
                 insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select id, 'pitanje', $2 #>> '{}', 'otvoren', 1 from q";
    world.write(asked, entry, json!("Zvrkokret?")).await;
    let told = squeezed(&world.printed(world.ask_print(entry).await).await.concat());
    assert!(told.contains("Otvorenihnalaza1") && told.contains("Otvorenihupita1"), "{told}");
    assert!(!told.contains("Zvrkokret"), "{told}");
}
