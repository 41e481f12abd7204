//! The list itself: what is asked, which setting it belongs to, and what to do where it is not met.

use serde::Serialize;
use utoipa::ToSchema;

/// One thing that must be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    Database,
    Pooler,
    Primary,
    Version,
    Encoding,
    TimeZone,
    Schema,
    Extensions,
    Role,
    ReportDatabase,
    ReportPooler,
    ReportRole,
    Redis,
    RedisMemory,
    RedisDisk,
    Store,
    SharedStore,
    Templates,
    Mail,
}

/// How much depends on a precondition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Nobody can work, or nobody should: no program starts, a running api says that it is not ready.
    Vital,
    /// Part of the work waits: what is there and wrong keeps a program from starting, a running one goes on.
    Needed,
    /// It is told, and what needs it waits.
    Told,
}

impl Precondition {
    pub const ALL: [Self; 19] = [
        Self::Database,
        Self::Pooler,
        Self::Primary,
        Self::Version,
        Self::Encoding,
        Self::TimeZone,
        Self::Schema,
        Self::Extensions,
        Self::Role,
        Self::ReportDatabase,
        Self::ReportPooler,
        Self::ReportRole,
        Self::Redis,
        Self::RedisMemory,
        Self::RedisDisk,
        Self::Store,
        Self::SharedStore,
        Self::Templates,
        Self::Mail,
    ];

    /// What is asked, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Database => "the database answers, and lets the role in",
            Self::Pooler => "one session is one connection",
            Self::Primary => "it is a primary that takes writes",
            Self::Version => "PostgreSQL is 15 or newer",
            Self::Encoding => "the database is in UTF-8",
            Self::TimeZone => "the server knows Europe/Belgrade",
            Self::Schema => "the schema is this program's, or one that it may meet",
            Self::Extensions => "extensions are there (pg_trgm)",
            Self::Role => "the role keeps data and changes no history",
            Self::ReportDatabase => "reports reach the same database, or its replica",
            Self::ReportPooler => "one session of reports is one connection",
            Self::ReportRole => "the role of reports reads report views and nothing else",
            Self::Redis => "Redis answers, and is in charge",
            Self::RedisMemory => "Redis throws nothing away",
            Self::RedisDisk => "Redis keeps what it is given when it is started again",
            Self::Store => "files can be written, read and removed",
            Self::SharedStore => "api and engines see the same files",
            Self::Templates => "templates of reports and letters are there",
            Self::Mail => "the mail server answers",
        }
    }

    /// How figures and health call it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Pooler => "pooler",
            Self::Primary => "primary",
            Self::Version => "version",
            Self::Encoding => "encoding",
            Self::TimeZone => "time_zone",
            Self::Schema => "schema",
            Self::Extensions => "extensions",
            Self::Role => "role",
            Self::ReportDatabase => "report_database",
            Self::ReportPooler => "report_pooler",
            Self::ReportRole => "report_role",
            Self::Redis => "redis",
            Self::RedisMemory => "redis_memory",
            Self::RedisDisk => "redis_disk",
            Self::Store => "store",
            Self::SharedStore => "shared_store",
            Self::Templates => "templates",
            Self::Mail => "mail",
        }
    }

    pub fn setting(self) -> &'static str {
        match self {
            Self::ReportDatabase | Self::ReportPooler | Self::ReportRole => "REPORT_DATABASE_URL",
            Self::Redis | Self::RedisMemory | Self::RedisDisk => "REDIS_URL",
            Self::Store | Self::SharedStore => "ARTIFACT_URL or ARTIFACT_DIR",
            Self::Templates => "TEMPLATE_DIR",
            Self::Mail => "SMTP_URL",
            _ => "DATABASE_URL",
        }
    }

    /// Whether it is of the application's own database, without which there is nothing.
    pub fn is_of_the_database(self) -> bool {
        self.setting() == "DATABASE_URL"
    }

    pub fn weight(self) -> Weight {
        match self {
            Self::ReportDatabase | Self::Redis => Weight::Needed,
            Self::RedisMemory | Self::RedisDisk | Self::Store | Self::SharedStore | Self::Templates | Self::Mail => Weight::Told,
            _ => Weight::Vital,
        }
    }

    /// What to do where it is not met.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Database => "start the server, or correct the address; `api migrate` gives the role its password",
            Self::Pooler | Self::ReportPooler => "let the pooler pool by session (pool_mode = session), or connect without it",
            Self::Primary => "promote the standby, or let the address lead to the primary",
            Self::Version => "move to a newer PostgreSQL (docs/running.md, \"Another PostgreSQL\")",
            Self::Encoding => "make the database with encoding UTF8 and restore a backup into it",
            Self::TimeZone => "install the server's time zone data (Debian: tzdata) and start it again",
            Self::Schema => "run `api migrate` of the newest program, then let every program be of that version",
            Self::Extensions => "install PostgreSQL's contrib modules and run `api migrate`",
            Self::Role => "sign in as regix_app, a role that owns nothing, and run `api migrate`, which sets its rights",
            Self::ReportDatabase => "let it name the database of DATABASE_URL, or a streaming replica of it",
            Self::ReportRole => "sign in as regix_report, and run `api migrate`, which sets its rights",
            Self::Redis => "start Redis, or correct the address; meanwhile work begins up to ten seconds later",
            Self::RedisMemory => "set maxmemory-policy to noeviction",
            Self::RedisDisk => {
                "set appendonly to yes, on a disk with room; until then what waits at its restart begins up to ten seconds late"
            }
            Self::Store => "make the folder or bucket writable for the programs; meanwhile runs wait",
            Self::SharedStore => "give all programs the same folder or bucket",
            Self::Templates => {
                "let it name the folder templates of the release; meanwhile reports that are files are not made, and no engine starts"
            }
            Self::Mail => "correct the address, or start the server; meanwhile mail waits",
        }
    }
}
