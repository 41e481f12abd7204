//! A chart on the screen: drawn for a wide page and for a phone, its values at their places, and all of them in a table.
use domain::report_screen::{ScreenChart, ScreenDrawing, ScreenSeries, ScreenShape, ScreenSpot};
use report_chart::drawing::{Anchor, Path, Shape, Word};
use report_chart::layout::height_for;
use report_chart::svg::{hex, path_data, role};
use report_chart::{Drawing, Figure, Legend, Mark, Size, draw, palette, spots, table, to_svg};

use crate::render::chart::Picture;

/// In pixels; the screen takes the widest that it has room for.
const WIDTHS: [f64; 2] = [860.0, 330.0];
/// Of the drawing that is taken away, for a paper or a slide.
const TAKEN: (f64, f64) = (760.0, 380.0);
/// Pixels of a point, in which a template asks for the height.
const PIXELS: f64 = 4.0 / 3.0;
/// What words along the axes take of that height, in points.
const WORDS: f64 = 28.0;
/// Values that a reader goes through in the table of a chart; the rows of the report are elsewhere.
const MOST_ROWS: usize = 2_000;

pub fn chart_of(picture: &Picture) -> ScreenChart {
    let mut figure = picture.figure.clone();
    let naslov = std::mem::take(&mut figure.title);
    // The page names the series, where each can be switched off.
    figure.legend = Legend::Hidden;
    let mut chart = ScreenChart {
        naslov,
        opis: table::description(&picture.figure),
        serije: series_of(&figure),
        odbijeno: picture.refusal(),
        ..ScreenChart::default()
    };
    if chart.odbijeno.is_none() {
        let plot = (f64::from(picture.height) - WORDS) * PIXELS;
        for width in WIDTHS {
            match drawn(&figure, width, plot) {
                Ok(drawing) => chart.crtezi.push(drawing),
                Err(fault) => chart.odbijeno = Some(format!("Grafikon „{}“ nije nacrtan: {fault}.", chart.naslov)),
            }
        }
        chart.svg = to_svg(&picture.figure, Size::screen(TAKEN.0, TAKEN.1)).ok();
    }
    let mut values = table::table(&picture.figure);
    chart.tabela_skracena = values.rows.len() > MOST_ROWS;
    values.rows.truncate(MOST_ROWS);
    chart.zaglavlja = values.heads;
    chart.redovi = values.rows;
    chart
}

/// Those that are named: a single series needs no name, and parts of a whole have theirs beside them.
fn series_of(figure: &Figure) -> Vec<ScreenSeries> {
    let has_marks = |place: usize| figure.marks.iter().any(|mark| mark.series() == Some(place));
    let all = figure.series.iter().enumerate().filter(|(place, _)| has_marks(*place));
    let all: Vec<ScreenSeries> = all
        .map(|(place, series)| ScreenSeries { naziv: series.name.clone(), boja: hex(series.color.unwrap_or(palette::color(place))) })
        .collect();
    if all.len() > 1 && !figure.marks.iter().any(|mark| matches!(mark, Mark::Pie { .. })) { all } else { Vec::new() }
}

fn drawn(figure: &Figure, width: f64, plot: f64) -> Result<ScreenDrawing, report_chart::Fault> {
    let letters = Size::screen(width, 0.0).letters;
    let height = height_for(figure, width, letters, plot).ceil();
    let drawing = draw(figure, Size::screen(width, height))?;
    let spot = |spot: report_chart::Spot| ScreenSpot { x: tenth(spot.at.0), y: tenth(spot.at.1), serija: spot.series, tekst: spot.told };
    Ok(ScreenDrawing {
        sirina: width,
        visina: height,
        mesta: spots(figure, &drawing)?.into_iter().map(spot).collect(),
        oblici: shapes(figure, &drawing),
    })
}

fn shapes(figure: &Figure, drawing: &Drawing) -> Vec<ScreenShape> {
    let shape = |item: &report_chart::drawing::Item| match &item.shape {
        Shape::Path(path) => {
            let told = item.datum.as_ref().map(|datum| datum.series.clone()).filter(|series| !series.is_empty());
            ScreenShape { serija: told.or_else(|| series_by_color(figure, path)), ..of_path(path) }
        }
        Shape::Word(word) => of_word(word),
    };
    drawing.items.iter().map(shape).collect()
}

/// Markers of a line tell no value, and are of the series whose colour they have.
fn series_by_color(figure: &Figure, path: &Path) -> Option<String> {
    let color = path.fill.map(|fill| fill.color).or(path.stroke.map(|stroke| stroke.color))?;
    let mut series = figure.series.iter().enumerate();
    series.find(|(place, series)| series.color.unwrap_or(palette::color(*place)) == color).map(|(_, series)| series.name.clone())
}

fn of_path(path: &Path) -> ScreenShape {
    let color = path.stroke.map(|stroke| stroke.color);
    ScreenShape {
        putanja: path_data(path),
        ispuna: path.fill.map(|fill| hex(fill.color)),
        providnost: path.fill.map(|fill| fill.opacity).filter(|opacity| *opacity < 1.0),
        linija: color.map(hex),
        debljina: path.stroke.map(|stroke| tenth(stroke.width)),
        crtice: path.stroke.filter(|stroke| !stroke.dash.is_empty()).map(|stroke| {
            let lengths: Vec<String> = stroke.dash.iter().map(|length| tenth(length * stroke.width).to_string()).collect();
            lengths.join(" ")
        }),
        uloga: color.and_then(role).map(str::to_owned),
        ..ScreenShape::default()
    }
}

fn of_word(word: &Word) -> ScreenShape {
    let poravnanje = match word.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    ScreenShape {
        tekst: Some(word.text.clone()),
        ispuna: Some(hex(word.color)),
        uloga: role(word.color).map(str::to_owned),
        x: Some(tenth(word.at.0)),
        y: Some(tenth(word.at.1)),
        velicina: Some(tenth(word.size)),
        poravnanje: Some(poravnanje.to_owned()),
        podebljano: word.is_bold,
        okrenuto: word.is_turned,
        ..ScreenShape::default()
    }
}

fn tenth(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
