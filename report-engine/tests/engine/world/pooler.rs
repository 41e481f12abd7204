//! A PgBouncer of the test's own, as Debian has it.

use std::{
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    process::{Child, Command, Stdio},
};

use domain::testing::{TestDb, free_port, left_out};
use tempfile::TempDir;

use super::{NOBODY, eventually};

pub struct Pooler {
    child: Child,
    pub port: u16,
    _folder: TempDir,
}

impl Pooler {
    /// One that pools by `mode` before the server of the database; none, and it is said, where PgBouncer is not on this machine.
    pub async fn start(db: &TestDb, mode: &str) -> Option<Self> {
        let program = std::env::var("PGBOUNCER").unwrap_or_else(|_| "pgbouncer".to_owned());
        let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        // It does not run as root, and whoever it runs as may not be able to enter the folder where it lies.
        let as_it_runs = |mut command: Command| {
            if is_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command
        };
        let mut asked = as_it_runs(Command::new(&program));
        if !asked.arg("--version").output().is_ok_and(|output| output.status.success()) {
            left_out("the programs behind PgBouncer", "PGBOUNCER names none that runs here");
            return None;
        }
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        // Whoever it runs as reads its folder.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let server = db.app_url.rsplit_once('@').unwrap().1.split('/').next().unwrap();
        let (host, server_port) = server.rsplit_once(':').unwrap();
        let users = [&db.app_url, &db.report_url].map(|url| {
            let (user, password) = domain::db::credentials(url).unwrap();
            format!("\"{user}\" \"{password}\"\n")
        });
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("users"), users.concat()).unwrap();
        // What Debian's file says, but for the mode and for room.
        let settings = format!(
            "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {}\npool_mode = {mode}\ndefault_pool_size = 40\n",
            file("users").display()
        );
        std::fs::write(file("settings"), settings).unwrap();
        let mut command = as_it_runs(Command::new(&program));
        command.arg("-q").arg(file("settings")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("PgBouncer starts");
        eventually("PgBouncer answers", async || std::net::TcpStream::connect(("127.0.0.1", port)).ok()).await;
        Some(Self { child, port, _folder: folder })
    }

    /// The same address by way of the pooler.
    pub fn through(&self, url: &str) -> String {
        let (before, rest) = url.rsplit_once('@').unwrap();
        format!("{before}@127.0.0.1:{}/{}", self.port, rest.split_once('/').unwrap().1)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
