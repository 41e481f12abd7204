//! The fields of a resource, told once: of them are made what is sent, what it begins with, and what is shown.

/// `Input` and `Record` by one list of fields. A field without a word before it is sent and shown alike; `text` is trimmed as it comes.
/// A `needed` one may be missing in what is sent, which `validate` refuses, and never in what is shown. `sent` ones are not shown,
/// `shown` ones not sent. What stands after `=` is what a field begins with. Attributes are of both sides, but for the description of an
/// `explained` one, which is of what is sent. Every record has its id, its version, and whether it is in use, unless its kind is `deleted
/// for good`.
#[macro_export]
macro_rules! crud_fields {
    (shown as $record:ident, sent as $input:ident; $($fields:tt)+) => {
        $crate::crud::fields!(@($record $input [aktivan: bool,]) [] [] [] $($fields)+);
    };
    (shown as $record:ident, sent as $input:ident, deleted for good; $($fields:tt)+) => {
        $crate::crud::fields!(@($record $input []) [] [] [] $($fields)+);
    };
    (@first) => { Default::default() };
    (@first $first:expr) => { $first };
    (@$of:tt $sent:tt $shown:tt $begins:tt $(#[$attr:meta])* text $name:ident: String, $($rest:tt)*) => {
        $crate::crud::fields!(
            @$of $sent $shown $begins $(#[$attr])* #[serde(deserialize_with = "domain::text::required")] $name: String, $($rest)*
        );
    };
    (@$of:tt $sent:tt $shown:tt $begins:tt $(#[$attr:meta])* text $name:ident: Option<String>, $($rest:tt)*) => {
        $crate::crud::fields!(
            @$of $sent $shown $begins $(#[$attr])* #[serde(deserialize_with = "domain::text::optional")] $name: Option<String>, $($rest)*
        );
    };
    (
        @$of:tt [$($sent:tt)*] [$($shown:tt)*] [$($begins:tt)*]
        $(#[$attr:meta])* needed $name:ident: $kind:ty $(as $schema:ty)?, $($rest:tt)*
    ) => {
        $crate::crud::fields!(
            @$of
            [$($sent)* $(#[$attr])* $(#[schema(value_type = Option<$schema>)])? $name: Option<$kind>,]
            [$($shown)* $(#[$attr])* $(#[schema(value_type = $schema)])? $name: $kind,]
            [$($begins)* $name: None,]
            $($rest)*
        );
    };
    (
        @$of:tt [$($sent:tt)*] [$($shown:tt)*] [$($begins:tt)*]
        #[doc = $doc:literal] $(#[$attr:meta])* explained $name:ident: $kind:ty, $($rest:tt)*
    ) => {
        $crate::crud::fields!(
            @$of
            [$($sent)* #[doc = $doc] $(#[$attr])* $name: $kind,]
            [$($shown)* $(#[$attr])* $name: $kind,]
            [$($begins)* $name: Default::default(),]
            $($rest)*
        );
    };
    (@$of:tt [$($sent:tt)*] $shown:tt [$($begins:tt)*] $(#[$attr:meta])* sent $name:ident: $kind:ty, $($rest:tt)*) => {
        $crate::crud::fields!(
            @$of [$($sent)* $(#[$attr])* $name: $kind,] $shown [$($begins)* $name: Default::default(),] $($rest)*
        );
    };
    (@$of:tt $sent:tt [$($shown:tt)*] $begins:tt $(#[$attr:meta])* shown $name:ident: $kind:ty, $($rest:tt)*) => {
        $crate::crud::fields!(@$of $sent [$($shown)* $(#[$attr])* $name: $kind,] $begins $($rest)*);
    };
    (
        @$of:tt [$($sent:tt)*] [$($shown:tt)*] [$($begins:tt)*]
        $(#[$attr:meta])* $name:ident: $kind:ty $(= $first:expr)?, $($rest:tt)*
    ) => {
        $crate::crud::fields!(
            @$of
            [$($sent)* $(#[$attr])* $name: $kind,]
            [$($shown)* $(#[$attr])* $name: $kind,]
            [$($begins)* $name: $crate::crud::fields!(@first $($first)?),]
            $($rest)*
        );
    };
    (@($record:ident $input:ident [$($in_use:tt)*]) [$($sent:tt)*] [$($shown:tt)*] [$($begins:tt)*]) => {
        #[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[schema(as = $input)]
        #[serde(rename_all = "camelCase", default)]
        pub struct Input {
            $($sent)*
        }

        impl Default for Input {
            fn default() -> Self {
                Self { $($begins)* }
            }
        }

        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[schema(as = $record)]
        #[serde(rename_all = "camelCase")]
        pub struct Record {
            id: i64,
            $($shown)*
            $($in_use)*
            verzija: i32,
        }
    };
}

pub use crud_fields as fields;
