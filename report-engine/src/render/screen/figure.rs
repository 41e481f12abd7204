//! A chart on the screen: drawn for a wide page and for a phone, its values at their places, and all of them in a table.
use domain::report_screen::{ScreenChart, ScreenDrawing, ScreenSearch, ScreenSeries, drawing};
use report_chart::layout::height_for;
use report_chart::svg::hex;
use report_chart::{Fault, Figure, Legend, Mark, Size, palette, table, to_svg};

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

const LEADS: &str = "Podvučeni brojevi otvaraju pretragu sa istim uslovima.";
const COUNTS_ENTRIES: &str = "Broj unosa nije broj pacijenata: pretraga prikazuje pacijente, svakog jednom.";
const COUNTS_ALL: &str = "Ovde su prebrojani pacijenti svih ustanova, a male grupe su izostavljene; pretraga prikazuje pacijente vaše ustanove, pa ih \
                          može biti manje ili više.";

/// What is said of a number that leads to a search.
pub fn notes_of(search: &ScreenSearch) -> impl Iterator<Item = &'static str> {
    [Some(LEADS), search.unosi.then_some(COUNTS_ENTRIES), search.sve_ustanove.then_some(COUNTS_ALL)].into_iter().flatten()
}

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
                Ok(mut drawing) => {
                    for spot in &mut drawing.mesta {
                        let of_spot = picture.searches.iter().find(|(told, _)| *told == spot.tekst);
                        spot.pretraga = of_spot.map(|(_, search)| search.clone());
                    }
                    chart.crtezi.push(drawing);
                }
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

fn drawn(figure: &Figure, width: f64, plot: f64) -> Result<ScreenDrawing, Fault> {
    let letters = Size::screen(width, 0.0).letters;
    drawing(figure, Size::screen(width, height_for(figure, width, letters, plot).ceil()))
}
