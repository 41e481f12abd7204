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

const ANALYSIS_TITLE: Attribute = attribute("title", "naslov iznad tabele");
const LANGUAGE: Attribute = attribute("language", "jezik reči koje šablon ne piše, sr ili en; bez toga sr");
const LEVEL: Attribute = attribute("level", "nivo poverenja intervala u procentima, od 50 do 99,9; bez toga 95");
const COUNT: Attribute = attribute("count", "kolona sa brojem ljudi koje red drži, uz grupe umesto pojedinaca; bez nje je red jedan");
const FIGURE: Attribute = attribute("figure", "false izostavlja sliku");
const BY: Attribute = attribute("by", "kolona grupa");
const SHOW: Attribute =
    attribute("show", "prikaz: mean (srednja vrednost i SD), median (medijana i kvartili) ili category (broj i procenat)");
const UNIT: Attribute = attribute("unit", "u čemu je vreme, kako se piše: dana, meseci");
const EVENT: Attribute =
    attribute("event", "kolona događaja: da/ne, true/false ili 1/0; ili kolona i vrednost koja je događaj, na primer ishod:umro");
const TIME: Attribute = attribute("time", "kolona sa trajanjem praćenja, kao broj");
const ENTRY: Attribute = attribute("entry", "kolona sa vremenom od kog se red prati, ako nije od nule");
const CENSORED_ON: Attribute = attribute("censoredOn", "dan do kog su svi praćeni, kako se piše; stoji u napomeni");

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
    TABLE_ONE = "tableOne",
        "{{#tableOne by=\"pol\" vars=\"starost, bmi:median, sok\" title=\"Tabela 1\"}}\n  {{variable \"starost\" label=\"Starost (godine)\"}}\n{{/tableOne}}",
        "Tabela 1: svaka promenljiva po grupama, sa brojem nedostajućih i p vrednošću čiji je test imenovan ispod tabele",
        &[BY, attribute("vars", "kolone redom, svaka po želji sa prikazom: kolona:mean, kolona:median ili kolona:category"),
          attribute("all", "false izostavlja kolonu svih"), attribute("tests", "false izostavlja p vrednosti"),
          attribute("smd", "true dodaje standardizovanu razliku dve grupe"), ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    COMPARE = "compare", "{{compare value=\"das28\" by=\"terapija\" show=\"median\"}}",
        "Poređenje jedne promenljive po grupama, ili dva merenja istih redova (with)",
        &[attribute("value", "kolona koja se poredi"), BY, attribute("with", "drugo merenje istih redova, umesto by"), SHOW,
          attribute("test", "test: welch, student, anova, welchAnova, mannWhitney, kruskal, chi2, chi2yates ili fisher; uz with paired, wilcoxon, \
                     mcnemar, pearson ili spearman; bez toga onaj koji odgovara prikazu"), ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    TWO_BY_TWO = "twoByTwo", "{{twoByTwo row=\"pusac\" column=\"umro\" show=\"effect\"}}",
        "Tabela 2x2 sa merama i njihovim intervalima",
        &[attribute("row", "kolona u redovima: izloženost, test ili prvi odgovor; kao event"),
          attribute("column", "kolona u kolonama: ishod, istina ili drugi odgovor; kao event"),
          attribute("show", "effect (šanse i rizici), accuracy (osetljivost i specifičnost) ili agreement (slaganje: kapa i MekNemarov test)"),
          ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    SURVIVAL = "survival", "{{survival time=\"dana\" event=\"umro\" by=\"pol\" at=\"30, 365\" unit=\"dana\"}}",
        "Preživljavanje po Kaplanu i Majeru: medijana, preživljavanje u traženim vremenima, test grupa, broj pod rizikom",
        &[TIME, EVENT, BY, attribute("at", "vremena u kojima se preživljavanje navodi, na primer 30, 365"),
          attribute("interval", "vrsta intervala: loglog, log ili plain; bez toga loglog"),
          attribute("test", "test grupa: logrank, gehan ili taroneWare; bez toga logrank"),
          attribute("until", "vreme do kog se računa ograničena srednja vrednost (RMST), sa razlikom prema prvoj grupi"),
          attribute("competing", "kolona konkurentskog događaja, kao event: umesto preživljavanja računa se kumulativna incidencija, a grupe poredi Grejov test"),
          ENTRY, UNIT, CENSORED_ON, ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    REGRESSION = "regression", "{{#regression kind=\"cox\" time=\"dana\" event=\"umro\" vars=\"starost, pol, starost*pol\"}}\n  {{variable \"pol\" label=\"Pol\" reference=\"muški\"}}\n{{/regression}}",
        "Regresija: koeficijenti sa intervalima, ukupni testovi i upozorenja modela",
        &[attribute("kind", "model: linear, logistic ili cox"), attribute("outcome", "ishod: broj uz linear, kao event uz logistic"), TIME, EVENT,
          attribute("vars", "prediktori redom; a*b je njihov proizvod"), attribute("strata", "kolona slojeva, uz cox"),
          attribute("ties", "događaji u isto vreme, uz cox: efron ili breslow; bez toga efron"), ENTRY, UNIT, CENSORED_ON, ANALYSIS_TITLE, LANGUAGE,
          LEVEL, COUNT, FIGURE];
    ROC = "roc", "{{roc score=\"haq\" event=\"remisija\"}}",
        "Tačnost skora: površina ispod ROC krive sa DeLongovim intervalom, najbolja granica po Judenu i tabela granica",
        &[attribute("score", "kolona skora, ili više njih sa zarezima"), EVENT,
          attribute("cuts", "granice čija se osetljivost, specifičnost i prediktivne vrednosti navode, uz jedan skor; bez njih se biraju iz podataka"),
          ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    RATE = "rate", "{{rate events=\"umro\" time=\"dana\" by=\"pol\" per=1000 unit=\"dana\"}}",
        "Stope događaja na vreme praćenja, sa tačnim Poasonovim intervalom i odnosom prema prvoj grupi",
        &[attribute("events", "kolona događaja, kao event"), TIME, BY, attribute("per", "na koliko vremena se stopa navodi; bez toga 1000"),
          UNIT, ANALYSIS_TITLE, LANGUAGE, LEVEL, COUNT, FIGURE];
    INDICATOR = "indicator", "{{indicator numerator=\"brojilac\" denominator=\"imenilac\" by=\"kvartal\" unit=\"ustanova\" own=\"moja\" target=90}}",
        "Indikator kvaliteta od redova koji su već zbirovi: udeo, izvodljivost i cilj; kroz vreme sa medijanom; po ustanovama u levku sa tačnim \
         granicama, gde druge ustanove imaju slova umesto imena",
        &[attribute("numerator", "kolona: koliko ih ispunjava"), attribute("denominator", "kolona: za koliko njih može da se kaže"),
          attribute("eligible", "kolona: za koliko njih bi trebalo da se kaže; daje izvodljivost"),
          attribute("excluded", "kolona: koliko ih je isključeno"),
          attribute("by", "kolona vremena, prazna u redovima ustanova i svih"),
          attribute("unit", "kolona ustanova, prazna u redovima vremena i svih; nepoznat niz umesto imena, jer se slova dele po njegovom redu"),
          attribute("own", "kolona: red je ustanove onoga ko čita; kao event"), attribute("target", "cilj u procentima, od 0 do 100"),
          attribute("direction", "higher (više je bolje) ili lower (manje je bolje); bez toga higher"), ANALYSIS_TITLE, LANGUAGE, LEVEL, FIGURE];
    VARIABLE = "variable", "{{variable \"starost\" label=\"Starost (godine)\" show=\"median\"}}",
        "Kolona u bloku analize: kako se zove i prikazuje",
        &[attribute("label", "naziv u tabeli"), SHOW,
          attribute("test", "test u tableOne: welch, student, anova, welchAnova, mannWhitney, kruskal, chi2, chi2yates ili fisher"),
          attribute("reference", "kategorija sa kojom regresija poredi ostale"), attribute("order", "kategorije redom, razdvojene zarezima ili tačka-zarezima"),
          attribute("complete", "true: u order su sve kategorije, pa se druga javlja rečima i model se od nje ne pravi")];
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
    use crate::template::{analyses, declare::spellings};

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
        for (word, choices) in spellings().into_iter().chain(analyses::spellings()) {
            for choice in choices {
                assert!(word.told().contains(choice), "{} takes {choice} and does not tell it", word.name);
            }
        }
    }
}
