//! The provider of the tests: a process that ends with the test, and a browser's way through its pages.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use accounts::oidc::Settings;
use domain::environment;
use reqwest::{Client, Response, Url, header, redirect::Policy};

use crate::support::PUBLIC_URL;

/// So long it may take to begin on a busy machine, and so long each of its pages.
const PATIENCE: Duration = Duration::from_secs(60);

/// The provider itself. It ends when its standard input does.
pub struct Provider {
    issuer: String,
    process: Child,
    told: Receiver<String>,
    alive: ChildStdin,
}

impl Provider {
    pub fn start() -> Self {
        let program = environment::required("TEST_OIDC_PROVIDER").expect("tests need the program of the OpenID Provider");
        let callback = format!("{PUBLIC_URL}/api/oidc/callback");
        let mut process = Command::new("node")
            .args([&program, "0", &callback])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node");
        let alive = process.stdin.take().expect("its input");
        let lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let (tell, told) = channel();
        // What nobody waits for goes nowhere, and does not stop it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(tell.send(line))));
        let mut provider = Self { issuer: String::new(), process, told, alive };
        provider.issuer = provider.wait_for("listening on ");
        provider
    }

    /// The rest of the next line that begins so.
    fn wait_for(&self, beginning: &str) -> String {
        loop {
            let line = self.told.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("the provider does not say {beginning:?}: {error}"));
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.to_owned();
            }
        }
    }

    /// From now on it signs with another key, and knows nobody.
    pub fn change_keys(&mut self) {
        self.alive.write_all(b"\n").expect("it reads");
        self.wait_for("new keys");
    }

    pub fn stop(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    pub fn settings(&self, client: &str) -> Settings {
        self.settings_with(client, &[])
    }

    pub fn settings_with(&self, client: &str, more: &[(&str, &str)]) -> Settings {
        let own = [("OIDC_ISSUER", self.issuer.as_str()), ("OIDC_CLIENT_ID", client), ("OIDC_CLIENT_SECRET", "tajna-klijenta")];
        let variable = |name: &str| own.iter().chain(more).find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Settings::read(variable).expect("whole settings").expect("a provider")
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // One that was stopped already is no matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser's cookies at the provider, and how often it was asked for a password there.
#[derive(Default)]
pub struct AtProvider {
    cookies: BTreeMap<String, String>,
    pub asked: u32,
}

impl AtProvider {
    /// Goes through the provider's pages as this account, whose password is its name, to the address that leads back to the site.
    pub async fn sign_in(&mut self, address: &str, account: &str) -> String {
        let password = account.split(['~', '+']).next().expect("a name");
        let form = Url::parse_with_params("http://a/", [("login", account), ("password", password)]).expect("pairs");
        self.go(address, form.query().expect("pairs")).await
    }

    /// Goes back instead of signing in.
    pub async fn cancel(&mut self, address: &str) -> String {
        self.go(address, "cancel=1").await
    }

    async fn go(&mut self, address: &str, form: &str) -> String {
        let client = Client::builder().redirect(Policy::none()).timeout(PATIENCE).build().expect("a client");
        let mut at = Url::parse(address).expect("an address");
        for _ in 0..10 {
            let mut answer = self.keep(client.get(at.clone()).header(header::COOKIE, self.header()).send().await.expect("an answer"));
            if answer.status() == 200 {
                self.asked += 1;
                let sent = client.post(at.clone()).header(header::COOKIE, self.header());
                let sent = sent.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form.to_owned());
                answer = self.keep(sent.send().await.expect("an answer"));
            }
            let location = answer.headers().get(header::LOCATION).map(|location| location.to_str().expect("an address").to_owned());
            let Some(location) = location else { panic!("{}: {}", answer.status(), answer.text().await.expect("a page")) };
            at = at.join(&location).expect("an address");
            if at.as_str().starts_with(PUBLIC_URL) {
                return at.into();
            }
        }
        panic!("the provider leads in circles: {at}")
    }

    fn header(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep(&mut self, answer: Response) -> Response {
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().expect("a cookie").split(';').next().expect("name=value");
            let (name, value) = pair.split_once('=').expect("name=value");
            match value.is_empty() {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        answer
    }
}
