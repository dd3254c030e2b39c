//! Who is let in, and what goes over the link, with something in the app's place.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::api::{ApiError, AppEvent, ErrorCode};
use door::{Backend, Door, DoorError, MESSAGE_BYTES_MAX};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, broadcast};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Answers `echo` with its arguments, `wait` and `analyse` when it is let; anything else is unknown.
#[derive(Clone)]
struct Fake {
    events: broadcast::Sender<AppEvent>,
    go_on: Arc<Notify>,
    finished: Arc<AtomicUsize>,
    /// Calls that ended before they were answered.
    broken_off: Arc<AtomicUsize>,
}

/// Counts a call that is not carried out to its end.
struct OnItsWay(Arc<AtomicUsize>);

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Fake {
    fn new() -> Fake {
        Fake {
            events: broadcast::channel(4).0,
            go_on: Arc::default(),
            finished: Arc::default(),
            broken_off: Arc::default(),
        }
    }

    fn tell(&self, table: &str) {
        let _ = self.events.send(AppEvent::Closed { table: table.to_owned(), error: None });
    }
}

impl Backend for Fake {
    async fn call(&self, name: &str, args: Value) -> Result<Value, ApiError> {
        let answer = match name {
            "echo" => Ok(args),
            "wait" | "analyse" => {
                let on_its_way = OnItsWay(Arc::clone(&self.broken_off));
                self.go_on.notified().await;
                std::mem::forget(on_its_way);
                Ok(Value::Null)
            }
            _ => Err(ApiError::new(ErrorCode::BadCommand, "no such command").with("command", name)),
        };
        self.finished.fetch_add(1, Ordering::SeqCst);
        answer
    }

    fn events(&self) -> broadcast::Receiver<AppEvent> {
        self.events.subscribe()
    }
}

async fn open() -> (Door, Fake) {
    let fake = Fake::new();
    (door::serve(fake.clone(), "127.0.0.1:0".parse().unwrap()).await.unwrap(), fake)
}

/// A request with exactly these headers; the status and everything after it.
async fn ask(door: &Door, method: &str, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut stream = TcpStream::connect(door.address()).await.unwrap();
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
    stream.write_all(format!("{text}\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
}

async fn get(door: &Door, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let host = door.address().to_string();
    ask(door, "GET", path, &[&[("Host", host.as_str())], headers].concat()).await
}

fn first_page(door: &Door) -> String {
    let url = door.url();
    url[url.rfind('/').unwrap()..].to_owned()
}

/// The built UI need not be there for these tests.
fn is_page(status: u16) -> bool {
    matches!(status, 200 | 503)
}

/// Opens the page as a browser does, and gives its cookie.
async fn enter(door: &Door) -> String {
    let (status, answer) = get(door, &first_page(door), &[]).await;
    assert!(is_page(status), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    // Without an age the browser would forget it when it is closed, and the token lets nobody in a second time.
    let age = format!("; Max-Age={}", door::KNOWN_FOR.as_secs());
    for attribute in ["; Path=/", "; HttpOnly", "; SameSite=Strict", &age] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    cookie.split(';').next().unwrap().to_owned()
}

/// `None` leaves a header out.
async fn connect(door: &Door, host: &str, origin: Option<&str>, cookie: Option<&str>) -> Result<Socket, u16> {
    let mut request = format!("ws://{}/ws?token=", door.address()).into_client_request().unwrap();
    request.headers_mut().insert("host", host.parse().unwrap());
    for (name, value) in [("origin", origin), ("cookie", cookie)] {
        if let Some(value) = value {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

async fn page(door: &Door) -> Socket {
    let cookie = enter(door).await;
    again(door, &cookie).await.unwrap()
}

async fn again(door: &Door, cookie: &str) -> Result<Socket, u16> {
    let host = door.address().to_string();
    connect(door, &host, Some(&format!("http://{host}")), Some(cookie)).await
}

async fn say(socket: &mut Socket, message: &str) {
    socket.send(Message::text(message)).await.unwrap();
}

/// The next message; `None` once the socket is closed, with the code before that.
async fn hear(socket: &mut Socket) -> Result<Value, Option<u16>> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
            Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(None),
        }
    }
}

#[tokio::test]
async fn the_token_lets_in_one_browser() {
    let (door, _) = open().await;
    for path in ["/", "/?token=", "/?token=0123456789abcdef0123456789abcdef"] {
        let (status, answer) = get(&door, path, &[]).await;
        assert_eq!(status, 403, "{path}");
        assert!(answer.contains("open the whole address that Capture Five printed"), "{answer}");
    }
    // A look whether it is there costs nothing.
    let host = door.address().to_string();
    assert_eq!(ask(&door, "HEAD", &first_page(&door), &[("Host", &host)]).await.0, 405);
    let cookie = enter(&door).await;
    assert_eq!(get(&door, &first_page(&door), &[]).await.0, 403, "a second browser");
    for path in [&first_page(&door), "/"] {
        let (status, answer) = get(&door, path, &[("Cookie", &format!("other=1; {cookie}"))]).await;
        assert!(is_page(status), "the first one comes back: {answer}");
    }
    let wrong = format!("{}=0123456789abcdef0123456789abcdef", cookie.split('=').next().unwrap());
    assert_eq!(get(&door, "/", &[("Cookie", &wrong)]).await.0, 403);
}

#[tokio::test]
async fn only_our_own_name_is_answered() {
    let (door, _) = open().await;
    let port = door.address().port();
    for host in ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example", ""] {
        for path in ["/", &first_page(&door), "/icon.svg"] {
            assert_eq!(ask(&door, "GET", path, &[("Host", host)]).await.0, 403, "{host:?} {path}");
        }
    }
    let evil = format!("evil.example:{port}");
    assert_eq!(ask(&door, "GET", &first_page(&door), &[("Host", &evil)]).await.0, 403);
    let name = format!("localhost:{port}");
    let (status, answer) = ask(&door, "GET", &first_page(&door), &[("Host", &name)]).await;
    assert!(is_page(status) && answer.contains(&format!("connect-src 'self' ws://localhost:{port};")), "{answer}");
}

#[tokio::test]
async fn the_socket_is_for_the_games_own_page() {
    let (door, _) = open().await;
    let cookie = enter(&door).await;
    let host = door.address().to_string();
    let (ours, port) = (format!("http://{host}"), door.address().port());
    let evil = format!("evil.example:{port}");
    for (host, origin, cookie) in [
        (&host, Some("http://evil.example"), Some(&cookie)),
        (&host, Some(format!("http://localhost:{port}").as_str()), Some(&cookie)),
        (&host, Some(format!("https://{host}").as_str()), Some(&cookie)),
        (&host, Some("null"), Some(&cookie)),
        (&host, None, Some(&cookie)),
        (&evil, Some(format!("http://{evil}").as_str()), Some(&cookie)),
        (&host, Some(ours.as_str()), None),
        (&host, Some(ours.as_str()), Some(&"capture-five=1".to_owned())),
    ] {
        let refused = connect(&door, host, origin, cookie.map(String::as_str)).await.unwrap_err();
        assert_eq!(refused, 403, "{host} {origin:?} {cookie:?}");
    }
    again(&door, &cookie).await.unwrap();
}

#[tokio::test]
async fn a_token_alone_opens_no_socket() {
    let (door, _) = open().await;
    let host = door.address().to_string();
    let mut request = format!("ws://{host}/ws{}", &first_page(&door)[1..]).into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{host}").parse().unwrap());
    assert!(matches!(connect_async(request).await, Err(Error::Http(answer)) if answer.status() == 403));
}

#[tokio::test]
async fn answers_have_the_headers_that_keep_the_page_in() {
    let (door, _) = open().await;
    let (_, answer) = get(&door, &first_page(&door), &[]).await;
    let head = answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    for header in [
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "content-security-policy: default-src 'self';",
        "frame-ancestors 'none'",
    ] {
        assert!(head.contains(header), "{header} in {head}");
    }
    for path in ["/index.html", "/assets/none.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        assert_eq!(get(&door, path, &[]).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn calls_are_answered_and_events_told() {
    let (door, fake) = open().await;
    let mut socket = page(&door).await;
    let args = json!({"table": "0123", "take": [["H8"]], "名": "陳"});
    say(&mut socket, &json!({"id": 1, "call": "echo", "args": args}).to_string()).await;
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 1, "ok": args}));
    say(&mut socket, r#"{"id":2,"call":"echo"}"#).await;
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 2, "ok": null}));
    say(&mut socket, r#"{"id":3,"call":"fly","args":{}}"#).await;
    let error = json!({"code": "bad-command", "args": {"command": "fly"}, "message": "no such command"});
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 3, "error": error}));
    fake.tell("abc");
    let event = json!({"event": {"type": "closed", "table": "abc", "error": null}});
    assert_eq!(hear(&mut socket).await.unwrap(), event);
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_answered() {
    let (door, _) = open().await;
    let mut socket = page(&door).await;
    for (message, id) in [
        ("", Value::Null),
        ("[]", Value::Null),
        (r#"{"call":"echo","args":{}}"#, Value::Null),
        (r#"{"id":-1,"call":"echo","args":{}}"#, Value::Null),
        (r#"{"id":7,"args":{}}"#, json!(7)),
        (r#"{"id":8,"call":5}"#, json!(8)),
    ] {
        say(&mut socket, message).await;
        let answer = hear(&mut socket).await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!("bad-command")), "{message}");
    }
    say(&mut socket, r#"{"id":9,"call":"echo","args":1}"#).await;
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 9, "ok": 1}));
}

#[tokio::test]
async fn a_message_has_a_bound() {
    let (door, _) = open().await;
    let cookie = enter(&door).await;
    let message = |bytes: usize| {
        let empty = json!({"id": 1, "call": "echo", "args": ""}).to_string().len();
        json!({"id": 1, "call": "echo", "args": "x".repeat(bytes - empty)}).to_string()
    };
    let mut socket = again(&door, &cookie).await.unwrap();
    say(&mut socket, &message(MESSAGE_BYTES_MAX)).await;
    assert_eq!(hear(&mut socket).await.unwrap()["id"], 1);
    let _ = socket.send(Message::text(message(MESSAGE_BYTES_MAX + 1))).await;
    hear(&mut socket).await.unwrap_err();
    let mut socket = again(&door, &cookie).await.unwrap();
    socket.send(Message::binary(vec![1])).await.unwrap();
    assert_eq!(hear(&mut socket).await.unwrap_err(), Some(1003));
    again(&door, &cookie).await.unwrap();
}

#[tokio::test]
async fn a_slow_command_holds_up_no_other_and_is_carried_out_without_the_page() {
    let (door, fake) = open().await;
    let mut socket = page(&door).await;
    say(&mut socket, r#"{"id":1,"call":"wait"}"#).await;
    say(&mut socket, r#"{"id":2,"call":"echo","args":2}"#).await;
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 2, "ok": 2}));
    drop(socket);
    while fake.finished.load(Ordering::SeqCst) < 2 {
        fake.go_on.notify_waiters();
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_search_ends_with_the_page_that_asked_for_it() {
    let (door, fake) = open().await;
    let mut socket = page(&door).await;
    say(&mut socket, r#"{"id":1,"call":"analyse"}"#).await;
    say(&mut socket, r#"{"id":2,"call":"wait"}"#).await;
    say(&mut socket, r#"{"id":3,"call":"echo","args":3}"#).await;
    assert_eq!(hear(&mut socket).await.unwrap(), json!({"id": 3, "ok": 3}));
    drop(socket);
    while fake.broken_off.load(Ordering::SeqCst) < 1 {
        tokio::task::yield_now().await;
    }
    // All else is carried out to its end.
    while fake.finished.load(Ordering::SeqCst) < 2 {
        fake.go_on.notify_waiters();
        tokio::task::yield_now().await;
    }
    assert_eq!(fake.broken_off.load(Ordering::SeqCst), 1);
}

/// Events are told while calls wait; too many calls at a time wait their turn.
#[tokio::test]
async fn calls_on_their_way_have_a_bound() {
    let (door, fake) = open().await;
    let mut socket = page(&door).await;
    for id in 0..=door::CALLS_MAX {
        say(&mut socket, &json!({"id": id, "call": "wait"}).to_string()).await;
    }
    fake.tell("abc");
    assert_eq!(hear(&mut socket).await.unwrap()["event"]["table"], "abc");
    let go_on = tokio::spawn({
        let go_on = fake.go_on.clone();
        async move {
            loop {
                go_on.notify_waiters();
                tokio::task::yield_now().await;
            }
        }
    });
    let mut ids = Vec::new();
    for _ in 0..=door::CALLS_MAX {
        ids.push(hear(&mut socket).await.unwrap()["id"].as_u64().unwrap() as usize);
    }
    go_on.abort();
    ids.sort_unstable();
    assert_eq!(ids, (0..=door::CALLS_MAX).collect::<Vec<_>>());
}

/// The page has missed something and asks anew: the door sends it away to come back.
#[tokio::test]
async fn a_page_that_is_behind_is_closed() {
    let (door, fake) = open().await;
    let cookie = enter(&door).await;
    let mut socket = again(&door, &cookie).await.unwrap();
    // Nothing is awaited in between, so that the door, on the same thread, cannot take any.
    (0..20).for_each(|n| fake.tell(&n.to_string()));
    assert_eq!(hear(&mut socket).await.unwrap_err(), Some(1013));
    again(&door, &cookie).await.unwrap();
}

#[tokio::test]
async fn pages_have_a_bound() {
    let (door, _) = open().await;
    let cookie = enter(&door).await;
    let mut sockets = Vec::new();
    for _ in 0..door::SOCKETS_MAX {
        sockets.push(again(&door, &cookie).await.unwrap());
    }
    assert_eq!(again(&door, &cookie).await.unwrap_err(), 503);
    sockets.pop();
    while again(&door, &cookie).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn closing_tells_the_pages() {
    let (door, _) = open().await;
    let mut socket = page(&door).await;
    let (heard, ()) = tokio::join!(hear(&mut socket), door.shutdown());
    assert_eq!(heard.unwrap_err(), Some(1001));
    door.closed().await;
    assert!(TcpStream::connect(door.address()).await.is_err());
}

#[tokio::test]
async fn a_dropped_door_closes() {
    let (door, _) = open().await;
    let mut socket = page(&door).await;
    drop(door);
    assert_eq!(hear(&mut socket).await.unwrap_err(), Some(1001));
}

#[tokio::test]
async fn a_port_in_use_and_an_open_address_are_refused() {
    let (door, fake) = open().await;
    let error = door::serve(fake.clone(), door.address()).await.unwrap_err();
    assert!(matches!(error, DoorError::PortInUse(address) if address == door.address()));
    assert!(error.to_string().contains("choose another with --listen 127.0.0.1:PORT"), "{error}");
    for address in ["0.0.0.0:0", "192.168.1.2:40515", "[::]:0"] {
        let address: SocketAddr = address.parse().unwrap();
        let error = door::serve(fake.clone(), address).await.unwrap_err();
        assert!(matches!(error, DoorError::NotLoopback(told) if told == address), "{error}");
    }
}
