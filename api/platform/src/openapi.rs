//! The OpenAPI document: generated from the routes, completed here with what holds for all of them.

use domain::register::TYPES_WITH;
use serde_json::json;
use utoipa::PartialSchema;
use utoipa::openapi::{
    ComponentsBuilder, Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder, Schema,
    extensions::Extensions,
    path::Operation,
    schema::AnyOfBuilder,
    security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme},
};

use crate::error::{Confirmation, ErrorBody, Fault};

const SCHEME: &str = "regix";

pub fn base() -> OpenApi {
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title("Regix").version(env!("CARGO_PKG_VERSION")).build())
        .components(Some(
            ComponentsBuilder::new()
                .schema("ErrorBody", ErrorBody::schema())
                .schema("FieldFault", Fault::schema())
                .schema("Confirmation", Confirmation::schema())
                .security_scheme(
                    SCHEME,
                    SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description("Authorization", "`Regix <token>`"))),
                )
                .build(),
        ))
        .build()
}

/// Every operation of these paths has a name of its own and can fail with `ErrorBody`; those behind the session say so.
pub fn complete(document: &mut OpenApi, needs_session: bool) {
    for (path, item) in &mut document.paths.paths {
        let operations = [
            ("get", &mut item.get),
            ("put", &mut item.put),
            ("post", &mut item.post),
            ("delete", &mut item.delete),
            ("patch", &mut item.patch),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                operation.operation_id = Some(operation_id(method, path));
                complete_operation(operation, needs_session);
            }
        }
    }
}

/// Tells which types of fields have which property: what is refused of the others, screens do not show.
pub fn tell_types_of_fields(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let Some(RefOr::T(Schema::Object(properties))) = schemas.get_mut("FieldProperties") else {
        unreachable!("forms have fields");
    };
    let types: serde_json::Map<_, _> = TYPES_WITH.iter().map(|(property, types)| ((*property).to_owned(), json!(types))).collect();
    properties.extensions = Some(Extensions::from_iter([("x-types", types)]));
}

/// `get`, `/api/report-schedules/{id}` -> `get_report_schedules_id`: handlers of two resources may share a name.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/api/").split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

fn complete_operation(operation: &mut Operation, needs_session: bool) {
    if needs_session {
        operation.security.get_or_insert_default().push(SecurityRequirement::new(SCHEME, Vec::<String>::new()));
        operation.responses.responses.insert("401".to_owned(), failure("Nema prijave ili je istekla"));
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && status.starts_with('4')
        {
            response.content.values_mut().for_each(allow_plain_refusal);
        }
    }
    operation.responses.responses.insert("default".to_owned(), failure("Greška"));
}

/// A refusal with a body of its own shares its status with those that any call may meet.
fn allow_plain_refusal(content: &mut RefOr<Content>) {
    let RefOr::T(content) = content else { return };
    let plain = RefOr::Ref(Ref::from_schema_name("ErrorBody"));
    if let Some(own) = content.schema.take_if(|own| *own != plain) {
        content.schema = Some(AnyOfBuilder::new().item(own).item(plain).into());
    }
}

fn failure(description: &str) -> RefOr<utoipa::openapi::Response> {
    let content = Content::builder().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    RefOr::T(ResponseBuilder::new().description(description).content("application/json", content).build())
}
