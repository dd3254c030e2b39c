//! Links and letters (PROTOCOL.md, section 4).

use super::*;
use crate::message::{FaultCode, Hello, Letter, Message, Note, Said};
use crate::peers::{Peer, Verdict};
use crate::seal::{Kind, Sealed};
use crate::{EventKind, Hash};

/// Why a link is closed, for the driver to tell.
const MALFORMED: &str = "it sent something that is no message";
const TOO_MUCH: &str = "it sent far too much";
const FULL: &str = "too many links";
const OTHER_VERSION: &str = "it speaks another version";
const OTHER_RULES: &str = "it plays by another version of the rules";

impl Table {
    pub(super) fn link_up(&mut self, peer: DeviceId, address: Option<IpAddr>) {
        if peer == self.me {
            return;
        }
        let others =
            self.peers.iter().filter(|&(&other, known)| known.linked && other != peer && !self.is_member(other));
        if others.count() >= SPECTATORS_MAX && !self.is_member(peer) {
            self.out.push_back(Output::Disconnect { peer, why: FULL });
            return;
        }
        let known = self.peers.meet(peer, Peer::default);
        (known.sent, known.wanted) = (None, None);
        if !known.linked {
            known.linked = true;
            // What was in vain before need not be now.
            self.overdue.begin_anew();
            self.event(EventKind::Link { peer, up: true });
        }
        self.door_up(peer, address);
        self.introduce(peer);
    }

    pub(super) fn link_down(&mut self, peer: DeviceId) {
        self.door_down(peer);
        let is_member = self.is_member(peer);
        let Some(known) = self.peers.get_mut(&peer) else { return };
        let was_linked = known.linked;
        (known.linked, known.sent, known.wanted, known.heard_directly) = (false, None, None, None);
        known.contact_since = None;
        if !is_member {
            self.peers.remove(&peer);
        }
        if was_linked {
            self.event(EventKind::Link { peer, up: false });
        }
    }

    pub(super) fn disconnect(&mut self, peer: DeviceId, why: &'static str) {
        self.out.push_back(Output::Disconnect { peer, why });
        self.link_down(peer);
    }

    pub(super) fn goodbye(&mut self) {
        let links: Vec<DeviceId> = self.links().collect();
        self.send_all(&links, &Message::Bye);
    }

    pub(super) fn receive(&mut self, from: DeviceId, bytes: &[u8]) {
        let now = self.now;
        let Some(peer) = self.peers.get_mut(&from).filter(|peer| peer.linked) else { return };
        let Some(message) = Message::from_bytes(bytes) else { return self.disconnect(from, MALFORMED) };
        // Until something is found that changes more than that it is heard.
        let news = if peer.is_heard_directly(now) { News::Nothing } else { News::Much };
        (peer.heard, peer.heard_directly, peer.bye) = (Some(now), Some(now), false);
        let verdict = match &message {
            Message::Letter(_) | Message::Bye => Verdict::Take,
            Message::Want { .. } => peer.limits.want(now),
            Message::Push { .. } | Message::Locked { .. } | Message::Enter { .. } => peer.limits.other(now),
        };
        match verdict {
            Verdict::Take => {}
            Verdict::Drop => return,
            Verdict::Close => return self.disconnect(from, TOO_MUCH),
        }
        self.news = match &message {
            Message::Letter(_) | Message::Want { .. } => news,
            Message::Push { .. } | Message::Locked { .. } | Message::Enter { .. } | Message::Bye => News::Much,
        };
        let passes = self.passes_door(from, &message);
        let Some(peer) = self.peers.get_mut(&from) else { return };
        match &message {
            Message::Letter(_) | Message::Push { .. } | Message::Want { .. } if passes => self.door_opens(from),
            Message::Letter(_) if peer.limits.other(now) == Verdict::Close => return self.disconnect(from, TOO_MUCH),
            Message::Letter(_) | Message::Push { .. } | Message::Want { .. } => return,
            Message::Bye => {
                (peer.heard, peer.heard_directly, peer.hello, peer.bye) = (None, None, None, true);
            }
            Message::Locked { .. } | Message::Enter { .. } => {}
        }
        match message {
            Message::Letter(letter) => self.read_letter(from, letter),
            Message::Push { entries } => self.read_push(from, entries),
            Message::Want { head, have } if have.len() <= WANT_HASHES_MAX => self.serve(from, head, &have),
            Message::Want { .. } => self.disconnect(from, MALFORMED),
            Message::Locked { nonce, wrong, wait_ms } => self.read_locked(from, nonce, wrong, wait_ms),
            Message::Enter { pin } => self.read_enter(from, pin),
            Message::Bye => {}
        }
    }

    /// A malformed or forged letter costs the link only where the one who sent it must have known.
    fn read_letter(&mut self, from: DeviceId, letter: Letter) {
        let origin = self.port.device(&letter.origin);
        if origin == self.me {
            return;
        }
        let direct = origin == from;
        let note: Option<Note> = if letter.note.bytes.len() > NOTE_BYTES_MAX { None } else { letter.note.open() };
        let Some(note) = note else {
            return if direct {
                self.disconnect(from, MALFORMED)
            };
        };
        let is_member = self.is_member(origin);
        let passed_on = is_member || matches!(note.said, Said::Act(_));
        if !direct && !passed_on {
            return;
        }
        let hash = self.port.hash(&[letter.origin.as_slice(), &letter.note.bytes].concat());
        let is_new = direct || self.is_passed_on_well(from, origin, &letter, hash, &note);
        if !is_new {
            return;
        }
        // Whatever came another way has been found to be the origin's by now: nobody else uses up what it may send.
        let counted = if is_member { origin } else { from };
        let limits = &mut self.peers.meet(counted, Peer::default).limits;
        let verdict = if is_member || direct { limits.letter(&note.said, self.now) } else { limits.stranger(self.now) };
        match verdict {
            Verdict::Take => {}
            Verdict::Drop => return,
            Verdict::Close if direct => return self.disconnect(from, TOO_MUCH),
            Verdict::Close => return,
        }
        let is_first = !direct || self.peers.meet(from, Peer::default).takes_own(&note);
        if !self.letters.add(hash) || !is_first {
            return;
        }
        if passed_on {
            self.pass_on(from, origin, &letter);
        }
        if is_member {
            let now = self.now;
            let peer = self.peers.meet(origin, Peer::default);
            if !peer.is_heard(now) {
                self.news = News::Much;
            }
            (peer.heard, peer.bye) = (Some(now), false);
        }
        self.hear(from, origin, note.said);
    }

    /// Whether a letter that did not come straight from its origin is to be read: it is new here, and its origin's. A
    /// link that passes on too much is closed, whosever the letters are.
    fn is_passed_on_well(
        &mut self,
        from: DeviceId,
        origin: DeviceId,
        letter: &Letter,
        hash: Hash,
        note: &Note,
    ) -> bool {
        let now = self.now;
        match self.peers.get_mut(&from).map_or(Verdict::Drop, |peer| peer.limits.other(now)) {
            Verdict::Take => {}
            Verdict::Drop => return false,
            Verdict::Close => {
                self.disconnect(from, TOO_MUCH);
                return false;
            }
        }
        let is_good = !self.letters.has(hash) && letter.note.is_by(&*self.port, Kind::Letter, self.id, &letter.origin);
        // Of somebody without a seat only acts are passed on, and those have numbers of their own.
        is_good && (!self.is_member(origin) || self.peers.meet(origin, Peer::default).takes_passed_on(note, now))
    }

    fn pass_on(&mut self, from: DeviceId, origin: DeviceId, letter: &Letter) {
        let heard_it = |hello: &Option<Hello>| hello.as_ref().is_some_and(|hello| hello.heard.contains(&origin));
        let lacking: Vec<DeviceId> = self
            .peers
            .iter()
            .filter(|&(&peer, known)| known.linked && peer != from && peer != origin && !heard_it(&known.hello))
            .map(|(&peer, _)| peer)
            .collect();
        if !lacking.is_empty() {
            self.send_all(&lacking, &Message::Letter(letter.clone()));
        }
    }

    fn hear(&mut self, from: DeviceId, origin: DeviceId, said: Said) {
        match &said {
            Said::Ack { .. } | Said::Say { .. } => {}
            Said::Hello(hello) => {
                if self.peers.get(&origin).is_none_or(|peer| peer.hello.as_ref() != Some(hello)) {
                    self.news = News::Much;
                }
            }
            Said::Act(_) | Said::Call { .. } | Said::Here(_) | Said::Fault(_) => self.news = News::Much,
        }
        match said {
            Said::Hello(hello) => self.read_hello(from, origin, hello),
            Said::Act(sealed) if self.keeping() => self.read_act(sealed),
            Said::Act(sealed) => self.watch(sealed),
            Said::Ack { index, hash } => self.read_ack(origin, index, hash),
            Said::Call { term } => self.read_call(origin, term),
            Said::Here(answer) => self.read_here(origin, answer),
            Said::Fault(fault) => self.read_fault(origin, fault),
            Said::Say { phrase } => self.read_say(origin, phrase),
        }
    }

    /// Another device refused an entry. Where the two programs come to different states, play stands still.
    fn read_fault(&mut self, origin: DeviceId, fault: Fault) {
        if !self.is_member(origin) || self.shut_out.contains(&origin) {
            return;
        }
        self.fault = Some(fault);
        self.out.push_back(Output::Changed);
        let own = self.log.as_ref().is_some_and(|log| log.holds(fault.hash));
        if fault.code == FaultCode::State && own {
            self.halt_with(origin, fault.code, Some(fault.index));
        }
    }

    fn read_hello(&mut self, from: DeviceId, origin: DeviceId, hello: Hello) {
        let direct = from == origin;
        if hello.version != PROTOCOL_VERSION {
            return if direct {
                self.disconnect(from, OTHER_VERSION)
            };
        }
        if hello.rules != RULES_REVISION {
            return self.differ(from, origin, hello);
        }
        let too_long = hello.heard.len() > HEARD_MAX
            || hello.addresses.len() > ADDRESSES_MAX
            || hello.seats.len() > SEATS_MAX
            || hello.on_disk > hello.head.map(|(index, _)| index);
        if too_long {
            return if direct {
                self.disconnect(from, MALFORMED)
            };
        }
        let claimed = hello.promise.max(hello.term);
        if claimed > self.promise.saturating_add(TERM_LEAP_MAX) && self.log.is_some() {
            return self.leap_towards(origin, claimed);
        }
        if let (Some(on_disk), Some((index, hash)), false) = (hello.on_disk, hello.head, hello.fresh) {
            self.read_disk(origin, on_disk, index, hash);
        }
        let head = hello.head;
        let dials = (!hello.addresses.is_empty()).then(|| hello.addresses.clone());
        let is_member = self.is_member(origin);
        let (me, now) = (self.me, self.now);
        let term = self.log.as_ref().map_or(0, |log| log.tip().term);
        let peer = self.peers.meet(origin, Peer::default);
        if peer.hello.as_ref().is_some_and(|before| before.session != hello.session) {
            peer.contact_since = None;
            if direct {
                (peer.sent, peer.wanted) = (None, None);
            }
        }
        if direct {
            peer.contact_since = if hello.heard.contains(&me) { peer.contact_since.or(Some(now)) } else { None };
        }
        peer.ahead = (hello.promise > term).then(|| {
            let known = peer.ahead.filter(|(promise, _)| *promise == hello.promise);
            known.unwrap_or((hello.promise, now))
        });
        // It could not answer where it was, and has followed since.
        let caught_up = hello.term == term && peer.hello.as_ref().is_some_and(|before| before.term < term);
        if caught_up && peer.left_out_until <= now + UNANSWERED_MS {
            peer.left_out_until = 0;
        }
        peer.hello = Some(hello);
        if let Some(addresses) =
            dials.filter(|_| is_member && !peer.linked && peer.dialled.is_none_or(|then| now >= then + DIAL_AGAIN_MS))
        {
            peer.dialled = Some(now);
            self.out.push_back(Output::Dial { peer: origin, addresses });
        }
        if direct {
            self.compare_heads(origin, head);
        }
    }

    /// A device that plays by other rules: nothing it says is heard, and where it sits, play stands still.
    fn differ(&mut self, from: DeviceId, origin: DeviceId, hello: Hello) {
        let sits = self.log.as_ref().is_some_and(|log| log.tip().is_owner(origin));
        if let (Some(peer), true) = (self.peers.get_mut(&origin), sits) {
            peer.hello = Some(Hello { head: None, on_disk: None, ..hello });
            self.halt_with(origin, FaultCode::Rules, None);
        }
        if from == origin {
            self.disconnect(from, OTHER_RULES);
        }
    }

    /// Signs something and sends it to every link.
    pub(super) fn say(&mut self, said: Said) {
        let letter = self.letter(said);
        let links: Vec<DeviceId> = self.links().collect();
        self.send_all(&links, &letter);
    }

    /// One message for several.
    fn send_all(&mut self, to: &[DeviceId], message: &Message) {
        let Some((&last, others)) = to.split_last() else { return };
        let bytes = message.to_bytes();
        for &to in others {
            self.send_bytes(to, message, bytes.clone());
        }
        self.send_bytes(last, message, bytes);
    }

    /// Signs something for one device: straight if it is linked, else by everybody.
    pub(super) fn say_to(&mut self, to: DeviceId, said: Said) {
        if self.peers.get(&to).is_some_and(|peer| peer.linked) {
            let letter = self.letter(said);
            self.send(to, &letter);
        } else {
            self.say(said);
        }
    }

    pub(super) fn letter(&mut self, said: Said) -> Message {
        self.number += 1;
        let note = Note { session: self.session, number: self.number, said };
        let note = Sealed::new(&*self.port, Kind::Letter, self.id, &note);
        Message::Letter(Letter { origin: self.port.key(), note })
    }

    pub(super) fn send(&mut self, to: DeviceId, message: &Message) {
        self.send_all(&[to], message);
    }

    fn send_bytes(&mut self, to: DeviceId, message: &Message, bytes: Vec<u8>) {
        if self.passes_door(to, message) {
            self.out.push_back(Output::Send { to, bytes });
        }
    }

    pub(super) fn links(&self) -> impl Iterator<Item = DeviceId> {
        self.peers.iter().filter(|(_, peer)| peer.linked).map(|(&device, _)| device)
    }

    /// Owners and the opener's device.
    pub(super) fn is_member(&self, device: DeviceId) -> bool {
        self.log.as_ref().is_some_and(|log| log.tip().member_key(device).is_some())
    }

    /// Tells everybody of an entry that was refused.
    pub(super) fn complain(&mut self, index: u32, hash: Hash, code: FaultCode) {
        let state = self.log.as_ref().filter(|_| code == FaultCode::State).map(|log| log.tip().hash(&*self.port));
        let fault = Fault { index, hash, state, code };
        let again = self.told.complained.is_some_and(|(before, at)| before == fault && self.now < at + FAULT_AGAIN_MS);
        if again {
            return;
        }
        self.told.complained = Some((fault, self.now));
        self.fault = Some(fault);
        self.out.push_back(Output::Changed);
        self.say(Said::Fault(fault));
    }

    /// Says how this device is: every second, and soon after a change.
    pub(super) fn greet(&mut self) {
        if self.hello.as_ref().is_some_and(|(_, sent)| self.now < sent + HELLO_MIN_MS) {
            return;
        }
        let hello = self.present();
        let due =
            self.hello.as_ref().is_none_or(|(before, sent)| self.now >= sent + HELLO_MS || is_news(before, &hello));
        if due {
            self.hello = Some((hello.clone(), self.now));
            self.say(Said::Hello(hello));
        }
    }

    pub(super) fn present(&self) -> Hello {
        let head = self.log.as_ref().and_then(|log| log.head_of(self.public_len()));
        let shown = self.log.as_ref().map(Log::shown);
        let mut heard: Vec<DeviceId> = Vec::new();
        for (&device, peer) in self.peers.iter() {
            if heard.len() < HEARD_MAX && peer.is_heard_directly(self.now) && self.is_member(device) {
                heard.push(device);
            }
        }
        Hello {
            session: self.session,
            version: PROTOCOL_VERSION,
            rules: RULES_REVISION,
            fresh: self.fresh,
            promise: self.promise,
            term: shown.map_or(0, |state| state.term),
            keeper: shown.map(|state| state.keeper),
            head,
            on_disk: if self.fresh {
                self.disk.durable().min(self.public_len()).checked_sub(1)
            } else {
                self.disk.acked()
            },
            heard,
            addresses: self.addresses.clone(),
            seats: self.own_seats_there(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A change that the others should know of before the second is over. Heads go their own way.
fn is_news(before: &Hello, now: &Hello) -> bool {
    let Hello {
        session,
        version,
        rules,
        fresh,
        promise,
        term,
        keeper,
        head: _,
        on_disk: _,
        heard,
        addresses,
        seats,
        program,
    } = before;
    (session, version, rules, fresh, promise, term)
        != (&now.session, &now.version, &now.rules, &now.fresh, &now.promise, &now.term)
        || (keeper, heard, addresses, seats, program)
            != (&now.keeper, &now.heard, &now.addresses, &now.seats, &now.program)
}
