//! Patients whose every identifying detail is unique in the database, so that an answer can be searched for it.

use domain::{db, fold::fold, jmbg::Jmbg};
use jiff::{ToSpan, civil::date};
use serde_json::{Value, json};

use super::{Answer, TestApp, TestRegister};

/// A patient with an entry, and the request that would register the same person.
pub struct Person {
    pub id: i64,
    pub entry: i64,
    /// Names, numbers, addresses, notes and what the entry says in free text.
    pub identity: Vec<String>,
    pub record: Value,
}

impl Person {
    pub fn secrets(&self) -> Secrets {
        Secrets::of(&self.identity)
    }
}

impl TestApp {
    /// The `number`th person, registered by the institution, with an entry of the institution.
    pub async fn person(&self, register: &TestRegister, ustanova: i64, number: i64) -> Person {
        let record = record(number);
        let text = |name: &str| record[name].as_str().expect("a text").to_owned();
        let id = self.patient(register, &text("ime"), &text("prezime"), ustanova, number).await;
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        sqlx::query(
            "update patient p
                set jmbg = r.jmbg, lbo = r.lbo, datum_rodjenja = r.\"datumRodjenja\", ime_roditelja = r.\"imeRoditelja\", adresa = r.adresa,
                    broj_kartona = r.\"brojKartona\", kontakt_telefon = r.\"kontaktTelefon\", mobilni_telefon = r.\"mobilniTelefon\",
                    email = r.email, zanimanje = r.zanimanje, medicinska_napomena = r.\"medicinskaNapomena\",
                    administrativna_napomena = r.\"administrativnaNapomena\"
               from jsonb_to_record($2) as r(jmbg text, lbo text, \"datumRodjenja\" date, \"imeRoditelja\" text, adresa text, \"brojKartona\" text,
                    \"kontaktTelefon\" text, \"mobilniTelefon\" text, email text, zanimanje text, \"medicinskaNapomena\" text,
                    \"administrativnaNapomena\" text)
              where p.id = $1",
        )
        .bind(id)
        .bind(&record)
        .execute(&mut *tx)
        .await
        .expect("the whole record");
        tx.commit().await.expect("committed");
        let note = format!("majka {} zove", text("imeRoditelja"));
        let values = json!({ "broj": number % 100, "izbor": number % 2 == 0, "tekst": note, "datum": "2019-05-06" });
        let entry = self.entry(register, id, ustanova, &format!("2024-{:02}-11", number % 12 + 1), values).await;
        let details = record.as_object().expect("a record").values().filter_map(|value| value.as_str().map(str::to_owned));
        Person { id, entry, identity: details.collect(), record }
    }
}

/// What a form would send for the `number`th person. Each is born on a day of their own.
pub fn record(number: i64) -> Value {
    let name = syllables(number);
    // Not a day apart: names of neighbouring numbers are alike, and the two would be taken for one person.
    let day = date(1930, 1, 1) + (number * 3).days();
    json!({
        "ime": format!("Žoć{name}"), "prezime": format!("Đu{name}šćak"), "imeRoditelja": format!("Ču{name}"), "jmbg": Jmbg::compose(day, 71, true, 0).to_string(),
        "datumRodjenja": day.to_string(), "lbo": format!("{:011}", 90_000_000_000 + number), "polTrenutni": true,
        "adresa": format!("Ulica {name}ska 7"), "brojKartona": format!("K-{name}"), "kontaktTelefon": format!("061/{:08}", 70_000_000 + number),
        "mobilniTelefon": format!("062/{:08}", 80_000_000 + number), "email": format!("{name}@primer.rs"), "zanimanje": format!("{name}ar"),
        "medicinskaNapomena": format!("beleška {name}1"), "administrativnaNapomena": format!("beleška {name}2"),
    })
}

/// A word that no other number has, and that no text of the program has in it.
fn syllables(number: i64) -> String {
    let syllable = |n: i64| ["vab", "kez", "lif", "mog", "puv", "rax", "teh", "nib", "dof", "guc"][n as usize % 10];
    (0..4).map(|place| syllable(number / 10_i64.pow(place))).collect()
}

/// Details that an answer must not hold, folded: what holds a text as it is holds it folded as well.
pub struct Secrets(Vec<String>);

impl Secrets {
    pub fn of<'a>(details: impl IntoIterator<Item = &'a String>) -> Self {
        Self(details.into_iter().map(|detail| fold(detail)).collect())
    }
}

impl Answer {
    /// The first of these details that the answer holds, its headers included.
    pub fn tells<'a>(&self, secrets: &'a Secrets) -> Option<&'a str> {
        let headers = self.headers.iter().map(|(name, value)| format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes())));
        let said = fold(&(headers.collect::<String>() + &self.text()));
        secrets.0.iter().map(String::as_str).find(|secret| said.contains(secret))
    }

    #[track_caller]
    pub fn assert_silent_about(&self, call: &str, secrets: &Secrets) -> &Self {
        assert_eq!(self.tells(secrets), None, "{call} is told: {}", self.text());
        self
    }
}
