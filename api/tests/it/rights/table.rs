//! The table of rights: for every operation of the API who is let through, and whose the things are that it names.

use accounts::rights::{Patients, Right};

use super::callers::Caller;
use Names::{Elsewhere, Everything, Nothing, Owned};
use Rule::{AnyOf, Changing, Clinical, Open};

/// Who is let through; everybody else is answered 403.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Whoever is signed in.
    Open,
    /// Who holds one of these.
    AnyOf(&'static [Right]),
    /// Whose role opens patients. How far, and whose, is told below.
    Clinical,
    /// Whose role opens patients to change.
    Changing,
}

const REPORTS: Rule = AnyOf(&[Right::Reports, Right::ReportSetup]);
const REGISTERS: Rule = AnyOf(&[Right::Registers]);
const SETUP: Rule = AnyOf(&[Right::ReportSetup]);
const PARAMETERS: Rule = AnyOf(&[Right::Parameters]);
const ROLES: Rule = AnyOf(&[Right::Roles]);
const WORKERS: Rule = AnyOf(&[Right::Workers]);
const PEOPLE: Rule = AnyOf(&[Right::Roles, Right::Workers]);
const NOTES: Rule = AnyOf(&[Right::Roles, Right::Workers, Right::ReportSetup]);
const EXPORTS: Rule = AnyOf(&[Right::DataExport]);
const IMPORTS: Rule = AnyOf(&[Right::DataImport]);
const STATISTICS: Rule = AnyOf(&[Right::EntryStatistics]);
const MERGING: Rule = AnyOf(&[Right::Merging]);
const TRANSFER: Rule = AnyOf(&[Right::Transfer]);
const ASKING: Rule = AnyOf(&[Right::Questions, Right::Monitoring]);
const BOARDS: Rule = AnyOf(&[Right::Boards]);
const WARNINGS: Rule = AnyOf(&[Right::WarningsAndReleases]);

/// Operations of a collection and of its records.
const COLLECTION: &str = "GET POST";
const RECORD: &str = "GET PUT PATCH DELETE";

/// Whose the things are that a call names in its path, its query or its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Names {
    /// Nobody's: what all institutions share, the caller's own only, or nothing at all.
    Nothing,
    /// An institution's, or one worker's: `walls.rs` calls it in the own institution and from another one.
    Owned,
    /// Everybody's, for whoever the rule lets through (`docs/decisions/0034-walls-of-administration.md`).
    Everything,
    /// An institution's, and these tests show how it is kept.
    Elsewhere(&'static str),
}

/// Rule, names, methods, path.
const TABLE: &[(Rule, Names, &str, &str)] = &[
    // Public, and the worker's own.
    (Open, Nothing, "GET", "/api/application"),
    (Open, Nothing, "GET", "/api/health"),
    (Open, Nothing, "GET", "/api/health/live"),
    (Open, Nothing, "GET", "/api/health/ready"),
    (Open, Nothing, "POST", "/api/login"),
    (Open, Nothing, "GET", "/api/oidc/login"),
    (Open, Nothing, "GET", "/api/oidc/callback"),
    (Open, Elsewhere("oidc::links"), "POST", "/api/oidc/sign-in"),
    (Open, Elsewhere("reports::socket"), "GET", "/api/izvestajiWebSocket"),
    (Open, Nothing, "GET", "/api/session"),
    (Open, Nothing, "POST", "/api/session/confirm"),
    (Open, Nothing, "GET", "/api/sessions"),
    (Open, Owned, "DELETE", "/api/sessions/{id}"),
    (Open, Nothing, COLLECTION, "/api/second-factor"),
    (Open, Nothing, "POST", "/api/second-factor/confirm"),
    (Open, Nothing, "POST", "/api/second-factor/off"),
    (Open, Nothing, "POST", "/api/second-factor/recovery-codes"),
    (Open, Owned, "GET", "/api/application-rights"),
    (Open, Nothing, "GET PUT", "/api/worker-start"),
    (Open, Nothing, "GET", "/api/warning"),
    (Open, Nothing, "GET", "/api/parameter/izvestaji"),
    (Open, Nothing, "GET", "/api/parameter/pacijent"),
    (Open, Nothing, "GET", "/api/parameter/registri"),
    (Open, Nothing, "GET", "/api/parameters/by-name/{naziv}"),
    // Configuration.
    (PARAMETERS, Nothing, COLLECTION, "/api/parameters"),
    (PARAMETERS, Nothing, RECORD, "/api/parameters/{id}"),
    (PARAMETERS, Nothing, "GET", "/api/parameter/poznati"),
    (Open, Owned, "GET", "/api/institutions"),
    (Open, Everything, "GET", "/api/institutions/{id}"),
    (Open, Everything, "GET", "/api/institutions/{id}/logo"),
    (AnyOf(&[Right::Institutions]), Owned, "PUT DELETE", "/api/institutions/{id}/logo"),
    (AnyOf(&[Right::Institutions]), Nothing, "POST", "/api/institutions"),
    (AnyOf(&[Right::Institutions]), Owned, "PUT PATCH DELETE", "/api/institutions/{id}"),
    (PEOPLE, Owned, "GET", "/api/roles"),
    (ROLES, Nothing, "POST", "/api/roles"),
    (PEOPLE, Everything, "GET", "/api/roles/{id}"),
    (ROLES, Owned, "PUT PATCH DELETE", "/api/roles/{id}"),
    (PEOPLE, Owned, "GET", "/api/roles/{id}/workers"),
    (ROLES, Owned, "POST", "/api/role-rights"),
    (ROLES, Owned, "POST", "/api/role-rights-delete"),
    (WORKERS, Owned, COLLECTION, "/api/workers"),
    (WORKERS, Owned, RECORD, "/api/workers/{id}"),
    (WORKERS, Owned, "POST", "/api/workers/{id}/second-factor-reset"),
    (WORKERS, Owned, "POST", "/api/workers/{id}/external-account-unlink"),
    (WORKERS, Owned, "POST", "/api/worker-password-change"),
    (WORKERS, Owned, "POST", "/api/worker-roles"),
    (WORKERS, Owned, "POST", "/api/worker-roles-delete"),
    (WORKERS, Owned, "POST", "/api/worker-institutions"),
    (WORKERS, Owned, "POST", "/api/worker-institutions-delete"),
    (Open, Nothing, "GET", "/api/registers"),
    (Open, Nothing, "GET", "/api/registers/{id}"),
    (REGISTERS, Nothing, "POST", "/api/registers"),
    (REGISTERS, Nothing, "PUT PATCH DELETE", "/api/registers/{id}"),
    (REGISTERS, Nothing, "GET", "/api/registers/{id}/definition"),
    (REGISTERS, Nothing, "POST", "/api/registers/{id}/copies"),
    (REGISTERS, Nothing, COLLECTION, "/api/registers/{id}/visit-plans"),
    (REGISTERS, Nothing, "GET", "/api/registers/{id}/visit-plan-fields"),
    (REGISTERS, Nothing, "PUT DELETE", "/api/visit-plans/{id}"),
    (REGISTERS, Nothing, "POST", "/api/visit-plans/{id}/versions"),
    (REGISTERS, Nothing, "GET", "/api/visit-plans/{id}/versions/{broj}"),
    (REGISTERS, Nothing, "POST", "/api/visit-plan-previews"),
    (REGISTERS, Nothing, "POST", "/api/definition-checks"),
    (REGISTERS, Nothing, "POST", "/api/definition-imports"),
    (REGISTERS, Nothing, "POST", "/api/definition-drafts"),
    (REGISTERS, Nothing, "GET POST", "/api/blocks"),
    (REGISTERS, Nothing, "GET DELETE", "/api/blocks/{sifra}"),
    (REGISTERS, Nothing, "GET", "/api/blocks/{sifra}/file"),
    (REGISTERS, Nothing, COLLECTION, "/api/forms"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/definition"),
    (REGISTERS, Nothing, "POST", "/api/forms/{id}/copies"),
    (REGISTERS, Nothing, RECORD, "/api/forms/{id}"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/versions"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/version-differences"),
    (REGISTERS, Nothing, "GET POST PUT DELETE", "/api/forms/{id}/draft"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/draft/changes"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/draft/entries"),
    (REGISTERS, Nothing, "GET", "/api/forms/{id}/draft/impact"),
    (REGISTERS, Nothing, "POST", "/api/forms/{id}/draft/publish"),
    (REGISTERS, Nothing, "POST", "/api/forms/{id}/draft/own-type"),
    (REGISTERS, Nothing, "POST", "/api/forms/{id}/draft/rebase"),
    (REGISTERS, Nothing, "GET POST", "/api/forms/{id}/recomputations"),
    (REGISTERS, Nothing, "POST", "/api/recomputations/{id}/cancel"),
    (REGISTERS, Elsewhere("recomputation"), "GET", "/api/recomputations/{id}/entries"),
    (REGISTERS, Nothing, COLLECTION, "/api/form-fields"),
    (REGISTERS, Nothing, RECORD, "/api/form-fields/{id}"),
    (REGISTERS, Nothing, "POST", "/api/form-field-checks"),
    (REGISTERS, Nothing, COLLECTION, "/api/attribute-types"),
    (REGISTERS, Nothing, RECORD, "/api/attribute-types/{id}"),
    (REGISTERS, Nothing, "GET", "/api/unused-attribute-types"),
    (REGISTERS, Nothing, "POST", "/api/unused-attribute-types-delete"),
    (REGISTERS, Nothing, COLLECTION, "/api/enum-items"),
    (REGISTERS, Nothing, RECORD, "/api/enum-items/{id}"),
    (REGISTERS, Nothing, "GET", "/api/value-types"),
    (Open, Nothing, "GET", "/api/sponsors"),
    (Open, Nothing, "GET", "/api/sponsors/{id}"),
    (REGISTERS, Nothing, "POST", "/api/sponsors"),
    (REGISTERS, Nothing, "PUT PATCH DELETE", "/api/sponsors/{id}"),
    // The setup of reports.
    (NOTES, Nothing, "GET", "/api/upgrade-notes"),
    (NOTES, Owned, "POST", "/api/upgrade-notes-dismiss"),
    (SETUP, Nothing, COLLECTION, "/api/report-categories"),
    (SETUP, Nothing, RECORD, "/api/report-categories/{id}"),
    (SETUP, Nothing, COLLECTION, "/api/report-types"),
    (SETUP, Nothing, RECORD, "/api/report-types/{id}"),
    (SETUP, Nothing, COLLECTION, "/api/reports"),
    (SETUP, Nothing, RECORD, "/api/reports/{id}"),
    (SETUP, Nothing, COLLECTION, "/api/report-parameters"),
    (SETUP, Nothing, RECORD, "/api/report-parameters/{id}"),
    (SETUP, Nothing, COLLECTION, "/api/report-parameter-types"),
    (SETUP, Nothing, RECORD, "/api/report-parameter-types/{id}"),
    (SETUP, Nothing, "GET", "/api/recipient-groups"),
    (SETUP, Owned, "POST", "/api/recipient-groups"),
    (SETUP, Owned, RECORD, "/api/recipient-groups/{id}"),
    (SETUP, Owned, "GET", "/api/recipient-group-workers"),
    (SETUP, Nothing, "GET", "/api/report-formats"),
    (SETUP, Nothing, "GET", "/api/report-parameter-kinds"),
    (SETUP, Nothing, "POST", "/api/report-format-links"),
    (SETUP, Nothing, "POST", "/api/report-format-links-delete"),
    (SETUP, Nothing, "GET", "/api/report-guide"),
    (SETUP, Nothing, "GET", "/api/simple-report-registers"),
    (SETUP, Nothing, "GET", "/api/simple-report-forms/{id}"),
    (SETUP, Nothing, "GET", "/api/reports/{id}/definition"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/definition-check"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/definitions"),
    (SETUP, Nothing, "GET", "/api/reports/{id}/definitions/{broj}"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/definitions/{broj}/publish"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/definitions/{broj}/trial"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/simple-definition-check"),
    (SETUP, Nothing, "POST", "/api/reports/{id}/simple-definitions"),
    (SETUP, Owned, "GET", "/api/report-trials/{id}"),
    // Reports.
    (REPORTS, Nothing, "GET", "/api/analysis-registers"),
    (REPORTS, Nothing, "GET", "/api/analysis-forms/{id}"),
    (REPORTS, Nothing, "POST", "/api/cohort-count"),
    (REPORTS, Nothing, COLLECTION, "/api/cohorts"),
    (REPORTS, Elsewhere("analyses"), "PUT DELETE", "/api/cohorts/{id}"),
    (REPORTS, Elsewhere("analyses"), "POST DELETE", "/api/cohorts/{id}/freeze"),
    (REPORTS, Nothing, COLLECTION, "/api/analyses"),
    (REPORTS, Elsewhere("analyses"), "PUT DELETE", "/api/analyses/{id}"),
    (REPORTS, Elsewhere("analyses"), "GET", "/api/analyses/{id}/r-script"),
    (REPORTS, Nothing, "GET", "/api/report-calendar"),
    (REPORTS, Nothing, "GET", "/api/report-categories/tree"),
    (REPORTS, Nothing, "GET", "/api/report-days"),
    (REPORTS, Owned, "GET", "/api/report-parameters/{id}/options"),
    (REPORTS, Owned, "POST", "/api/report-queue"),
    (REPORTS, Owned, "GET", "/api/report-recipients"),
    (REPORTS, Nothing, "GET PUT", "/api/board"),
    (REPORTS, Nothing, "GET", "/api/institution-board"),
    (BOARDS, Nothing, "PUT", "/api/institution-board"),
    (REPORTS, Nothing, "POST", "/api/board/refresh"),
    (REPORTS, Nothing, "GET", "/api/report-runs"),
    (REPORTS, Nothing, "GET", "/api/report-runs/attention"),
    (REPORTS, Nothing, "POST", "/api/report-runs/seen"),
    (REPORTS, Owned, "GET DELETE", "/api/report-runs/{id}"),
    (REPORTS, Owned, "POST", "/api/report-runs/{id}/again"),
    (REPORTS, Owned, "POST", "/api/report-runs/{id}/cancel"),
    (REPORTS, Owned, "GET", "/api/report-runs/{id}/download"),
    (REPORTS, Owned, "GET", "/api/report-runs/{id}/screen"),
    (REPORTS, Owned, "GET", "/api/report-runs/{id}/screen/chart"),
    (REPORTS, Owned, "GET", "/api/report-runs/{id}/screen/lines"),
    (REPORTS, Owned, "POST", "/api/report-runs/{id}/send"),
    (REPORTS, Nothing, "GET", "/api/report-schedules"),
    (REPORTS, Nothing, "POST", "/api/report-schedules/preview"),
    (REPORTS, Owned, "GET DELETE", "/api/report-schedules/{id}"),
    (REPORTS, Owned, "POST", "/api/report-schedules/{id}/pause"),
    (REPORTS, Owned, "POST", "/api/report-schedules/{id}/resume"),
    (REPORTS, Owned, "POST", "/api/report-schedules/{id}/run"),
    (REPORTS, Nothing, "GET", "/api/reports/{id}/parameters"),
    (REPORTS, Nothing, "POST", "/api/socket-tickets"),
    // Operations, the log, statistics, exports.
    (PARAMETERS, Nothing, "POST", "/api/ciscenje-pula-konekcija"),
    (PARAMETERS, Nothing, "GET", "/api/konekcije"),
    (AnyOf(&[Right::Parameters, Right::ReportSetup]), Nothing, "GET", "/api/jasperi"),
    (PARAMETERS, Nothing, "POST", "/api/obrisi-jasper"),
    (PARAMETERS, Nothing, "POST", "/api/reload-parametara"),
    (PARAMETERS, Everything, "GET", "/api/operations"),
    (PARAMETERS, Nothing, "POST", "/api/operations/engines/{id}/drain"),
    (PARAMETERS, Nothing, "POST", "/api/operations/engines/{id}/resume"),
    (PARAMETERS, Everything, "POST", "/api/operations/runs/{id}/cancel"),
    (PARAMETERS, Everything, "POST", "/api/operations/runs/{id}/retry"),
    (AnyOf(&[Right::Log]), Owned, "GET", "/api/log"),
    (AnyOf(&[Right::Log]), Everything, "GET", "/api/log/search-data"),
    (STATISTICS, Everything, "GET", "/api/log/entry-statistics"),
    (STATISTICS, Everything, "GET", "/api/log/workers"),
    (AnyOf(&[Right::Looks]), Owned, "GET", "/api/looks"),
    (AnyOf(&[Right::Looks, Right::Log]), Owned, "GET", "/api/looks/patients"),
    (AnyOf(&[Right::Looks]), Nothing, "GET", "/api/looks/unusual"),
    (AnyOf(&[Right::Looks]), Nothing, "GET", "/api/looks/workers"),
    (WARNINGS, Nothing, "GET", "/api/releases"),
    (WARNINGS, Nothing, "POST", "/api/save-warning"),
    (WARNINGS, Nothing, "POST", "/api/delete-warning"),
    (EXPORTS, Nothing, "GET", "/api/data-export-options"),
    (EXPORTS, Nothing, "GET", "/api/data-export-options/{id}"),
    (EXPORTS, Nothing, "GET", "/api/data-exports"),
    (EXPORTS, Owned, "POST", "/api/data-exports"),
    (EXPORTS, Owned, "DELETE", "/api/data-exports/{id}"),
    (EXPORTS, Owned, "POST", "/api/data-exports/{id}/cancel"),
    (EXPORTS, Owned, "GET", "/api/data-exports/{id}/file"),
    (IMPORTS, Nothing, "GET", "/api/data-import-options"),
    (IMPORTS, Nothing, "GET", "/api/data-imports"),
    (IMPORTS, Elsewhere("data_import::walls"), "POST", "/api/data-imports"),
    (IMPORTS, Elsewhere("data_import::walls"), "GET DELETE", "/api/data-imports/{id}"),
    (IMPORTS, Elsewhere("data_import::walls"), "GET PUT", "/api/data-imports/{id}/mapping"),
    (IMPORTS, Elsewhere("data_import::walls"), "GET", "/api/data-imports/{id}/mapping-file"),
    (IMPORTS, Elsewhere("data_import::walls"), "POST", "/api/data-imports/{id}/saved-mapping"),
    (IMPORTS, Elsewhere("data_import::walls"), "POST", "/api/data-imports/{id}/check"),
    (IMPORTS, Elsewhere("data_import::walls"), "POST", "/api/data-imports/{id}/confirm"),
    (IMPORTS, Elsewhere("data_import::walls"), "POST", "/api/data-imports/{id}/cancel"),
    (IMPORTS, Elsewhere("data_import::walls"), "GET", "/api/data-imports/{id}/faulty-rows"),
    (IMPORTS, Elsewhere("data_import::walls"), "DELETE", "/api/import-mappings/{id}"),
    // Patients and entries.
    (Clinical, Nothing, "GET", "/api/registers/{id}/search-setup"),
    (Clinical, Elsewhere("blurring"), "POST", "/api/search"),
    (Clinical, Owned, "POST", "/api/search-exports"),
    (Clinical, Elsewhere("worklist"), "POST", "/api/patient-lookups"),
    (Clinical, Elsewhere("worklist"), COLLECTION, "/api/saved-searches"),
    (Clinical, Elsewhere("worklist"), "DELETE", "/api/saved-searches/{id}"),
    (Clinical, Elsewhere("worklist"), "GET", "/api/worklist"),
    (Changing, Elsewhere("patients"), "POST", "/api/patients"),
    (Changing, Elsewhere("blurring"), "POST", "/api/patients/duplicates"),
    (Clinical, Owned, "GET PATCH", "/api/patients/{id}"),
    (Clinical, Owned, "GET", "/api/patients/{id}/archive"),
    (AnyOf(&[Right::Anonymisation]), Owned, COLLECTION, "/api/patients/{id}/anonymisation"),
    (Clinical, Owned, "GET", "/api/patients/{id}/chart"),
    (Clinical, Owned, "GET", "/api/patients/{id}/entries"),
    (Clinical, Owned, "GET", "/api/patients/{id}/latest-entries"),
    (Clinical, Owned, "GET", "/api/patients/{id}/consents"),
    (AnyOf(&[Right::Consents]), Owned, "POST", "/api/patients/{id}/consents"),
    (AnyOf(&[Right::Consents]), Elsewhere("consents"), "POST", "/api/consent-files"),
    (Clinical, Elsewhere("consents"), "GET", "/api/consent-files/{id}"),
    (REGISTERS, Nothing, COLLECTION, "/api/registers/{id}/consent-texts"),
    (Clinical, Owned, "GET", "/api/patients/{id}/statuses"),
    (AnyOf(&[Right::PatientStatus]), Owned, "POST", "/api/patients/{id}/statuses"),
    (Clinical, Owned, "GET", "/api/patients/{id}/summary"),
    (Clinical, Owned, "GET", "/api/patients/{id}/visits"),
    (Clinical, Owned, "PUT", "/api/visits/{id}"),
    (Clinical, Owned, "GET", "/api/patients/{id}/trend"),
    (Clinical, Owned, "GET", "/api/patients/{id}/views"),
    (Clinical, Owned, "GET", "/api/patients/{id}/deleted-entries"),
    (Clinical, Owned, "GET", "/api/deleted-patients"),
    (Clinical, Elsewhere("visit_plans"), "GET PUT", "/api/patients/{id}/visit-plan"),
    (Clinical, Elsewhere("visit_plans"), "POST", "/api/planned-visits/{id}/link"),
    (Clinical, Elsewhere("visit_plans"), "POST", "/api/planned-visits/{id}/unlink"),
    (Clinical, Elsewhere("visit_plans"), "POST", "/api/planned-visits/{id}/cancel"),
    (Clinical, Elsewhere("visit_plans"), "POST", "/api/planned-visits/{id}/restore"),
    (Clinical, Elsewhere("visit_plans"), "GET", "/api/planned-visits"),
    (Clinical, Nothing, "GET", "/api/planned-visit-doctors"),
    (Clinical, Elsewhere("visit_plans"), "GET", "/api/planned-visit-calendar"),
    (Clinical, Nothing, "GET", "/api/my-day"),
    (Clinical, Nothing, "GET", "/api/patient-takings"),
    (Changing, Elsewhere("takings"), "POST", "/api/patient-takings"),
    (Clinical, Nothing, "GET", "/api/patient-takings/unseen"),
    (Clinical, Owned, "POST", "/api/patient-takings/{id}/end"),
    (Clinical, Owned, "POST", "/api/patient-takings/{id}/seen"),
    (MERGING, Elsewhere("merging::mod"), "GET", "/api/patient-merges/preview"),
    (MERGING, Elsewhere("merging::mod"), "POST", "/api/patient-merges"),
    (MERGING, Elsewhere("merging::mod"), "POST", "/api/patient-merges/{id}/unmerge"),
    (Clinical, Elsewhere("merging::mod"), "GET", "/api/patients/{id}/merges"),
    (MERGING, Elsewhere("merging::mod"), "GET", "/api/patient-merge-proposals"),
    (MERGING, Elsewhere("merging::mod"), "POST", "/api/patient-merge-proposals/{id}/accept"),
    (MERGING, Elsewhere("merging::mod"), "POST", "/api/patient-merge-proposals/{id}/decline"),
    (MERGING, Elsewhere("merging::mod"), "POST", "/api/patient-merge-proposals/{id}/withdraw"),
    (MERGING, Elsewhere("merging::mod"), COLLECTION, "/api/patient-pairs"),
    (TRANSFER, Elsewhere("merging::mod"), COLLECTION, "/api/patient-transfers"),
    (TRANSFER, Nothing, "GET", "/api/patient-transfers/institutions"),
    (Clinical, Nothing, "GET", "/api/patient-transfers/waiting"),
    (TRANSFER, Elsewhere("merging::mod"), "POST", "/api/patient-transfers/{id}/accept"),
    (TRANSFER, Elsewhere("merging::mod"), "POST", "/api/patient-transfers/{id}/decline"),
    (TRANSFER, Elsewhere("merging::mod"), "POST", "/api/patient-transfers/{id}/withdraw"),
    (Clinical, Owned, "GET", "/api/entry-count"),
    (Clinical, Owned, "GET", "/api/entry-display"),
    (Clinical, Owned, "GET", "/api/entry-previous"),
    (Clinical, Owned, "POST", "/api/entry-values"),
    (Clinical, Owned, "POST", "/api/delete-entry"),
    (Clinical, Owned, "POST", "/api/restore-entry"),
    (Clinical, Owned, "POST", "/api/stale-results"),
    (Clinical, Owned, "GET", "/api/entries/{id}/archive"),
    (Clinical, Owned, "GET", "/api/entries/{id}/items"),
    (Clinical, Owned, "GET", "/api/entries/{id}/newer-form"),
    (Clinical, Owned, "GET", "/api/entries/{id}/view"),
    (Clinical, Owned, "GET", "/api/entry-drafts"),
    (Clinical, Owned, "PUT DELETE", "/api/entry-drafts/{kljuc}"),
    (Clinical, Elsewhere("entry_files"), "POST", "/api/entry-files"),
    (Clinical, Elsewhere("entry_files"), "GET", "/api/entry-files/{id}"),
    (Clinical, Owned, "POST", "/api/entry-prints"),
    (Clinical, Owned, "GET", "/api/entry-prints/{id}"),
    (Clinical, Owned, "POST", "/api/entry-prints/{id}/cancel"),
    (Clinical, Owned, "GET", "/api/entry-prints/{id}/file"),
    (Clinical, Elsewhere("questions"), "GET", "/api/entries/{id}/questions"),
    (ASKING, Elsewhere("questions"), "POST", "/api/entries/{id}/questions"),
    (Clinical, Elsewhere("questions"), "POST", "/api/questions/{id}/messages"),
    (Clinical, Elsewhere("questions"), "POST", "/api/questions/{id}/close"),
    (Clinical, Elsewhere("questions"), "POST", "/api/questions/{id}/reopen"),
    (Clinical, Elsewhere("questions"), "POST", "/api/questions/{id}/assign"),
    (Clinical, Elsewhere("questions"), "GET", "/api/questions"),
    (Clinical, Nothing, "GET", "/api/question-counts"),
    (Clinical, Nothing, "GET", "/api/question-workers"),
    // Last, for they end the caller's session.
    (Open, Nothing, "POST", "/api/logout"),
    (Open, Nothing, "DELETE", "/api/sessions"),
];

/// Those that need a right and a role as well, so that some whom the rule lets through are refused by what is asked after it.
pub const ASK_MORE: &[&str] = &[
    "GET /api/analyses/{id}/r-script",
    "GET /api/deleted-patients",
    "GET /api/looks/patients",
    "POST /api/patient-takings/{id}/seen",
    "POST /api/patient-takings/{id}/end",
    "GET /api/patients/{id}/anonymisation",
    "POST /api/patients/{id}/statuses",
    "POST /api/patients/{id}/consents",
    "POST /api/consent-files",
    "POST /api/patients/{id}/anonymisation",
    "GET /api/patient-merges/preview",
    "POST /api/patient-merges",
    "POST /api/patient-merges/{id}/unmerge",
    "GET /api/patient-merge-proposals",
    "POST /api/patient-merge-proposals/{id}/accept",
    "POST /api/patient-merge-proposals/{id}/decline",
    "POST /api/patient-merge-proposals/{id}/withdraw",
    "GET /api/patient-pairs",
    "POST /api/patient-pairs",
    "GET /api/patient-transfers",
    "POST /api/patient-transfers",
    "GET /api/patient-transfers/institutions",
    "POST /api/patient-transfers/{id}/accept",
    "POST /api/patient-transfers/{id}/decline",
    "POST /api/patient-transfers/{id}/withdraw",
    "GET /api/data-import-options",
    "GET /api/data-imports",
    "POST /api/data-imports",
    "GET /api/data-imports/{id}",
    "DELETE /api/data-imports/{id}",
    "GET /api/data-imports/{id}/mapping",
    "PUT /api/data-imports/{id}/mapping",
    "GET /api/data-imports/{id}/mapping-file",
    "POST /api/data-imports/{id}/saved-mapping",
    "POST /api/data-imports/{id}/check",
    "POST /api/data-imports/{id}/confirm",
    "POST /api/data-imports/{id}/cancel",
    "GET /api/data-imports/{id}/faulty-rows",
    "DELETE /api/import-mappings/{id}",
    "POST /api/entries/{id}/questions",
];
/// Open to their workers, but not with a body that names another worker.
pub const OF_OTHERS: &[&str] = &["POST /api/worker-password-change"];

impl Rule {
    pub fn admits(self, caller: &Caller) -> bool {
        match self {
            Open => true,
            AnyOf(rights) => caller.right.is_some_and(|right| rights.contains(&right)),
            Clinical => caller.patients != Patients::Ne,
            Changing => caller.patients == Patients::Izmena,
        }
    }
}

/// An operation and its row.
pub struct Row {
    pub method: &'static str,
    pub path: &'static str,
    pub rule: Rule,
    pub names: Names,
}

impl Row {
    /// `GET /api/roles`
    pub fn operation(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// Of every operation.
pub fn rows() -> Vec<Row> {
    let row = |(rule, names, methods, path): &(Rule, Names, &'static str, &'static str)| {
        methods.split(' ').map(|method| Row { method, path, rule: *rule, names: *names }).collect::<Vec<_>>()
    };
    TABLE.iter().flat_map(row).collect()
}
