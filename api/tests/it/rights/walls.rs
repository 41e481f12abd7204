//! Own and other institution, for every operation that names something of an institution or of a worker: from another institution, with
//! every right there is, it is answered as what is not there; its own people are answered otherwise.

use std::{collections::BTreeSet, path::Path};

use serde_json::{Value, json};

use super::{
    scene::{Scene, Things},
    table::{Names, rows},
};
use crate::{
    institution_logos::PICTURE,
    support::{Answer, Worker},
};

/// How somebody of another institution is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wall {
    /// As about what is not there.
    Absent,
    /// That it is there is no secret, and not hers.
    Refused,
    /// As everybody is, whatever is there; nothing happens.
    Silent,
}

use Wall::{Absent, Refused, Silent};

/// A call about these things, by the worker of this number.
type Call = fn(&Things, i64) -> (String, Value);

/// Operation, wall, call. What ends a thing stands behind what needs it.
fn calls() -> Vec<(&'static str, Wall, Call)> {
    vec![
        // Institutions, workers, roles.
        ("GET /api/institutions", Absent, |of, _| get(format!("/api/institutions?radnik={}", of.worker))),
        ("PATCH /api/institutions/{id}", Refused, |of, _| (format!("/api/institutions/{}", of.institution), json!({ "telefon": "011/1" }))),
        ("PUT /api/institutions/{id}", Refused, |of, _| (format!("/api/institutions/{}", of.institution), json!({ "naziv": "Druga" }))),
        ("PUT /api/institutions/{id}/logo", Refused, |of, _| {
            (format!("/api/institutions/{}/logo", of.institution), json!({ "logo": PICTURE }))
        }),
        ("GET /api/application-rights", Absent, |of, _| get(format!("/api/application-rights?radnik={}", of.worker))),
        ("GET /api/roles", Absent, |of, _| get(format!("/api/roles?radnik={}", of.worker))),
        ("GET /api/roles/{id}/workers", Absent, |of, _| get(format!("/api/roles/{}/workers", of.role))),
        ("PATCH /api/roles/{id}", Refused, |of, _| (format!("/api/roles/{}", of.role), json!({ "opis": "izmenjena" }))),
        ("PUT /api/roles/{id}", Refused, |of, _| (format!("/api/roles/{}", of.role), json!({ "ime": format!("Uloga {}", of.role) }))),
        ("POST /api/role-rights", Refused, |of, _| ("/api/role-rights".into(), json!({ "uloga": of.role, "aplikativnoPravo": of.right }))),
        ("POST /api/role-rights-delete", Refused, |of, _| {
            ("/api/role-rights-delete".into(), json!({ "ulogaID": of.role, "aplikativnaPravaID": [of.right] }))
        }),
        ("GET /api/workers", Absent, |of, _| get(format!("/api/workers?ustanova={}", of.institution))),
        ("GET /api/workers", Absent, |of, _| get(format!("/api/workers?filter={}", of.username))),
        ("POST /api/workers", Refused, |of, by| {
            let worker = json!({ "ime": "Nova", "prezime": "Radnica", "username": format!("nova-{by}"), "password": "zeleni vagon peva", "ustanovaID": of.institution });
            ("/api/workers".into(), worker)
        }),
        ("GET /api/workers/{id}", Absent, |of, _| get(format!("/api/workers/{}", of.worker))),
        ("PATCH /api/workers/{id}", Absent, |of, _| (format!("/api/workers/{}", of.worker), json!({ "telefon": "011/2" }))),
        ("PUT /api/workers/{id}", Absent, |of, _| (format!("/api/workers/{}", of.worker), json!({ "adresa": "Nova 1" }))),
        ("PATCH /api/workers/{id}", Absent, |of, _| (format!("/api/workers/{}", of.former_worker), json!({ "aktivan": true }))),
        ("POST /api/worker-password-change", Absent, |of, _| {
            let new = "zeleni vagon peva";
            let body = json!({ "radnikID": of.worker, "novaLozinka": new, "potvrdaLozinke": new, "isAdmin": true });
            ("/api/worker-password-change".into(), body)
        }),
        ("POST /api/workers/{id}/second-factor-reset", Absent, |of, _| {
            (format!("/api/workers/{}/second-factor-reset", of.worker), json!({}))
        }),
        ("POST /api/workers/{id}/external-account-unlink", Absent, |of, _| {
            (format!("/api/workers/{}/external-account-unlink", of.worker), json!({}))
        }),
        ("POST /api/worker-roles", Absent, |of, _| ("/api/worker-roles".into(), json!({ "radnik": of.worker, "uloga": of.role }))),
        ("POST /api/worker-institutions", Absent, |of, _| {
            ("/api/worker-institutions".into(), json!({ "radnik": of.worker, "ustanova": of.institution }))
        }),
        // Herself into another institution.
        ("POST /api/worker-institutions", Absent, |of, by| {
            ("/api/worker-institutions".into(), json!({ "radnik": by, "ustanova": of.institution }))
        }),
        ("POST /api/worker-institutions-delete", Absent, |of, _| {
            ("/api/worker-institutions-delete".into(), json!({ "radnikID": of.worker, "ustanoveID": [] }))
        }),
        ("POST /api/worker-roles-delete", Absent, |of, _| {
            ("/api/worker-roles-delete".into(), json!({ "radnikID": of.worker, "ulogeID": [] }))
        }),
        // Patients.
        ("GET /api/patients/{id}", Absent, |of, _| get(format!("/api/patients/{}", of.patient))),
        ("PATCH /api/patients/{id}", Absent, |of, _| (format!("/api/patients/{}", of.patient), json!({ "zanimanje": "pekar" }))),
        ("GET /api/deleted-patients", Absent, |of, _| get(format!("/api/deleted-patients?filter={}", of.former_jmbg))),
        ("PATCH /api/patients/{id}", Absent, |of, _| (format!("/api/patients/{}", of.former_patient), json!({ "aktivan": true }))),
        ("GET /api/patients/{id}/archive", Absent, |of, _| get(format!("/api/patients/{}/archive", of.patient))),
        ("GET /api/patients/{id}/views", Absent, |of, _| get(format!("/api/patients/{}/views", of.patient))),
        ("GET /api/patients/{id}/chart", Absent, |of, _| {
            get(format!("/api/patients/{}/chart?sifre=broj&registarID={}", of.patient, of.register))
        }),
        ("GET /api/patients/{id}/entries", Absent, |of, _| get(format!("/api/patients/{}/entries?registarID={}", of.patient, of.register))),
        ("GET /api/patients/{id}/latest-entries", Absent, |of, _| {
            get(format!("/api/patients/{}/latest-entries?registarID={}", of.patient, of.register))
        }),
        ("GET /api/patients/{id}/summary", Absent, |of, _| get(format!("/api/patients/{}/summary?registarID={}", of.patient, of.register))),
        ("GET /api/patients/{id}/visits", Absent, |of, _| get(format!("/api/patients/{}/visits?registarID={}", of.patient, of.register))),
        ("PUT /api/visits/{id}", Absent, |of, by| {
            (format!("/api/visits/{}", of.visit), json!({ "datum": "2026-01-01", "radnikOdgovoran": by, "osnovaRadnikOdgovoran": null }))
        }),
        ("GET /api/patients/{id}/trend", Absent, |of, _| get(format!("/api/patients/{}/trend?registarID={}", of.patient, of.register))),
        ("GET /api/patients/{id}/deleted-entries", Absent, |of, _| get(format!("/api/patients/{}/deleted-entries", of.patient))),
        ("GET /api/patients/{id}/consents", Absent, |of, _| get(format!("/api/patients/{}/consents", of.patient))),
        ("POST /api/patients/{id}/consents", Absent, |of, _| {
            let body = json!({ "registarID": of.register, "svrha": "kontakt", "dat": true, "dan": "2026-01-02" });
            (format!("/api/patients/{}/consents", of.patient), body)
        }),
        ("GET /api/patients/{id}/statuses", Absent, |of, _| get(format!("/api/patients/{}/statuses", of.patient))),
        ("POST /api/patients/{id}/statuses", Absent, |of, _| {
            let body = json!({ "status": "izgubljen", "registarID": of.register, "dan": "2026-01-02", "izvor": "porodica" });
            (format!("/api/patients/{}/statuses", of.patient), body)
        }),
        ("GET /api/patients/{id}/anonymisation", Absent, |of, _| get(format!("/api/patients/{}/anonymisation", of.patient))),
        ("POST /api/patients/{id}/anonymisation", Absent, |of, _| {
            let body = json!({ "razlog": "Zahtev pacijenta od juče", "potvrda": "K-drugi" });
            (format!("/api/patients/{}/anonymisation", of.patient), body)
        }),
        ("POST /api/search-exports", Absent, |of, _| ("/api/search-exports".into(), json!({ "zapis": of.search, "oblik": "CSV" }))),
        // Entries, their drafts and prints.
        ("GET /api/entry-count", Absent, |of, _| get(format!("/api/entry-count?pacijentID={}&thaID={}", of.patient, of.form))),
        ("GET /api/entry-display", Absent, |of, _| get(format!("/api/entry-display?haID={}", of.entry))),
        ("GET /api/entry-previous", Absent, |of, _| get(format!("/api/entry-previous?haID={}&datumUnosa=2026-01-01", of.entry))),
        ("GET /api/entry-display", Absent, |of, _| get(format!("/api/entry-display?tsaID={}&pacijentID={}", of.form, of.patient))),
        ("GET /api/entries/{id}/view", Absent, |of, _| get(format!("/api/entries/{}/view", of.entry))),
        ("GET /api/entries/{id}/items", Absent, |of, _| get(format!("/api/entries/{}/items", of.entry))),
        ("GET /api/entries/{id}/newer-form", Absent, |of, _| get(format!("/api/entries/{}/newer-form", of.entry))),
        ("GET /api/entries/{id}/archive", Absent, |of, _| get(format!("/api/entries/{}/archive?nizAutsID={}", of.entry, of.field))),
        ("POST /api/stale-results", Absent, |of, _| ("/api/stale-results".into(), json!({ "unosi": [of.entry] }))),
        ("POST /api/entry-values", Absent, |of, by| ("/api/entry-values".into(), saved(of, by, None))),
        ("POST /api/entry-values", Absent, |of, by| ("/api/entry-values".into(), saved(of, by, Some(of.entry)))),
        ("PUT /api/entry-drafts/{kljuc}", Absent, |of, _| {
            (format!("/api/entry-drafts/unos-{}", of.entry), json!({ "pacijentID": of.patient, "sadrzaj": {} }))
        }),
        ("GET /api/entry-drafts", Absent, |of, _| get(format!("/api/entry-drafts?kljuc=unos-{}", of.entry))),
        ("DELETE /api/entry-drafts/{kljuc}", Silent, |of, _| get(format!("/api/entry-drafts/unos-{}", of.entry))),
        ("POST /api/entry-prints", Absent, |of, _| ("/api/entry-prints".into(), json!({ "unosID": of.entry }))),
        ("GET /api/entry-prints/{id}", Absent, |of, _| get(format!("/api/entry-prints/{}", of.print))),
        ("GET /api/entry-prints/{id}/file", Absent, |of, _| get(format!("/api/entry-prints/{}/file", of.print))),
        ("POST /api/entry-prints/{id}/cancel", Absent, |of, _| (format!("/api/entry-prints/{}/cancel", of.print), json!({}))),
        ("POST /api/delete-entry", Absent, |of, _| ("/api/delete-entry".into(), json!({ "id": of.entry }))),
        ("POST /api/restore-entry", Absent, |of, _| ("/api/restore-entry".into(), json!({ "id": of.entry }))),
        // Takings: the keeper's and the taker's.
        ("POST /api/patient-takings/{id}/seen", Absent, |of, _| (format!("/api/patient-takings/{}/seen", of.taking), json!({}))),
        ("POST /api/patient-takings/{id}/end", Absent, |of, _| {
            (format!("/api/patient-takings/{}/end", of.taking), json!({ "razlog": "Pacijent se vratio" }))
        }),
        // The log and the record of looks.
        ("GET /api/log", Absent, |of, _| get(format!("/api/log?datumOd=2020-01-01&pacijentID={}", of.patient))),
        ("GET /api/looks", Absent, |of, _| get(format!("/api/looks?datumOd=2020-01-01&pacijentID={}", of.patient))),
        ("GET /api/looks", Absent, |of, _| get(format!("/api/looks?datumOd=2020-01-01&radnikID={}", of.owner))),
        ("GET /api/looks/patients", Absent, |of, _| get(format!("/api/looks/patients?filter={}", of.jmbg))),
        // Reports, schedules, recipients, exports.
        ("GET /api/recipient-group-workers", Absent, |of, _| get(format!("/api/recipient-group-workers?trazi={}", of.username))),
        ("GET /api/report-recipients", Absent, |of, _| get(format!("/api/report-recipients?trazi={}", of.username))),
        ("POST /api/recipient-groups", Absent, |of, by| {
            (
                "/api/recipient-groups".into(),
                json!({ "naziv": format!("Grupa {by}"), "ustanovaID": of.institution, "emails": ["ana@kcs.rs"] }),
            )
        }),
        ("POST /api/recipient-groups", Absent, |of, by| {
            ("/api/recipient-groups".into(), json!({ "naziv": format!("Članovi {by}"), "ustanovaID": of.callers, "radnici": [of.worker] }))
        }),
        ("GET /api/recipient-groups/{id}", Absent, |of, _| get(format!("/api/recipient-groups/{}", of.group))),
        ("PATCH /api/recipient-groups/{id}", Absent, |of, _| {
            (format!("/api/recipient-groups/{}", of.group), json!({ "emails": ["eva@kcs.rs"] }))
        }),
        ("PUT /api/recipient-groups/{id}", Absent, |of, _| {
            (format!("/api/recipient-groups/{}", of.group), json!({ "emails": ["iva@kcs.rs"] }))
        }),
        ("PATCH /api/recipient-groups/{id}", Absent, |of, _| {
            (format!("/api/recipient-groups/{}", of.former_group), json!({ "aktivan": true }))
        }),
        ("POST /api/report-queue", Absent, |of, _| ("/api/report-queue".into(), json!({ "siID": of.report, "radnikID": of.owner }))),
        ("POST /api/report-queue", Absent, |of, by| {
            ("/api/report-queue".into(), json!({ "siID": of.report, "radnikID": by, "primaoci": [of.worker] }))
        }),
        ("POST /api/report-queue", Absent, |of, by| {
            ("/api/report-queue".into(), json!({ "siID": of.report, "radnikID": by, "grupe": [of.group] }))
        }),
        ("POST /api/report-queue", Absent, |of, by| {
            let when = json!({
                "siID": of.report, "radnikID": by, "checkZakazivanjeBuducnost": true, "ponavljanje": 1, "vreme": "07:30", "period": 1, "danNedelja": [3],
                "zakazivanjeIzvestajaIzmenaID": of.schedule,
            });
            ("/api/report-queue".into(), when)
        }),
        ("GET /api/report-parameters/{id}/options", Absent, |of, _| {
            get(format!("/api/report-parameters/{}/options?zakazivanjeID={}", of.parameter, of.schedule))
        }),
        ("GET /api/report-schedules/{id}", Absent, |of, _| get(format!("/api/report-schedules/{}", of.schedule))),
        ("POST /api/report-schedules/{id}/pause", Absent, |of, _| (format!("/api/report-schedules/{}/pause", of.schedule), json!({}))),
        ("POST /api/report-schedules/{id}/resume", Absent, |of, _| (format!("/api/report-schedules/{}/resume", of.schedule), json!({}))),
        ("POST /api/report-schedules/{id}/run", Absent, |of, _| (format!("/api/report-schedules/{}/run", of.schedule), json!({}))),
        ("GET /api/report-trials/{id}", Absent, |of, _| get(format!("/api/report-trials/{}", of.trial))),
        ("GET /api/report-runs/{id}", Absent, |of, _| get(format!("/api/report-runs/{}", of.run))),
        ("GET /api/report-runs/{id}/download", Absent, |of, _| get(format!("/api/report-runs/{}/download?format=CSV", of.done))),
        ("GET /api/report-runs/{id}/screen", Absent, |of, _| get(format!("/api/report-runs/{}/screen", of.done))),
        ("GET /api/report-runs/{id}/screen/lines", Absent, |of, _| {
            get(format!("/api/report-runs/{}/screen/lines?blok=0&od=0&broj=10", of.done))
        }),
        ("GET /api/report-runs/{id}/screen/chart", Absent, |of, _| get(format!("/api/report-runs/{}/screen/chart?blok=1", of.done))),
        ("POST /api/report-runs/{id}/again", Absent, |of, _| (format!("/api/report-runs/{}/again", of.run), json!({ "posalji": false }))),
        ("POST /api/report-runs/{id}/send", Absent, |of, _| {
            (format!("/api/report-runs/{}/send", of.run), json!({ "adresa": "ana@kcs.rs", "redniBroj": 1 }))
        }),
        ("POST /api/data-exports", Absent, |of, _| {
            let order = json!({
                "registarID": of.register, "tsaID": of.form, "red": "unos", "ustanove": [of.institution], "profil": "bez_identiteta",
                "razlog": "Godišnja studija",
            });
            ("/api/data-exports".into(), order)
        }),
        ("GET /api/data-exports/{id}/file", Absent, |of, _| get(format!("/api/data-exports/{}/file", of.export))),
        ("POST /api/data-exports/{id}/cancel", Absent, |of, _| (format!("/api/data-exports/{}/cancel", of.export), json!({}))),
        ("POST /api/upgrade-notes-dismiss", Absent, |of, _| {
            ("/api/upgrade-notes-dismiss".into(), json!({ "vrsta": "zakazivanje", "id": of.schedule }))
        }),
        // What ends a thing.
        ("POST /api/report-runs/{id}/cancel", Absent, |of, _| (format!("/api/report-runs/{}/cancel", of.run), json!({}))),
        ("DELETE /api/report-runs/{id}", Absent, |of, _| get(format!("/api/report-runs/{}", of.run))),
        ("DELETE /api/report-schedules/{id}", Absent, |of, _| get(format!("/api/report-schedules/{}", of.schedule))),
        ("DELETE /api/data-exports/{id}", Absent, |of, _| get(format!("/api/data-exports/{}", of.export))),
        ("DELETE /api/recipient-groups/{id}", Absent, |of, _| get(format!("/api/recipient-groups/{}", of.group))),
        ("PATCH /api/patients/{id}", Absent, |of, _| (format!("/api/patients/{}", of.patient), json!({ "aktivan": false }))),
        ("DELETE /api/sessions/{id}", Absent, |of, _| get(format!("/api/sessions/{}", of.session))),
        ("DELETE /api/workers/{id}", Absent, |of, _| get(format!("/api/workers/{}", of.worker))),
        ("DELETE /api/roles/{id}", Refused, |of, _| get(format!("/api/roles/{}", of.role))),
        ("DELETE /api/institutions/{id}/logo", Refused, |of, _| get(format!("/api/institutions/{}/logo", of.institution))),
        ("DELETE /api/institutions/{id}", Refused, |of, _| get(format!("/api/institutions/{}", of.institution))),
    ]
}

fn get(path: String) -> (String, Value) {
    (path, Value::Null)
}

fn saved(of: &Things, by: i64, entry: Option<i64>) -> Value {
    json!({
        "unosID": entry, "tsaID": of.form, "registarID": of.register, "pacijentID": of.patient, "verzija": 1,
        "vrednosti": { of.field.clone(): 5 }, "radnikOdgovoran": by, "datumUnosa": "2026-03-05",
    })
}

async fn asked(by: &Worker, operation: &str, call: Call, of: &Things) -> Answer {
    let method = operation.split(' ').next().expect("a method");
    let (path, body) = call(of, by.id);
    by.call(method, &path, (!body.is_null()).then_some(body)).await
}

fn same(one: &Answer, other: &Answer) -> bool {
    (one.status, one.text()) == (other.status, other.text())
}

#[tokio::test]
async fn what_is_of_another_institution_is_answered_as_what_is_not_there() {
    let scene = Scene::new().await;
    let mut wrong = Vec::new();
    for (operation, wall, call) in calls() {
        let (path, body) = call(&scene.ours_to_others(), scene.other.id);
        let theirs = asked(&scene.other, operation, call, &scene.ours_to_others()).await;
        let none = asked(&scene.other, operation, call, &scene.nothing(scene.third)).await;
        let fits = match wall {
            Absent | Silent => same(&theirs, &none) && theirs.status < 500,
            Refused => matches!(theirs.status, 403 | 422),
        };
        if !fits {
            wrong.push(format!("{operation} {path} {body}: {} {} and {} {}", theirs.status, theirs.text(), none.status, none.text()));
        }
    }
    // And all of it is still there for its own.
    for (operation, wall, call) in calls() {
        let (path, body) = call(&scene.ours, scene.owner.id);
        let none = asked(&scene.owner, operation, call, &scene.nothing(scene.app.ustanova)).await;
        let own = asked(&scene.owner, operation, call, &scene.ours).await;
        let answered = match wall {
            Absent => !same(&own, &none) && !matches!(own.status, 403 | 404 | 500..),
            Refused => !matches!(own.status, 403 | 404 | 500..),
            Silent => true,
        };
        if !answered {
            wrong.push(format!("own {operation} {path} {body}: {} {} and {} {}", own.status, own.text(), none.status, none.text()));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Parts of names by which a call names something of an institution or of a worker.
const NAMING: [&str; 12] =
    ["pacijent", "radnik", "radnic", "ustanov", "unos", "ulog", "primaoc", "grup", "zakazivanje", "zapis", "haid", "nacrt"];
/// Flags, choices and texts that only sound so.
const NAMING_NOBODY: [&str; 17] = [
    "pacijenti",
    "mozeBitiOdgovoran",
    "sveUstanove",
    "checkZakazivanjeBuducnost",
    "potvrdjenoZakazivanja",
    "samoMojaUstanova",
    "unosi",
    "grupe",
    "nazivPodrazumevaniUnos",
    "nazivPrviUnos",
    "prikazTekucihUnosaKodPretrage",
    "tipUnosaID",
    "maksimalanBrojInstanciPoPacijentu",
    "radioButton",
    "datumUnosa",
    "osnovaDatumUnosa",
    "nacrti",
];
/// First words of paths whose records every institution shares.
const SHARED: [&str; 20] = [
    "blocks",
    "parameters",
    "registers",
    "visit-plans",
    "forms",
    "quality-rules",
    "quality-runs",
    "recomputations",
    "form-fields",
    "attribute-types",
    "enum-items",
    "sponsors",
    "report-categories",
    "report-types",
    "reports",
    "report-parameters",
    "report-parameter-types",
    "simple-report-forms",
    "analysis-forms",
    "data-export-options",
];

#[test]
fn every_operation_that_names_something_of_an_institution_is_called_here() {
    let called: BTreeSet<&str> = calls().into_iter().map(|(operation, ..)| operation).collect();
    let owned: BTreeSet<String> = rows().iter().filter(|row| row.names == Names::Owned).map(|row| row.operation()).collect();
    assert_eq!(called.iter().map(|operation| (*operation).to_owned()).collect::<BTreeSet<_>>(), owned);
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    for row in rows() {
        let operation = &document["paths"][row.path][row.method.to_lowercase()];
        match row.names {
            Names::Nothing => {
                let named: Vec<String> = names_of(&document, operation).into_iter().filter(|name| names_somebody(name)).collect();
                assert!(named.is_empty(), "{} names {named:?}: see `Names`", row.operation());
                let first = row.path.split('/').nth(2).expect("a path of the API");
                let shared = !row.path.contains('{') || SHARED.contains(&first) || row.path.contains("operations/engines");
                assert!(shared, "{} names a record: see `Names`", row.operation());
            }
            Names::Elsewhere(place) => {
                let file = format!("{}/tests/it/{}.rs", env!("CARGO_MANIFEST_DIR"), place.replace("::", "/"));
                assert!(Path::new(&file).exists(), "{}: no {file}", row.operation());
            }
            Names::Owned | Names::Everything => {}
        }
    }
}

/// A filter is a text that is looked for in a column of what the caller is listed anyway: `lists.rs` holds them to the walls.
fn names_somebody(name: &str) -> bool {
    let small = name.to_lowercase();
    !NAMING_NOBODY.contains(&name) && !name.starts_with("filter.") && NAMING.iter().any(|part| small.contains(part))
}

/// Names of the parameters of an operation and of the properties of its body.
fn names_of(document: &Value, operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str().map(str::to_owned));
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    parameters.chain(properties(document, body)).collect()
}

fn properties(document: &Value, schema: &Value) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return properties(document, &document["components"]["schemas"][name]);
    }
    let own = schema["properties"].as_object().into_iter().flat_map(|properties| properties.keys().cloned());
    let parts = ["allOf", "oneOf", "anyOf"].into_iter().flat_map(|kind| schema[kind].as_array().into_iter().flatten());
    own.chain(parts.flat_map(|part| properties(document, part))).collect()
}
