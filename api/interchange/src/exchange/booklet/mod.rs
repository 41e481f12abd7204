//! A form as paper (PDF): a blank one to be filled in by hand, and the codebook that says what each of its fields is.

mod paper;

use base64::{Engine, prelude::BASE64_STANDARD};
use domain::register::ValueType;
use rust_decimal::Decimal;

use self::paper::{HEIGHT, Manner, Paper, WIDTH};
use super::workbook::{FIELDS, Form, number};
use crate::import::definition::{AttributeType, Definition, FieldDefinition};

const TITLE: Manner = Manner::bold(16.0);
const TAB: Manner = Manner::bold(13.0);
const PANEL: Manner = Manner::bold(10.5);
const TEXT: Manner = Manner::plain(9.5);
const SMALL: Manner = Manner::muted(8.0);
/// Of a blank form: from where answers stand.
const ANSWERS: f32 = 200.0;
const BOX: f32 = 9.0;
/// Of a line to write on.
const LINE: f32 = 18.0;
const GAP: f32 = 5.0;
const BLANK_ROWS: usize = 5;
/// Of a section that is drawn as a table.
const MOST_COLUMNS: usize = 6;
const MOST_PICTURE: f32 = 380.0;
/// Options that stand below each other; more of them fill the lines.
const MOST_LISTED: usize = 8;

/// A place for each answer, no field parted between pages.
pub fn blank(definition: &Definition) -> anyhow::Result<Vec<u8>> {
    let form = Form::of(definition).ok_or_else(|| anyhow::anyhow!("a file without a form"))?;
    let mut page = BlankForm { paper: Paper::new(&form.own.naziv)?, form: &form };
    heading(&mut page.paper, &form.own.naziv, TITLE, false);
    for label in ["Pacijent", "Datum pregleda", "Lekar"] {
        page.entry(label, "", &Place::Line(String::new()));
    }
    for field in form.all() {
        let around = form.around(field);
        let is_hidden = !field.own.prikazuje_se || around.iter().any(|holder| !holder.own.prikazuje_se);
        let is_drawn_with_holder = around.iter().any(|holder| holder.own.ponavlja_se || form.kind(holder) == Some(ValueType::Image));
        if let Some(known) = form.type_of(field).filter(|_| !is_hidden && !is_drawn_with_holder) {
            page.field(field, known);
        }
    }
    page.paper.finish(&form.own.naziv)
}

/// Section by section, each field with its type, bounds, items, formulas and conditions, and the rules of the form.
pub fn codebook(definition: &Definition) -> anyhow::Result<Vec<u8>> {
    let form = Form::of(definition).ok_or_else(|| anyhow::anyhow!("a file without a form"))?;
    let title = format!("{}: šifarnik", form.own.naziv);
    let mut paper = Paper::new(&title)?;
    heading(&mut paper, &title, TITLE, false);
    for field in form.all() {
        match form.kind(field) {
            Some(ValueType::Tab) => heading(&mut paper, &field.own.naziv, TAB, true),
            Some(ValueType::Panel | ValueType::Image) => heading(&mut paper, &field.own.naziv, PANEL, true),
            Some(kind) if kind.holds_value() => described(&mut paper, &form, field),
            _ => {}
        }
    }
    if !form.own.pravila.is_empty() {
        heading(&mut paper, "Pravila formulara", TAB, true);
    }
    for rule in &form.own.pravila {
        let told = format!("{}: {} (javlja se kada važi: {})", rule.own.vrsta.name(), rule.own.poruka, form.told(&rule.own.uslov));
        let lines = paper.lines(TEXT, &told, WIDTH);
        paper.keep(lines.len() as f32 * TEXT.leading() + GAP);
        let height = paper.put_lines(TEXT, &lines, 0.0, 0.0);
        paper.skip(height + GAP);
    }
    paper.finish(&title)
}

/// It stays with what begins below it.
fn heading(paper: &mut Paper, text: &str, manner: Manner, has_line: bool) {
    let lines = paper.lines(manner, text, WIDTH);
    let height = lines.len() as f32 * manner.leading();
    paper.keep(height + 70.0);
    paper.skip(GAP);
    paper.put_lines(manner, &lines, 0.0, 0.0);
    if has_line {
        paper.rule(0.0, WIDTH, height + 1.0, 0.8);
    }
    paper.skip(height + 2.0 * GAP);
}

/// The name and code of a field, and under them what it is.
fn described(paper: &mut Paper, form: &Form<'_>, field: &FieldDefinition) {
    const INDENT: f32 = 12.0;
    let line = form.line(field);
    let named = if line[0].is_empty() { line[1].clone() } else { format!("{}  [{}]", line[1], line[0]) };
    let name = paper.lines(Manner::bold(9.5), &named, WIDTH);
    let mut about: Vec<String> = Vec::new();
    let told = FIELDS.0.iter().zip(&line).enumerate().filter(|(at, (head, text))| *at > 2 && **head != "stavke" && !text.is_empty());
    let (short, long): (Vec<_>, Vec<_>) = told.partition(|(at, _)| *at < 9);
    let said = |(_, (head, text)): (usize, (&&str, &String))| format!("{head}: {text}");
    about.push(short.into_iter().map(said).collect::<Vec<_>>().join("; "));
    if let Some(known) = form.type_of(field) {
        about.extend(known.stavke.iter().map(|item| {
            let code = item.sifra_veza.as_deref().filter(|code| !code.trim().is_empty()).map(|code| format!("{code} = "));
            let weight = item.num_vrednost.map(|weight| format!("  (težina {})", number(weight)));
            format!("• {}{}{}", code.unwrap_or_default(), item.naziv, weight.unwrap_or_default())
        }));
    }
    about.extend(long.into_iter().map(said));
    let lines: Vec<String> = about.iter().flat_map(|text| paper.lines(TEXT, text, WIDTH - INDENT)).collect();
    let head = name.len() as f32 * TEXT.leading();
    let height = head + lines.len() as f32 * TEXT.leading() + GAP;
    // One that is longer than a page begins on this one.
    paper.keep(if height > HEIGHT { head + 3.0 * TEXT.leading() } else { height });
    paper.put_lines(Manner::bold(9.5), &name, 0.0, 0.0);
    paper.skip(head);
    for line in &lines {
        paper.keep(TEXT.leading());
        paper.put_lines(TEXT, std::slice::from_ref(line), INDENT, 0.0);
        paper.skip(TEXT.leading());
    }
    paper.skip(GAP);
}

/// Where an answer is written.
enum Place {
    Computed,
    /// A box for each of these, below each other or one after another.
    Boxes(Vec<String>, bool),
    /// One line with what stands behind it.
    Line(String),
    /// With the signs between its parts.
    Parts(&'static str),
    /// A text of several lines.
    Lines(usize),
}

struct BlankForm<'a> {
    paper: Paper,
    form: &'a Form<'a>,
}

impl BlankForm<'_> {
    fn field(&mut self, field: &FieldDefinition, known: &AttributeType) {
        let name = &field.own.naziv;
        match known.tip_vrednosti {
            ValueType::Tab => heading(&mut self.paper, name, TAB, true),
            ValueType::Panel if field.own.ponavlja_se => {
                heading(&mut self.paper, name, PANEL, true);
                self.table(field);
            }
            ValueType::Panel => heading(&mut self.paper, name, PANEL, true),
            ValueType::Heading => heading(&mut self.paper, name, Manner::bold(9.5), false),
            ValueType::Image => {
                heading(&mut self.paper, name, PANEL, true);
                self.picture(field);
            }
            ValueType::Chart | ValueType::Separator => {}
            _ => self.entry(&label(field), &self.asked(field), &place(field, known)),
        }
    }

    /// The name of a column, and whether its cells are computed or asked for under a condition.
    fn head(&self, field: &FieldDefinition) -> String {
        let computed = if field.own.formula_za_racunanje.is_some() { " (računa se)" } else { "" };
        let asked = self.asked(field);
        format!("{}{computed}{}{asked}", label(field), if asked.is_empty() { "" } else { ", " })
    }

    /// Under which condition it is filled in.
    fn asked(&self, field: &FieldDefinition) -> String {
        let asked = field.own.formula_za_prikaz.as_deref().map(|formula| format!("samo ako: {}", self.form.told(formula)));
        asked.unwrap_or_default()
    }

    fn entry(&mut self, label: &str, asked: &str, place: &Place) {
        let paper = &mut self.paper;
        let mut lines = paper.lines(TEXT, label, ANSWERS - 10.0);
        let name_height = lines.len() as f32 * TEXT.leading();
        let condition = if asked.is_empty() { Vec::new() } else { paper.lines(SMALL, asked, ANSWERS - 10.0) };
        let label_height = name_height + condition.len() as f32 * SMALL.leading();
        let boxes = match place {
            Place::Boxes(options, is_listed) => boxes(paper, options, *is_listed),
            _ => Vec::new(),
        };
        let answer_height = match place {
            Place::Boxes(..) => boxes.last().map_or(LINE, |last| last.below + last.lines.len() as f32 * TEXT.leading()),
            Place::Lines(count) => *count as f32 * LINE,
            Place::Computed | Place::Line(_) | Place::Parts(_) => LINE,
        };
        let height = label_height.max(answer_height) + GAP;
        paper.keep(height.min(HEIGHT));
        paper.put_lines(TEXT, &lines, 0.0, 0.0);
        paper.put_lines(SMALL, &condition, 0.0, name_height);
        lines.clear();
        let base = TEXT.size + 3.0;
        match place {
            Place::Computed => paper.put(SMALL, "(računa se)", ANSWERS, base),
            Place::Line(behind) => {
                let width = paper.width(TEXT, behind);
                let to = if behind.is_empty() { WIDTH } else { (ANSWERS + 110.0).min(WIDTH - width - 6.0) };
                paper.rule(ANSWERS, to, base + 2.0, 0.6);
                paper.put(TEXT, behind, to + 6.0, base);
            }
            Place::Parts(parts) => paper.put(TEXT, parts, ANSWERS, base),
            Place::Lines(count) => {
                (1..=*count).for_each(|line| paper.rule(ANSWERS, WIDTH, line as f32 * LINE - 3.0, 0.6));
            }
            Place::Boxes(..) => {
                for one in &boxes {
                    paper.frame(ANSWERS + one.x, one.below + 1.5, BOX, BOX);
                    paper.put_lines(TEXT, &one.lines, ANSWERS + one.x + BOX + 5.0, one.below);
                }
            }
        }
        paper.skip(height);
    }

    /// Blank rows under the names of the columns; of many columns two rows, line by line.
    fn table(&mut self, section: &FieldDefinition) {
        let is_column = |field: &&FieldDefinition| {
            let holds = self.form.kind(field).is_some_and(ValueType::holds_value);
            holds && field.own.prikazuje_se && self.form.around(field).iter().any(|holder| holder.sifra == section.sifra)
        };
        let columns: Vec<(&FieldDefinition, &AttributeType)> =
            self.form.all().filter(is_column).filter_map(|field| Some((field, self.form.type_of(field)?))).collect();
        if columns.is_empty() {
            return;
        }
        if columns.len() > MOST_COLUMNS {
            for row in 1..=2 {
                heading(&mut self.paper, &format!("{row}. red"), Manner::bold(9.5), false);
                for (field, known) in &columns {
                    self.entry(&label(field), &self.asked(field), &place(field, known));
                }
            }
            return;
        }
        let width = WIDTH / columns.len() as f32;
        let heads: Vec<Vec<String>> =
            columns.iter().map(|(field, _)| self.paper.lines(Manner::bold(8.5), &self.head(field), width - 8.0)).collect();
        let head = heads.iter().map(Vec::len).max().unwrap_or(1) as f32 * 8.5 * 1.35 + 6.0;
        self.paper.keep(head + BLANK_ROWS as f32 * LINE + GAP);
        for (at, lines) in heads.iter().enumerate() {
            let x = at as f32 * width;
            self.paper.frame(x, 0.0, width, head);
            self.paper.put_lines(Manner::bold(8.5), lines, x + 4.0, 2.0);
            (0..BLANK_ROWS).for_each(|row| self.paper.frame(x, head + row as f32 * LINE, width, LINE));
        }
        self.paper.skip(head + BLANK_ROWS as f32 * LINE + 2.0 * GAP);
    }

    /// What is touched on it is marked by hand.
    fn picture(&mut self, field: &FieldDefinition) {
        let bytes = field.own.background_image.as_deref().and_then(|text| BASE64_STANDARD.decode(text).ok());
        if let Some(bytes) = bytes {
            self.paper.picture(&bytes, MOST_PICTURE);
            self.paper.skip(2.0 * GAP);
        }
    }
}

fn label(field: &FieldDefinition) -> String {
    if field.own.opcioni { field.own.naziv.clone() } else { format!("{} *", field.own.naziv) }
}

fn place(field: &FieldDefinition, known: &AttributeType) -> Place {
    if field.own.formula_za_racunanje.is_some() {
        return Place::Computed;
    }
    match known.tip_vrednosti {
        ValueType::Choice => Place::Boxes(vec!["Da".to_owned(), "Ne".to_owned()], false),
        ValueType::Set => {
            let options: Vec<String> = known.stavke.iter().filter(|item| item.moze_se_izabrati).map(|item| item.naziv.clone()).collect();
            let is_listed = options.len() <= MOST_LISTED;
            Place::Boxes(options, is_listed)
        }
        ValueType::Number => Place::Line(measure(known)),
        ValueType::Date => Place::Parts("____ . ____ . ________ ."),
        ValueType::Time => Place::Parts("____ : ____"),
        ValueType::Moment => Place::Parts("____ . ____ . ________ .      ____ : ____"),
        ValueType::File => Place::Line("(prilaže se)".to_owned()),
        _ => Place::Lines(2),
    }
}

/// The unit and the bounds, behind the place for the number.
fn measure(known: &AttributeType) -> String {
    let own = &known.own;
    let said = |words: &str, bound: Decimal| format!("({words} {})", number(bound));
    let bounds = match (own.donja_granica_brojne_vrednosti, own.gornja_granica_brojne_vrednosti) {
        (Some(low), Some(high)) => format!("({}–{})", number(low), number(high)),
        (Some(low), None) => said("od", low),
        (None, Some(high)) => said("do", high),
        (None, None) => String::new(),
    };
    [own.jedinica.clone().unwrap_or_default(), bounds].join(" ").trim().to_owned()
}

/// A box with its words.
struct TickBox {
    x: f32,
    below: f32,
    lines: Vec<String>,
}

fn boxes(paper: &mut Paper, options: &[String], is_listed: bool) -> Vec<TickBox> {
    let wide = WIDTH - ANSWERS;
    let (mut x, mut below) = (0.0, 0.0);
    let mut found = Vec::new();
    for option in options {
        let width = BOX + 5.0 + paper.width(TEXT, option);
        if x > 0.0 && (is_listed || x + width > wide) {
            x = 0.0;
            below += TEXT.leading();
        }
        let lines = paper.lines(TEXT, option, wide - BOX - 5.0);
        let height = lines.len() as f32;
        found.push(TickBox { x, below, lines });
        x += width + 14.0;
        below += (height - 1.0) * TEXT.leading();
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{fmt::Write, process::Command};

    use super::*;
    use crate::import::definition;

    /// The text of the file, page by page.
    fn pages(bytes: &[u8]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.pdf");
        std::fs::write(&file, bytes).unwrap();
        let out = Command::new("pdftotext").arg("-layout").arg(&file).arg("-").output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let text = String::from_utf8(out.stdout).unwrap();
        text.trim_end_matches('\u{c}').split('\u{c}').map(str::to_owned).collect()
    }

    fn form(fields: usize) -> Definition {
        let mut text = String::from(
            r#"
            [[attributeTypes]]
            naziv = "Segment"
            tipVrednosti = "tab"
            [[attributeTypes]]
            naziv = "Panel"
            tipVrednosti = "panel"
            [[attributeTypes]]
            naziv = "Pritisak"
            tipVrednosti = "brojni"
            jedinica = "mmHg"
            donjaGranicaBrojneVrednosti = 40
            gornjaGranicaBrojneVrednosti = 300
            [[attributeTypes]]
            naziv = "Strana"
            tipVrednosti = "skupovni"
            stavke = [{ naziv = "Leva", sifraVeza = "L", numVrednost = 1 }, { naziv = "Desna", sifraVeza = "D" }]
            [[attributeTypes]]
            naziv = "Tekst"
            tipVrednosti = "tekstualni"
            [[forms]]
            sifraVeza = "prijem"
            naziv = "Prijem čvrstih žila đaka"
            [[forms.pravila]]
            uslov = "$(p1) > 250"
            poruka = "Pritisak je previsok"
            vrsta = "upozorenje"
            [[forms.polja]]
            sifra = "tab"
            naziv = "Pregled"
            tipAtributa = "Segment"
            [[forms.polja]]
            sifra = "strana"
            naziv = "Strana slabosti"
            tipAtributa = "Strana"
            nadredjeni = "tab"
            opcioni = false
            [[forms.polja]]
            sifra = "lekovi"
            naziv = "Lekovi"
            tipAtributa = "Panel"
            ponavljaSe = true
            nadredjeni = "tab"
            [[forms.polja]]
            sifra = "lek"
            naziv = "Naziv leka"
            tipAtributa = "Tekst"
            nadredjeni = "lekovi"
            [[forms.polja]]
            sifra = "zbir"
            naziv = "Zbir pritisaka"
            tipAtributa = "Pritisak"
            nadredjeni = "tab"
            formulaZaRacunanje = "$(p1) + $(p2)"
            "#,
        );
        for at in 1..=fields {
            let shown = if at % 2 == 0 { "formulaZaPrikaz = \"selected($(strana), 'L')\"" } else { "" };
            write!(
                text,
                "\n[[forms.polja]]\nsifra = \"p{at}\"\nnaziv = \"Merenje {at} početak, sa dugim nazivom koji se prelama u više redova do reči kraj{at}\"\n\
                 tipAtributa = \"Pritisak\"\nnadredjeni = \"tab\"\n{shown}\n"
            )
            .unwrap();
        }
        definition::parse(&text, |name| anyhow::bail!("no picture {name}")).unwrap()
    }

    #[test]
    fn a_blank_form_has_a_place_for_each_answer_and_parts_no_field() {
        let pages = pages(&blank(&form(60)).unwrap());
        assert!(pages.len() > 2, "{}", pages.len());
        let first = &pages[0];
        for wanted in
            ["Prijem čvrstih žila đaka", "Pacijent", "Strana slabosti *", "Leva", "Desna", "Naziv leka", "(računa se)", "mmHg (40–300)"]
        {
            assert!(first.contains(wanted), "{wanted} in\n{first}");
        }
        assert!(pages.concat().contains("samo ako: selected(„Strana slabosti”"), "{first}");
        for at in 1..=60 {
            let (begins, ends) = (format!("Merenje {at} "), format!("kraj{at}"));
            let ends_here = |page: &&String| page.split_whitespace().any(|word| word == ends);
            let parted = pages.iter().filter(|page| page.contains(&begins) != ends_here(page)).count();
            assert_eq!(parted, 0, "field {at}");
        }
        for (at, page) in pages.iter().enumerate() {
            assert!(page.contains(&format!("Strana {} od {}", at + 1, pages.len())), "{page}");
        }
    }

    #[test]
    fn the_codebook_tells_types_bounds_items_formulas_and_rules() {
        let text = pages(&codebook(&form(2)).unwrap()).concat();
        for wanted in [
            "Prijem čvrstih žila đaka: šifarnik",
            "Strana slabosti  [strana]",
            "vrsta: jedna stavka; obavezno: da",
            "• L = Leva (težina 1)",
            "• D = Desna",
            "vrsta: broj; jedinica: mmHg; od: 40; do: 300",
            "prikazuje se ako: selected(„Strana slabosti”, 'L')",
            "Naziv leka  [lek]",
            "Pravila formulara",
            "upozorenje: Pritisak je previsok",
        ] {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(squeezed(&text).contains(&squeezed(wanted)), "{wanted} in\n{text}");
        }
        assert!(text.contains("računa se: „Merenje 1"), "{text}");
    }

    #[test]
    fn a_field_without_end_goes_on_over_pages() {
        let mut form = form(1);
        form.forms[0].polja[1].own.napomena = Some("reč ".repeat(3000));
        assert!(pages(&codebook(&form).unwrap()).len() > 2);
    }
}
