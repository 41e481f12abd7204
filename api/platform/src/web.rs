//! The built web application: its files, and its page for every address that the browser's router owns.

use std::path::Path;

use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

use crate::error::Error;

/// Files whose names carry a hash of their content live here, and may be kept for ever.
const HASHED: &str = "/assets/";

/// Serves `folder`. What looks like a file and is absent is 404, as is everything else under `/api`.
pub fn application(folder: &Path) -> Router {
    let page = ServeFile::new(folder.join("index.html"));
    let fallback = tower::service_fn(move |request: Request| {
        let page = page.clone();
        async move {
            if names_a_page(request.uri().path()) {
                page.oneshot(request).await.map(IntoResponse::into_response)
            } else {
                Ok(Error::NotFound.into_response())
            }
        }
    });
    Router::new()
        .fallback_service(ServeDir::new(folder).fallback(fallback))
        .layer(middleware::from_fn(cache))
        .layer(middleware::from_fn(refuse_hidden))
}

fn names_a_page(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    path != "/api" && !path.starts_with("/api/") && !last.contains('.')
}

/// What begins with a point is of those who build the site, and nobody else's business.
async fn refuse_hidden(request: Request, next: Next) -> Response {
    let hidden = request.uri().path().split('/').any(|part| part.starts_with('.') || part.to_ascii_lowercase().starts_with("%2e"));
    if hidden { Error::NotFound.into_response() } else { next.run(request).await }
}

async fn cache(request: Request, next: Next) -> Response {
    let hashed = request.uri().path().starts_with(HASHED);
    let mut response = next.run(request).await;
    let rule = if hashed && response.status().is_success() { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(rule));
    response
}

#[cfg(test)]
mod tests {
    use super::names_a_page;

    #[test]
    fn the_browser_owns_addresses_that_are_neither_files_nor_the_api() {
        for page in ["/", "/registri/3", "/unosi/novi", "/admin/radnici", "/apis"] {
            assert!(names_a_page(page), "{page}");
        }
        for other in ["/api", "/api/nothing", "/assets/index-1a2b.js", "/favicon.ico"] {
            assert!(!names_a_page(other), "{other}");
        }
    }
}
