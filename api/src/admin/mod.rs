//! What administrators configure: one file a resource, the links between them, and the lists they choose from.

pub mod attribute_type;
pub mod enum_item;
pub mod examples;
pub mod form;
pub(crate) mod form_draft;
pub mod form_field;
mod form_version;
pub mod impact;
pub mod institution;
mod institution_logo;
mod item_use;
mod links;
mod lists;
pub mod parameter;
pub mod queries;
pub mod recipient_group;
mod recomputation;
pub mod register;
pub mod report;
pub mod report_category;
pub mod report_definition;
pub mod report_parameter;
pub mod report_parameter_type;
pub mod report_type;
pub mod role;
pub mod sponsor;
mod unused_types;
mod upgrade_notes;
pub mod usage;
pub mod worker;

use crate::{crud, routes::Routes};

/// Every resource asks for the right that opens its screen.
pub fn routes() -> Routes {
    Routes::new()
        .merge(crud::routes::<parameter::Parameter>())
        .merge(crud::routes::<role::Role>())
        .merge(worker::routes())
        .merge(crud::routes::<institution::Institution>())
        .merge(institution_logo::routes())
        .merge(crud::routes::<register::Register>())
        .merge(crud::routes::<form::Form>())
        .merge(form_version::routes())
        .merge(form_draft::routes())
        .merge(recomputation::routes())
        .merge(form_field::routes())
        .merge(crud::routes::<attribute_type::AttributeType>())
        .merge(unused_types::routes())
        .merge(crud::routes::<enum_item::EnumItem>())
        .merge(crud::routes_but_list::<sponsor::Sponsor>())
        .merge(crud::routes::<report_category::ReportCategory>())
        .merge(crud::routes::<report_type::ReportType>())
        .merge(crud::routes::<report::Report>())
        .merge(report_definition::routes())
        .merge(crud::routes::<report_parameter::ReportParameter>())
        .merge(crud::routes::<report_parameter_type::ReportParameterType>())
        .merge(crud::routes::<recipient_group::RecipientGroup>())
        .merge(links::routes())
        .merge(lists::routes())
        .merge(upgrade_notes::routes())
}
