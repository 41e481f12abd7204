//! Live updates of reports: each socket gets the events of its own worker. An event is a hint ("look at run X"): the screen then reads
//! the truth, and after any gap it reads it anew.

use std::time::{Duration, Instant};

use accounts::rights::{Allowed, Reports};
use axum::{
    extract::{
        State,
        ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    response::Response,
};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    hub::{Event, Signal},
    places::Place,
    routes::{Routes, routes},
    state::AppState,
    token::{self, TokenHash},
};
use serde::{Deserialize, Serialize};
use tokio::{sync::broadcast, time::MissedTickBehavior};
use utoipa::{IntoParams, ToSchema};

/// A browser cannot see pings: what it hears at this pace tells it that the socket lives.
const BEAT_EVERY: Duration = Duration::from_secs(10);
/// A socket that left so many pings without an answer is gone.
const UNANSWERED: u8 = 2;
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Between two looks at whether a session lives, for all its sockets: an event waits for the next one.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The client opens a new socket and reads everything again.
const TRY_AGAIN: u16 = 1012;
/// The session has ended: a new socket needs a new sign-in.
const SIGNED_OUT: u16 = 4401;

/// The ticket is asked for in a session.
pub fn routes() -> Routes {
    Routes::new().routes(routes!(ticket))
}

/// The socket itself carries no header: the ticket admits it.
pub fn public_routes() -> Routes {
    Routes::new().routes(routes!(socket))
}

/// Says nothing but that the socket lives.
const HEARTBEAT: &str = r#"{"vrsta":"otkucaj"}"#;

/// What the socket says of a change.
#[derive(Serialize)]
struct Hint<'a> {
    vrsta: &'a str,
    id: &'a str,
    seq: i64,
}

#[derive(Serialize, ToSchema)]
struct SocketTicket {
    ticket: String,
}

/// Opens one socket, once, within half a minute.
#[utoipa::path(post, path = "/api/socket-tickets", tag = "izvestaji", responses((status = 200, body = SocketTicket)))]
async fn ticket(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<SocketTicket>> {
    let (ticket, hash) = token::new_token();
    sqlx::query!("delete from socket_ticket where istice < now()").execute(&state.db).await?;
    sqlx::query!(
        "insert into socket_ticket (ticket_hash, radnik_id, session_hash) values ($1, $2, $3)",
        &hash.0[..],
        actor.radnik_id,
        &actor.session.0[..]
    )
    .execute(&state.db)
    .await?;
    Ok(Json(SocketTicket { ticket }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SocketQuery {
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    #[serde(default)]
    ticket: String,
}

/// Messages are `{"vrsta": "izvestaj" | "zakazivanje", "id", "seq"}`, of the worker's own runs and schedules, and about every ten seconds
/// `{"vrsta": "otkucaj"}`: a socket that is silent for longer is dead.
#[utoipa::path(
    get, path = "/api/izvestajiWebSocket", tag = "izvestaji", params(SocketQuery),
    responses((status = 101, description = "WebSocket"), (status = 401, description = "Karta ne važi"), (status = 429, description = "Previše otvorenih veza"))
)]
async fn socket(
    State(state): State<AppState>,
    Query(query): Query<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    let guest = redeem(&state, &query).await?.ok_or(Error::SessionExpired)?;
    let place = state.sockets.place(guest.radnik_id).ok_or_else(|| Error::too_many("Otvoreno je previše prozora sa izveštajima."))?;
    let upgrade = upgrade.map_err(|_| Error::malformed("Ova adresa prima samo WebSocket veze."))?;
    // From before the handshake is answered, so that nothing falls between it and the client's first read.
    let signals = state.hub.subscribe();
    Ok(upgrade.max_message_size(1_024).on_upgrade(move |socket| async move { guest.serve(socket, signals, state, place).await }))
}

/// Who opened the socket, and the session that it may not outlive.
struct Guest {
    radnik_id: i64,
    session: Vec<u8>,
}

/// Takes the ticket away, whatever becomes of the socket.
async fn redeem(state: &AppState, query: &SocketQuery) -> Result<Option<Guest>> {
    let TokenHash(hash) = token::hash_token(&query.ticket);
    let guest = sqlx::query_as!(
        Guest,
        r#"delete from socket_ticket where ticket_hash = $1 and istice > now() returning radnik_id, session_hash as "session""#,
        &hash[..]
    )
    .fetch_optional(&state.db)
    .await?;
    Ok(guest.filter(|guest| query.radnik_id.is_none_or(|id| id == guest.radnik_id)))
}

impl Guest {
    async fn serve(self, mut socket: WebSocket, mut signals: broadcast::Receiver<Signal>, state: AppState, _place: Place<i64>) {
        let session = state.sockets.session(&self.session);
        let is_signed_in = |since| session.get(since, LOOK_EVERY, || self.is_signed_in(&state));
        let mut beat = tokio::time::interval(BEAT_EVERY);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut unanswered = 0;
        loop {
            let sent = tokio::select! {
                signal = signals.recv() => match signal {
                    Ok(Signal::Event(event)) if event.radnik != self.radnik_id => continue,
                    Ok(Signal::Event(event)) if is_signed_in(event.at).await => send(&mut socket, hint(&event)).await,
                    Ok(Signal::Event(_)) => return close(&mut socket, SIGNED_OUT).await,
                    Ok(Signal::Gap) | Err(_) => return close(&mut socket, TRY_AGAIN).await,
                },
                message = socket.recv() => match message {
                    Some(Ok(Message::Pong(_))) => { unanswered = 0; true }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => false,
                    Some(Ok(_)) => true,
                },
                _ = beat.tick() => {
                    if !is_signed_in(Instant::now()).await {
                        return close(&mut socket, SIGNED_OUT).await;
                    }
                    unanswered += 1;
                    unanswered <= UNANSWERED
                        && send(&mut socket, Message::Ping(Default::default())).await
                        && send(&mut socket, Message::text(HEARTBEAT)).await
                }
            };
            if !sent {
                return;
            }
        }
    }

    /// Asked before events. It does not count as a use of the session: an open screen alone keeps nobody signed in.
    async fn is_signed_in(&self, state: &AppState) -> bool {
        let now = state.clock.now();
        let found = sqlx::query_scalar!(
            r#"select exists (select from session s join worker w on w.id = s.radnik_id and w.aktivan
                               where s.token_hash = $1 and s.istice > $2 and s.poslednji_pristup > idle_since($2)) as "live!""#,
            self.session,
            now.to_sqlx() as _,
        )
        .fetch_one(&state.db)
        .await;
        found.unwrap_or_else(|error| {
            tracing::warn!(cause = %error, "a socket's session could not be checked");
            false
        })
    }
}

fn hint(event: &Event) -> Message {
    let hint = Hint { vrsta: &event.vrsta, id: &event.id, seq: event.seq };
    Message::text(serde_json::to_string(&hint).expect("texts are plain JSON"))
}

/// False: the socket is gone, or so slow that it may as well be.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

async fn close(socket: &mut WebSocket, code: u16) {
    send(socket, Message::Close(Some(CloseFrame { code, reason: "".into() }))).await;
}
