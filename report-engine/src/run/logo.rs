//! The pictures that head what a run makes: the logo of its institution, and what its template asks for.

use domain::picture::Image;
use sqlx::PgExecutor;

use super::failure::{self, Stop};
use crate::{
    plan::{Heading, Mark},
    template::Templates,
};

/// The logo of an institution.
#[derive(Clone, Debug)]
pub enum Logo {
    None,
    Kept(Mark),
    /// What was kept is no picture: nobody put it there by the screen.
    Broken,
}

pub async fn of(db: impl PgExecutor<'_>, institution: i64) -> sqlx::Result<Logo> {
    let kept = sqlx::query!("select l.slika, u.naziv from institution_logo l join institution u using (id) where l.id = $1", institution);
    let Some(row) = kept.fetch_optional(db).await? else { return Ok(Logo::None) };
    Ok(match Image::read(&row.slika) {
        Some(image) => Logo::Kept(Mark { told: format!("Logo ustanove {}", row.naziv), image }),
        None => {
            tracing::error!(ustanova = institution, "the logo of an institution cannot be read");
            Logo::Broken
        }
    })
}

impl Logo {
    /// What it is on paper; where it is broken, nothing.
    pub fn marks(self) -> Vec<Mark> {
        match self {
            Logo::Kept(mark) => vec![mark],
            Logo::None | Logo::Broken => Vec::new(),
        }
    }
}

/// Heads a file. A logo that cannot be shown is told of in its place; a template that asks for a picture which is not there fails. Blocks.
pub fn head(heading: &mut Heading, logo: &Logo, templates: &Templates) -> Result<(), Stop> {
    match logo {
        Logo::Broken => heading.parametri.push(("Logo ustanove".to_owned(), "ne može da se prikaže".to_owned())),
        whole => heading.marks.extend(whole.clone().marks()),
    }
    if let Some(named) = heading.picture.take() {
        let image = templates.picture(&named.name).ok_or_else(|| failure::no_picture(&named.name))?;
        heading.marks.push(Mark { told: named.told, image });
    }
    Ok(())
}
