//! What administrators configure: one file a resource. What they set up of reports stands in `reporting::setup`; workers,
//! links and lists, which know both, in `api`.

pub mod attribute_type;
pub mod enum_item;
pub mod examples;
pub mod form;
pub mod form_draft;
pub mod form_field;
mod form_version;
pub mod impact;
pub mod institution;
mod institution_logo;
mod item_use;
mod other_fields;
pub mod other_forms;
pub mod parameter;
pub mod quality_rule;
pub mod queries;
mod recomputation;
pub mod register;
pub mod role;
pub mod sponsor;
mod told_engines;
mod unused_types;
pub mod usage;
pub mod visit_plan;

use platform::routes::Routes;

use crate::crud;

/// Every resource asks for the right that opens its screen.
pub fn routes() -> Routes {
    Routes::new()
        .merge(crud::routes::<parameter::Parameter>())
        .merge(crud::routes::<role::Role>())
        .merge(crud::routes::<institution::Institution>())
        .merge(institution_logo::routes())
        .merge(crud::routes::<register::Register>())
        .merge(visit_plan::routes())
        .merge(quality_rule::routes())
        .merge(crud::routes::<form::Form>())
        .merge(form_version::routes())
        .merge(other_fields::routes())
        .merge(form_draft::routes())
        .merge(recomputation::routes())
        .merge(form_field::routes())
        .merge(crud::routes::<attribute_type::AttributeType>())
        .merge(unused_types::routes())
        .merge(crud::routes::<enum_item::EnumItem>())
        .merge(crud::routes_but_list::<sponsor::Sponsor>())
}
