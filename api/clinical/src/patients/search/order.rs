//! In which order the results stand: those with the newest entry first, unless the searcher chose another column.

use platform::error::Error;
use serde::{Deserialize, Serialize};
use sqlx::{Postgres, QueryBuilder};
use utoipa::ToSchema;

use super::compile::Search;

/// As Serbian has its letters.
const NAMES: &str = " collate \"sr-Latn-x-icu\"";

/// A column of the results that they can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OrderColumn {
    ImePrezime,
    Jmbg,
    Lbo,
    IdentifikacioniBroj,
    PrviUnos,
    PoslednjiUnos,
}

/// By which column, and whether from its end. What has nothing in the column comes last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResultOrder {
    pub po: OrderColumn,
    #[serde(default)]
    pub opadajuce: bool,
}

impl ResultOrder {
    /// As the log says it.
    pub fn words(self) -> String {
        let column = match self.po {
            OrderColumn::ImePrezime => "prezime i ime",
            OrderColumn::Jmbg => "JMBG",
            OrderColumn::Lbo => "LBO",
            OrderColumn::IdentifikacioniBroj => "identifikacioni broj",
            OrderColumn::PrviUnos => "prvi unos",
            OrderColumn::PoslednjiUnos => "poslednji unos",
        };
        format!("{column}{}", if self.opadajuce { ", opadajuće" } else { "" })
    }

    /// Whether the register's own order is the same.
    fn is_usual(self) -> bool {
        self.po == OrderColumn::PoslednjiUnos && self.opadajuce
    }

    /// Whether a place in the order tells something of who it is: between Marković and Marojević stands a Marković.
    fn tells_who(self) -> bool {
        !matches!(self.po, OrderColumn::PrviUnos | OrderColumn::PoslednjiUnos)
    }

    /// What is compared, one after the other. `of` names the patient's columns and `entry` those of the register.
    fn keys(self, of: &str, entry: &str) -> Vec<String> {
        match self.po {
            OrderColumn::ImePrezime => vec![format!("{of}.prezime{NAMES}"), format!("{of}.ime{NAMES}")],
            OrderColumn::Jmbg => vec![format!("{of}.jmbg")],
            OrderColumn::Lbo => vec![format!("{of}.lbo")],
            OrderColumn::IdentifikacioniBroj => vec![format!("{of}.broj_kartona{NAMES}")],
            OrderColumn::PrviUnos => vec![format!("{entry}.prvi_unos_datum")],
            OrderColumn::PoslednjiUnos => vec![format!("{entry}.poslednji_unos_datum")],
        }
    }
}

impl Search {
    /// The order that was chosen, where it is another one than the register's: such a search looks at all who match.
    pub fn chosen_order(&self) -> Option<ResultOrder> {
        self.order.filter(|order| !order.is_usual())
    }

    /// Refuses an order that would tell who somebody is whom the institution does not know.
    pub fn refuse_telling_order(&self) -> Result<(), Error> {
        match self.order {
            Some(order) if order.tells_who() && self.reaches_others() => Err(Error::invalid(
                "redosled",
                "Dok su među rezultatima i pacijenti drugih ustanova, rezultati se ređaju samo po prvom i po poslednjem unosu: mesto u nizu bi \
                 odalo ko je ko. Unesite i ime, prezime, JMBG ili LBO, pa će rezultati biti samo pacijenti vaše ustanove.",
            )),
            _ => Ok(()),
        }
    }

    /// ` order by …`, with the patient's number last. When entries were made is not told of patients whose entries others keep to themselves.
    pub(super) fn push_order(&self, q: &mut QueryBuilder<Postgres>, of: &str, entry: &str) {
        let Some(order) = self.chosen_order() else {
            q.push(" order by ").push(entry).push(".poslednji_unos_datum desc nulls last, ").push(entry).push(".pacijent_id");
            return;
        };
        q.push(" order by ");
        for key in order.keys(of, entry) {
            if order.tells_who() || self.takings.own_only.is_empty() {
                q.push(key);
            } else {
                q.push("case when ").push(entry).push(".pacijent_id = any (").push_bind(self.takings.own_only.clone());
                q.push(") then null else ").push(key).push(" end");
            }
            q.push(if order.opadajuce { " desc nulls last, " } else { " nulls last, " });
        }
        q.push(entry).push(".pacijent_id");
    }
}
