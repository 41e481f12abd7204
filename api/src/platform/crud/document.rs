//! The OpenAPI description of a resource's routes: derived macros cannot describe generic handlers.

use axum::routing::MethodRouter;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        Content, HttpMethod, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
        path::{OperationBuilder, ParameterBuilder, ParameterIn, Paths},
        request_body::{RequestBody, RequestBodyBuilder},
    },
};
use utoipa_axum::router::UtoipaMethodRouter;

use super::{ListQuery, Resource};
use crate::{page::Page, state::AppState};

/// `GET /api/{NAME}`
pub fn list<R: Resource>(handlers: MethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    let query = || Some(ParameterIn::Query);
    let list = operation::<R>("list")
        .parameters(Some(ListQuery::into_params(query)))
        .parameters(Some(R::Scope::into_params(query)))
        .response("200", answer::<Page<R::Record>>());
    (schemas::<R>(), paths(collection::<R>(), [(HttpMethod::Get, list)]), handlers)
}

/// `POST /api/{NAME}`
pub fn create<R: Resource>(handlers: MethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    let create = operation::<R>("create").request_body(Some(body::<R>())).response("201", answer::<R::Record>());
    (schemas::<R>(), paths(collection::<R>(), [(HttpMethod::Post, create)]), handlers)
}

/// `/api/{NAME}/{id}`
pub fn one<R: Resource>(handlers: MethodRouter<AppState>) -> UtoipaMethodRouter<AppState> {
    let id = || ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path).required(Required::True).schema(Some(i64::schema()));
    let change = |deed| operation::<R>(deed).parameter(id()).request_body(Some(body::<R>())).response("200", answer::<R::Record>());
    let operations = [
        (HttpMethod::Get, operation::<R>("read").parameter(id()).response("200", answer::<R::Record>())),
        (HttpMethod::Patch, change("change")),
        (HttpMethod::Put, change("replace")),
        (HttpMethod::Delete, operation::<R>("delete").parameter(id()).response("204", ResponseBuilder::new().description("Obrisano"))),
    ];
    (schemas::<R>(), paths(format!("{}/{{id}}", collection::<R>()), operations), handlers)
}

fn collection<R: Resource>() -> String {
    format!("/api/{}", R::NAME)
}

fn operation<R: Resource>(deed: &str) -> OperationBuilder {
    OperationBuilder::new().operation_id(Some(format!("{deed}_{}", R::NAME.replace('-', "_"))))
}

fn paths(path: String, operations: impl IntoIterator<Item = (HttpMethod, OperationBuilder)>) -> Paths {
    let mut paths = Paths::new();
    for (method, operation) in operations {
        paths.add_path_operation(&path, vec![method], operation);
    }
    paths
}

fn answer<T: ToSchema>() -> Response {
    ResponseBuilder::new().description("").content("application/json", content(T::name())).build()
}

fn body<R: Resource>() -> RequestBody {
    RequestBodyBuilder::new().content("application/json", content(R::Input::name())).required(Some(Required::True)).build()
}

fn content(name: impl AsRef<str>) -> Content {
    Content::new(Some(Ref::from_schema_name(name.as_ref())))
}

fn schemas<R: Resource>() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = Vec::new();
    collect::<R::Input>(&mut schemas);
    collect::<R::Record>(&mut schemas);
    collect::<Page<R::Record>>(&mut schemas);
    schemas
}

fn collect<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}
