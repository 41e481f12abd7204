//! The columns of a list: by each of them it is sorted, and narrowed down by what a column shows.

use std::marker::PhantomData;

use platform::{
    error::{Error, Result},
    page::contains,
    rows,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{
    IntoParams, PartialSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use super::Resource;

/// What a query's parameter begins with that names a column.
const PREFIX: &str = "filter.";

/// A column by its name in the statement of the list, which has a condition and an order for each.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
}

/// What a column shows, and with it what narrows it down.
#[derive(Debug)]
pub enum Kind {
    /// Contains what is typed, whatever the accents, the case and the script.
    Text,
    /// The digits of the number contain it, with a decimal comma.
    Number,
    /// `dd.mm.yyyy.` contains it.
    Date,
    YesNo,
    Choice(&'static [&'static str]),
}

/// A list that has columns.
pub trait ListColumns {
    const COLUMNS: &'static [Column];
}

impl<R: Resource> ListColumns for R {
    const COLUMNS: &'static [Column] = R::LIST.columns;
}

impl Column {
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: Kind::Text }
    }

    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: Kind::Number }
    }

    pub const fn date(name: &'static str) -> Self {
        Self { name, kind: Kind::Date }
    }

    pub const fn yes_no(name: &'static str) -> Self {
        Self { name, kind: Kind::YesNo }
    }

    pub const fn choice(name: &'static str, choices: &'static [&'static str]) -> Self {
        Self { name, kind: Kind::Choice(choices) }
    }

    /// What the column shows, as SQL: what narrows it down is looked for in it.
    pub(super) fn shown(&self) -> String {
        let name = self.name;
        match self.kind {
            Kind::Text => format!("fold({name})"),
            Kind::Number => format!("replace(trim_scale({name}::numeric)::text, '.', ',')"),
            Kind::Date => format!("to_char({name}, 'DD.MM.YYYY.')"),
            Kind::YesNo | Kind::Choice(_) => format!("{name}::text"),
        }
    }

    /// `datum_rodjenja` is `datumRodjenja` to the client.
    pub fn is_called(&self, field: &str) -> bool {
        self.name.split('_').collect::<String>().eq_ignore_ascii_case(field)
    }

    fn parameter(&self) -> String {
        format!("{PREFIX}{}", rows::name_of(self.name))
    }

    /// The pattern for `like` that stands for what is asked of the column.
    fn pattern(&self, asked: &str) -> Result<String> {
        let refused = |message: &'static str| Err(Error::invalid(self.parameter(), message));
        match self.kind {
            Kind::Text | Kind::Number | Kind::Date => contains(asked, self.parameter()),
            Kind::YesNo if !["true", "false"].contains(&asked) => refused("Filter ove kolone je true ili false."),
            Kind::Choice(choices) if !choices.contains(&asked) => refused("Filter ove kolone nema tu vrednost."),
            Kind::YesNo | Kind::Choice(_) => Ok(asked.to_owned()),
        }
    }

    fn schema(&self) -> RefOr<Schema> {
        match self.kind {
            Kind::Text | Kind::Number | Kind::Date => String::schema(),
            Kind::YesNo => bool::schema(),
            Kind::Choice(choices) => ObjectBuilder::new().schema_type(Type::String).enum_values(Some(choices.iter().copied())).into(),
        }
    }
}

/// `filter.{column}` of a query, one for each column that narrows the list of `L` down.
#[derive(Deserialize)]
#[serde(transparent, bound = "")]
pub struct ColumnFilters<L> {
    query: Vec<(String, String)>,
    #[serde(skip)]
    of: PhantomData<L>,
}

impl<L> Default for ColumnFilters<L> {
    fn default() -> Self {
        Self { query: Vec::new(), of: PhantomData }
    }
}

impl<L: ListColumns> ColumnFilters<L> {
    /// The pattern of each column that is asked for, by the column's name. A blank one asks for nothing.
    pub fn resolve(&self) -> Result<Value> {
        let mut patterns = Map::new();
        for (parameter, asked) in &self.query {
            let Some(field) = parameter.strip_prefix(PREFIX) else { continue };
            let column = L::COLUMNS.iter().find(|column| column.is_called(field));
            let column = column.ok_or_else(|| Error::invalid(parameter.clone(), "Po ovoj koloni se ne može filtrirati."))?;
            if asked.trim().is_empty() {
                continue;
            }
            if patterns.insert(column.name.to_owned(), column.pattern(asked.trim())?.into()).is_some() {
                return Err(Error::invalid(parameter.clone(), "Kolona ima samo jedan filter."));
            }
        }
        Ok(Value::Object(patterns))
    }
}

impl<L: ListColumns> IntoParams for ColumnFilters<L> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let described = |column: &Column| {
            let what = match column.kind {
                Kind::Text => "The text contains it, whatever the accents, the case and the script.",
                Kind::Number => "The number's digits contain it; a decimal comma.",
                Kind::Date => "The date as dd.mm.yyyy. contains it.",
                Kind::YesNo | Kind::Choice(_) => "The value is it.",
            };
            let parameter = ParameterBuilder::new().name(column.parameter()).parameter_in(ParameterIn::Query);
            parameter.description(Some(what)).schema(Some(column.schema())).build()
        };
        L::COLUMNS.iter().map(described).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    struct Sample;

    impl ListColumns for Sample {
        const COLUMNS: &'static [Column] = &[
            Column::text("naziv"),
            Column { name: "datum_rodjenja", kind: Kind::Date },
            Column { name: "sve_ustanove", kind: Kind::YesNo },
            Column { name: "pacijenti", kind: Kind::Choice(&["ne", "uvid"]) },
        ];
    }

    fn asked(query: &[(&str, &str)]) -> Result<Value> {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        ColumnFilters::<Sample> { query, of: PhantomData }.resolve()
    }

    #[test]
    fn each_column_is_asked_by_its_clients_name_and_what_is_no_filter_is_let_be() {
        let all = asked(&[
            ("page", "2"),
            ("filter", "x"),
            ("filter.datumRodjenja", " 12.3 "),
            ("filter.naziv", " "),
            ("filter.pacijenti", "uvid"),
        ]);
        assert_eq!(all.unwrap(), json!({ "datum_rodjenja": "%12.3%", "pacijenti": "uvid" }));
    }

    #[test]
    fn signs_of_patterns_mean_themselves() {
        assert_eq!(asked(&[("filter.naziv", "50%_Č\\")]).unwrap(), json!({ "naziv": "%50\\%\\_c\\\\%" }));
    }

    #[test]
    fn what_no_column_takes_is_refused_at_its_parameter() {
        for (name, value) in
            [("filter.passwordHash", "x"), ("filter.naziv", "a\0b"), ("filter.sveUstanove", "da"), ("filter.pacijenti", "%")]
        {
            let refusal = asked(&[(name, value)]).unwrap_err();
            assert!(matches!(refusal, Error::Invalid { field: Some(ref field), .. } if field == name), "{name}={value}");
        }
        assert!(asked(&[("filter.naziv", "a"), ("filter.naziv", "b")]).is_err());
    }
}
