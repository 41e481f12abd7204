//! What somebody lacks who may have no reports of an institution, in words that she can act on.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReports {
    Account,
    Institution,
    Membership,
    Right,
}

impl NoReports {
    /// What machines know it by.
    pub fn code(self) -> &'static str {
        match self {
            Self::Account => "account_inactive",
            Self::Institution => "institution_inactive",
            Self::Membership => "not_of_institution",
            Self::Right => "no_right",
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::Account => "Vaš nalog više nije aktivan.",
            Self::Institution => "Ustanova za koju se izveštaj pravi više nije aktivna.",
            Self::Membership => "Više niste radnik ustanove za koju se izveštaj pravi.",
            Self::Right => "Vaš nalog više nema pravo „Izveštaji”.",
        }
    }
}
