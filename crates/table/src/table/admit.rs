//! Who may come in where a table has a PIN (PROTOCOL.md, section 4). Whoever admits a link asks: no rule of the log
//! does. Both sides are here: asking others, and being asked.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv6Addr;

use super::*;
use crate::message::{Message, Said};
use crate::peers::ByDevice;
use crate::seal::pin_hash;

const TOO_SLOW: &str = "it gave no PIN in time";

/// What is known of PINs in this process.
#[derive(Debug, Default)]
pub(super) struct Admission {
    /// What this device's person gave, for whoever asks.
    pin: Option<String>,
    /// Devices that were let in since this process started, the oldest first.
    admitted: VecDeque<DeviceId>,
    /// One for each link.
    doors: ByDevice<Door>,
    tries: Tries,
}

/// A link, as far as PINs go.
#[derive(Debug)]
struct Door {
    /// Where the other side is.
    address: IpAddr,
    /// Since when it has been asked for the PIN; `None` while it need not give it.
    asked_since: Option<Millis>,
    /// It asks us.
    ask: Option<Ask>,
}

#[derive(Debug)]
struct Ask {
    nonce: [u8; 32],
    /// Nothing is looked at before.
    not_before: Millis,
    /// The hash that was sent and not answered yet.
    entered: Option<Hash>,
}

/// How often who guessed, by address. What an address may still try is counted in ms: a try costs a minute, and there
/// is room for five.
#[derive(Debug, Default)]
struct Tries {
    spent: BTreeMap<IpAddr, (u64, Millis)>,
    /// For all addresses for which there was no room.
    others: (u64, Millis),
}

impl Tries {
    const ROOM: u64 = PIN_TRIES_AT_ONCE * PIN_TRY_MS;

    /// What of `spent` is left over at `now`.
    fn rest((spent, then): (u64, Millis), now: Millis) -> u64 {
        spent.saturating_sub(now.saturating_sub(then))
    }

    /// How long the next try from there has to wait.
    fn wait(&self, address: IpAddr, now: Millis) -> Millis {
        let full = self.spent.len() >= PIN_ADDRESSES_MAX;
        let spent = self.spent.get(&address).or(full.then_some(&self.others)).copied().unwrap_or_default();
        (Tries::rest(spent, now) + PIN_TRY_MS).saturating_sub(Tries::ROOM)
    }

    fn spend(&mut self, address: IpAddr, now: Millis) {
        self.spent.retain(|_, spent| Tries::rest(*spent, now) > 0);
        let room = self.spent.len() < PIN_ADDRESSES_MAX || self.spent.contains_key(&address);
        let spent = if room { self.spent.entry(address).or_default() } else { &mut self.others };
        *spent = (Tries::rest(*spent, now) + PIN_TRY_MS, now);
    }
}

/// One household's IPv6 addresses count as one, and so do all that are not known.
fn counted(address: Option<IpAddr>) -> IpAddr {
    match address.map(|address| address.to_canonical()) {
        Some(IpAddr::V6(v6)) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        Some(v4) => v4,
        None => Ipv6Addr::UNSPECIFIED.into(),
    }
}

impl Admission {
    /// When something is to be done.
    pub fn deadlines(&self) -> impl Iterator<Item = Millis> {
        self.doors.values().flat_map(|door| {
            [door.asked_since.map(|since| since + PIN_WAIT_MS), door.ask.as_ref().map(|ask| ask.not_before)]
                .into_iter()
                .flatten()
        })
    }

    fn admit(&mut self, device: DeviceId) {
        if !self.admitted.contains(&device) {
            self.admitted.push_back(device);
            if self.admitted.len() > ADMITTED_MAX {
                self.admitted.pop_front();
            }
        }
    }
}

impl Table {
    pub(super) fn door_up(&mut self, peer: DeviceId, address: Option<IpAddr>) {
        let door = Door { address: counted(address), asked_since: None, ask: None };
        self.admission.doors.insert(peer, door);
        self.ask_for_pin(peer);
    }

    pub(super) fn door_down(&mut self, peer: DeviceId) {
        self.admission.doors.remove(&peer);
    }

    /// Whether this device gets nothing and is heard in nothing: the table has a PIN, and it has neither a seat nor
    /// given the PIN.
    pub(super) fn bars(&self, device: DeviceId) -> bool {
        self.log.as_ref().is_some_and(|log| log.tip().pin.is_some())
            && !self.is_member(device)
            && !self.admission.admitted.contains(&device)
    }

    /// Keeps what may be sent to, and taken from, a device that is barred.
    pub(super) fn passes_door(&self, device: DeviceId, message: &Message) -> bool {
        match message {
            Message::Locked { .. } | Message::Enter { .. } | Message::Bye => true,
            Message::Letter(_) | Message::Push { .. } | Message::Want { .. } => !self.bars(device),
        }
    }

    /// Asks a linked device for the PIN, once, if it has to give it.
    fn ask_for_pin(&mut self, peer: DeviceId) {
        if !self.bars(peer) {
            return;
        }
        let now = self.now;
        let Some(door) = self.admission.doors.get_mut(&peer).filter(|door| door.asked_since.is_none()) else { return };
        door.asked_since = Some(now);
        let wait = self.admission.tries.wait(door.address, now);
        self.say_locked(peer, false, wait);
    }

    fn say_locked(&mut self, peer: DeviceId, wrong: bool, wait: Millis) {
        let Some(nonce) = self.log.as_ref().map(|log| log.tip().nonce) else { return };
        let wait_ms = u32::try_from(wait).unwrap_or(u32::MAX);
        self.send(peer, &Message::Locked { nonce, wrong, wait_ms });
    }

    /// A device gives the PIN.
    pub(super) fn read_enter(&mut self, from: DeviceId, pin: Hash) {
        if !self.bars(from) {
            return;
        }
        let now = self.now;
        let Some(address) = self.admission.doors.get(&from).map(|door| door.address) else { return };
        let wait = self.admission.tries.wait(address, now);
        if wait > 0 {
            return self.say_locked(from, false, wait);
        }
        if self.log.as_ref().is_some_and(|log| log.tip().pin == Some(pin)) {
            return self.let_in(from);
        }
        self.admission.tries.spend(address, now);
        let wait = self.admission.tries.wait(address, now);
        self.say_locked(from, true, wait);
    }

    /// From here on it is like any other link.
    fn let_in(&mut self, peer: DeviceId) {
        self.admission.admit(peer);
        if let Some(door) = self.admission.doors.get_mut(&peer) {
            door.asked_since = None;
        }
        if let Some(known) = self.peers.get_mut(&peer) {
            (known.sent, known.wanted) = (None, None);
        }
        self.introduce(peer);
    }

    /// A device asks for the PIN.
    pub(super) fn read_locked(&mut self, from: DeviceId, nonce: [u8; 32], wrong: bool, wait_ms: u32) {
        let now = self.now;
        let known = self.admission.pin.as_ref().map(|pin| pin_hash(&*self.port, &nonce, pin));
        let Some(door) = self.admission.doors.get_mut(&from) else { return };
        let entered = door.ask.take().and_then(|ask| ask.entered);
        // Whoever answers a PIN with the bare question is asked no faster than a person would.
        let least = if entered.is_some() && !wrong { PIN_AGAIN_MS } else { 0 };
        let wait = Millis::from(wait_ms).clamp(least, PIN_WAIT_MS);
        door.ask = Some(Ask { nonce, not_before: now + wait, entered: None });
        let is_wrong = wrong && entered.is_some();
        // Not if another PIN was given meanwhile.
        if is_wrong && entered == known {
            self.admission.pin = None;
        }
        if self.admission.pin.is_none() || wait > 0 {
            self.tell_locked(is_wrong, wait);
        }
    }

    /// The person is asked, unless this device has a seat or is served by somebody else.
    fn tell_locked(&mut self, wrong: bool, wait: Millis) {
        let served = |(device, peer): (&DeviceId, &crate::peers::Peer)| {
            peer.linked && self.admission.doors.get(device).is_some_and(|door| door.ask.is_none())
        };
        let at_home = self.is_member(self.me) || self.log.is_some() && self.peers.iter().any(served);
        if !at_home {
            self.out.push_back(Output::Locked { wrong, wait });
        }
    }

    /// It says more than that it is locked: it has let us in.
    pub(super) fn door_opens(&mut self, from: DeviceId) {
        let asked = self.admission.doors.get_mut(&from).and_then(|door| door.ask.take());
        if asked.is_some() {
            self.introduce(from);
        }
    }

    /// The person gives a PIN, asked or not.
    pub(super) fn take_pin(&mut self, pin: &str) {
        self.admission.pin = Some(pin.trim().chars().take(PIN_CHARS_MAX).collect());
        for ask in self.admission.doors.values_mut().filter_map(|door| door.ask.as_mut()) {
            ask.entered = None;
        }
    }

    /// Asks those who have to be asked by now, gives the PIN where it is asked for, and hangs up on whoever is silent.
    pub(super) fn tend_doors(&mut self) {
        let is_quiet = |(device, door): (&DeviceId, &Door)| {
            door.asked_since.is_none() && door.ask.is_none() && self.admission.admitted.contains(device)
        };
        if self.admission.doors.iter().all(is_quiet) {
            return;
        }
        let now = self.now;
        let linked: Vec<DeviceId> = self.admission.doors.iter().map(|(&device, _)| device).collect();
        for peer in linked {
            if self.log.is_some() && !self.bars(peer) {
                self.admission.admit(peer);
            }
            self.ask_for_pin(peer);
            self.give_pin(peer);
            let asked_since = self.admission.doors.get(&peer).and_then(|door| door.asked_since);
            match asked_since {
                // It has a seat by now.
                Some(_) if !self.bars(peer) => self.let_in(peer),
                Some(since) if now >= since + PIN_WAIT_MS => self.disconnect(peer, TOO_SLOW),
                Some(_) | None => {}
            }
        }
    }

    fn give_pin(&mut self, peer: DeviceId) {
        let Some(pin) = &self.admission.pin else { return };
        let Some(ask) = self.admission.doors.get_mut(&peer).and_then(|door| door.ask.as_mut()) else { return };
        if ask.entered.is_some() || self.now < ask.not_before {
            return;
        }
        let hash = pin_hash(&*self.port, &ask.nonce, pin);
        ask.entered = Some(hash);
        self.send(peer, &Message::Enter { pin: hash });
    }

    /// Says to one device how this one is.
    pub(super) fn introduce(&mut self, peer: DeviceId) {
        let hello = Said::Hello(self.present());
        let letter = self.letter(hello);
        self.send(peer, &letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u16) -> IpAddr {
        IpAddr::from([10, 0, (n >> 8) as u8, n as u8])
    }

    #[test]
    fn five_tries_and_then_one_a_minute() {
        let mut tries = Tries::default();
        for _ in 0..5 {
            assert_eq!(tries.wait(address(1), 1_000), 0);
            tries.spend(address(1), 1_000);
        }
        assert_eq!(tries.wait(address(1), 1_000), 60_000);
        assert_eq!(tries.wait(address(2), 1_000), 0);
        assert_eq!(tries.wait(address(1), 60_999), 1);
        assert_eq!(tries.wait(address(1), 61_000), 0);
        tries.spend(address(1), 61_000);
        assert_eq!(tries.wait(address(1), 61_000), 60_000);
        // After five minutes all is as at first.
        tries.spend(address(1), 1_000_000);
        assert_eq!(tries.wait(address(1), 1_000_000), 0);
    }

    #[test]
    fn more_addresses_than_are_remembered_share_their_tries() {
        let mut tries = Tries::default();
        let all = PIN_ADDRESSES_MAX as u16 + 5;
        (0..all).for_each(|n| tries.spend(address(n), 1_000));
        assert_eq!(tries.spent.len(), PIN_ADDRESSES_MAX);
        assert_eq!(tries.wait(address(all + 1), 1_000), 60_000);
        assert_eq!(tries.wait(address(1), 1_000), 0);
    }

    #[test]
    fn one_network_of_ipv6_is_one_guesser() {
        let of = |text: &str| counted(Some(text.parse().expect("an address")));
        assert_eq!(of("fd00:1:2:3::7"), of("fd00:1:2:3:9:9:9:9"));
        assert_ne!(of("fd00:1:2:3::7"), of("fd00:1:2:4::7"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_eq!(counted(None), of("::"));
    }
}
