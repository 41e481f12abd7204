//! A mail server that speaks SMTP and misbehaves as a test tells it.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

/// Where in a dialogue the server is when it is asked how to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Greeting,
    Hello,
    From,
    To,
    Data,
    /// After the final dot.
    Dot,
}

/// What the server does at a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// What a healthy server says.
    Normal,
    Say(&'static str),
    /// Nothing, while the connection stays open.
    Silence,
    Close,
}

/// A message that came through to the final dot.
#[derive(Clone, Debug)]
pub struct Receipt {
    pub to: String,
    pub content: String,
    /// The server said 250, or kept the message and fell silent: the recipient has it.
    pub kept: bool,
}

impl Receipt {
    pub fn message_id(&self) -> &str {
        let line = self.content.lines().find(|line| line.starts_with("Message-ID:")).expect("a message has an id");
        line["Message-ID:".len()..].trim()
    }
}

type Script = dyn Fn(Stage, &str, usize) -> Reply + Send + Sync;

pub struct MailServer {
    port: u16,
    receipts: Arc<Mutex<Vec<Receipt>>>,
    /// Its own threads: a test that is busy does not make the mail server slow.
    runtime: Option<tokio::runtime::Runtime>,
}

struct Dialogue {
    script: Arc<Script>,
    receipts: Arc<Mutex<Vec<Receipt>>>,
    /// Which connection this is, from 0.
    number: usize,
}

impl MailServer {
    pub fn healthy() -> Self {
        Self::scripted(|_, _, _| Reply::Normal)
    }

    /// `script` is asked at each stage, with the recipient (empty until he is known) and the number of the connection.
    pub fn scripted(script: impl Fn(Stage, &str, usize) -> Reply + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let receipts = Arc::new(Mutex::new(Vec::new()));
        let (script, kept): (Arc<Script>, _) = (Arc::new(script), receipts.clone());
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            for number in 0.. {
                let Ok((stream, _)) = listener.accept().await else { return };
                let dialogue = Dialogue { script: script.clone(), receipts: kept.clone(), number };
                // A client that hangs up early ends its dialogue, nothing else.
                tokio::spawn(async move { dialogue.hold(stream).await.ok() });
            }
        });
        Self { port, receipts, runtime: Some(runtime) }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    pub fn receipts(&self) -> Vec<Receipt> {
        self.receipts.lock().unwrap().clone()
    }

    /// Messages that this recipient has.
    pub fn kept(&self, to: &str) -> Vec<Receipt> {
        self.receipts().into_iter().filter(|receipt| receipt.to == to && receipt.kept).collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Dialogue {
    async fn hold(&self, stream: TcpStream) -> std::io::Result<()> {
        let (reader, mut writer) = stream.into_split();
        let mut lines = BufReader::new(reader).lines();
        let mut to = String::new();
        if !self.answer(&mut writer, Stage::Greeting, &to, "220 proba ESMTP").await? {
            return Ok(());
        }
        while let Some(line) = lines.next_line().await? {
            let word = line.get(..4).unwrap_or(&line).to_uppercase();
            let going = match word.as_str() {
                "EHLO" | "HELO" => self.answer(&mut writer, Stage::Hello, &to, "250-proba\r\n250 8BITMIME").await?,
                "MAIL" => self.answer(&mut writer, Stage::From, &to, "250 ok").await?,
                "RCPT" => {
                    to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                    self.answer(&mut writer, Stage::To, &to, "250 ok").await?
                }
                "DATA" => match (self.script)(Stage::Data, &to, self.number) {
                    Reply::Normal => {
                        writer.write_all(b"354 go on\r\n").await?;
                        // A client that dies before the final dot has sent nothing.
                        let Some(content) = content(&mut lines).await? else { return Ok(()) };
                        let reply = (self.script)(Stage::Dot, &to, self.number);
                        let kept = !matches!(reply, Reply::Say(said) if !said.starts_with('2'));
                        self.receipts.lock().unwrap().push(Receipt { to: to.clone(), content, kept });
                        say(&mut writer, reply, "250 kept").await?
                    }
                    trouble => say(&mut writer, trouble, "354 go on").await?,
                },
                "QUIT" => {
                    writer.write_all(b"221 bye\r\n").await?;
                    return Ok(());
                }
                _ => {
                    writer.write_all(b"500 what?\r\n").await?;
                    true
                }
            };
            if !going {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn answer(&self, writer: &mut OwnedWriteHalf, stage: Stage, to: &str, normal: &str) -> std::io::Result<bool> {
        say(writer, (self.script)(stage, to, self.number), normal).await
    }
}

/// Everything up to the final dot; `None` when the client goes before it.
async fn content(lines: &mut Lines<BufReader<OwnedReadHalf>>) -> std::io::Result<Option<String>> {
    let mut content = String::new();
    while let Some(line) = lines.next_line().await? {
        if line == "." {
            return Ok(Some(content));
        }
        content.push_str(&line);
        content.push('\n');
    }
    Ok(None)
}

/// False: the dialogue is over.
async fn say(writer: &mut OwnedWriteHalf, reply: Reply, normal: &str) -> std::io::Result<bool> {
    let said = match reply {
        Reply::Normal => normal,
        Reply::Say(said) => said,
        // Held open until the server itself goes away.
        Reply::Silence => std::future::pending().await,
        Reply::Close => return Ok(false),
    };
    writer.write_all(format!("{said}\r\n").as_bytes()).await?;
    Ok(true)
}
