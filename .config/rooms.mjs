// The rooms of each part that has several (a folder right under src, or a file there), from the lowest to the highest. Between crates cargo
// refuses a circle; here stands what it does not see, the order within one. A room imports only from lines above
// its own here; rooms of one line do not know each other. The roots, lib and main, stand highest unless a line names them.
// `.config/circles.mjs` holds every import to this. A new room gets its place here; one that wants something of a higher room moves that
// below both.
export const rooms = {
  "domain/src": [
    [
      "fold jmbg mail_address shown text time typed years",
      "single values: read, compared, written",
    ],
    ["clock", "times of day and moments, by the wall clock"],
    [
      "caller environment locks parameters refusal request_id schema",
      "limits, names and settings, one by one",
    ],
    [
      "db period picture recipients recurrence relative_day traces",
      "database, days, addresses",
    ],
    ["tls", "encryption on the way"],
    ["artifacts", "files"],
    [
      "access attachment file_name listen logging process",
      "who may; what a process needs to live",
    ],
    [
      "config jobs maintenance metrics report_screen report_sql report_wording",
      "what the programs share of their work",
    ],
    [
      "register runs standing",
      "a register as it is configured; runs of reports; what programs stand on",
    ],
    ["exports", "what leaves of a register as a set of data"],
    ["answer", "what a value of an entry means by its type"],
    ["formula", "formulas over the fields of a form"],
    ["entry", "a filled form"],
    ["testing", "databases and servers for tests"],
  ],
  "api/clinical/src": [
    ["patients", "who a patient is, and the search"],
    ["looks", "who looked at whose data"],
    ["entries exports", "what patients have"],
    ["consents", "what patients have agreed to, with its signed form"],
    [
      "plans questions entry_states",
      "when patients are due; what is asked about entries; who stands behind them",
    ],
    ["quality", "what rules find, and the data as a whole"],
  ],
  "api/configuration/src": [
    ["crud", "what all records of the configuration share"],
    ["admin", "what administrators configure, and what it does to entries"],
  ],
  "api/interchange/src": [
    ["import", "definitions and data from files"],
    ["data_import demo exchange", "the ways to bring them in"],
  ],
  "api/reporting/src": [
    ["reports", "reports that are ordered, and their runs"],
    [
      "board setup",
      "reports that a worker has before her; what administrators set up of reports",
    ],
    ["analyses", "what readers of reports make without SQL"],
  ],
  "api/src": [
    [
      "application check entry_statistics lists log maintenance migrate operations parameters releases upgrade_notes warning worker",
      "areas that know no other",
    ],
    [
      "backup links",
      "a copy and its restoration; what links workers, roles and reports",
    ],
    ["archive", "old rows in files"],
    ["lib", "every route in one list"],
    [
      "parse serve",
      "the process around the routes; the one that reads a file for it",
    ],
  ],
  "report-engine/statistics/src": [
    [
      "error numbers matrix distribution",
      "why there is no answer; sums, ranks, matrices, tails",
    ],
    ["column estimate test_result", "what comes in and what goes out"],
    ["describe proportion", "one variable"],
    [
      "accuracy compare rates survival two_by_two",
      "groups, tables, times, rates",
    ],
    ["agreement model", "two observers; regression"],
  ],
  "report-engine/template/src": [
    ["plan", "what a file shows, whatever its format"],
    ["template", "the language that is read into a plan"],
  ],
  "report-engine/src": [
    ["disk failpoint settings", "surroundings of an engine"],
    ["jobs render", "how any job is held; how a file is drawn"],
    [
      "export quality recompute store",
      "data sets, looks by rules, results made anew, files of runs",
    ],
    ["mail", "what is sent"],
    ["run", "what is made"],
    ["engine", "the process with all kinds of jobs"],
  ],
  "scheduler/src": [
    [
      "dispatch fire following plans quality questions retention settings",
      "each thing that it does",
    ],
    ["service", "all of them in turn"],
  ],
  "web/src": [
    [
      "fold format gen mailAddress searchAddress today",
      "texts of single values; what is made of the API",
    ],
    ["schema", "the records of the API by their names"],
    ["forms theme", "what a form computes; colours"],
    ["messages", "all texts"],
    ["api marks versions", "calls; marks of values; differences of versions"],
    ["charts places ui", "what any screen is made of"],
    [
      "crud drafts files",
      "screens of records; what is typed and not saved; attached files",
    ],
    ["auth", "signing in, and what one may"],
    ["dataImport looks reports upgrade", "areas that know no other"],
    [
      "dataExport maintenance operations profile registers",
      "areas that show a piece of these",
    ],
    ["plans questions", "when patients are due; what is asked about entries"],
    ["quality", "what rules find, and the data as a whole"],
    ["patients", "patients, and the search"],
    ["entries locks", "their entries; periods that are locked"],
    [
      "admin ahead testing",
      "configuration, which shows entries as they would be; what is asked for first; data for tests",
    ],
    ["analyses", "analyses without SQL, whose conditions are those of reports"],
    ["screens", "all routes"],
    ["shell", "what stands around every screen"],
    ["App", "the whole site"],
  ],
};
