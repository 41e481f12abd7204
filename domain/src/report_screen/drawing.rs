//! A figure as the screen paints it: its shapes and words at their places, and where its values can be pointed at.
use report_chart::drawing::{Anchor, Item, Path, Shape, Word};
use report_chart::svg::{hex, path_data, role};
use report_chart::{Drawing, Fault, Figure, Size, Spot, draw, palette, spots};

use super::{ScreenDrawing, ScreenShape, ScreenSpot};

/// Draws a figure in this size.
pub fn drawing(figure: &Figure, size: Size) -> Result<ScreenDrawing, Fault> {
    let drawing = draw(figure, size)?;
    let spot = |spot: Spot| ScreenSpot { x: tenth(spot.at.0), y: tenth(spot.at.1), serija: spot.series, tekst: spot.told, pretraga: None };
    Ok(ScreenDrawing {
        sirina: size.width,
        visina: size.height,
        mesta: spots(figure, &drawing)?.into_iter().map(spot).collect(),
        oblici: shapes(figure, &drawing),
    })
}

fn shapes(figure: &Figure, drawing: &Drawing) -> Vec<ScreenShape> {
    let shape = |item: &Item| match &item.shape {
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
    let colors = [path.fill.map(|fill| fill.color), path.stroke.map(|stroke| stroke.color)];
    let mut series = figure.series.iter().enumerate();
    series
        .find(|(place, series)| colors.contains(&Some(series.color.unwrap_or(palette::color(*place)))))
        .map(|(_, series)| series.name.clone())
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
