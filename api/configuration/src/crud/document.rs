//! The OpenAPI description of a resource's routes: derived macros cannot describe generic handlers.

use axum::routing::MethodRouter;
use platform::{page::Page, routes::Route, state::AppState};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        Content, HttpMethod, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
        path::{OperationBuilder, ParameterBuilder, ParameterIn, Paths},
        request_body::{RequestBody, RequestBodyBuilder},
    },
};

use super::{ColumnFilters, ListQuery, Resource};

/// `GET /api/{NAME}`
pub fn list<R: Resource>(handlers: MethodRouter<AppState>) -> Route {
    Route::new(collection::<R>(), handlers, || {
        let query = || Some(ParameterIn::Query);
        let list = OperationBuilder::new()
            .parameters(Some(ListQuery::into_params(query)))
            .parameters(Some(ColumnFilters::<R>::into_params(query)))
            .parameters(Some(R::Scope::into_params(query)))
            .response("200", answer_named(page_of::<R>()));
        (schemas::<R>(), paths(&collection::<R>(), [(HttpMethod::Get, list)]))
    })
}

/// `POST /api/{NAME}`
pub fn create<R: Resource>(handlers: MethodRouter<AppState>) -> Route {
    Route::new(collection::<R>(), handlers, || {
        let create = OperationBuilder::new().request_body(Some(body::<R::Input>())).response("201", answer::<R::Record>());
        (schemas::<R>(), paths(&collection::<R>(), [(HttpMethod::Post, create)]))
    })
}

/// `/api/{NAME}/{id}`
pub fn one<R: Resource>(handlers: MethodRouter<AppState>) -> Route {
    let path = || format!("{}/{{id}}", collection::<R>());
    Route::new(path(), handlers, move || (schemas::<R>(), paths(&path(), operations_of_one::<R>())))
}

fn operations_of_one<R: Resource>() -> [(HttpMethod, OperationBuilder); 4] {
    let id = || ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path).required(Required::True).schema(Some(i64::schema()));
    let change = || OperationBuilder::new().parameter(id()).request_body(Some(body::<R::Input>())).response("200", answer::<R::Record>());
    [
        (HttpMethod::Get, OperationBuilder::new().parameter(id()).response("200", answer::<R::Record>())),
        (HttpMethod::Patch, change()),
        (HttpMethod::Put, change()),
        (HttpMethod::Delete, OperationBuilder::new().parameter(id()).response("204", ResponseBuilder::new().description("Obrisano"))),
    ]
}

/// `POST {path}` of a body that asks for something and is answered by nothing.
pub fn command<B: ToSchema>(path: &'static str, handlers: MethodRouter<AppState>) -> Route {
    Route::new(path.to_owned(), handlers, move || {
        let command = OperationBuilder::new().request_body(Some(body::<B>())).response("204", ResponseBuilder::new().description(""));
        let mut schemas = Vec::new();
        collect::<B>(&mut schemas);
        (schemas, paths(path, [(HttpMethod::Post, command)]))
    })
}

fn collection<R: Resource>() -> String {
    format!("/api/{}", R::NAME)
}

fn paths(path: &str, operations: impl IntoIterator<Item = (HttpMethod, OperationBuilder)>) -> Paths {
    let mut paths = Paths::new();
    for (method, operation) in operations {
        paths.add_path_operation(path, vec![method], operation);
    }
    paths
}

/// Each resource's list is a schema of its own: by the type's name alone all of them would be one.
fn page_of<R: Resource>() -> String {
    format!("Page_{}", R::Record::name())
}

fn answer<T: ToSchema>() -> Response {
    answer_named(T::name())
}

fn answer_named(name: impl AsRef<str>) -> Response {
    ResponseBuilder::new().description("").content("application/json", content(name)).build()
}

fn body<B: ToSchema>() -> RequestBody {
    RequestBodyBuilder::new().content("application/json", content(B::name())).required(Some(Required::True)).build()
}

fn content(name: impl AsRef<str>) -> Content {
    Content::new(Some(Ref::from_schema_name(name.as_ref())))
}

fn schemas<R: Resource>() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = Vec::new();
    collect::<R::Input>(&mut schemas);
    collect::<R::Record>(&mut schemas);
    schemas.push((page_of::<R>(), Page::<R::Record>::schema()));
    Page::<R::Record>::schemas(&mut schemas);
    schemas
}

fn collect<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}
