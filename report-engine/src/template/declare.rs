//! The declaring helpers: each records its part of the plan while the template is rendered once.
use std::sync::Arc;

use handlebars::{Handlebars, RenderError};

use super::band::{Piece, Surroundings};
use super::call::Call;
use super::context::Context;
use super::declaration::{Declaration, Record, Shared};
use super::document::DocumentBody;
use super::functions::refusal;
use crate::plan::{
    Align, Band, Body, Bucket, CellFormat, Chart, ChartKind, Column, Format, Group, Heading, Measure, PageSetup, Plan, Ratio, Series,
    Source, TablePlan, TemplateError,
};

const COLUMN_ATTRIBUTES: [&str; 5] = ["head", "width", "align", "format", "foot"];
const ALIGNMENTS: [(&str, Align); 3] = [("left", Align::Left), ("center", Align::Center), ("right", Align::Right)];
const PAGES: [(&str, bool); 3] = [("A4", false), ("A4-portrait", false), ("A4-landscape", true)];

/// What has been declared so far.
pub struct Recorder {
    format: Format,
    heading: Heading,
    page: PageSetup,
    table: TablePlan,
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
        };
        Shared::new(Recorder {
            format: context.format,
            heading,
            page: PageSetup { landscape: false, size: 8.0 },
            table: TablePlan::default(),
            document: None,
            stage: Stage::Nothing,
            surroundings,
        })
    }

    fn expect(&self, stage: Stage, call: &Call) -> Result<(), RenderError> {
        match stage {
            _ if self.stage == stage => Ok(()),
            Stage::Chart => Err(call.refuse("stoji samo u bloku „chart“")),
            Stage::Nothing => Err(call.refuse("stoji samo jednom, na početku šablona")),
            _ => Err(call.refuse("stoji samo u bloku „report“")),
        }
    }

    fn band(&self, call: &Call) -> Option<Band> {
        call.block().map(|block| -> Band { Arc::new(Piece::new(block.clone(), self.surroundings.clone())) })
    }

    fn set_page(&mut self, call: &Call) -> Result<(), RenderError> {
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
        None if recorder.table.columns.is_empty() => {
            return Err(TemplateError::new("Izveštaj nema nijednu kolonu"));
        }
        None => Body::Table(Box::new(recorder.table.clone())),
    };
    Ok(Plan { format: recorder.format, heading: recorder.heading.clone(), page: recorder.page, body })
}

/// Adds the declaring helpers to the registry of one planning.
pub fn register(registry: &mut Handlebars<'static>, recorder: &Shared<Recorder>) {
    let mut add = |name: &str, attributes: &'static [&'static str], open: Record<Recorder>, close: Option<Record<Recorder>>| {
        let declaration = Declaration { recorder: recorder.clone(), attributes, open, close };
        registry.register_helper(name, Box::new(declaration));
    };
    add("report", &["page", "size"], open_report, Some(close_report));
    add("document", &["page", "size"], document, None);
    add("title", &[], title, None);
    add("subtitle", &[], subtitle, None);
    add("col", &COLUMN_ATTRIBUTES, column, None);
    add("ratio", &COLUMN_ATTRIBUTES, ratio, None);
    add("computed", &["head", "width", "align"], computed, None);
    add("group", &["by", "head", "newPage"], group, None);
    add("groupFoot", &["by"], group_foot, None);
    add("summary", &[], summary, None);
    add("chart", &["x", "y", "label", "bucket", "seriesBy", "title", "yTitle", "height"], open_chart, Some(close_chart));
    add("series", &["label"], series, None);
}

fn open_report(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Nothing, call)?;
    call.required_block()?;
    recorder.set_page(call)?;
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
    let format = match call.text("format") {
        Some(mask) => Some(CellFormat::parse(&mask).ok_or_else(|| call.refuse(&format!("ne razume format „{mask}“")))?),
        None => None,
    };
    let column = Column {
        head: call.text("head").unwrap_or_else(|| name.to_owned()),
        width: call.number("width", 1.0..=2000.0)?,
        align: call.choice("align", &ALIGNMENTS)?,
        format,
        source,
        foot,
    };
    recorder.table.columns.push(column);
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

fn open_chart(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Report, call)?;
    let kinds = [("line", ChartKind::Line), ("bar", ChartKind::Bar)];
    let buckets = [("value", Bucket::Value), ("day", Bucket::Day), ("month", Bucket::Month), ("year", Bucket::Year)];
    recorder.table.charts.push(Chart {
        kind: call.choose("vrstu grafikona", &call.param(0)?, &kinds)?,
        title: call.text("title").unwrap_or_default(),
        x: call.required_text("x")?,
        bucket: call.choice("bucket", &buckets)?.unwrap_or(Bucket::Value),
        series_by: call.text("seriesBy"),
        series: Vec::new(),
        y_title: call.text("yTitle"),
        height: call.number("height", 80.0..=500.0)?.unwrap_or(200.0),
    });
    recorder.stage = Stage::Chart;
    if let Some(measure) = call.text("y") {
        add_series(recorder, call, &measure)?;
    }
    Ok(())
}

fn close_chart(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.stage = Stage::Report;
    let has_series = recorder.table.charts.last().is_some_and(|chart| !chart.series.is_empty());
    if has_series { Ok(()) } else { Err(call.refuse("nema nijednu seriju: navedite „y“ ili „series“")) }
}

fn series(recorder: &mut Recorder, call: &Call) -> Result<(), RenderError> {
    recorder.expect(Stage::Chart, call)?;
    add_series(recorder, call, &call.param(0)?)
}

fn add_series(recorder: &mut Recorder, call: &Call, measure: &str) -> Result<(), RenderError> {
    let label = call.text("label").unwrap_or_else(|| measure.to_owned());
    let measure = Measure::parse(measure).ok_or_else(|| call.refuse(&format!("ne razume meru „{measure}“")))?;
    let chart = recorder.table.charts.last_mut().ok_or_else(|| refusal("Serija nema svoj grafikon"))?;
    chart.series.push(Series { label, measure });
    Ok(())
}
