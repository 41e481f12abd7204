//! The passage of rows through a table plan: groups open and close, measures add up, cells are computed.
use domain::report_screen::ScreenCellSearch;
use serde_json::{Map, Value as Json};

use super::chart::{ChartData, Picture};
use super::error::RenderError;
use super::searches::SearchColumns;
use super::totals::{Accumulator, column_index, side_index};
use crate::plan::{Band, Measure, PageSetup, Ratio, Source, TablePlan, Value};

/// Where the passage writes: one of the formats.
pub trait TableSink {
    fn group_header(&mut self, header: &GroupHeader) -> Result<(), RenderError>;
    fn row(&mut self, cells: &Cells) -> Result<(), RenderError>;
    fn footer(&mut self, footer: &Footer) -> Result<(), RenderError>;
    /// Ends the table with its charts and begins the next one.
    fn section(&mut self, charts: &[Picture], table: &TablePlan, page: PageSetup) -> Result<(), RenderError>;
    /// Adds the charts, ends the file and keeps it; `cut` is the note of a result that is not whole.
    fn finish(self: Box<Self>, charts: &[Picture], cut: Option<&str>) -> Result<FileFacts, RenderError>;
}

/// What a format can tell of its finished file.
#[derive(Debug, Default)]
pub struct FileFacts {
    pub bytes: u64,
    pub pages: Option<u32>,
    pub missing_glyphs: Vec<char>,
}

/// A group that begins.
pub struct GroupHeader<'a> {
    /// 0 is the outermost group.
    pub level: usize,
    /// Empty when the template declares no header for the group.
    pub text: &'a str,
    pub new_page: bool,
}

/// The end of a group, or of the whole report.
pub struct Footer<'a> {
    pub level: Option<usize>,
    pub label: &'a str,
    /// One value a column; null where the column declares none.
    pub cells: &'a [Value],
    /// Which of them lead to a search.
    pub searches: &'a [ScreenCellSearch],
}

/// One row as the columns of the plan see it.
pub struct Cells<'a> {
    row: &'a [Value],
    places: &'a [Place],
    computed: &'a [Value],
    searches: &'a SearchColumns,
}

impl<'a> Cells<'a> {
    /// Which of them lead to a search; a number that is kept back leads nowhere.
    pub fn searches(&self) -> Vec<ScreenCellSearch> {
        let mut searches = self.searches.of_row(self.row);
        searches.retain(|search| self.iter().nth(usize::from(search.kolona)).is_some_and(|value| !value.is_null()));
        searches
    }

    pub fn iter(&self) -> impl Iterator<Item = &'a Value> {
        let (row, computed) = (self.row, self.computed);
        self.places.iter().map(move |place| match place {
            Place::Row(index) => &row[*index],
            Place::Computed(index) => &computed[*index],
        })
    }
}

#[derive(Clone, Copy)]
enum Place {
    Row(usize),
    Computed(usize),
}

/// A cell that is not in the row itself.
enum Computation {
    Ratio { ratio: Ratio, numerator: Option<usize>, denominator: Option<usize> },
    Band(BoundBand),
}

/// A table plan bound to the columns of a result.
pub struct Feed {
    names: Vec<String>,
    places: Vec<Place>,
    computations: Vec<Computation>,
    computed: Vec<Value>,
    groups: Vec<Level>,
    summary: Option<Totals>,
    charts: Vec<ChartData>,
    searches: SearchColumns,
    /// Of the total of the table.
    total_searches: Vec<ScreenCellSearch>,
    started: bool,
    /// The whole plan, which only the first row passes through.
    trial: Option<Box<Feed>>,
}

/// Takes what a format has no line for.
struct Nowhere;

impl TableSink for Nowhere {
    fn group_header(&mut self, _: &GroupHeader) -> Result<(), RenderError> {
        Ok(())
    }

    fn row(&mut self, _: &Cells) -> Result<(), RenderError> {
        Ok(())
    }

    fn footer(&mut self, _: &Footer) -> Result<(), RenderError> {
        Ok(())
    }

    fn section(&mut self, _: &[Picture], _: &TablePlan, _: PageSetup) -> Result<(), RenderError> {
        Ok(())
    }

    fn finish(self: Box<Self>, _: &[Picture], _: Option<&str>) -> Result<FileFacts, RenderError> {
        Ok(FileFacts::default())
    }
}

struct Level {
    by: usize,
    key: Value,
    header: Option<BoundBand>,
    new_page: bool,
    totals: Option<Totals>,
}

/// The footer of a group or report, with what it adds up.
struct Totals {
    band: BoundBand,
    feet: Vec<Option<Accumulator>>,
    rows: u64,
    /// Values of the group's first row that the footer names.
    first: Map<String, Json>,
}

/// A band and the columns it names.
struct BoundBand {
    band: Band,
    fields: Vec<(String, usize)>,
    sums: Vec<(String, Accumulator)>,
    averages: Vec<(String, Accumulator)>,
}

impl Feed {
    /// Binds the plan; an unknown name or a faulty band is found here, before any row.
    pub fn bind(plan: &TablePlan, names: &[String]) -> Result<Self, RenderError> {
        let mut feed = Feed {
            names: names.to_vec(),
            places: Vec::new(),
            computations: Vec::new(),
            computed: Vec::new(),
            groups: Vec::new(),
            summary: None,
            charts: Vec::new(),
            searches: SearchColumns::bind(plan, names),
            total_searches: Vec::new(),
            started: false,
            trial: None,
        };
        for column in &plan.columns {
            feed.bind_source(&column.source)?;
        }
        let feet: Vec<Option<&Measure>> = plan.columns.iter().map(|column| column.foot.as_ref()).collect();
        for group in &plan.groups {
            let header = group.header.as_ref().map(|band| BoundBand::bind(band, names)).transpose()?;
            let totals = group.footer.as_ref().map(|band| Totals::bind(band, &feet, names)).transpose()?;
            let by = column_index(names, &group.by)?;
            feed.groups.push(Level { by, key: Value::Null, header, new_page: group.new_page, totals });
        }
        feed.summary = plan.summary.as_ref().map(|band| Totals::bind(band, &feet, names)).transpose()?;
        feed.charts = plan.charts.iter().map(|chart| ChartData::bind(chart, names)).collect::<Result<_, _>>()?;
        Ok(feed)
    }

    /// A passage for a format that shows rows alone: no band is filled and nothing is added up. What is wrong with those is found all the
    /// same, here or by the first row, so that a template fails in every format or in none.
    pub fn bind_rows(plan: &TablePlan, names: &[String]) -> Result<Self, RenderError> {
        let trial = Some(Box::new(Feed::bind(plan, names)?));
        let bare = TablePlan { groups: Vec::new(), summary: None, charts: Vec::new(), ..plan.clone() };
        Ok(Feed { trial, ..Feed::bind(&bare, names)? })
    }

    fn bind_source(&mut self, source: &Source) -> Result<(), RenderError> {
        let computation = match source {
            Source::Field(name) => {
                self.places.push(Place::Row(column_index(&self.names, name)?));
                return Ok(());
            }
            Source::Ratio(ratio) => Computation::Ratio {
                numerator: side_index(&self.names, &ratio.numerator)?,
                denominator: side_index(&self.names, &ratio.denominator)?,
                ratio: ratio.clone(),
            },
            Source::Computed(band) => Computation::Band(BoundBand::bind(band, &self.names)?),
        };
        self.places.push(Place::Computed(self.computations.len()));
        self.computations.push(computation);
        Ok(())
    }

    pub fn push(&mut self, row: &[Value], sink: &mut dyn TableSink) -> Result<(), RenderError> {
        if let Some(mut trial) = self.trial.take() {
            trial.push(row, &mut Nowhere)?;
            trial.finish(&mut Nowhere)?;
        }
        self.turn_groups(row, sink)?;
        for totals in self.groups.iter_mut().filter_map(|level| level.totals.as_mut()).chain(&mut self.summary) {
            totals.add(row, &self.names)?;
        }
        for chart in &mut self.charts {
            chart.add(row, &self.names)?;
        }
        self.compute(row)?;
        sink.row(&Cells { row, places: &self.places, computed: &self.computed, searches: &self.searches })
    }

    fn compute(&mut self, row: &[Value]) -> Result<(), RenderError> {
        self.computed.clear();
        // A row counts as one.
        let one = Value::Int(1);
        let side = |index: Option<usize>| index.map_or(&one, |index| &row[index]);
        for computation in &self.computations {
            let value = match computation {
                Computation::Ratio { ratio, numerator, denominator } => ratio.of(side(*numerator), side(*denominator)),
                Computation::Band(band) => Value::Text(band.band.fill(band.fields_of(row))?),
            };
            self.computed.push(value);
        }
        Ok(())
    }

    /// Closes the groups whose value changed, innermost first, and opens the new ones.
    fn turn_groups(&mut self, row: &[Value], sink: &mut dyn TableSink) -> Result<(), RenderError> {
        let changed = match self.started {
            true => self.groups.iter().position(|level| level.key != row[level.by]).unwrap_or(self.groups.len()),
            false => 0,
        };
        if self.started {
            self.close_groups(changed, sink)?;
        }
        for (index, level) in self.groups.iter_mut().enumerate().skip(changed) {
            level.key = row[level.by].clone();
            if let Some(totals) = &mut level.totals {
                totals.restart(row);
            }
            let text = match &level.header {
                Some(band) => band.band.fill(band.fields_of(row))?,
                None => String::new(),
            };
            let new_page = level.new_page && self.started;
            sink.group_header(&GroupHeader { level: index, text: &text, new_page })?;
        }
        if !self.started {
            if let Some(summary) = &mut self.summary {
                summary.restart(row);
                self.total_searches = self.searches.of_total(row);
            }
            self.started = true;
        }
        Ok(())
    }

    fn close_groups(&mut self, from: usize, sink: &mut dyn TableSink) -> Result<(), RenderError> {
        for (index, level) in self.groups.iter().enumerate().skip(from).rev() {
            if let Some(totals) = &level.totals {
                totals.write(Some(index), &[], sink)?;
            }
        }
        Ok(())
    }

    /// Closes every group, writes the summary, and gives the charts of what passed.
    pub fn finish(mut self, sink: &mut dyn TableSink) -> Result<Vec<Picture>, RenderError> {
        if self.started {
            self.close_groups(0, sink)?;
            if let Some(summary) = &self.summary {
                summary.write(None, &self.total_searches, sink)?;
            }
        }
        Ok(self.charts.iter().map(ChartData::picture).collect())
    }
}

/// The heading of a section: a band that its first row fills.
pub struct HeadingBand(BoundBand);

impl HeadingBand {
    pub fn bind(band: &Band, names: &[String]) -> Result<Self, RenderError> {
        BoundBand::bind(band, names).map(HeadingBand)
    }

    pub fn fill(&self, row: &[Value]) -> Result<String, RenderError> {
        Ok(self.0.band.fill(self.0.fields_of(row))?)
    }
}

impl Totals {
    fn bind(band: &Band, feet: &[Option<&Measure>], names: &[String]) -> Result<Self, RenderError> {
        let feet = feet.iter().map(|foot| foot.map(|measure| Accumulator::of(measure, names)).transpose());
        Ok(Totals { band: BoundBand::bind(band, names)?, feet: feet.collect::<Result<_, _>>()?, rows: 0, first: Map::new() })
    }

    fn restart(&mut self, row: &[Value]) {
        self.rows = 0;
        self.first = self.band.fields_of(row);
        let sums = self.band.sums.iter_mut().chain(&mut self.band.averages).map(|(_, accumulator)| accumulator);
        self.feet.iter_mut().flatten().chain(sums).for_each(Accumulator::reset);
    }

    fn add(&mut self, row: &[Value], names: &[String]) -> Result<(), RenderError> {
        self.rows += 1;
        let sums = self.band.sums.iter_mut().chain(&mut self.band.averages).map(|(_, accumulator)| accumulator);
        self.feet.iter_mut().flatten().chain(sums).try_for_each(|accumulator| accumulator.add(row, names))
    }

    fn write(&self, level: Option<usize>, searches: &[ScreenCellSearch], sink: &mut dyn TableSink) -> Result<(), RenderError> {
        let label = self.band.fill_totals(self.first.clone(), self.rows)?;
        let value = |foot: &Option<Accumulator>| foot.as_ref().map_or(Value::Null, Accumulator::value);
        let cells: Vec<Value> = self.feet.iter().map(value).collect();
        sink.footer(&Footer { level, label: &label, cells: &cells, searches })
    }
}

impl BoundBand {
    fn bind(band: &Band, names: &[String]) -> Result<Self, RenderError> {
        let mut bound = BoundBand { band: band.clone(), fields: Vec::new(), sums: Vec::new(), averages: Vec::new() };
        for path in band.paths() {
            match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["zbir", column] => bound.sums.push(bound_measure(Measure::Sum(column.to_owned()), column, names)?),
                ["prosek", column] => {
                    bound.averages.push(bound_measure(Measure::Avg(column.to_owned()), column, names)?);
                }
                [name, ..] => {
                    let index = names.iter().position(|column| column == name);
                    bound.fields.extend(index.map(|index| (name.to_owned(), index)));
                }
                [] => {}
            }
        }
        // A trial with empty cells finds a misspelt name now and not on the last page.
        let empty = bound.fields.iter().map(|(name, _)| (name.clone(), Json::Null)).collect();
        bound.fill_totals(empty, 0)?;
        Ok(bound)
    }

    fn fields_of(&self, row: &[Value]) -> Map<String, Json> {
        self.fields.iter().map(|(name, index)| (name.clone(), row[*index].to_json())).collect()
    }

    fn fill_totals(&self, mut data: Map<String, Json>, rows: u64) -> Result<String, RenderError> {
        let values = |list: &[(String, Accumulator)]| -> Json {
            list.iter().map(|(name, accumulator)| (name.clone(), accumulator.value().to_json())).collect()
        };
        data.insert("n".to_owned(), rows.into());
        data.insert("zbir".to_owned(), values(&self.sums));
        data.insert("prosek".to_owned(), values(&self.averages));
        Ok(self.band.fill(data)?)
    }
}

fn bound_measure(measure: Measure, name: &str, names: &[String]) -> Result<(String, Accumulator), RenderError> {
    Ok((name.to_owned(), Accumulator::of(&measure, names)?))
}
