//! Charts under the table: plotters lays out axes and series, the report's own font writes every word.
use std::convert::Infallible;
use std::io;

use domain::shown::push_decimal;
use plotters::prelude::*;
use plotters::style::Color as _;
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::canvas::{Canvas, SCALE, tenths};
use super::content::{Color, TextStyle, Unit, points, scaled};
use super::font::Weight;
use super::look;
use super::paper::Paper;
use super::pie;
use super::tags::Tag;
use crate::plan::ChartKind;
use crate::render::chart::{Axis, Picture, Tick};
use crate::render::clean::legible;

pub(super) const TITLE: TextStyle = TextStyle { weight: Weight::Bold, size: 10.0, color: look::INK };
pub(super) const LEGEND: TextStyle = TextStyle { weight: Weight::Regular, size: 8.0, color: look::INK };
const LABEL_SIZE: f32 = 7.5;
const LEGEND_LEADING: Unit = 1250;
/// Values of a chart that its description names.
const MOST_TOLD: usize = 60;
/// Beyond this many bars the numbers above them would run together.
const MAX_BAR_LABELS: usize = 24;
/// So many labels under numbers and time at the most.
const MOST_LABELS: usize = 12;
/// Half a label and the room after it, in halves of its width.
const LABEL_ROOM: f64 = 1.6;
/// Share of the axis below which the number of a part has no room in it.
const LEAST_NUMBERED: f64 = 0.06;

type Plot<'a, 'b> =
    ChartContext<'a, Canvas<'b>, Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>>;
type Drawn = Result<(), DrawingAreaErrorKind<Infallible>>;

/// Draws the chart at the present place, on a new page when it does not fit.
pub fn draw(paper: &mut Paper, picture: &Picture) -> io::Result<()> {
    if !picture.has_values() {
        return Ok(());
    }
    if picture.kind == ChartKind::Pie {
        return pie::draw(paper, picture);
    }
    let legend = legend_lines(paper, picture);
    let height = points(picture.height);
    let whole = 2600 + legend.len() as Unit * LEGEND_LEADING + height;
    if paper.room() < whole {
        paper.turn()?;
    }
    paper.y += 1400;
    paper.paragraph(TITLE, &picture.title, 1200)?;
    paper.y += 300;
    draw_legend(paper, &legend)?;
    let mut operators = Vec::new();
    let size = (tenths(paper.inner_width()) as u32, tenths(height) as u32);
    let canvas = Canvas { operators: &mut operators, fonts: &mut paper.fonts, size };
    plot(canvas, picture).map_err(|error| io::Error::other(error.to_string()))?;
    paper.figure(&operators, &told(picture))?;
    paper.y += height;
    Ok(())
}

/// Name and colour of the series, on as many lines as they need; none for a single series.
fn legend_lines(paper: &mut Paper, picture: &Picture) -> Vec<Vec<(String, Color, Unit)>> {
    if picture.series.len() < 2 {
        return Vec::new();
    }
    let mut lines: Vec<Vec<(String, Color, Unit)>> = vec![Vec::new()];
    let mut used = 0;
    for series in &picture.series {
        let label = legible(&series.label).replace('\n', " ");
        let width = scaled(paper.fonts.width(LEGEND.weight, &label), LEGEND.size) + 2800;
        if used + width > paper.inner_width() && used > 0 {
            lines.push(Vec::new());
            used = 0;
        }
        used += width;
        if let Some(line) = lines.last_mut() {
            line.push((label, Color::of(series.color), width));
        }
    }
    lines
}

fn draw_legend(paper: &mut Paper, lines: &[Vec<(String, Color, Unit)>]) -> io::Result<()> {
    for line in lines {
        let mut x = paper.left();
        paper.y += LEGEND_LEADING;
        for (label, color, width) in line {
            paper.content.rect(x, paper.y - 650, 700, 700, *color);
            paper.begin_piece(Tag::Paragraph)?;
            paper.content.text(&mut paper.fonts, LEGEND, x + 1100, paper.y, label);
            paper.end_piece();
            x += width;
        }
    }
    Ok(())
}

/// A chart in words: what it is of, and its values where they are few enough to listen to.
pub(super) fn told(picture: &Picture) -> String {
    let kind = match picture.kind {
        ChartKind::Line => "Linijski grafikon",
        ChartKind::Bar | ChartKind::Stacked => "Stubičasti grafikon",
        ChartKind::Pie => "Kružni grafikon",
    };
    let mut out = format!("{kind}: {}.", picture.title);
    let decimals = if all_whole(picture) { 0 } else { 2 };
    if picture.ticks.len() * picture.series.len() <= MOST_TOLD {
        for series in &picture.series {
            let value = |(tick, value): &(usize, f64)| format!("{} {}", picture.ticks[*tick].label, serbian(*value, decimals));
            let values: Vec<String> = series.points.iter().map(value).collect();
            out.push_str(&format!(" {}: {}.", series.label, values.join("; ")));
        }
    }
    out
}

fn rgb(color: Color) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

fn plot(canvas: Canvas, picture: &Picture) -> Drawn {
    let (low, high) = (picture.scale.low(), picture.scale.high());
    let (first, last) = picture.span();
    let decimals = label_decimals(high - low);
    let root = canvas.into_drawing_area();
    let mut plot = ChartBuilder::on(&root)
        .margin_top(60)
        .margin_right(60)
        .x_label_area_size(220)
        .y_label_area_size(if picture.y_title.is_some() { 480 } else { 380 })
        .build_cartesian_2d(first..last, low..high)?;
    let label_style = ("sans-serif", LABEL_SIZE * SCALE).into_font().color(&rgb(look::MUTED));
    let number = |value: &f64| serbian(*value, decimals);
    plot.configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(6)
        .y_max_light_lines(0)
        .set_all_tick_mark_size(30)
        .y_label_formatter(&number)
        .y_desc(picture.y_title.clone().unwrap_or_default())
        .label_style(label_style.clone())
        .axis_desc_style(label_style.clone())
        .axis_style(rgb(look::MUTED).stroke_width(5))
        .bold_line_style(rgb(look::HAIRLINE).stroke_width(4))
        .draw()?;
    draw_x_labels(&root, &plot, picture, low, &label_style)?;
    match picture.kind {
        ChartKind::Line => draw_lines(&mut plot, picture)?,
        ChartKind::Stacked => draw_stacks(&mut plot, picture, decimals)?,
        ChartKind::Bar | ChartKind::Pie => draw_bars(&mut plot, picture, decimals)?,
    }
    root.present()
}

fn label_decimals(span: f64) -> u32 {
    match span {
        span if span >= 12.0 => 0,
        span if span >= 1.5 => 1,
        _ => 2,
    }
}

pub(super) fn serbian(value: f64, decimals: u32) -> String {
    let mut out = String::new();
    match Decimal::from_f64(value) {
        Some(value) => push_decimal(&mut out, value, decimals, true),
        None => out.push_str(&value.to_string()),
    }
    out
}

/// The labels under the axis, every one or every second, third … so that they stay apart.
fn draw_x_labels(
    root: &DrawingArea<Canvas, plotters::coord::Shift>,
    plot: &Plot,
    picture: &Picture,
    low: f64,
    style: &plotters::style::TextStyle,
) -> Drawn {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let style = style.pos(Pos::new(HPos::Center, VPos::Top));
    let place = |at: f64| plot.plotting_area().map_coordinate(&(at, low));
    let letter = f64::from(LABEL_SIZE * SCALE) * 0.62;
    if picture.axis != Axis::Categories {
        return draw_labels_by_size(root, picture, |tick| (place(tick.at), tick.label.chars().count() as f64 * letter), &style);
    }
    let count = picture.ticks.len();
    let slot = f64::from(place(1.0).0 - place(0.0).0).max(1.0);
    let longest = picture.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(1);
    // Names are shortened rather than skipped; long rows of months are skipped.
    let step = if count <= 12 { 1 } else { (longest as f64 * letter * 1.15 / slot).ceil().max(1.0) as usize };
    let letters = ((slot * step as f64 / letter) as usize).max(2);
    for tick in picture.ticks.iter().step_by(step) {
        let (x, y) = place(tick.at);
        root.draw(&Text::new(shortened(&tick.label, letters), (x, y + 50), style.clone()))?;
    }
    Ok(())
}

/// Labels that lie where their values do: from the left, each that has room after the one before it.
fn draw_labels_by_size(
    root: &DrawingArea<Canvas, plotters::coord::Shift>,
    picture: &Picture,
    place: impl Fn(&Tick) -> ((i32, i32), f64),
    style: &plotters::style::TextStyle,
) -> Drawn {
    let mut free = f64::MIN;
    for tick in picture.labels(MOST_LABELS) {
        let ((x, y), width) = place(&tick);
        if f64::from(x) - width / 2.0 >= free {
            free = f64::from(x) + width / 2.0 * LABEL_ROOM;
            root.draw(&Text::new(tick.label, (x, y + 50), style.clone()))?;
        }
    }
    Ok(())
}

fn shortened(label: &str, letters: usize) -> String {
    if label.chars().count() <= letters {
        return label.to_owned();
    }
    label.chars().take(letters - 1).chain(['…']).collect()
}

/// One line a series, with a dot at each value. Over months and years a missing value breaks it; over numbers and time it joins what there
/// is, since each series has places of its own. Over names there are dots alone: a line would show a course that is none.
fn draw_lines(plot: &mut Plot, picture: &Picture) -> Drawn {
    for series in &picture.series {
        let color = rgb(Color::of(series.color));
        let place = |(tick, value): (usize, f64)| (picture.ticks[tick].at, value);
        let is_broken = picture.axis == Axis::Categories;
        let lines = series.points.chunk_by(|left, right| !is_broken || right.0 == left.0 + 1).filter(|_| picture.joins());
        for unbroken in lines {
            let line = unbroken.iter().copied().map(place);
            plot.draw_series(LineSeries::new(line, color.stroke_width(14)))?;
        }
        let radius = match picture.ticks.len() {
            0..=60 => 20,
            61..=400 => 12,
            _ => 7,
        };
        plot.draw_series(series.points.iter().copied().map(place).map(|place| Circle::new(place, radius, color.filled())))?;
    }
    Ok(())
}

/// The bars of one label side by side, with their numbers above while there is room for them.
fn draw_bars(plot: &mut Plot, picture: &Picture, decimals: u32) -> Drawn {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let share = 0.76 / picture.series.len() as f64;
    let bars = picture.ticks.len() * picture.series.len();
    let decimals = if all_whole(picture) { 0 } else { decimals.max(1) };
    let number_style = number_style(look::INK).pos(Pos::new(HPos::Center, VPos::Bottom));
    for (index, series) in picture.series.iter().enumerate() {
        let color = rgb(Color::of(series.color));
        let left = |tick: usize| picture.ticks[tick].at - 0.38 + index as f64 * share;
        let present = || series.points.iter().copied();
        plot.draw_series(present().map(|(tick, value)| {
            let edges = [(left(tick), 0.0), (left(tick) + share * 0.92, value)];
            Rectangle::new(edges, color.filled())
        }))?;
        if bars <= MAX_BAR_LABELS {
            plot.draw_series(present().map(|(tick, value)| {
                let middle = left(tick) + share * 0.46;
                Text::new(serbian(value, decimals), (middle, value), number_style.clone())
            }))?;
        }
    }
    Ok(())
}

/// The bars of one label on one another, what is below zero downwards; each with its number where it is high enough, the whole above.
fn draw_stacks(plot: &mut Plot, picture: &Picture, decimals: u32) -> Drawn {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let decimals = if all_whole(picture) { 0 } else { decimals.max(1) };
    let readable = (picture.scale.high() - picture.scale.low()) * LEAST_NUMBERED;
    let inside = number_style(Color(255, 255, 255)).pos(Pos::new(HPos::Center, VPos::Center));
    let above = number_style(look::INK).pos(Pos::new(HPos::Center, VPos::Bottom));
    let is_numbered = picture.ticks.len() <= MAX_BAR_LABELS;
    let (mut up, mut down) = (vec![0.0; picture.ticks.len()], vec![0.0; picture.ticks.len()]);
    for series in &picture.series {
        let color = rgb(Color::of(series.color));
        let mut bars = Vec::with_capacity(series.points.len());
        for (tick, value) in &series.points {
            let end = if *value < 0.0 { &mut down[*tick] } else { &mut up[*tick] };
            bars.push((picture.ticks[*tick].at, *end, *end + value));
            *end += value;
        }
        plot.draw_series(bars.iter().map(|(at, from, to)| Rectangle::new([(at - 0.34, *from), (at + 0.34, *to)], color.filled())))?;
        // A white line between the parts keeps them apart where a printer knows no colours.
        let white = RGBColor(255, 255, 255).stroke_width(6);
        plot.draw_series(bars.iter().map(|(at, from, _)| PathElement::new(vec![(at - 0.34, *from), (at + 0.34, *from)], white)))?;
        if is_numbered {
            let high = bars.iter().filter(|(_, from, to)| (to - from).abs() >= readable);
            plot.draw_series(
                high.map(|(at, from, to)| Text::new(serbian(to - from, decimals), (*at, f64::midpoint(*from, *to)), inside.clone())),
            )?;
        }
    }
    if is_numbered {
        let wholes = picture.ticks.iter().zip(up.iter().zip(&down)).filter(|(_, (up, down))| **up > 0.0 && **down == 0.0);
        plot.draw_series(wholes.map(|(tick, (up, _))| Text::new(serbian(*up, decimals), (tick.at, *up), above.clone())))?;
    }
    Ok(())
}

pub(super) fn all_whole(picture: &Picture) -> bool {
    picture.series.iter().all(|series| series.points.iter().all(|(_, value)| value.fract() == 0.0))
}

fn number_style(color: Color) -> plotters::style::TextStyle<'static> {
    ("sans-serif", (LABEL_SIZE - 0.5) * SCALE).into_font().color(&rgb(color))
}
