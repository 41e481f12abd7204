//! The real binary as a child process.

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use super::eventually;

/// The user whom Debian calls so, and who owns nothing.
pub const NOBODY: u32 = 65534;

pub struct EngineProcess {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl EngineProcess {
    pub fn start(environment: Vec<(&str, String)>) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_report-engine")), environment)
    }

    /// One whose files end at 256 KB, as on a full disk: writing more fails. A shell counts in blocks of 512 bytes.
    pub fn start_with_small_files(environment: Vec<(&str, String)>) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"trap '' XFSZ; ulimit -f 512; exec "$0""#, env!("CARGO_BIN_EXE_report-engine")]);
        Self::run(shell, environment)
    }

    /// One of a user whom the system keeps from what others own; none where the tests may not become that user, or the program is where that
    /// user may not go.
    pub fn start_as_nobody(environment: Vec<(&str, String)>) -> Option<Self> {
        let program = env!("CARGO_BIN_EXE_report-engine");
        let reached = Command::new("test").args(["-x", program]).uid(NOBODY).gid(NOBODY).status();
        reached.is_ok_and(|status| status.success()).then(|| {
            let mut program = Command::new(program);
            program.uid(NOBODY).gid(NOBODY);
            Self::run(program, environment)
        })
    }

    fn run(mut program: Command, environment: Vec<(&str, String)>) -> Self {
        let mut child =
            program.env_clear().envs(environment).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the engine starts");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (said, stderr) = (lines.clone(), child.stderr.take().expect("standard error is piped"));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                said.lock().unwrap().push(line);
            }
        });
        Self { child, lines }
    }

    /// Waits until the engine has said this on standard error.
    pub async fn says(&self, text: &str) {
        eventually(&format!("the engine says {text}"), async || self.log().contains(text).then_some(())).await;
    }

    /// Everything that the engine has said.
    pub fn log(&self) -> String {
        self.lines.lock().unwrap().join("\n")
    }

    /// The most memory that the engine has held so far, in MiB.
    pub fn peak_memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the engine lives");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells the peak");
        line.split_whitespace().nth(1).and_then(|kibibytes| kibibytes.parse::<f64>().ok()).expect("a number") / 1024.0
    }

    /// `kill -9`: nothing in the process gets to know.
    pub fn kill(mut self) {
        self.child.kill().expect("the engine is there to be killed");
        self.child.wait().expect("the engine is gone");
    }

    pub fn ask_to_stop(&self) {
        // The shell's own `kill`: a bare machine may lack the program.
        let pid = self.child.id().to_string();
        let asked = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid]).status().expect("a shell");
        assert!(asked.success(), "the engine is there to be stopped");
    }

    /// Asks the engine to stop and waits until it has; gives whether it called that a success.
    pub async fn stop(self) -> bool {
        self.ask_to_stop();
        self.ended().await
    }

    /// Waits until the engine has ended by itself; gives whether it called that a success.
    pub async fn ended(mut self) -> bool {
        let child = Mutex::new(&mut self.child);
        eventually("the engine stops", async || child.lock().unwrap().try_wait().unwrap()).await.success()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Gone already where the test killed or stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- engine {}\n{}", self.child.id(), self.log());
        }
    }
}
