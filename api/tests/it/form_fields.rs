//! Fields of a form: the contract, and that a form with the saved field in it still fits together.

use accounts::rights::Right;
use domain::register::FieldProperties;
use serde_json::{Value, json};

use crate::{
    crud::{Contract, crud_contract},
    support::{TestApp, TestRegister, Worker},
};

const REGISTER: &str = "insert into register (id, naziv) values (700, 'Registar')";
const FORM: &str = "insert into form (id, registar_id, naziv) values (700, 700, 'Formular')";
const NUMBER: &str = "insert into attribute_type (id, naziv, tip_vrednosti_atributa) values (700, 'Broj', 2)";
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// A record's names: those of a field's own properties, whichever they are, and these.
fn properties_and(names: &str) -> &'static str {
    let own = serde_json::to_value(FieldProperties::default()).expect("properties are JSON");
    let own = own.as_object().expect("an object").keys().map(String::as_str);
    let mut all: Vec<&str> = own.chain(names.split_whitespace()).collect();
    all.sort_unstable();
    all.join(" ").leak()
}

#[tokio::test]
async fn form_fields_keep_the_contract() {
    crud_contract(Contract {
        setup: &[REGISTER, FORM, NUMBER],
        required: vec![
            ("tipAtributaID", "Niste izabrali tip atributa.", json!(700)),
            ("naziv", "Niste uneli naziv.", json!("Sistolni pritisak")),
            ("redosled", "Niste uneli prikazni redosled.", json!(10)),
            ("tipSkupaAtributaID", "Niste izabrali formular.", json!(700)),
        ],
        change: ("gornjaReferentnaBrojnaVrednost", json!(139.5)),
        record: properties_and(
            "aktivan id inicijalnaEnumStavkaID inicijalnaEnumStavkaNaziv nadredjeniAtributUTipuSkupaID nadredjeniAtributUTipuSkupaNaziv \
             nadredjeniAtributUTipuSkupaTVANumVr redosled tipAtributaID tipAtributaNaziv tipSkupaAtributaID \
             tipVrednostiAtributaNumVrednost upozorenja verzija",
        ),
        ..Contract::of("form-fields", "form_field", Right::Registers)
    })
    .await;
}

/// A form with a field of every kind of value, and types of what arranges it.
struct Designer {
    app: TestApp,
    admin: Worker,
    register: TestRegister,
}

impl Designer {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let (admin, register) = (app.worker("urednik", &[Right::Registers], app.ustanova).await, app.register().await);
        Self { app, admin, register }
    }

    async fn type_of(&self, kind: i64) -> i64 {
        let body = json!({ "naziv": format!("Tip {kind}"), "tipVrednostiAtributa": kind });
        self.admin.post("/api/attribute-types", body).await.json()["id"].as_i64().expect("an id")
    }

    /// What makes a field of this kind, with more in it.
    async fn field(&self, kind: i64, more: Value) -> Value {
        let mut body = json!({ "tipAtributaID": self.type_of(kind).await, "naziv": "Polje", "redosled": 100, "tipSkupaAtributaID": self.register.form });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    }

    async fn add(&self, kind: i64, more: Value) -> i64 {
        let answer = self.admin.post("/api/form-fields", self.field(kind, more).await).await;
        answer.assert_status(201);
        answer.json()["id"].as_i64().expect("an id")
    }

    async fn refused(&self, kind: i64, more: Value, field: &str, message: &str) {
        self.admin.post("/api/form-fields", self.field(kind, more).await).await.assert_error(422, Some(field), message);
    }

    /// Changes a field of the form, by its code.
    async fn change_refused(&self, code: &str, change: Value, field: &str, message: &str) {
        let path = format!("/api/form-fields/{}", self.register.field(code));
        self.admin.patch(&path, change).await.assert_error(422, Some(field), message);
    }
}

#[tokio::test]
async fn a_formula_is_refused_with_its_place_until_it_is_right() {
    let designer = Designer::new().await;
    let unknown = "Nepoznata šifra polja „nema”. (mesto 11)";
    designer.refused(2, json!({ "formulaZaRacunanje": "$(broj) + $(nema)" }), "formulaZaRacunanje", unknown).await;
    designer.refused(2, json!({ "formulaZaPrikaz": "$(broj) + $(nema)" }), "formulaZaPrikaz", unknown).await;
    let none_left: i64 =
        sqlx::query_scalar("select count(*) from form_field where naziv = 'Polje'").fetch_one(&designer.app.db.owner).await.unwrap();
    assert_eq!(none_left, 0);

    let id = designer.add(2, json!({ "sifra": "dvostruko", "formulaZaRacunanje": "$(broj) * 2", "formulaZaPrikaz": "$(izbor) = 1" })).await;
    let trees: (Value, Value) = sqlx::query_as("select formula_za_racunanje_ast, formula_za_prikaz_ast from form_field where id = $1")
        .bind(id)
        .fetch_one(&designer.app.db.owner)
        .await
        .unwrap();
    assert_eq!((&trees.0["deps"], &trees.1["deps"]), (&json!(["broj"]), &json!(["izbor"])));

    // The formula goes, and with it what was parsed.
    designer.admin.patch(&format!("/api/form-fields/{id}"), json!({ "formulaZaPrikaz": null })).await.assert_status(200);
    let tree: Option<Value> = sqlx::query_scalar("select formula_za_prikaz_ast from form_field where id = $1")
        .bind(id)
        .fetch_one(&designer.app.db.owner)
        .await
        .unwrap();
    assert_eq!(tree, None);
}

#[tokio::test]
async fn formulas_that_go_in_a_circle_are_refused() {
    let designer = Designer::new().await;
    // `zbir` is broj + 1.
    let circle = "Formule se vrte u krug: broj → zbir → broj. (mesto 3)";
    designer.change_refused("broj", json!({ "formulaZaRacunanje": "1+$(zbir)" }), "formulaZaRacunanje", circle).await;
    // A panel that shows by a field cannot hold that field.
    let panel = designer.add(8, json!({ "sifra": "panel", "formulaZaPrikaz": "$(broj) > 1" })).await;
    let inside = "Formule se vrte u krug: broj → panel → broj.";
    designer.change_refused("broj", json!({ "nadredjeniAtributUTipuSkupaID": panel }), "nadredjeniAtributUTipuSkupaID", inside).await;
}

#[tokio::test]
async fn what_a_formula_reads_keeps_its_code_and_stays() {
    let designer = Designer::new().await;
    designer.change_refused("broj", json!({ "sifra": "drugo" }), "sifra", "Šifru koristi formula polja „zbir”.").await;
    let path = format!("/api/form-fields/{}", designer.register.field("broj"));
    designer.admin.delete(&path).await.assert_error(409, None, "Polje se ne može obrisati: koristi ga formula polja „zbir”.");
    designer.admin.delete(&format!("/api/form-fields/{}", designer.register.field("zbir"))).await.assert_status(204);
    designer.admin.delete(&path).await.assert_status(204);
}

#[tokio::test]
async fn a_field_stands_in_a_panel_an_image_or_a_tab_of_its_form() {
    let designer = Designer::new().await;
    let (tab, parent) = (designer.add(11, json!({ "naziv": "Tab" })).await, "nadredjeniAtributUTipuSkupaID");
    let panel = designer.add(8, json!({ "naziv": "Panel", parent: tab })).await;
    let number = designer.register.fields["broj"];
    designer.refused(2, json!({ parent: number }), parent, "Nadređeno polje mora biti panel, slika ili tab.").await;
    designer.refused(2, json!({ parent: 999_999 }), parent, "Nadređeno polje nije u ovom formularu.").await;
    designer.admin.patch(&format!("/api/form-fields/{tab}"), json!({ parent: panel })).await.assert_error(
        422,
        Some(parent),
        "Polje ne može biti u samom sebi.",
    );
    designer.admin.delete(&format!("/api/form-fields/{tab}")).await.assert_error(
        409,
        None,
        "Polje se ne može obrisati: u njemu je polje „Panel”.",
    );
    let listed = designer.admin.get(&format!("/api/form-fields?tipSkupaAtributa={}&filter=panel", designer.register.form)).await.json();
    assert_eq!(listed["data"][0]["nadredjeniAtributUTipuSkupaNaziv"], "Tab");
    assert_eq!(listed["data"][0]["nadredjeniAtributUTipuSkupaTVANumVr"], 11);
}

#[tokio::test]
async fn only_an_image_has_a_picture_and_only_what_is_on_it_a_place() {
    let designer = Designer::new().await;
    designer.refused(2, json!({ "backgroundImage": PICTURE }), "backgroundImage", "Sliku ima samo slikovno polje.").await;
    designer.refused(9, json!({ "backgroundImage": "PHN2Zz4=" }), "backgroundImage", "Dozvoljene su samo slike.").await;
    let place = json!({ "imageCoordinateX": 12, "imageCoordinateY": 30 });
    let message = "Mesto na slici ima samo polje čije je nadređeno polje slika.";
    designer.refused(1, place.clone(), "imageCoordinateX", message).await;
    designer.refused(1, json!({ "imageCoordinateX": 12 }), "imageCoordinateX", "Koordinate na slici idu zajedno.").await;
    let image = designer.add(9, json!({ "backgroundImage": PICTURE })).await;
    let mut dot = place;
    dot["nadredjeniAtributUTipuSkupaID"] = json!(image);
    designer.add(1, dot).await;
}

#[tokio::test]
async fn saved_values_keep_the_kind_of_their_field() {
    let designer = Designer::new().await;
    let Designer { app, register, .. } = &designer;
    let patient = app.patient(register, "Ana", "Anić", app.ustanova, 1).await;
    app.entry(register, patient, app.ustanova, "2024-05-01", json!({ "tekst": "nešto" })).await;
    let number = designer.type_of(2).await;
    let message = "Polje ima snimljene vrednosti, pa mu se tip ne može promeniti.";
    designer.change_refused("tekst", json!({ "tipAtributaID": number }), "tipAtributaID", message).await;
    let never_filled = format!("/api/form-fields/{}", register.field("datum"));
    designer.admin.patch(&never_filled, json!({ "tipAtributaID": number })).await.assert_status(200);
}

#[tokio::test]
async fn initial_values_and_chart_lines_are_looked_at() {
    let designer = Designer::new().await;
    let item = designer.register.items["prva"];
    designer
        .refused(4, json!({ "inicijalnaEnumStavkaID": item }), "inicijalnaEnumStavkaID", "Početna stavka ne pripada tipu atributa.")
        .await;
    let path = format!("/api/form-fields/{}", designer.register.field("skup"));
    let changed = designer.admin.patch(&path, json!({ "inicijalnaEnumStavkaID": item })).await.json();
    assert_eq!(changed["inicijalnaEnumStavkaNaziv"], "prva");
    let query = json!({ "upitInicijalnaVrednost": "select 1; select 2" });
    designer.refused(2, query, "upitInicijalnaVrednost", "Upit nije ispravan: dozvoljena je samo jedna naredba (red 1).").await;
    let line = |boja: &str| json!({ "grafik": [{ "oznaka": "CRP", "sifra": "broj", "boja": boja }] });
    designer.refused(2, line("#112233"), "grafik", "Linije ima samo grafik.").await;
    designer.refused(12, line("crvena"), "grafik", "Boja linije „CRP” nije ispravna.").await;
    designer.add(12, line("#112233")).await;
}

/// Columns of a field and of its type that no description has: what they are to a form stands beside each.
const UNDESCRIBED: [&str; 23] = [
    "form_field.aktivan",                                 // those that are not are left out whole
    "form_field.blok",                                    // asked by the designer
    "form_field.inicijalna_boolean_vrednost",             // asked by a new entry
    "form_field.inicijalna_enum_stavka_id",               // asked by a new entry
    "form_field.inicijalna_string_vrednost",              // asked by a new entry
    "form_field.inicijalno_poslednja_popunjena_vrednost", // asked by a new entry
    "form_field.napomena_dizajnera",                      // the designer's own
    "form_field.oznaka_izvoza",                           // asked by exports
    "form_field.pretrazuje_se",                           // asked by the search
    "form_field.primeri",                                 // held against the formula when it is saved
    "form_field.sifra_veza",                              // asked by imports
    "form_field.tip_skupa_atributa_id",                   // whose description it is
    "form_field.upit_inicijalna_vrednost",                // asked by a new entry
    "form_field.verzija",
    "form_field.vreme_kreiranja",
    "form_field.vreme_poslednje_izmene",
    "attribute_type.aktivan", // a type in use is
    "attribute_type.id",      // the field names it
    "attribute_type.napomena",
    "attribute_type.naziv", // entries are shown the field's name
    "attribute_type.verzija",
    "attribute_type.vreme_kreiranja",
    "attribute_type.vreme_poslednje_izmene",
];

/// A column that comes later is described, or named above: nobody forgets it in `field_description`.
#[tokio::test]
async fn each_column_of_a_field_and_of_its_type_is_described_or_is_said_not_to_be() {
    let designer = Designer::new().await;
    // A dot that repeats, of files: what only one kind has is asked of it alone.
    let undescribed: Vec<String> = sqlx::query_scalar(
        r#"
        with base as (
            select jsonb_populate_record(f, '{"ponavlja_se": true, "image_coordinate_x": 1}') as f,
                   jsonb_populate_record(t, jsonb_build_object('tip_vrednosti_atributa', type_number('fajl'))) as t
              from form_field f join attribute_type t on t.id = f.tip_atributa_id where f.sifra = 'broj'
        ), columns as (
            select c.table_name::text as t, c.column_name::text as name,
                   case c.data_type when 'boolean' then to_jsonb(true) when 'text' then '"nešto"' when 'jsonb' then '["nešto"]' when 'ARRAY' then '["pdf"]'
                                    when 'numeric' then '2.5' when 'timestamp with time zone' then '"2001-02-03T04:05:06Z"' else '7' end as value
              from information_schema.columns c where c.table_name in ('form_field', 'attribute_type')
        )
        select c.t || '.' || c.name
          from columns c cross join base b
          -- A flag that the field has is taken from it.
          cross join lateral (select case when jsonb_typeof(c.value) = 'boolean'
                                          then to_jsonb(not ((case c.t when 'form_field' then to_jsonb(b.f) else to_jsonb(b.t) end ->> c.name)::boolean))
                                          else c.value end as value) v
         where field_description(case c.t when 'form_field' then jsonb_populate_record(b.f, jsonb_build_object(c.name, v.value)) else b.f end,
                                 case c.t when 'attribute_type' then jsonb_populate_record(b.t, jsonb_build_object(c.name, v.value)) else b.t end)
               = field_description(b.f, b.t)
         order by c.t desc, c.name
        "#,
    )
    .fetch_all(&designer.app.db.owner)
    .await
    .unwrap();
    assert_eq!(undescribed, UNDESCRIBED);
}
