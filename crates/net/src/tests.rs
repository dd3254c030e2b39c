//! Whole networks over loopback, and raw connections that do not keep to the rules.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use table::{DeviceId, TableId};
use tokio::sync::mpsc;

use crate::addresses::Networks;
use crate::invite::{Fingerprint, Invite, Place};
use crate::limits::{CONNECTIONS_MAX, MESSAGE_BYTES_MAX, OTHER_LINKS_MAX, PENDING_MAX};
use crate::wire::{self, Answer, Code, Opening, Version, Wants, frame};
use crate::{Announcement, AskError, Invitation, Net, NetConfig, NetEvent, Refused, endpoint, identity, tls, watch};

const TABLE: TableId = TableId([0x5a; 16]);
/// Far beyond anything that should take so long; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(30);
/// Long enough for what must not happen to happen, if it does.
const MOMENT: Duration = Duration::from_millis(700);

struct Peer {
    net: Net,
    events: mpsc::Receiver<NetEvent>,
}

impl Peer {
    async fn start(secret: u8) -> Peer {
        Peer::of_version(secret, 1).await
    }

    async fn of_version(secret: u8, version: u32) -> Peer {
        let program = format!("0.{version}.0");
        let config = NetConfig { secret: [secret; 32], port: Some(0), version, program };
        let (net, events) = Net::start(config).await.unwrap();
        Peer { net, events }
    }

    async fn at_table(secret: u8) -> Peer {
        let peer = Peer::start(secret).await;
        peer.net.follow(TABLE);
        peer
    }

    fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.net.port()).into()
    }

    fn dial(&self, other: &Peer) {
        self.net.dial(TABLE, Some(other.net.device()), vec![other.address()]);
    }

    /// The next event that concerns a link.
    async fn event(&mut self) -> NetEvent {
        let next = async {
            loop {
                match self.events.recv().await.expect("the network has ended") {
                    NetEvent::Listed(_)
                    | NetEvent::Unlisted { .. }
                    | NetEvent::Addresses(_)
                    | NetEvent::Woke { .. } => {}
                    event => return event,
                }
            }
        };
        tokio::time::timeout(PATIENCE, next).await.expect("nothing has happened")
    }

    async fn up(&mut self, peer: DeviceId) {
        let event = self.event().await;
        assert!(matches!(event, NetEvent::LinkUp { peer: other, .. } if other == peer), "{event:?}");
    }

    async fn down(&mut self, peer: DeviceId) {
        assert_eq!(self.event().await, NetEvent::LinkDown { table: TABLE, peer });
    }

    async fn message(&mut self, from: DeviceId) -> Vec<u8> {
        match self.event().await {
            NetEvent::Message { peer, bytes, .. } if peer == from => bytes,
            event => panic!("{event:?}"),
        }
    }

    async fn refused(&mut self) -> Refused {
        match self.event().await {
            NetEvent::Refused { why, .. } => why,
            event => panic!("{event:?}"),
        }
    }

    async fn nothing(&mut self) {
        if let Ok(event) = tokio::time::timeout(MOMENT, self.event()).await {
            panic!("{event:?}");
        }
    }
}

async fn linked(a: u8, b: u8) -> (Peer, Peer) {
    let (mut a, mut b) = (Peer::at_table(a).await, Peer::at_table(b).await);
    a.dial(&b);
    a.up(b.net.device()).await;
    b.up(a.net.device()).await;
    (a, b)
}

#[tokio::test]
async fn messages_arrive_whole_and_in_order() {
    let (mut a, mut b) = linked(1, 2).await;
    let sizes = [0, 1, 77, MESSAGE_BYTES_MAX];
    for round in 0..20u8 {
        for size in sizes {
            a.net.send(TABLE, b.net.device(), vec![round; size]);
            b.net.send(TABLE, a.net.device(), vec![round; size]);
        }
    }
    for round in 0..20u8 {
        for size in sizes {
            assert!(a.message(b.net.device()).await == vec![round; size]);
            assert!(b.message(a.net.device()).await == vec![round; size]);
        }
    }
    a.net.send(TABLE, b.net.device(), vec![0; MESSAGE_BYTES_MAX + 1]);
    a.net.send(TABLE, b.net.device(), b"after".to_vec());
    assert_eq!(b.message(a.net.device()).await, b"after");
}

#[tokio::test]
async fn both_may_dial_and_one_link_comes_of_it() {
    for round in 0..12 {
        let (mut a, mut b) = (Peer::at_table(1).await, Peer::at_table(2).await);
        a.dial(&b);
        if round % 3 == 1 {
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        b.dial(&a);
        b.net.dial(TABLE, None, vec![a.address()]);
        a.up(b.net.device()).await;
        b.up(a.net.device()).await;
        a.net.send(TABLE, b.net.device(), b"from a".to_vec());
        b.net.send(TABLE, a.net.device(), b"from b".to_vec());
        assert_eq!(b.message(a.net.device()).await, b"from a");
        assert_eq!(a.message(b.net.device()).await, b"from b");
        if round == 0 {
            a.nothing().await;
            b.nothing().await;
        }
    }
}

#[tokio::test]
async fn a_link_is_known_for_one_of_an_address_too() {
    let (mut a, mut b) = linked(1, 2).await;
    a.net.dial(TABLE, None, vec![b.address()]);
    b.net.dial(TABLE, None, vec![a.address()]);
    a.nothing().await;
    b.nothing().await;
    // Each has heard by now who is there, and rests.
    for peer in [&a, &b] {
        let plans = peer.net.shared().with(TABLE, |followed| {
            let targets: Vec<_> = followed.targets.keys().cloned().collect();
            targets.iter().map(|whom| followed.plan(whom, std::time::Instant::now())).collect::<Vec<_>>()
        });
        assert_eq!(plans, Some(vec![crate::links::Plan::Rest; 2]));
    }
}

#[tokio::test]
async fn another_version_is_refused_and_told_which() {
    let (mut a, mut b) = (Peer::of_version(1, 1).await, Peer::of_version(2, 2).await);
    a.net.follow(TABLE);
    b.net.follow(TABLE);
    a.dial(&b);
    assert_eq!(a.refused().await, Refused::Version { theirs: "0.2.0".into() });
    match b.event().await {
        NetEvent::OtherVersion { table: TABLE, theirs, .. } => assert_eq!(theirs, "0.1.0"),
        event => panic!("{event:?}"),
    }
    // Wanted again it dials again, and is refused again; the other side has been told.
    a.net.follow(TABLE);
    assert_eq!(a.refused().await, Refused::Version { theirs: "0.2.0".into() });
    a.nothing().await;
    b.nothing().await;
}

#[tokio::test]
async fn an_unknown_table_is_refused_until_it_is_opened() {
    let (mut a, mut b) = (Peer::at_table(1).await, Peer::start(2).await);
    a.dial(&b);
    assert_eq!(a.refused().await, Refused::NoSuchTable);
    b.net.follow(TABLE);
    a.up(b.net.device()).await;
    b.up(a.net.device()).await;
}

#[tokio::test]
async fn a_pinned_key_is_the_only_one_that_will_do() {
    let (mut a, mut b) = (Peer::at_table(1).await, Peer::at_table(2).await);
    let other = Peer::start(3).await.net.device();
    a.net.dial(TABLE, Some(other), vec![b.address()]);
    a.nothing().await;
    b.nothing().await;
    a.net.dial(TABLE, None, vec![b.address()]);
    a.up(b.net.device()).await;
}

#[tokio::test]
async fn a_device_does_not_link_to_itself() {
    let mut a = Peer::at_table(1).await;
    a.net.dial(TABLE, None, vec![a.address()]);
    a.net.dial(TABLE, Some(a.net.device()), vec![a.address()]);
    a.nothing().await;
}

#[tokio::test]
async fn what_was_sent_before_a_goodbye_arrives() {
    let (a, mut b) = linked(1, 2).await;
    for n in 0..100u8 {
        a.net.send(TABLE, b.net.device(), vec![n; 5000]);
    }
    a.net.shutdown().await;
    for n in 0..100u8 {
        assert_eq!(b.message(a.net.device()).await, vec![n; 5000]);
    }
    b.down(a.net.device()).await;
}

#[tokio::test]
async fn leaving_and_coming_back_is_one_end_and_one_beginning() {
    let (mut a, mut b) = linked(1, 2).await;
    a.net.unfollow(TABLE);
    b.down(a.net.device()).await;
    a.down(b.net.device()).await;
    a.net.follow(TABLE);
    a.dial(&b);
    a.up(b.net.device()).await;
    b.up(a.net.device()).await;
}

#[tokio::test]
async fn a_device_that_is_cut_off_stays_out() {
    let (mut a, mut b) = linked(1, 2).await;
    a.net.disconnect(TABLE, b.net.device(), "test");
    a.down(b.net.device()).await;
    b.down(a.net.device()).await;
    b.dial(&a);
    a.nothing().await;
    b.nothing().await;
}

/// A network in a runtime of its own, which can end as a killed process does: without a word.
fn mortal(secret: u8, dial: SocketAddr) -> (tokio::runtime::Runtime, DeviceId) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let device = runtime.block_on(async {
        let peer = Peer::at_table(secret).await;
        peer.net.dial(TABLE, None, vec![dial]);
        let device = peer.net.device();
        // It lives as long as the runtime.
        tokio::spawn(async move {
            let mut peer = peer;
            while peer.events.recv().await.is_some() {}
        });
        device
    });
    (runtime, device)
}

#[tokio::test]
async fn a_restarted_peer_takes_its_old_links_place() {
    for secret in [1, 3] {
        let mut a = Peer::at_table(2).await;
        let address = a.address();
        let (runtime, device) = tokio::task::spawn_blocking(move || mortal(secret, address)).await.unwrap();
        a.up(device).await;
        runtime.shutdown_background();
        let (runtime, _) = tokio::task::spawn_blocking(move || mortal(secret, address)).await.unwrap();
        a.down(device).await;
        a.up(device).await;
        runtime.shutdown_background();
    }
}

#[tokio::test]
async fn the_newer_process_of_a_device_wins() {
    for secret in [1, 3] {
        let (mut old, mut other) = linked(secret, 2).await;
        let mut new = Peer::at_table(secret).await;
        new.dial(&other);
        new.up(other.net.device()).await;
        other.down(new.net.device()).await;
        other.up(new.net.device()).await;
        assert_eq!(old.refused().await, Refused::Elsewhere);
        old.down(other.net.device()).await;
        // Asked again, it tries, and hears it again.
        old.net.follow(TABLE);
        assert_eq!(old.refused().await, Refused::Elsewhere);
        new.nothing().await;
    }
}

#[tokio::test]
async fn the_tasks_end_with_the_last_handle() {
    let (a, mut b) = linked(1, 2).await;
    let (net, device) = (a.net.clone(), a.net.device());
    drop(a.net);
    b.nothing().await;
    drop(net);
    b.down(device).await;
    let mut events = a.events;
    let ended = async { while events.recv().await.is_some() {} };
    tokio::time::timeout(PATIENCE, ended).await.expect("tasks go on");
}

#[tokio::test]
async fn a_peer_that_takes_nothing_loses_the_link_and_not_our_memory() {
    let (mut a, b) = linked(1, 2).await;
    // `b` takes no event from here on.
    for _ in 0..1000 {
        a.net.send(TABLE, b.net.device(), vec![0; MESSAGE_BYTES_MAX]);
    }
    a.down(b.net.device()).await;
}

#[tokio::test]
async fn a_port_in_use_is_an_error_and_the_preferred_one_is_not() {
    let a = Peer::start(1).await;
    let config = NetConfig { secret: [2; 32], port: Some(a.net.port()), version: 1, program: String::new() };
    let error = Net::start(config.clone()).await.unwrap_err();
    assert!(matches!(error, crate::NetError::PortInUse { port } if port == a.net.port()));
    let first = Net::start(NetConfig { port: None, ..config.clone() }).await.unwrap();
    let second = Net::start(NetConfig { port: None, ..config }).await.unwrap();
    assert_ne!(first.0.port(), second.0.port());
}

/// A device that speaks QUIC and nothing else by itself.
struct Raw {
    endpoint: quinn::Endpoint,
    client: quinn::ClientConfig,
}

impl Raw {
    fn new(secret: u8) -> Raw {
        let (client, server) = tls::configs(&identity::Identity::new(&[secret; 32]).unwrap()).unwrap();
        Raw { endpoint: endpoint::open(Some(0), &server).unwrap(), client }
    }

    async fn connect(&self, to: &Peer) -> quinn::Connection {
        let connecting = self.endpoint.connect_with(self.client.clone(), to.address(), "x").unwrap();
        connecting.await.unwrap()
    }

    async fn open(&self, to: &Peer, bytes: &[u8]) -> (quinn::Connection, quinn::SendStream, quinn::RecvStream) {
        let connection = self.connect(to).await;
        let (mut send, receive) = connection.open_bi().await.unwrap();
        send.write_all(bytes).await.unwrap();
        (connection, send, receive)
    }

    /// Opens properly and, if accepted, makes the link.
    async fn link(&self, to: &Peer) -> (Code, quinn::Connection, quinn::SendStream) {
        let own = Version { protocol: 1, program: "raw".into() };
        let opening = frame(&Opening { wants: Wants::Link(TABLE), session: [9; 16], lost: 0 }.write(&own));
        let (connection, mut send, mut receive) = self.open(to, &opening).await;
        let answer = wire::read_greeting(&mut receive).await.unwrap();
        let answer = Answer::read(&answer, 1).unwrap().1.unwrap();
        if answer.code == Code::Accepted && answer.link == 0 {
            send.write_all(&7u64.to_le_bytes()).await.unwrap();
        }
        (answer.code, connection, send)
    }
}

#[tokio::test]
async fn frames_that_are_too_long_or_cut_close_the_link() {
    for secret in [1, 3] {
        let mut a = Peer::at_table(2).await;
        let device = identity::Identity::new(&[secret; 32]).unwrap().device;
        let raw = Raw::new(secret);
        let too_long = (MESSAGE_BYTES_MAX as u32 + 1).to_le_bytes().to_vec();
        for bytes in [too_long, u32::MAX.to_le_bytes().to_vec(), frame(b"cut")[..6].to_vec()] {
            let (code, connection, mut send) = raw.link(&a).await;
            assert_eq!(code, Code::Accepted);
            a.up(device).await;
            send.write_all(&bytes).await.unwrap();
            send.finish().unwrap();
            a.down(device).await;
            connection.closed().await;
        }
    }
}

#[tokio::test]
async fn greetings_that_are_none_are_hung_up_on() {
    let mut a = Peer::at_table(2).await;
    let raw = Raw::new(1);
    for bytes in [frame(b"hello"), frame(b""), u32::MAX.to_le_bytes().to_vec(), frame(&[0; 200])] {
        let (connection, _send, _receive) = raw.open(&a, &bytes).await;
        connection.closed().await;
    }
    let raw = Raw::new(3);
    assert_eq!(raw.link(&a).await.0, Code::Accepted);
    a.up(identity::Identity::new(&[3; 32]).unwrap().device).await;
}

#[tokio::test]
async fn another_protocol_is_not_spoken_to() {
    let mut a = Peer::at_table(2).await;
    let (client, _) = tls::configs_for(&identity::Identity::new(&[9; 32]).unwrap(), b"h3").unwrap();
    let raw = Raw { client, ..Raw::new(9) };
    let refused = raw.endpoint.connect_with(raw.client.clone(), a.address(), "x").unwrap().await;
    assert!(matches!(refused, Err(quinn::ConnectionError::ConnectionClosed(_))), "{refused:?}");
    a.nothing().await;
}

#[tokio::test]
async fn a_full_table_still_takes_its_owners() {
    let a = Peer::at_table(200).await;
    let mut held = vec![];
    for secret in 0..OTHER_LINKS_MAX as u8 {
        let raw = Raw::new(secret);
        let (code, connection, send) = raw.link(&a).await;
        assert_eq!(code, Code::Accepted);
        held.push((raw, connection, send));
    }
    let mut late = Peer::at_table(100).await;
    late.dial(&a);
    assert_eq!(late.refused().await, Refused::Full);
    a.net.owners(TABLE, [late.net.device()]);
    late.up(a.net.device()).await;
}

#[tokio::test]
async fn a_flood_of_half_open_connections_and_noise_keeps_nobody_out() {
    let mut a = Peer::at_table(2).await;
    let noise = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut bytes: Vec<u8> = (0..1400u32).map(|n| (n * 31 % 251) as u8).collect();
    for n in 0..2000u32 {
        bytes[0] = n as u8;
        bytes[1..5].copy_from_slice(&(n % 3).to_be_bytes());
        noise.send_to(&bytes[..(n as usize * 7 % 1400)], a.address()).unwrap();
    }
    let raw = Raw::new(9);
    let mut held = vec![];
    for _ in 0..2 * PENDING_MAX {
        held.push(raw.endpoint.connect_with(raw.client.clone(), a.address(), "x").unwrap());
    }
    let half_open: Vec<_> = held.into_iter().map(|connecting| tokio::spawn(connecting)).collect();
    let mut b = Peer::at_table(1).await;
    b.dial(&a);
    b.up(a.net.device()).await;
    a.up(b.net.device()).await;
    drop(half_open);
}

/// Connections on which nothing follows the first packets: none of them holds memory beyond the bound, and an honest
/// device comes in all the while.
#[tokio::test]
async fn ten_thousand_half_open_connections_are_bounded() {
    const HOSTS: u8 = 100;
    const EACH: usize = 100;
    let mut a = Peer::at_table(2).await;
    let raw = Raw::new(9);
    let mut most = 0;
    for host in 0..HOSTS {
        let mut flood = quinn::Endpoint::client((Ipv4Addr::new(127, 0, 9, host + 1), 0).into()).unwrap();
        flood.set_default_client_config(raw.client.clone());
        // Its first packets leave; then it falls silent.
        let held: Vec<_> = (0..EACH).map(|_| flood.connect(a.address(), "x").unwrap()).collect();
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        most = most.max(a.net.shared().endpoint().unwrap().open_connections());
        drop(held);
        if host == HOSTS / 2 {
            let mut b = Peer::at_table(1).await;
            b.dial(&a);
            b.up(a.net.device()).await;
            a.up(b.net.device()).await;
        }
    }
    // Those that made way are still told so for a moment.
    assert!(most > PENDING_MAX, "only {most} connections at once: the flood did not arrive");
    assert!(most <= CONNECTIONS_MAX, "{most} connections at once");
}

/// Greetings that never end, a byte now and then, are cut off with their time.
#[tokio::test]
async fn a_greeting_that_never_ends_holds_no_place() {
    let mut a = Peer::at_table(2).await;
    let raw = Raw::new(9);
    let mut held = vec![];
    for _ in 0..PENDING_MAX {
        let mut bytes = 200u32.to_le_bytes().to_vec();
        bytes.push(b'c');
        held.push(raw.open(&a, &bytes).await);
    }
    let mut b = Peer::at_table(1).await;
    b.dial(&a);
    b.up(a.net.device()).await;
    a.up(b.net.device()).await;
    for (connection, _send, _receive) in held {
        tokio::time::timeout(PATIENCE, connection.closed()).await.expect("still open");
    }
    a.nothing().await;
}

fn hidden() -> Announcement {
    Announcement { table: TABLE, name: "Anna".into(), preset: "pente".into(), taken: 1, seats: 2, locked: false }
}

#[tokio::test]
async fn a_code_leads_to_the_table_of_the_device_that_it_is_of() {
    let (mut a, b) = (Peer::at_table(1).await, Peer::start(2).await);
    let place = Place::At(Ipv4Addr::LOCALHOST, a.net.port());
    let of = |device: DeviceId| Invite::Code { fingerprint: Fingerprint::of(&device), place };
    let code = of(a.net.device());
    assert_eq!(b.net.find(&code).await, Err(AskError::NoTable));
    a.net.invite_to(Some(hidden()));
    assert_eq!(b.net.find(&of(b.net.device())).await, Err(AskError::OtherDevice));
    assert_eq!(a.net.find(&code).await, Err(AskError::Own));
    // The address of whoever invited is this device's now.
    assert_eq!(a.net.find(&of(b.net.device())).await, Err(AskError::NoAnswer));
    let nowhere = Invite::Code { fingerprint: Fingerprint([0; 5]), place: Place::At(Ipv4Addr::LOCALHOST, 1) };
    assert_eq!(b.net.find(&nowhere).await, Err(AskError::NoAnswer));
    let invited = b.net.find(&code).await.unwrap();
    assert_eq!((invited.table, invited.device), (TABLE, a.net.device()));
    // As it was written and read again.
    assert_eq!(Invite::read(&code.write()), Ok(code));
    let mut b = b;
    b.net.follow(invited.table);
    b.net.dial(invited.table, Some(invited.device), invited.addresses);
    b.up(a.net.device()).await;
    a.up(b.net.device()).await;
    let other = Peer::of_version(3, 2).await;
    let place = Place::At(Ipv4Addr::LOCALHOST, other.net.port());
    let code = Invite::Code { fingerprint: Fingerprint::of(&other.net.device()), place };
    assert_eq!(b.net.find(&code).await, Err(AskError::Version { theirs: "0.2.0".into() }));
}

#[tokio::test]
async fn an_invite_names_this_device_and_the_table() {
    let a = Peer::at_table(1).await;
    let invitation =
        |networks: &[(&str, u8, bool)]| Invitation::new(&Networks::of(networks), a.net.port(), a.net.device(), TABLE);
    let home = [("127.0.0.1", 8, false), ("192.168.4.7", 24, false)];
    let Some(Invitation { link, code: Some(code) }) = invitation(&home) else { panic!("no invite") };
    let link = Invite::read(&link).unwrap();
    let Invite::Link { table, device, addresses } = link.clone() else { panic!("{link:?}") };
    assert_eq!((table, device), (TABLE, a.net.device()));
    assert_eq!(addresses, [SocketAddr::from(([192, 168, 4, 7], a.net.port()))]);
    assert_eq!(a.net.find(&link).await, Err(AskError::Own));
    let code = Invite::read(&code).unwrap();
    assert!(code.is_by(&a.net.device()));
    // Without a network an invite would lead whoever reads it to themselves.
    assert_eq!(invitation(&home[..1]), None);
    assert_eq!(invitation(&[]), None);
}

/// Two networks, of which the first has a clock that a test can let sleep.
async fn with_a_clock() -> (Peer, Arc<AtomicU64>, Peer) {
    let ahead = Arc::new(AtomicU64::new(0));
    let clock = ahead.clone();
    let clocks = move || {
        let (mono, all) = watch::clocks();
        (mono, all + Duration::from_secs(clock.load(Ordering::Relaxed)))
    };
    let config = NetConfig { secret: [1; 32], port: Some(0), version: 1, program: String::new() };
    let (net, events) = Net::start_by(config, Box::new(clocks)).await.unwrap();
    let mut a = Peer { net, events };
    a.net.follow(TABLE);
    let mut b = Peer::at_table(2).await;
    a.dial(&b);
    a.up(b.net.device()).await;
    b.up(a.net.device()).await;
    (a, ahead, b)
}

#[tokio::test]
async fn a_device_that_slept_has_new_links_over_a_new_socket_at_the_same_port() {
    let (mut a, ahead, mut b) = with_a_clock().await;
    let port = a.net.port();
    for sleeps in 1..=2 {
        ahead.store(sleeps * 3600, Ordering::Relaxed);
        let woke = async {
            loop {
                if let NetEvent::Woke { uncounted } = a.events.recv().await.expect("the network has ended") {
                    return uncounted;
                }
            }
        };
        let uncounted = tokio::time::timeout(PATIENCE, woke).await.expect("it did not wake");
        assert!(uncounted > Duration::from_secs(3500), "{uncounted:?}");
        a.down(b.net.device()).await;
        b.down(a.net.device()).await;
        a.up(b.net.device()).await;
        b.up(a.net.device()).await;
        assert_eq!(a.net.port(), port);
        a.net.send(TABLE, b.net.device(), b"awake".to_vec());
        assert_eq!(b.message(a.net.device()).await, b"awake");
        // Somebody new is let in, too.
        let mut c = Peer::at_table(3).await;
        c.dial(&a);
        c.up(a.net.device()).await;
        a.up(c.net.device()).await;
        c.net.shutdown().await;
        a.down(c.net.device()).await;
    }
}
