//! What PostgreSQL says of a statement, for whoever wrote it: a Serbian sentence with the server's own words in brackets, which is what can be
//! sought for.

/// The sentence without its full stop: a place follows.
pub fn told(code: &str, message: &str) -> String {
    format!("{} [{message}]", meaning(code, message))
}

fn meaning(code: &str, message: &str) -> String {
    let quoted = message.split('"').nth(1);
    let named = |what: &str, rest: &str| quoted.map_or(format!("{what} {rest}"), |name| format!("{what} „{name}” {rest}"));
    match code {
        "42601" if message.ends_with("end of input") => "upit se završava pre kraja izraza".into(),
        "42601" => quoted.map_or("upit nije ispravno napisan".into(), |near| format!("upit nije ispravno napisan kod „{near}”")),
        "42703" => match (quoted, message.strip_prefix("column ").and_then(|rest| rest.strip_suffix(" does not exist"))) {
            (None, Some(name)) => format!("kolona „{name}” ne postoji"),
            _ => named("kolona", "ne postoji"),
        },
        "42P01" if message.starts_with("missing FROM-clause") => named("pogled", "nije naveden posle from"),
        "42P01" => named("pogled", "ne postoji"),
        "42702" => named("kolona", "postoji u više pogleda: navedite i pogled"),
        "42712" => named("naziv", "je naveden dva puta"),
        "42883" => unknown_call(message),
        "42725" => "nije jasno koja se funkcija poziva: pretvorite vrednosti u tip koji traži".into(),
        "42803" => "kolona mora stajati u group by ili u funkciji koja skuplja redove, a takva funkcija ne stoji u where".into(),
        "42804" => "vrednosti na tom mestu moraju biti istog tipa".into(),
        "42846" => "vrednost ne može da se pretvori u traženi tip".into(),
        "42704" => named("tip", "ne postoji"),
        "42P08" | "42P18" => "tip parametra nije jasan: pretvorite ga, na primer u ::text".into(),
        "42P10" => "order by ili distinct se poziva na kolonu koje nema u rezultatu".into(),
        "42P20" => "funkcija sa over ne stoji na tom mestu".into(),
        "42501" => match (called(message), quoted_relation(message)) {
            (Some(name), _) => format!("izveštaji ne pozivaju funkciju „{name}”"),
            (None, Some(name)) => format!("izveštaji ne čitaju „{name}”, već poglede"),
            (None, None) => "upit čita nešto što izveštaji ne čitaju".into(),
        },
        "25006" => "upit izveštaja samo čita podatke".into(),
        "0A000" => "upit traži nešto što baza ili izveštaji ne podržavaju".into(),
        _ => "baza ne prihvata upit".into(),
    }
}

/// `operator does not exist: bigint = text`, `function x(integer) does not exist`.
fn unknown_call(message: &str) -> String {
    let operands = message.strip_prefix("operator does not exist: ");
    let types = operands.and_then(|operands| {
        let sign = operands
            .split(' ')
            .find(|part| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_punctuation() && letter != '"'))?;
        let (left, right) = operands.split_once(&format!(" {sign} "))?;
        Some(format!("vrednosti tipa {left} i {right} ne mogu da se spoje operatorom „{sign}”"))
    });
    let function = || message.strip_prefix("function ").and_then(|rest| rest.strip_suffix(" does not exist"));
    match types {
        Some(types) => types,
        None if operands.is_some() => "operator ne prima vrednosti tog tipa".into(),
        None => {
            function().map_or("funkcija ne postoji".into(), |name| format!("funkcija „{name}” ne postoji, ili ne prima vrednosti tog tipa"))
        }
    }
}

/// `permission denied for function query_to_xml`.
fn called(message: &str) -> Option<&str> {
    message.strip_prefix("permission denied for function ").or_else(|| message.strip_prefix("permission denied for aggregate "))
}

/// `permission denied for table patient`.
fn quoted_relation(message: &str) -> Option<&str> {
    message.strip_prefix("permission denied for ")?.rsplit(' ').next()
}

/// What helps: ours where there is one, else the server's own words in brackets.
pub fn hint(code: &str, message: &str, said: Option<&str>) -> Option<String> {
    let quoted = said.and_then(|hint| hint.split('"').nth(1));
    match code {
        "42883" => Some("Pretvorite jednu vrednost u tip druge, na primer ::text ili ::bigint.".into()),
        "42703" if quoted.is_some() => quoted.map(|name| format!("Možda ste mislili na kolonu „{name}”.")),
        "42P01" if message.starts_with("relation ") => Some(VIEWS.into()),
        "42501" if called(message).is_some() => Some(FUNCTIONS.into()),
        "42501" if quoted_relation(message).is_some() => Some(VIEWS.into()),
        _ => said.map(|hint| format!("[{hint}]")),
    }
}

const VIEWS: &str =
    "Pogledi su nabrojani u Pomoći: pacijenti su u pogledu report.pacijent, unosi u report.unos, a vrednosti u report.vrednost.";

const FUNCTIONS: &str = "Izveštaji pozivaju samo funkcije koje računaju: sa brojevima, tekstom, datumima, nizovima, json-om i redovima. One koje \
                         izvršavaju upit iz teksta, ili čitaju bazu i njena podešavanja, ne pozivaju.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_says_is_told_in_serbian_with_its_own_words() {
        let cases = [
            ("42883", "operator does not exist: bigint = text", "vrednosti tipa bigint i text ne mogu da se spoje operatorom „=”"),
            (
                "42883",
                "operator does not exist: timestamp without time zone ->> integer",
                "vrednosti tipa timestamp without time zone i integer ne mogu da se spoje operatorom „->>”",
            ),
            ("42883", "function nema(integer) does not exist", "funkcija „nema(integer)” ne postoji, ili ne prima vrednosti tog tipa"),
            ("42703", "column \"nema\" does not exist", "kolona „nema” ne postoji"),
            ("42703", "column p.nema does not exist", "kolona „p.nema” ne postoji"),
            ("42P01", "relation \"patient\" does not exist", "pogled „patient” ne postoji"),
            ("42601", "syntax error at end of input", "upit se završava pre kraja izraza"),
            ("42501", "permission denied for table patient", "izveštaji ne čitaju „patient”, već poglede"),
            ("42501", "permission denied for function query_to_xml", "izveštaji ne pozivaju funkciju „query_to_xml”"),
            ("42999", "something new", "baza ne prihvata upit"),
        ];
        for (code, message, meaning) in cases {
            assert_eq!(told(code, message), format!("{meaning} [{message}]"));
        }
    }

    #[test]
    fn a_view_that_is_not_there_is_answered_with_those_that_are() {
        assert_eq!(hint("42P01", "relation \"patient\" does not exist", None).as_deref(), Some(VIEWS));
        assert_eq!(
            hint("42703", "", Some("Perhaps you meant to reference the column \"pacijent.ime\".")).as_deref(),
            Some("Možda ste mislili na kolonu „pacijent.ime”.")
        );
        assert_eq!(hint("42601", "", Some("Try this.")).as_deref(), Some("[Try this.]"));
    }
}
