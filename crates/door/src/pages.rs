//! The UI's files, with headers that let the page load nothing from elsewhere.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::gate::{Let, Refused};
use crate::{Backend, Hall};

/// The UI as `npm run build` makes it: in a release build part of the program, in a debug build read from the folder.
#[derive(rust_embed::Embed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Files;

const INDEX: &str = "index.html";
/// Files here have their content's hash in their name.
const HASHED: &str = "assets/";

const NO_STORE: &str = "no-store";
const ASK_AGAIN: &str = "no-cache";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Capture Five</title>\
    <p>The pages of Capture Five are not part of this program: they were not built when it was. Run \
    <code>cargo xtask play --browser</code>, or <code>npm ci &amp;&amp; npm run build</code> in <code>ui</code>, and build \
    the program again.</p></html>\n";

/// The page itself, for the browser that has the token or is known.
pub(crate) async fn index<B: Backend>(
    State(hall): State<Arc<Hall<B>>>,
    method: Method,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    // A program that only looks whether the page is there shall not use up the token.
    if method == Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "");
    }
    let token = query.get("token").map(String::as_str);
    let host = match hall.gate.host(&headers) {
        Ok(host) => host,
        Err(refused) => return refused.into_response(),
    };
    let cookie = match hall.gate.page(&headers, token) {
        Ok(Let::First(cookie)) => Some(cookie),
        Ok(Let::In) => None,
        Err(refused) => return refused.into_response(),
    };
    let page = match Files::get(INDEX) {
        Some(file) => answer(StatusCode::OK, "text/html; charset=utf-8", NO_STORE, file.data.into_owned()),
        None => answer(StatusCode::SERVICE_UNAVAILABLE, "text/html; charset=utf-8", NO_STORE, NOT_BUILT.into()),
    };
    let mut page = with_policy(page, host);
    if let Some(cookie) = cookie {
        page.headers_mut().insert(SET_COOKIE, cookie);
    }
    page
}

/// One of its files. They hold no secret, so any page that has our name right may have them.
pub(crate) async fn file<B: Backend>(
    State(hall): State<Arc<Hall<B>>>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Response {
    let host = match hall.gate.host(&headers) {
        Ok(host) => host,
        Err(refused) => return refused.into_response(),
    };
    match Files::get(&path).filter(|_| path != INDEX) {
        Some(file) => {
            let cache = if path.starts_with(HASHED) { FOR_EVER } else { ASK_AGAIN };
            let answer = answer(StatusCode::OK, file.metadata.mimetype(), cache, file.data.into_owned());
            with_policy(answer, host)
        }
        None => plain(StatusCode::NOT_FOUND, "There is no such page."),
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        plain(StatusCode::FORBIDDEN, &self.to_string())
    }
}

/// A sentence as an answer.
pub(crate) fn plain(status: StatusCode, sentence: &str) -> Response {
    answer(status, "text/plain; charset=utf-8", NO_STORE, format!("{sentence}\n").into())
}

fn answer(status: StatusCode, kind: &str, cache: &'static str, body: Vec<u8>) -> Response {
    let mut answer = (status, body).into_response();
    let kind = HeaderValue::from_str(kind).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, kind);
    for (name, value) in [
        (CACHE_CONTROL, cache),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// The same policy as in the window (tauri.conf.json), with the door's own WebSocket. Svelte's transitions write styles.
fn with_policy(mut answer: Response, host: &str) -> Response {
    let policy = format!(
        "default-src 'self'; connect-src 'self' ws://{host}; img-src 'self' data: blob:; \
         style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    answer
}
