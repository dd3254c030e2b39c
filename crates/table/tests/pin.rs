//! A table with a PIN: who is let in, who is not, and how often one may guess (PROTOCOL.md, section 4).

mod sim;

use std::net::IpAddr;

use rules::Preset;
use sim::person::rules_for;
use sim::port::Cheap;
use sim::{CALM, World, setup};
use table::limits::SPECTATORS_MAX;
use table::message::Message;
use table::{Command, DeviceId, Hash, Input, Output, Port, SeatSetup, Setup, Table};

const PIN: &str = "2580";

fn locked_setup() -> Setup {
    let rules = rules_for(Preset::Gomoku, 2, false);
    Setup { pin: Some(PIN.to_owned()), ..setup(rules, vec![SeatSetup::Open; 2]) }
}

fn locked_world(devices: usize) -> World {
    let mut world = World::new(7, CALM, locked_setup(), devices);
    world.keep_sent = true;
    world
}

fn enter(world: &mut World, device: usize, pin: &str) {
    world.command(device, Command::Pin(pin.to_owned())).expect("a PIN can be given at any time");
}

fn knows(world: &World, device: usize) -> bool {
    world.table(device).state().is_some()
}

/// What went from one device to another since `from`.
fn sent(world: &World, by: usize, to: usize) -> Vec<Message> {
    let messages = world.sent.iter().filter(|(from, other, _)| (*from, *other) == (by, to));
    messages.filter_map(|(_, _, bytes)| Message::from_bytes(bytes)).collect()
}

#[test]
fn without_the_pin_nothing_is_served_and_nothing_is_taken() {
    let mut world = locked_world(2);
    world.run_for(10_000);
    assert!(world.table(0).state().is_some_and(table::State::is_locked));
    assert!(!knows(&world, 1));
    assert_eq!(world.devices[1].locked, [(false, 0)]);
    let told = sent(&world, 0, 1);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(matches!(told[0], Message::Locked { wrong: false, wait_ms: 0, .. }), "{told:?}");
    // Whatever it says is not heard: the opener does not even know that it is there.
    assert!(sent(&world, 1, 0).len() > 5);
    assert_eq!(world.command(1, Command::Sit { seat: None, name: "B".into() }), Err(table::CommandError::NotReady));
    enter(&mut world, 1, PIN);
    assert!(world.run_until_holds(1_000, |world| knows(world, 1)));
    world.command(1, Command::Sit { seat: None, name: "B".into() }).expect("a seat is free");
    assert!(world.run_until_holds(1_000, |world| world.table(1).my_seat() == Some(1)));
}

#[test]
fn a_pin_that_was_given_in_advance_is_given_to_whoever_asks() {
    let mut world = locked_world(4);
    (1..4).for_each(|device| enter(&mut world, device, " 2580 "));
    assert!(world.run_until_holds(3_000, |world| (1..4).all(|device| knows(world, device))));
    world.run_for(2_000);
    // Also the joiners to each other, once they hold what is to be served.
    for device in 1..4 {
        assert_eq!(world.devices[device].locked, []);
        let others = (0..4).filter(|&other| other != device);
        let heard = others.filter(|&other| sent(&world, other, device).iter().any(|m| matches!(m, Message::Letter(_))));
        assert_eq!(heard.count(), 3, "device {device}");
    }
}

#[test]
fn guesses_are_few_and_the_right_pin_waits_its_turn() {
    let mut world = locked_world(2);
    world.run_for(500);
    for guess in 0..5 {
        enter(&mut world, 1, &format!("000{guess}"));
        world.run_for(300);
    }
    let told = &world.devices[1].locked[1..];
    assert_eq!(told[..4], [(true, 0); 4]);
    assert!(told[4].0 && told[4].1 > 50_000, "{told:?}");
    enter(&mut world, 1, PIN);
    world.run_for(50_000);
    assert!(!knows(&world, 1));
    assert!(world.run_until_holds(15_000, |world| knows(world, 1)));
}

#[test]
fn a_wrong_pin_is_not_tried_again_by_itself() {
    let mut world = locked_world(2);
    enter(&mut world, 1, "1111");
    world.run_for(100_000);
    let tried = sent(&world, 1, 0).iter().filter(|message| matches!(message, Message::Enter { .. })).count();
    assert_eq!((tried, &world.devices[1].locked[..]), (1, &[(true, 0)][..]));
}

#[test]
fn whoever_gives_no_pin_is_sent_away_after_a_while() {
    let mut world = locked_world(2);
    world.run_for(119_000);
    assert!(world.devices[0].disconnects.is_empty());
    world.run_for(2_000);
    assert_eq!(world.devices[0].disconnects.len(), 1);
}

#[test]
fn an_owner_is_never_asked() {
    let mut world = locked_world(2);
    enter(&mut world, 1, PIN);
    world.run_for(1_000);
    world.command(1, Command::Sit { seat: None, name: "B".into() }).expect("a seat is free");
    world.run_for(1_000);
    world.sent.clear();
    // The process that knew the PIN is gone, and so is the opener's, which had let it in.
    for device in [1, 0] {
        world.kill(device, usize::MAX);
        world.run_for(1_000);
        world.restart(device);
        world.run_for(10_000);
    }
    assert_eq!(world.devices[1].locked, []);
    assert!((0..2).all(|device| sent(&world, device, 1 - device).iter().all(|m| !matches!(m, Message::Locked { .. }))));
    let here =
        |device: usize| world.table(device).state().is_some_and(|state| state.seats.iter().all(|seat| seat.here));
    assert!(here(0) && here(1));
}

/// A device by itself, whose links a test makes.
struct Alone {
    table: Table,
    sent: Vec<(DeviceId, Message)>,
    refused: Vec<DeviceId>,
    now: u64,
}

impl Alone {
    fn open(setup: Setup) -> Alone {
        let table = Table::open(Box::new(Cheap::new(0)), [3; 32], setup, 0);
        let mut alone = Alone { table, sent: vec![], refused: vec![], now: 0 };
        alone.settle();
        alone
    }

    fn pin(&self) -> Hash {
        self.table.state().expect("the log is there").pin_hash(&Cheap::new(0), PIN)
    }

    fn settle(&mut self) {
        while let Some(output) = self.table.poll() {
            match output {
                Output::Write { ticket, .. } => self.table.handle(Input::Written { ticket }, self.now),
                Output::Send { to, bytes } => {
                    self.sent.push((to, Message::from_bytes(&bytes).expect("a message")));
                }
                Output::Disconnect { peer, .. } => self.refused.push(peer),
                Output::Dial { .. }
                | Output::Think { .. }
                | Output::StopThinking
                | Output::Event(_)
                | Output::Changed
                | Output::Refused(_)
                | Output::Finished { .. }
                | Output::Locked { .. }
                | Output::Closed => {}
            }
        }
    }

    fn handle(&mut self, input: Input) {
        self.now += 1;
        self.table.handle(input, self.now);
        self.settle();
    }

    fn link(&mut self, number: usize, address: IpAddr) -> DeviceId {
        let port = Cheap::new(number);
        let peer = port.device(&port.key());
        self.handle(Input::LinkUp { peer, address: Some(address) });
        peer
    }

    fn guess(&mut self, from: DeviceId, pin: Hash) -> Option<Message> {
        self.sent.clear();
        self.handle(Input::Message { from, bytes: Message::Enter { pin }.to_bytes() });
        self.sent.iter().find(|(to, _)| *to == from).map(|(_, message)| message.clone())
    }
}

#[test]
fn guessing_with_many_keys_from_one_address_gains_nothing() {
    let mut alone = Alone::open(locked_setup());
    let right = alone.pin();
    let address: IpAddr = [10, 0, 0, 7].into();
    for number in 1..=20 {
        let peer = alone.link(number, address);
        let answer = alone.guess(peer, Hash([number as u8; 32]));
        let Some(Message::Locked { wrong, wait_ms, .. }) = answer else { panic!("{answer:?}") };
        assert_eq!((wrong, wait_ms > 0), (number <= 5, number >= 5), "guess {number}");
    }
    let late = alone.link(21, address);
    assert!(matches!(alone.guess(late, right), Some(Message::Locked { wrong: false, .. })));
    // Somebody at another address is let in at once.
    let other = alone.link(22, [10, 0, 0, 8].into());
    assert!(matches!(alone.guess(other, right), Some(Message::Letter(_))));
}

#[test]
fn a_link_that_is_lost_and_comes_back_is_not_asked_again() {
    let mut alone = Alone::open(locked_setup());
    let right = alone.pin();
    let peer = alone.link(1, [10, 0, 0, 7].into());
    assert!(matches!(alone.guess(peer, right), Some(Message::Letter(_))));
    alone.handle(Input::LinkDown { peer });
    alone.sent.clear();
    alone.link(1, [10, 0, 0, 9].into());
    assert!(alone.sent.iter().all(|(_, message)| matches!(message, Message::Letter(_))) && !alone.sent.is_empty());
}

#[test]
fn a_flood_from_a_device_that_is_barred_costs_it_the_link() {
    let mut alone = Alone::open(locked_setup());
    let peer = alone.link(1, [10, 0, 0, 7].into());
    let id = alone.table.id();
    for n in 0..60_000u64 {
        if !alone.refused.is_empty() {
            break;
        }
        let hello = sim::letter(1, id, n, table::message::Said::Call { term: n });
        alone.now = n / 10;
        alone.handle(Input::Message { from: peer, bytes: hello });
    }
    assert_eq!(alone.refused, [peer]);
}

#[test]
fn only_so_many_look_on() {
    let mut alone = Alone::open(setup(rules_for(Preset::Gomoku, 2, false), vec![SeatSetup::Open; 2]));
    for number in 1..=SPECTATORS_MAX {
        alone.link(number, [10, 0, 0, 7].into());
    }
    assert_eq!(alone.refused, []);
    let late = alone.link(SPECTATORS_MAX + 1, [10, 0, 0, 7].into());
    assert_eq!(alone.refused, [late]);
}
