//! One page's WebSocket: `{"id":1,"call":"home","args":{}}` from the page; `{"id":1,"ok":…}`, `{"id":1,"error":…}` and
//! `{"event":…}` to it.

use std::sync::Arc;

use app::api::commands::ENDS_WITH_PAGE;
use app::api::{ApiError, AppEvent, ErrorCode};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, watch};

use crate::limits::{CALLS_MAX, MESSAGE_BYTES_MAX, SEND_WAIT};
use crate::{Backend, Hall, closing_down, pages};

/// What the page asks for.
#[derive(Deserialize)]
struct Ask {
    id: u64,
    call: String,
    #[serde(default)]
    args: Value,
}

/// What it is told.
#[derive(Serialize)]
#[serde(untagged)]
enum Tell {
    Ok {
        id: u64,
        ok: Value,
    },
    /// Without an id where the message had none.
    Error {
        id: Option<u64>,
        error: ApiError,
    },
    Event {
        event: Box<AppEvent>,
    },
}

/// Why the socket is closed by us. The page comes back by itself and asks for its views anew, unless the door is closed.
struct Close(u16, &'static str);

const CLOSING: Close = Close(close_code::AWAY, "Capture Five has ended");
const BEHIND: Close = Close(close_code::AGAIN, "this page has missed something");
const TOO_LARGE: Close = Close(close_code::SIZE, "the message was too large");
const NO_TEXT: Close = Close(close_code::UNSUPPORTED, "only text messages are read");

pub(crate) async fn open<B: Backend>(
    State(hall): State<Arc<Hall<B>>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if let Err(refused) = hall.gate.socket(&headers) {
        return refused.into_response();
    }
    let Ok(upgrade) = upgrade else { return pages::plain(StatusCode::BAD_REQUEST, "This is not a WebSocket's start.") };
    let Ok(place) = Arc::clone(&hall.sockets).try_acquire_owned() else {
        return pages::plain(StatusCode::SERVICE_UNAVAILABLE, "Too many pages of this game are open: close one.");
    };
    // Before the page is told that it is connected: it misses nothing that happens after its first question.
    let events = hall.backend.events();
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    upgrade.on_upgrade(async move |socket| {
        carry(socket, hall.backend.clone(), events, hall.closing.clone()).await;
        drop(place);
    })
}

/// Until either side closes.
async fn carry<B: Backend>(
    socket: WebSocket,
    backend: B,
    mut events: broadcast::Receiver<AppEvent>,
    closing: watch::Receiver<bool>,
) {
    let (mut out, mut messages) = socket.split();
    let mut closing = std::pin::pin!(closing_down(closing));
    let (answers, mut answered) = mpsc::channel(CALLS_MAX);
    let mut calls = 0;
    loop {
        let sent = tokio::select! {
            () = &mut closing => Err(Some(CLOSING)),
            Some(tell) = answered.recv() => {
                calls -= 1;
                send(&mut out, &tell).await
            }
            event = events.recv() => match event {
                Ok(event) => send(&mut out, &Tell::Event { event: Box::new(event) }).await,
                Err(broadcast::error::RecvError::Lagged(_)) => Err(Some(BEHIND)),
                Err(broadcast::error::RecvError::Closed) => Err(Some(CLOSING)),
            },
            message = messages.next(), if calls < CALLS_MAX => match read(message) {
                Ok(Some(Ok(ask))) => {
                    calls += 1;
                    tokio::spawn(answer(backend.clone(), ask, answers.clone()));
                    Ok(())
                }
                Ok(Some(Err(error))) => send(&mut out, &error).await,
                Ok(None) => Ok(()),
                Err(close) => Err(close),
            },
        };
        if let Err(close) = sent {
            if let Some(Close(code, reason)) = close {
                let frame = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
                let _ = tokio::time::timeout(SEND_WAIT, out.send(frame)).await;
            }
            return;
        }
    }
}

/// What a message asks for, if anything; or an answer to one that cannot be read; or the end.
fn read(message: Option<Result<Message, axum::Error>>) -> Result<Option<Result<Ask, Tell>>, Option<Close>> {
    match message {
        Some(Ok(Message::Text(text))) => Ok(Some(serde_json::from_str(&text).map_err(|error| unread(&text, &error)))),
        Some(Ok(Message::Binary(_))) => Err(Some(NO_TEXT)),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Close(_))) | None => Err(None),
        // The link is gone, or the message was too long; the page is told in case it still listens.
        Some(Err(error)) => {
            tracing::debug!(%error, "a page's message could not be read");
            Err(Some(TOO_LARGE))
        }
    }
}

fn unread(text: &str, error: &serde_json::Error) -> Tell {
    let id = serde_json::from_str(text).ok().and_then(|message: Value| message.get("id")?.as_u64());
    let message = format!("the message is no {{\"id\":…,\"call\":…,\"args\":…}}: {error}");
    Tell::Error { id, error: ApiError::new(ErrorCode::BadCommand, message) }
}

/// Carries a command out to its end, also when the page goes away meanwhile, but for those that are of no use then.
async fn answer<B: Backend>(backend: B, ask: Ask, answers: mpsc::Sender<Tell>) {
    let call = backend.call(&ask.call, ask.args);
    let answered = if ENDS_WITH_PAGE.contains(&ask.call.as_str()) {
        tokio::select! {
            answered = call => answered,
            () = answers.closed() => return,
        }
    } else {
        call.await
    };
    let tell = match answered {
        Ok(ok) => Tell::Ok { id: ask.id, ok },
        Err(error) => Tell::Error { id: Some(ask.id), error },
    };
    let _ = answers.send(tell).await;
}

async fn send(out: &mut SplitSink<WebSocket, Message>, tell: &Tell) -> Result<(), Option<Close>> {
    let text = match serde_json::to_string(tell) {
        Ok(text) => text,
        Err(error) => {
            tracing::error!(%error, "a view cannot be written as JSON");
            return Err(Some(BEHIND));
        }
    };
    match tokio::time::timeout(SEND_WAIT, out.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(None),
    }
}
