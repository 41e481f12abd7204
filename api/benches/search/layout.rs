//! Two registers with four forms of 80 fields, half of them searchable, and a form of 60 searchable fields for saves.

use std::collections::HashMap;

use domain::db;
use sqlx::PgPool;

pub const INSTITUTIONS: i64 = 20;
const ITEMS: usize = 8;

/// How a field's values fall.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True with this probability.
    Choice(f64),
    /// Around a mean with a spread, log-normal or not, with decimals.
    Number {
        mean: f64,
        spread: f64,
        log: bool,
        decimals: u32,
    },
    /// 50 to 99 for patients of this parity, 0 to 49 for the others: two of these never meet in one patient.
    Split(u64),
    Text,
    Set,
    Date,
}

impl Kind {
    fn number(self) -> i16 {
        match self {
            Self::Choice(_) => 1,
            Self::Number { .. } | Self::Split(_) => 2,
            Self::Text => 3,
            Self::Set => 4,
            Self::Date => 5,
        }
    }
}

/// A field of a form; `code` is its kind's letter and its number among that kind, as `n0`.
#[derive(Clone, Debug)]
pub struct Field {
    pub id: i64,
    pub code: String,
    pub kind: Kind,
    pub searchable: bool,
    pub items: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Form {
    pub id: i64,
    /// The version by which its entries were filled in.
    pub version: i64,
    pub register: i64,
    pub name: &'static str,
    /// How often a field has a value.
    pub fill: f64,
    pub fields: Vec<Field>,
}

impl Form {
    pub fn field(&self, code: &str) -> &Field {
        self.fields.iter().find(|field| field.code == code).unwrap_or_else(|| panic!("no field {code} in {}", self.name))
    }
}

/// Everything that is configured, with the ids that the database gave.
pub struct Layout {
    pub registers: [i64; 2],
    /// Pregled and Kontrola of the first register, Prijem and Otpust of the second, and the form for saves.
    pub forms: Vec<Form>,
    /// The last one knows next to nobody.
    pub institutions: Vec<i64>,
    /// A doctor of each institution.
    pub doctors: Vec<i64>,
}

/// Name, register, fill rate, and how many fields of each kind.
const FORMS: [(&str, usize, f64, [usize; 5]); 5] = [
    ("Pregled", 0, 0.67, [12, 13, 4, 7, 4]),
    ("Kontrola", 0, 0.67, [6, 6, 2, 4, 2]),
    ("Prijem", 1, 0.9, [4, 4, 1, 2, 1]),
    ("Otpust", 1, 0.9, [3, 2, 1, 1, 1]),
    ("Snimanje", 0, 1.0, [15, 25, 8, 8, 4]),
];
const CHOICES: [f64; 12] = [0.002, 0.1, 0.6, 0.2, 0.9, 0.02, 0.3, 0.4, 0.05, 0.7, 0.5, 0.01];

fn kind(kind: usize, index: usize) -> Kind {
    match (kind, index) {
        (0, _) => Kind::Choice(CHOICES[index % CHOICES.len()]),
        (1, 2) => Kind::Split(0),
        (1, 4) => Kind::Split(1),
        (1, _) => Kind::Number {
            mean: 5.0 + index as f64 * 3.0,
            spread: 1.5 + index as f64 * 0.4,
            log: index % 4 == 3,
            decimals: u32::try_from(index % 3).expect("few"),
        },
        (2, _) => Kind::Text,
        (3, _) => Kind::Set,
        _ => Kind::Date,
    }
}

/// The fields of a form, not yet stored.
fn fields(name: &str, counts: [usize; 5]) -> Vec<Field> {
    let mut fields = Vec::new();
    for (of, (count, letter)) in counts.into_iter().zip(["c", "n", "t", "s", "d"]).enumerate() {
        for index in 0..count {
            let searchable = name == "Snimanje" || index % 2 == 0;
            fields.push(Field { id: 0, code: format!("{letter}{index}"), kind: kind(of, index), searchable, items: Vec::new() });
        }
    }
    fields
}

/// Stores the configuration in an empty database.
pub async fn store(owner: &PgPool) -> anyhow::Result<()> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    sqlx::query("insert into institution (naziv) select 'Ustanova ' || lpad(n::text, 2, '0') from generate_series(1, $1) n")
        .bind(INSTITUTIONS + 1)
        .execute(&mut *tx)
        .await?;
    sqlx::query("insert into role (ime, pacijenti, moze_biti_odgovoran) values ('lekar', 'izmena', true)").execute(&mut *tx).await?;
    sqlx::query(
        "insert into worker (username, ime, prezime, ustanova_id) select 'lekar' || id, 'Lekar', 'Broj ' || id, id from institution",
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query("insert into worker_role select w.id, r.id from worker w cross join role r where w.ustanova_id is not null")
        .execute(&mut *tx)
        .await?;
    sqlx::query("insert into register (naziv, sifra) values ('Merenje A', 'a'), ('Merenje B', 'b')").execute(&mut *tx).await?;
    for (name, register, _, counts) in FORMS {
        let form: i64 =
            sqlx::query_scalar("insert into form (registar_id, naziv) select id, $2 from register where sifra = $1 returning id")
                .bind(["a", "b"][register])
                .bind(name)
                .fetch_one(&mut *tx)
                .await?;
        for (order, field) in (1_i32..).zip(fields(name, counts)) {
            let attribute: i64 = sqlx::query_scalar(
                "insert into attribute_type (naziv, tip_vrednosti_atributa, decimale_brojne_vrednosti) values ($1, $2, 2) returning id",
            )
            .bind(format!("{name} {}", field.code))
            .bind(field.kind.number())
            .fetch_one(&mut *tx)
            .await?;
            if matches!(field.kind, Kind::Set) {
                sqlx::query(
                    "insert into enum_item (tip_atributa_id, naziv, num_vrednost, redosled)
                     select $1, 'Stavka ' || n, n, n from generate_series(1, $2::int) n",
                )
                .bind(attribute)
                .bind(ITEMS as i32)
                .execute(&mut *tx)
                .await?;
            }
            sqlx::query(
                "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, pretrazuje_se, multiselect)
                 values ($1, $2, $3, $4, $3, $5, true)",
            )
            .bind(form)
            .bind(attribute)
            .bind(&field.code)
            .bind(order)
            .bind(field.searchable)
            .execute(&mut *tx)
            .await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

impl Layout {
    /// Reads the ids of what `store` has stored.
    pub async fn read(db: &PgPool) -> anyhow::Result<Self> {
        let registers: Vec<i64> = sqlx::query_scalar("select id from register order by sifra").fetch_all(db).await?;
        let institutions = sqlx::query_scalar("select id from institution order by naziv").fetch_all(db).await?;
        let doctors = sqlx::query_scalar("select w.id from worker w join institution i on i.id = w.ustanova_id order by i.naziv");
        let ids: Vec<(String, String, i64, i64, Vec<i64>)> = sqlx::query_as(
            "select g.naziv, f.sifra, g.id, f.id,
                    array(select e.id from enum_item e where e.tip_atributa_id = f.tip_atributa_id order by e.redosled)
               from form_field f join form g on g.id = f.tip_skupa_atributa_id",
        )
        .fetch_all(db)
        .await?;
        let versions: Vec<(i64, i64)> = sqlx::query_as("select id, make_form_version(id) from form").fetch_all(db).await?;
        let versions: HashMap<i64, i64> = versions.into_iter().collect();
        let ids: HashMap<(String, String), (i64, i64, Vec<i64>)> =
            ids.into_iter().map(|(form, code, form_id, id, items)| ((form, code), (form_id, id, items))).collect();
        let forms = FORMS
            .into_iter()
            .map(|(name, register, fill, counts)| {
                let mut form = Form { id: 0, version: 0, register: registers[register], name, fill, fields: fields(name, counts) };
                for field in &mut form.fields {
                    let (form_id, id, items) = &ids[&(name.to_owned(), field.code.clone())];
                    form.id = *form_id;
                    form.version = versions[form_id];
                    field.id = *id;
                    field.items.clone_from(items);
                }
                form
            })
            .collect();
        Ok(Self { registers: [registers[0], registers[1]], forms, institutions, doctors: doctors.fetch_all(db).await? })
    }
}
