//! The declaring helpers: each records its part of the plan while the template is rendered once.
use std::sync::Arc;

use handlebars::{Handlebars, RenderError};

use super::analyses::{self, ANALYSES};
use super::band::{Piece, Surroundings};
use super::call::Call;
use super::context::Context;
use super::declaration::{Declaration, Record, Shared};
use super::document::DocumentBody;
use super::files::is_plain;
use super::functions::refusal;
use super::language;
use crate::plan::analysis::Variable;
use crate::plan::{
    Align, Band, Bins, Body, Bucket, CellFormat, Chart, ChartKind, ChartScale, Column, Cross, CsvTexts, Emphasis, Format, Group, Heading,
    Measure, NamedPicture, PageSetup, Plan, Ratio, Reference, Section, Sections, Series, Source, TablePlan, TemplateError,
};

/// The columns of a cross-table, where it names no limit.
const CROSS_LIMIT: f32 = 20.0;
const ALIGNMENTS: [(&str, Align); 3] = [("left", Align::Left), ("center", Align::Center), ("right", Align::Right)];
const CSV_TEXTS: [(&str, CsvTexts); 2] = [("bezbedno", CsvTexts::Safe), ("sirovo", CsvTexts::Raw)];
const PAGES: [(&str, bool); 3] = [("A4", false), ("A4-portrait", false), ("A4-landscape", true)];
const CHARTS: [(&str, ChartKind); 9] = [
    ("line", ChartKind::Line),
    ("step", ChartKind::Step),
    ("bar", ChartKind::Bar),
    ("grouped", ChartKind::Bar),
    ("stacked", ChartKind::Stacked),
    ("pie", ChartKind::Pie),
    ("points", ChartKind::Points),
    ("histogram", ChartKind::Histogram),
    ("box", ChartKind::Box),
];
const SCALES: [(&str, ChartScale); 3] = [("linear", ChartScale::Linear), ("log", ChartScale::Log), ("percent", ChartScale::Percent)];
const BUCKETS: [(&str, Bucket); 4] = [("value", Bucket::Value), ("day", Bucket::Day), ("month", Bucket::Month), ("year", Bucket::Year)];

/// What words take of listed choices.
#[cfg(test)]
pub fn spellings() -> Vec<(&'static language::Word, Vec<&'static str>)> {
    fn of<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
        choices.iter().map(|(spelling, _)| *spelling).collect()
    }
    vec![
        (&language::REPORT, [of(&PAGES), of(&CSV_TEXTS)].concat()),
        (&language::DOCUMENT, of(&PAGES)),
        (&language::SECTION, of(&PAGES)),
        (&language::COL, of(&ALIGNMENTS)),
        (&language::CHART, [of(&CHARTS), of(&BUCKETS), of(&SCALES)].concat()),
    ]
}

/// What has been declared so far.
pub struct Recorder {
    format: Format,
    heading: Heading,
    page: PageSetup,
    /// The table under way: of the report, or of the section that is open.
    table: TablePlan,
    sections: Option<Sections>,
    in_section: bool,
    /// The variables of the analysis that is open.
    variables: Vec<Variable>,
    document: Option<DocumentBody>,
    stage: Stage,
    surroundings: Arc<Surroundings>,
}

/// Where in the template the recording stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Nothing,
    Report,
    Chart,
    Analysis,
    Done,
}

impl Recorder {
    pub fn shared(context: &Context, surroundings: Arc<Surroundings>) -> Shared<Recorder> {
        let heading = Heading {
            naslov: context.naziv.clone(),
            podnaslov: None,
            ustanova: context.ustanova.clone(),
            radnik_ime_prezime: context.radnik_ime_prezime.clone(),
            generisano: context.generisano,
            parametri: context.parametri.clone(),
            picture: None,
            marks: Vec::new(),
        };
        Shared::new(Recorder {
            format: context.format,
            heading,
            page: PageSetup { landscape: false, size: 8.0 },
            table: TablePlan::default(),
            sections: None,
            in_section: false,
            variables: Vec::new(),
            document: None,
            stage: Stage::Nothing,
            surroundings,
        })
    }

    fn expect(&self, stage: Stage, call: &Call) -> Result<(), RenderError> {
        match stage {
            _ if self.stage == stage => Ok(()),
            Stage::Chart => Err(call.refuse("stoji samo u bloku „chart“")),
            Stage::Analysis => Err(call.refuse("stoji samo u bloku analize, na primer „tableOne“")),
            Stage::Nothing => Err(call.refuse("stoji samo jednom, na početku šablona")),
            _ => Err(call.refuse("stoji samo u bloku „report“")),
        }
    }

    fn band(&self, call: &Call) -> Option<Band> {
        call.block().map(|block| -> Band { Arc::new(Piece::new(block.clone(), self.surroundings.clone())) })
    }

    fn set_page(&mut self, call: &Call) -> Result<(), RenderError> {
        self.heading.picture = picture(call)?;
        self.page.landscape = call.choice("page", &PAGES)?.unwrap_or(false);
        self.page.size = call.number("size", 5.0..=14.0)?.unwrap_or(self.page.size);
        Ok(())
    }
}

/// The plan, once the template has run to its end.
pub fn finish(recorder: &Shared<Recorder>) -> Result<Plan, TemplateError> {
    let recorder = recorder.lock();
    if recorder.stage != Stage::Done {
        return Err(TemplateError::new("Šablon ne sadrži ni „report“ ni „document“"));
    }
    let body = match &recorder.document {
        Some(document) => Body::Document(Arc::new(document.clone())),
        None if recorder.sections.is_some() => {
            if !is_blank(&recorder.table) {
                return Err(TemplateError::new("Uz „section“ kolone, grupe, zbirovi, napomene i grafikoni stoje samo u odeljcima"));
            }
            Body::Table(Box::new(TablePlan { sections: recorder.sections.clone(), ..recorder.table.clone() }))
        }
        None if recorder.table.columns.is_empty() => {
            stands_by_analyses_alone(&recorder.table)?;
            Body::Table(Box::new(recorder.table.clone()))
        }
        None if recorder.table.cross.is_some() => {
            fits_a_cross_table(&recorder.table)?;
            Body::Table(Box::new(recorder.table.clone()))
        }
        None => Body::Table(Box::new(recorder.table.clone())),
    };
    Ok(Plan { format: recorder.format, heading: recorder.heading.clone(), page: recorder.page, body })
}

/// A report without columns has analyses, and nothing that needs rows on paper.
fn stands_by_analyses_alone(table: &TablePlan) -> Result<(), TemplateError> {
    if table.analyses.is_empty() {
        return Err(TemplateError::new("Izveštaj nema nijednu kolonu"));
    }
    if !table.groups.is_empty() || table.summary.is_some() {
        return Err(TemplateError::new("Uz analize bez kolona „col“ nema grupa ni zbirova redova"));
    }
    Ok(())
}

/// Whether nothing was declared in the table.
fn is_blank(table: &TablePlan) -> bool {
    let lists = table.columns.is_empty() && table.groups.is_empty() && table.notes.is_empty() && table.charts.is_empty();
    lists && table.analyses.is_empty() && table.summary.is_none() && table.cross.is_none()
}

/// The lines of a cross-table stand for many rows: nothing beside it may be computed from one row or added up over lines.
fn fits_a_cross_table(table: &TablePlan) -> Result<(), TemplateError> {
    if !table.analyses.is_empty() {
        return Err(TemplateError::new("Uz „cross“ ne stoje analize: napravite ih u drugom izveštaju"));
    }
    let is_plain = |column: &Column| matches!(column.source, Source::Field(_)) && column.foot.is_none();
    if !table.columns.iter().all(is_plain) {
        let told = "Uz „cross“ stoje samo kolone „col“ bez „foot“: jedan red ukrštene tabele skuplja više redova upita";
        return Err(TemplateError::new(told));
    }
    let groups = table.groups.iter().flat_map(|group| [&group.header, &group.footer]);
    let mut bands = groups.chain([&table.summary]).flatten();
    let adds_up = |path: &Vec<String>| matches!(path.first().map(String::as_str), Some("zbir" | "prosek"));
    if bands.any(|band| band.paths().iter().any(adds_up)) {
        let told = "U izveštaju sa „cross“ nema „zbir“ ni „prosek“: zbirovi stoje ispod kolona ukrštene tabele";
        return Err(TemplateError::new(told));
    }
    Ok(())
}

/// Adds the declaring helpers to the registry of one planning.
pub fn register(registry: &mut Handlebars<'static>, recorder: &Shared<Recorder>) {
    let mut add = |word: &'static language::Word, open: Record<Recorder>, close: Option<Record<Recorder>>| {
        registry.register_helper(word.name, Box::new(Declaration { recorder: recorder.clone(), word, open, close }));
    };
    add(&language::REPORT, open_report, Some(close_report));
    add(&language::DOCUMENT, document, None);
    add(&language::SECTION, open_section, Some(close_section));
    add(&language::SECTION_HEAD, section_head, None);
    add(&language::TITLE, title, None);
    add(&language::SUBTITLE, subtitle, None);
    add(&language::COL, column, None);
    add(&language::CROSS, cross, None);
    add(&language::RATIO, ratio, None);
    add(&language::COMPUTED, computed, None);
    add(&language::GROUP, group, None);
    add(&language::GROUP_FOOT, group_foot, None);
    add(&language::SUMMARY, summary, None);
    add(&language::NOTE, note, None);
    add(&language::CHART, open_chart, Some(close_chart));
    add(&language::SERIES, series, None);
    for (word, _) in ANALYSES {
        add(word, open_analysis, Some(close_analysis));
    }
    add(&language::VARIABLE, variable, None);
}

fn open_report(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Nothing, call)?;
    call.required_block()?;
    recorder.set_page(call)?;
    recorder.table.csv_texts = call.choice("csv", &CSV_TEXTS)?.unwrap_or_default();
    recorder.stage = Stage::Report;
    Ok(())
}

fn close_report(recorder: &mut Recorder, _: &Call) -> Result<(), RenderError> {
    recorder.stage = Stage::Done;
    Ok(())
}

fn document(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Nothing, call)?;
    recorder.page.size = 9.0;
    recorder.set_page(call)?;
    let band = Piece::new(call.required_block()?.clone(), recorder.surroundings.clone());
    recorder.document = Some(DocumentBody::new(band));
    recorder.stage = Stage::Done;
    Ok(())
}

fn title(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    recorder.heading.naslov = call.texts().concat();
    Ok(())
}

fn subtitle(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    recorder.heading.podnaslov = Some(call.texts().concat()).filter(|text| !text.trim().is_empty());
    Ok(())
}

fn open_section(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    call.required_block()?;
    if recorder.in_section {
        return Err(call.refuse("ne stoji u drugom odeljku"));
    }
    if !is_blank(&recorder.table) {
        return Err(call.refuse("stoji ispred svih kolona: one su u odeljcima"));
    }
    let by = match (&recorder.sections, call.text("by")) {
        (Some(sections), None) => sections.by.clone(),
        (Some(sections), Some(by)) if by == sections.by => by,
        (Some(sections), Some(_)) => return Err(call.refuse(&format!("deli redove po koloni „{}“, kao i prvi odeljak", sections.by))),
        (None, _) => call.required_text("by")?,
    };
    let value = call.text("value");
    let head = call.text("head").unwrap_or_else(|| by.clone());
    let mut page = recorder.page;
    page.landscape = call.choice("page", &PAGES)?.unwrap_or(page.landscape);
    let sections = recorder.sections.get_or_insert_with(|| Sections { by, head, list: Vec::new() });
    if sections.list.iter().any(|section| section.value == value) {
        let told = value.map_or("bez „value“ stoji samo jednom".to_owned(), |value| format!("je već navedena za „{value}“"));
        return Err(call.refuse(&told));
    }
    sections.list.push(Section { value, page, heading: None, table: TablePlan::default() });
    recorder.in_section = true;
    Ok(())
}

fn close_section(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.in_section = false;
    let blank = TablePlan { csv_texts: recorder.table.csv_texts, ..TablePlan::default() };
    let table = std::mem::replace(&mut recorder.table, blank);
    if table.columns.is_empty() {
        return Err(call.refuse("nema nijednu kolonu"));
    }
    if table.cross.is_some() {
        return Err(call.refuse("ne prima „cross“: ukrštena tabela stoji sama u izveštaju"));
    }
    if !table.analyses.is_empty() {
        return Err(call.refuse("ne prima analize: one stoje u izveštaju bez odeljaka"));
    }
    if let Some(section) = recorder.sections.as_mut().and_then(|sections| sections.list.last_mut()) {
        section.table = table;
    }
    Ok(())
}

fn section_head(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    call.required_block()?;
    let heading = recorder.band(call);
    let section = recorder.sections.as_mut().filter(|_| recorder.in_section).and_then(|sections| sections.list.last_mut());
    section.ok_or_else(|| call.refuse("stoji samo u bloku „section“"))?.heading = heading;
    Ok(())
}

fn column(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    let name = call.param(0)?;
    let foot = match call.text("foot") {
        Some(text) => Some(foot_measure(&text, &name).ok_or_else(|| call.refuse(&format!("ne razume foot „{text}“")))?),
        None => None,
    };
    add_column(recorder, call, Source::Field(name.clone()), foot, &name)
}

fn foot_measure(text: &str, column: &str) -> Option<Measure> {
    Measure::over(text, column).or_else(|| Measure::parse(text))
}

fn ratio(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    let text = call.param(0)?;
    let ratio = Ratio::parse(&text).ok_or_else(|| call.refuse(&format!("ne razume količnik „{text}“")))?;
    let foot = Measure::Ratio(ratio.clone());
    add_column(recorder, call, Source::Ratio(ratio), Some(foot), &text)
}

fn computed(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    call.required_block()?;
    let band = recorder.band(call).ok_or_else(|| call.refuse("mora biti blok"))?;
    add_column(recorder, call, Source::Computed(band), None, "")
}

fn add_column(recorder: &mut Recorder, call: &Call, source: Source, foot: Option<Measure>, name: &str) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    let format = mask(call, "format")?;
    let emphasis = emphasis(call)?;
    let column = Column {
        head: call.text("head").unwrap_or_else(|| name.to_owned()),
        width: call.number("width", 1.0..=2000.0)?,
        align: call.choice("align", &ALIGNMENTS)?,
        format,
        source,
        emphasis,
        foot,
    };
    recorder.table.columns.push(column);
    Ok(())
}

/// Whoever does not see a picture is told what it shows, so its words are not left out.
fn picture(call: &Call) -> Result<Option<NamedPicture>, RenderError> {
    let Some(name) = call.text("picture") else { return Ok(None) };
    if !is_plain(&name) {
        return Err(call.refuse(&format!("ne prima sliku „{name}“: ime slike čine mala slova, cifre i crtice")));
    }
    let told = call.text("pictureAlt").filter(|told| !told.trim().is_empty());
    let told = told.ok_or_else(|| call.refuse("uz „picture“ traži i „pictureAlt“: reči za onoga ko sliku ne vidi"))?;
    Ok(Some(NamedPicture { name, told }))
}

fn mask(call: &Call, name: &str) -> Result<Option<CellFormat>, RenderError> {
    let Some(mask) = call.text(name) else { return Ok(None) };
    CellFormat::parse(&mask).map(Some).ok_or_else(|| call.refuse(&format!("ne razume format „{mask}“")))
}

fn emphasis(call: &Call) -> Result<Option<Emphasis>, RenderError> {
    let Some(condition) = call.text("emphasis") else { return Ok(None) };
    let told = format!("ne razume emphasis „{condition}“: navedite poređenje, na primer „>= 5,1“ ili „= visoka“");
    Emphasis::parse(&condition).map(Some).ok_or_else(|| call.refuse(&told))
}

fn cross(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    if recorder.table.cross.is_some() {
        return Err(call.refuse("stoji samo jednom u tabeli"));
    }
    if recorder.table.columns.is_empty() {
        return Err(call.refuse("traži ispred sebe bar jednu kolonu „col“, po kojoj se redovi razlikuju"));
    }
    let value = call.required_text("value")?;
    let measure = Measure::parse(&value).ok_or_else(|| call.refuse(&format!("ne razume meru „{value}“")))?;
    if matches!(measure, Measure::Avg(_)) {
        return Err(call.refuse("ne računa prosek: upit neka vrati zbir i broj, a mera neka bude njihov količnik „zbir/broj“"));
    }
    recorder.table.cross = Some(Cross {
        by: call.param(0)?,
        at: recorder.table.columns.len(),
        value: measure,
        format: mask(call, "format")?,
        head_format: mask(call, "headFormat")?,
        order_by: call.text("orderBy"),
        width: call.number("width", 1.0..=2000.0)?,
        emphasis: emphasis(call)?,
        total: call.text("total"),
        limit: call.number("limit", 1.0..=100.0)?.unwrap_or(CROSS_LIMIT) as usize,
    });
    Ok(())
}

fn group(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    let by = call.required_text("by")?;
    if recorder.table.groups.iter().any(|group| group.by == by) {
        return Err(call.refuse(&format!("je već navedena za „{by}“")));
    }
    let header = recorder.band(call);
    let head = call.text("head").unwrap_or_else(|| by.clone());
    recorder.table.groups.push(Group { by, head, header, footer: None, new_page: call.flag("newPage") });
    Ok(())
}

fn group_foot(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    call.required_block()?;
    let footer = recorder.band(call);
    let groups = &mut recorder.table.groups;
    let group = match call.text("by") {
        Some(by) => groups.iter_mut().find(|group| group.by == by),
        None => groups.last_mut(),
    };
    let group = group.ok_or_else(|| call.refuse("nema svoju grupu"))?;
    group.footer = footer;
    Ok(())
}

fn summary(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    call.required_block()?;
    recorder.table.summary = recorder.band(call);
    Ok(())
}

fn note(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    let text = call.texts().concat();
    if !text.trim().is_empty() {
        recorder.table.notes.push(text);
    }
    Ok(())
}

fn open_chart(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    let kind = call.choose("vrstu grafikona", &call.param(0)?, &CHARTS)?;
    let bins =
        call.text("bins").map(|text| Bins::parse(&text).ok_or_else(|| call.refuse("za „bins“ traži broj do 200, „width:5“ ili „fd“")));
    let references = call.text("reference").map(|text| {
        Reference::parse_list(&text)
            .ok_or_else(|| call.refuse("za „reference“ traži brojeve sa rečima, na primer „2,6 remisija; 3,2..5,1 umerena“"))
    });
    recorder.table.charts.push(Chart {
        kind,
        title: call.text("title").unwrap_or_default(),
        x: call.required_text("x")?,
        bucket: call.choice("bucket", &BUCKETS)?.unwrap_or(Bucket::Value),
        series_by: call.text("seriesBy"),
        series: Vec::new(),
        x_title: call.text("xTitle"),
        y_title: call.text("yTitle"),
        scale: call.choice("scale", &SCALES)?.unwrap_or_default(),
        bins: bins.transpose()?.unwrap_or_default(),
        references: references.transpose()?.unwrap_or_default(),
        height: call.number("height", 80.0..=500.0)?.unwrap_or(200.0),
    });
    recorder.stage = Stage::Chart;
    if let Some(measure) = call.text("y") {
        add_series(recorder, call, &measure)?;
    }
    if kind != ChartKind::Histogram && call.text("bins").is_some() {
        return Err(call.refuse("prima „bins“ samo za vrstu „histogram“"));
    }
    Ok(())
}

fn close_chart(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.stage = Stage::Report;
    let Some(chart) = recorder.table.charts.last_mut() else { return Ok(()) };
    if chart.kind == ChartKind::Histogram {
        if !chart.series.is_empty() || chart.series_by.is_some() {
            return Err(call.refuse("za vrstu „histogram“ broji redove po koloni „x“ i ne prima „y“, „series“ i „seriesBy“"));
        }
        let label = call.text("label").unwrap_or_else(|| "Broj".to_owned());
        chart.series.push(Series { label, measure: Measure::Count, bounds: None });
    }
    if chart.series.is_empty() {
        return Err(call.refuse("nema nijednu seriju: navedite „y“ ili „series“"));
    }
    if chart.kind == ChartKind::Pie && (chart.series.len() > 1 || chart.series_by.is_some()) {
        return Err(call.refuse("za vrstu „pie“ prima samo jednu seriju i ne prima „seriesBy“"));
    }
    if chart.kind.adds_up() && !chart.series.iter().all(|series| series.measure.is_additive()) {
        return Err(call.refuse("za vrste „pie“ i „stacked“ prima samo zbir („x“ ili „sum:x“) i „count“: ostale mere se ne sabiraju"));
    }
    let is_column = |measure: &Measure| matches!(measure, Measure::Sum(_));
    let of_columns =
        |series: &Series| is_column(&series.measure) && series.bounds.iter().all(|(low, high)| is_column(low) && is_column(high));
    if matches!(chart.kind, ChartKind::Points | ChartKind::Box) && !chart.series.iter().all(of_columns) {
        return Err(call.refuse("za vrste „points“ i „box“ prima samo kolone: prikazuje redove, a ne njihove zbirove"));
    }
    let has_bounds = matches!(chart.kind, ChartKind::Line | ChartKind::Step | ChartKind::Bar | ChartKind::Points);
    if !has_bounds && chart.series.iter().any(|series| series.bounds.is_some()) {
        return Err(call.refuse("prima „low“ i „high“ samo za vrste „line“, „step“, „bar“ i „points“"));
    }
    let has_log = matches!(chart.kind, ChartKind::Line | ChartKind::Step | ChartKind::Points | ChartKind::Box);
    if chart.scale == ChartScale::Log && !has_log {
        return Err(call.refuse("prima „scale=log“ samo za vrste „line“, „step“, „points“ i „box“: visina stubića počinje od nule"));
    }
    if chart.kind == ChartKind::Pie && (!chart.references.is_empty() || chart.scale != ChartScale::Linear) {
        return Err(call.refuse("za vrstu „pie“ ne prima „reference“ i „scale“: krug nema ose"));
    }
    Ok(())
}

fn series(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Chart, call)?;
    add_series(recorder, call, &call.param(0)?)
}

fn add_series(recorder: &mut Recorder, call: &Call, measure: &str) -> Result<(), RenderError> {
    let label = call.text("label").unwrap_or_else(|| measure.to_owned());
    let parse = |measure: &str| Measure::parse(measure).ok_or_else(|| call.refuse(&format!("ne razume meru „{measure}“")));
    let bounds = match (call.text("low"), call.text("high")) {
        (None, None) => None,
        (Some(low), Some(high)) => Some((parse(&low)?, parse(&high)?)),
        _ => return Err(call.refuse("traži „low“ i „high“ zajedno")),
    };
    let measure = parse(measure)?;
    let chart = recorder.table.charts.last_mut().ok_or_else(|| refusal("Serija nema svoj grafikon"))?;
    chart.series.push(Series { label, measure, bounds });
    Ok(())
}

fn open_analysis(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    recorder.stage = Stage::Analysis;
    recorder.variables.clear();
    Ok(())
}

fn close_analysis(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.stage = Stage::Report;
    let analysis = analyses::analysis(call, &std::mem::take(&mut recorder.variables))?;
    recorder.table.analyses.push(analysis);
    Ok(())
}

fn variable(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Analysis, call)?;
    let variable = analyses::variable(call)?;
    if recorder.variables.iter().any(|known| known.column == variable.column) {
        return Err(call.refuse(&format!("je već navedena za „{}“", variable.column)));
    }
    recorder.variables.push(variable);
    Ok(())
}
