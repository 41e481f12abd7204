//! What administrators set up of reports: one file a resource, and the definition that is written in the product.

pub mod recipient_group;
pub mod report;
pub mod report_category;
pub mod report_definition;
pub mod report_parameter;
pub mod report_parameter_type;
pub mod report_type;

use configuration::crud;
use platform::routes::Routes;

/// Every resource asks for the right that opens its screen.
pub fn routes() -> Routes {
    Routes::new()
        .merge(crud::routes::<report_category::ReportCategory>())
        .merge(crud::routes::<report_type::ReportType>())
        .merge(crud::routes::<report::Report>())
        .merge(report_definition::routes())
        .merge(crud::routes::<report_parameter::ReportParameter>())
        .merge(crud::routes::<report_parameter_type::ReportParameterType>())
        .merge(crud::routes::<recipient_group::RecipientGroup>())
}
