//! The words of a template: what is declared and computed, by which attributes, and what each is for. The helpers are registered from these
//! tables and *Pomoć* of the designer is made from them, so that neither knows a word that the other does not.

/// A word of the language.
#[derive(Debug)]
pub struct Word {
    pub name: &'static str,
    /// What is put into a template to begin with.
    pub example: &'static str,
    /// In Serbian, for whoever writes a template.
    pub help: &'static str,
    pub attributes: &'static [Attribute],
}

/// A named parameter, and what it takes.
#[derive(Debug)]
pub struct Attribute {
    pub name: &'static str,
    pub help: &'static str,
}

impl Word {
    pub fn knows(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|known| known.name == attribute)
    }

    /// All that is told of the word: what it is for, and each attribute.
    pub fn told(&self) -> String {
        let attributes: Vec<String> = self.attributes.iter().map(|one| format!("{}: {}", one.name, one.help)).collect();
        if attributes.is_empty() { self.help.to_owned() } else { format!("{}. {}", self.help, attributes.join("; ")) }
    }
}

const fn attribute(name: &'static str, help: &'static str) -> Attribute {
    Attribute { name, help }
}

const PAGE: Attribute = attribute("page", "strana, A4 (isto što i A4-portrait) ili A4-landscape");
const SIZE: Attribute = attribute("size", "veličina slova, od 5 do 14");
const PICTURE: Attribute = attribute("picture", "naziv slike iz instalacije za zaglavlje, na primer znak ustanove");
const PICTURE_ALT: Attribute = attribute("pictureAlt", "reči za onoga ko sliku ne vidi; obavezno uz picture");
const HEAD: Attribute = attribute("head", "naslov kolone");
const WIDTH: Attribute = attribute("width", "širina u tačkama");
const ALIGN: Attribute = attribute("align", "poravnanje, left, center ili right");
const FORMAT: Attribute = attribute("format", "maska broja ili datuma, na primer #.##0,00 ili dd.MM.yyyy.");
const FOOT: Attribute = attribute("foot", "ispod kolone: sum, avg, min, max, count, ili mera kao u grafikonu");
const EMPHASIS: Attribute = attribute("emphasis", "ćelija se ističe kada važi poređenje, na primer >= 5,1 ili = visoka");
const LOW: Attribute = attribute("low", "donja granica: mera kao y; line i step dobijaju traku, a bar i points crte greške");
const HIGH: Attribute = attribute("high", "gornja granica, zajedno sa low");
const COLUMN: &[Attribute] = &[HEAD, WIDTH, ALIGN, FORMAT, FOOT, EMPHASIS];

/// Declares each word as a constant, and their list, which therefore lacks none.
macro_rules! words {
    ($list:ident: $($id:ident = $name:literal, $example:literal, $help:literal, $attributes:expr;)+) => {
        $(pub const $id: Word = Word { name: $name, example: $example, help: $help, attributes: $attributes };)+
        pub const $list: &[Word] = &[$($id),+];
    };
}

words! { DECLARED:
    REPORT = "report", "{{#report page=\"A4-landscape\" size=8}}\n{{/report}}", "Tabela: sve što se u njoj prikazuje navodi se u ovom bloku",
        &[PAGE, SIZE, attribute("csv", "tekstovi u CSV fajlu, bezbedno (ne mogu da se izvrše kao formule) ili sirovo"), PICTURE, PICTURE_ALT];
    SECTION = "section", "{{#section by=\"vrsta\" value=\"a\" head=\"Odeljak\"}}\n  {{#sectionHead}}Naslov odeljka{{/sectionHead}}\n{{/section}}",
        "Odeljak sa svojim kolonama, za redove u kojima kolona ima tu vrednost; u XLSX fajlu je svaki odeljak list",
        &[attribute("by", "kolona po kojoj se redovi dele"), attribute("value", "vrednost te kolone; bez nje, svi ostali redovi"),
          attribute("head", "naziv kolone koja deli"), PAGE];
    SECTION_HEAD = "sectionHead", "{{#sectionHead}}Naslov odeljka{{/sectionHead}}", "Naslov odeljka, samo u bloku section", &[];
    TITLE = "title", "{{title \"Naslov\"}}", "Naslov, umesto naziva izveštaja", &[];
    SUBTITLE = "subtitle", "{{subtitle \"Podnaslov\"}}", "Podnaslov", &[];
    COL = "col", "{{col \"kolona\" head=\"Naslov\" width=80 format=\"#.##0\" foot=\"sum\"}}", "Kolona upita", COLUMN;
    RATIO = "ratio", "{{ratio \"a/b*100\" head=\"Procenat (%)\" format=\"0,0\"}}",
        "Količnik u redu, a u zbirovima količnik zbirova; count umesto kolone je broj redova", COLUMN;
    COMPUTED = "computed", "{{#computed head=\"Ocena\"}}{{kolona}}{{/computed}}", "Ćelija koju ispisuje njen blok", &[HEAD, WIDTH, ALIGN, EMPHASIS];
    CROSS = "cross", "{{cross \"kolona\" value=\"sum:n\" total=\"Ukupno\"}}",
        "Ukrštena tabela: svaka vrednost kolone postaje kolona; ispred nje stoje samo kolone col bez foot, po kojima se redovi razlikuju",
        &[attribute("value", "mera u ćeliji: sum:x, min:x, max:x, count ili količnik a/b*100"), FORMAT,
          attribute("headFormat", "maska naslova kolona, na primer MM.yyyy."), attribute("orderBy", "kolona po kojoj se nove kolone ređaju"),
          WIDTH, EMPHASIS, attribute("total", "naslov kolone sa zbirom; bez njega je nema"),
          attribute("limit", "najviše kolona, od 1 do 100; bez toga 20")];
    GROUP = "group", "{{#group by=\"kolona\" head=\"Grupa\"}}{{kolona}}{{/group}}", "Grupa pri svakoj promeni kolone",
        &[attribute("by", "kolona"), attribute("head", "naziv grupe"), attribute("newPage", "true počinje novu stranu")];
    GROUP_FOOT = "groupFoot", "{{#groupFoot by=\"kolona\"}}Ukupno {{kolona}}: {{n}}{{/groupFoot}}",
        "Zbir grupe; n je broj redova, zbir.x zbir kolone, prosek.x prosek", &[attribute("by", "kolona grupe; bez nje poslednja grupa")];
    SUMMARY = "summary", "{{#summary}}Ukupno: {{n}}{{/summary}}", "Zbir celog izveštaja; n, zbir.x i prosek.x kao u groupFoot", &[];
    NOTE = "note", "{{note \"Napomena\"}}", "Napomena ispod tabele; prazna se ne ispisuje", &[];
    CHART = "chart",
        "{{#chart \"line\" x=\"mesec\" bucket=\"month\" title=\"Naslov\" height=180}}\n  {{series \"kolona\" label=\"Oznaka\"}}\n{{/chart}}",
        "Grafikon: line (linija), step (stepenasta linija: vrednost važi do sledeće), bar ili grouped (stubići jedan pored drugog), stacked (stubići jedan na drugom), pie (krug), points (tačka za svaki red), histogram (koliko redova ima koju vrednost kolone x) ili box (kutija: medijana, kvartili, najviše 1,5 raspona kvartila, i šta je izvan)",
        &[attribute("x", "kolona vodoravne ose: datum ili broj, a ne datum ispisan kao tekst; za bar, stacked, pie i box i tekst"),
          attribute("y", "mera jedine serije, umesto bloka sa series; za points i box kolona, a za histogram se ne navodi"),
          attribute("label", "oznaka te serije"), LOW, HIGH,
          attribute("bucket", "kako se x skuplja: value, day, month ili year"),
          attribute("seriesBy", "kolona po kojoj se serije dele"), attribute("title", "naslov"), attribute("xTitle", "naslov vodoravne ose"),
          attribute("yTitle", "naslov uspravne ose"),
          attribute("scale", "uspravna osa: linear, log (samo brojevi veći od nule; ne za stubiće) ili percent (udeli od 0 do 1 kao procenti)"),
          attribute("bins", "histogram: broj stubića, width:5 za njihovu širinu, ili fd po pravilu Fridmana i Dijakonisa, što važi i bez toga"),
          attribute("reference", "crte i opsezi prema kojima se čita, na primer 2,6 remisija; 3,2..5,1 umerena aktivnost"),
          attribute("height", "visina u tačkama, od 80 do 500")];
    SERIES = "series", "{{series \"sum:kolona\" label=\"Oznaka\"}}",
        "Serija grafikona: kolona (njen zbir), sum:x, avg:x, min:x, max:x, count ili količnik a/b*100", &[attribute("label", "oznaka u legendi"), LOW, HIGH];
    DOCUMENT = "document", "{{#document page=\"A4\" size=9}}\n{{/document}}", "Dokument koji teče, umesto tabele; svi redovi su u redovi",
        &[PAGE, SIZE, PICTURE, PICTURE_ALT];
}

words! { OF_DOCUMENT:
    HEADING = "heading", "{{heading prvi.kolona level=2}}", "Naslov u dokumentu", &[attribute("level", "nivo, od 1 do 3")];
    PARAGRAPH = "paragraph", "{{paragraph \"Tekst\"}}", "Pasus u dokumentu", &[];
    FIELD = "field", "{{field \"Oznaka\" prvi.kolona}}", "Oznaka i vrednost u dokumentu", &[];
    SPACE = "space", "{{space}}", "Prazan prostor u dokumentu", &[];
    TABLE = "table", "{{#table \"A\" \"B\"}}{{#each redovi}}{{row a b}}{{/each}}{{/table}}", "Tabela u dokumentu, sa zaglavljima kolona", &[];
    ROW = "row", "{{row a b}}", "Red tabele u dokumentu, samo u bloku table", &[];
}

words! { COMPUTED_TEXT:
    DATUM = "datum", "{{datum kolona \"MM.yyyy.\"}}", "Datum kao tekst", &[];
    BROJ = "broj", "{{broj kolona 2}}", "Broj kao tekst, sa toliko decimala ili po masci", &[];
    SPOJI = "spoji", "{{spoji a \" \" b}}", "Tekstovi jedan za drugim", &[];
    GROUPS = "groups", "{{#groups redovi by=\"kolona\"}}{{/groups}}",
        "Blok za svaku grupu susednih redova dokumenta; prvi je prvi red, redovi su svi", &[attribute("by", "kolona grupe")];
}

words! { OF_HANDLEBARS:
    EACH = "each", "{{#each redovi}}{{/each}}", "Blok za svaki red", &[];
    IF = "if", "{{#if kolona}}{{else}}{{/if}}", "Uslov; porede eq, ne, gt, gte, lt, lte, spajaju and, or, not, na primer (gt kolona 5)", &[];
    UNLESS = "unless", "{{#unless kolona}}{{/unless}}", "Blok kada uslov ne važi", &[];
    WITH = "with", "{{#with prvi}}{{/with}}", "Blok u kome se kolone navode bez imena reda", &[];
    LOOKUP = "lookup", "{{lookup redovi 0}}", "Član niza po mestu", &[];
    INLINE = "inline", "{{#*inline \"ime\"}}{{/inline}}", "Deo šablona koji se ponavlja; ispisuje ga {{> ime}}", &[];
}

/// Every word, in the order in which it is told.
pub fn words() -> impl Iterator<Item = &'static Word> {
    [DECLARED, OF_DOCUMENT, COMPUTED_TEXT, OF_HANDLEBARS].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::declare::spellings;

    #[test]
    fn every_word_and_attribute_is_told_and_shown_at_work() {
        for word in words() {
            assert!(word.example.contains(word.name), "{}", word.name);
            assert!(!word.help.is_empty(), "{}", word.name);
            for attribute in word.attributes {
                assert!(!attribute.help.is_empty(), "{}.{}", word.name, attribute.name);
            }
        }
    }

    #[test]
    fn every_choice_that_a_word_takes_is_told_with_it() {
        for (word, choices) in spellings() {
            for choice in choices {
                assert!(word.told().contains(choice), "{} takes {choice} and does not tell it", word.name);
            }
        }
    }
}
