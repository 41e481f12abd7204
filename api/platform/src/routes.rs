//! Routes with what describes them. A route is served from the start, and described when the description is asked for: that takes longer
//! than most programs of a test or of the command line live.

use std::convert::Infallible;

use axum::{
    Router,
    extract::Request,
    response::IntoResponse,
    routing::{self, MethodFilter, MethodRouter},
};
use tower::{Layer, Service};
use utoipa::openapi::{OpenApi, OpenApiBuilder, RefOr, Schema, path::Paths};
use utoipa_axum::{PathItemExt, router::UtoipaMethodRouter};

use crate::state::AppState;

/// What a route adds to the description: the types that it names, and its operations.
pub type Description = (Vec<(String, RefOr<Schema>)>, Paths);

type Describe = Box<dyn FnOnce() -> Description>;

/// The handlers of one path.
pub struct Route {
    path: String,
    handlers: MethodRouter<AppState>,
    describe: Describe,
}

impl Route {
    pub fn new(path: String, handlers: MethodRouter<AppState>, describe: impl FnOnce() -> Description + 'static) -> Self {
        Self { path, handlers, describe: Box::new(describe) }
    }
}

/// A list of routes. Its layers see the routes before them, as those of axum do.
#[derive(Default)]
pub struct Routes {
    router: Router<AppState>,
    descriptions: Vec<Describe>,
}

impl Routes {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn routes(mut self, Route { path, handlers, describe }: Route) -> Self {
        self.descriptions.push(describe);
        Self { router: self.router.route(&path, handlers), ..self }
    }

    pub fn merge(mut self, mut others: Self) -> Self {
        self.descriptions.append(&mut others.descriptions);
        Self { router: self.router.merge(others.router), ..self }
    }

    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<routing::Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request, Response: IntoResponse + 'static, Error: Into<Infallible> + 'static, Future: Send + 'static>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        Self { router: self.router.layer(layer), ..self }
    }

    pub fn route_layer<L>(self, layer: L) -> Self
    where
        L: Layer<routing::Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request, Response: IntoResponse + 'static, Error: Into<Infallible> + 'static, Future: Send + 'static>
            + Clone
            + Send
            + Sync
            + 'static,
    {
        Self { router: self.router.route_layer(layer), ..self }
    }

    pub fn into_router(self) -> Router<AppState> {
        self.router
    }

    pub fn describe(self) -> OpenApi {
        let mut document = OpenApiBuilder::new().build();
        for (schemas, paths) in self.descriptions.into_iter().map(|describe| describe()) {
            for (path, item) in paths.paths {
                match document.paths.paths.get_mut(&path) {
                    Some(known) => known.merge_operations(item),
                    None => drop(document.paths.paths.insert(path, item)),
                }
            }
            document.components.get_or_insert_default().schemas.extend(schemas);
        }
        document
    }
}

/// The methods that a handler's `#[utoipa::path]` names.
pub fn methods<P: utoipa::Path>() -> MethodFilter {
    P::methods().iter().map(PathItemExt::to_method_filter).reduce(MethodFilter::or).expect("a handler has a method")
}

/// What `utoipa_axum::routes!` tells of handlers, without the handlers.
pub fn without_handlers((schemas, paths, _): UtoipaMethodRouter<AppState>) -> Description {
    (schemas, paths)
}

/// The route of handlers that share a path, each with its `#[utoipa::path]`.
#[macro_export]
macro_rules! routes_of {
    ($first:ident $(, $other:ident)*) => {
        pastey::paste! {
            $crate::routes::Route::new(
                <[<__path_ $first>] as utoipa::Path>::path(),
                axum::routing::on($crate::routes::methods::<[<__path_ $first>]>(), $first)
                    $(.on($crate::routes::methods::<[<__path_ $other>]>(), $other))*,
                || $crate::routes::without_handlers(utoipa_axum::routes!($first $(, $other)*)),
            )
        }
    };
}

pub use routes_of as routes;
