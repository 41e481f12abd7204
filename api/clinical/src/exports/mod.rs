//! "Izvoz podataka": a form's entries or a register's patients as one archive, by a right of its own and with the reason asked.
//!
//! An export is a run like a report's, made by a report engine; it is its worker's alone, and she is asked for her rights each time.

mod file;
mod list;
mod options;
mod own;
mod request;
mod trail;

use platform::routes::Routes;

pub fn routes() -> Routes {
    Routes::new().merge(options::routes()).merge(request::routes()).merge(list::routes()).merge(own::routes()).merge(file::routes())
}
