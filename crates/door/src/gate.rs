//! Who is let in: the address' token makes one browser the door's own, which a cookie then knows again.

use std::net::SocketAddr;
use std::sync::Mutex;

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};

use crate::DoorError;
use crate::limits::KNOWN_FOR;

/// Bytes of chance in the token and in the session's secret.
const SECRET_BYTES: usize = 16;

#[derive(Debug)]
pub(crate) struct Gate {
    /// `Host` as our own pages send it.
    hosts: Vec<String>,
    cookie: String,
    session: String,
    /// Not used yet.
    token: Mutex<Option<String>>,
}

/// Why somebody is not let in. The text is the answer's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("This address is not the game's own: open exactly the address that Capture Five printed.")]
    Host,
    #[error("Another page asked for this: only the game's own page may.")]
    Origin,
    #[error(
        "This page needs its token: open the whole address that Capture Five printed. It lets in one browser; \
         for another one start Capture Five again."
    )]
    Token,
}

/// How a page was let in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Let {
    /// The browser is known.
    In,
    /// It is from now on, by this `Set-Cookie`.
    First(HeaderValue),
}

impl Gate {
    /// With the token that opens it once.
    pub fn new(address: SocketAddr) -> Result<(Gate, String), DoorError> {
        let port = address.port();
        let mut hosts = vec![address.to_string(), format!("localhost:{port}")];
        if port == 80 {
            let bare: Vec<_> = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_owned)).collect();
            hosts.extend(bare);
        }
        let token = secret()?;
        // Cookies do not tell ports apart; two doors on one machine shall not shut each other.
        let cookie = format!("capture-five-{port}");
        Ok((Gate { hosts, cookie, session: secret()?, token: Mutex::new(Some(token.clone())) }, token))
    }

    /// Whether the browser means us. A page elsewhere can point its own name at this machine (DNS rebinding); the browser
    /// then sends that name. Gives the host as it was sent.
    pub fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Refused> {
        let host = text(headers.get(HOST)).ok_or(Refused::Host)?;
        self.hosts.iter().any(|ours| ours == host).then_some(host).ok_or(Refused::Host)
    }

    /// For the page itself.
    pub fn page(&self, headers: &HeaderMap, token: Option<&str>) -> Result<Let, Refused> {
        if self.known(headers) {
            return Ok(Let::In);
        }
        let mut unused = self.token.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !unused.as_deref().zip(token).is_some_and(|(unused, token)| same(unused, token)) {
            return Err(Refused::Token);
        }
        *unused = None;
        // With an age it outlives the browser's end: the token is used up, and a browser that came back without the cookie
        // would be shut out for as long as the door is open.
        let age = KNOWN_FOR.as_secs();
        let cookie = format!("{}={}; Max-Age={age}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.session);
        HeaderValue::from_str(&cookie).map(Let::First).map_err(|_| Refused::Token)
    }

    /// For the WebSocket: any page can open one, so the browser's word on which page it is counts as well as the cookie.
    pub fn socket(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let host = self.host(headers)?;
        let origin = text(headers.get(ORIGIN)).and_then(|origin| origin.strip_prefix("http://"));
        if origin != Some(host) {
            return Err(Refused::Origin);
        }
        if self.known(headers) { Ok(()) } else { Err(Refused::Token) }
    }

    fn known(&self, headers: &HeaderMap) -> bool {
        let mut cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        cookies.any(|cookies| {
            let mut pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
            pairs.any(|(name, value)| name == self.cookie && same(value, &self.session))
        })
    }
}

fn text(value: Option<&HeaderValue>) -> Option<&str> {
    value?.to_str().ok()
}

/// Takes as long whatever differs.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

fn secret() -> Result<String, DoorError> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| DoorError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
