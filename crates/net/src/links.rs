//! Who is linked, who may be, and who is to be dialled, for every table that is followed. No socket, no task: only
//! the decisions.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::time::Instant;

use table::{DeviceId, TableId};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use crate::Refused;
use crate::limits::{
    ADDRESSES_PER_TARGET_MAX, BARRED, MET_FORGOTTEN, OTHER_LINKS_MAX, OWNER_LINKS_MAX, OWNERS_FIRST, REFUSED_PAUSE,
    REMEMBERED_DEVICES_MAX, SUPERSEDED_MAX, TARGETS_MAX,
};
use crate::wire::{Code, LinkId, Session};

/// The first half of a device's id: what fits into an mDNS name.
pub(crate) type Prefix = [u8; 16];

pub(crate) fn prefix_of(device: &DeviceId) -> Prefix {
    std::array::from_fn(|i| device.0[i])
}

/// Whom to dial.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whom {
    Device(Prefix),
    /// Whoever is there.
    Anybody(Vec<SocketAddr>),
}

/// A table that is followed.
#[derive(Default)]
pub(crate) struct Followed {
    pub links: HashMap<DeviceId, Link>,
    pub owners: HashSet<DeviceId>,
    pub targets: HashMap<Whom, Target>,
    /// A newer process of this device is at the table.
    pub elsewhere: bool,
    /// Until then whoever owns no seat waits for its turn to be dialled.
    owners_first: Option<Instant>,
    lost: HashMap<DeviceId, LinkId>,
    superseded: VecDeque<(DeviceId, Session)>,
    barred: HashMap<DeviceId, Instant>,
}

/// A link that is up. Dropping it lets its task send what is queued, and say goodbye.
pub(crate) struct Link {
    pub id: LinkId,
    pub session: Session,
    pub connection: quinn::Connection,
    pub queue: mpsc::Sender<Vec<u8>>,
    pub queued_bytes: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

/// A device to dial, as long as it is known under some address.
pub(crate) struct Target {
    pub pinned: Option<DeviceId>,
    /// The device that was found behind `Whom::Anybody`.
    pub found: Option<DeviceId>,
    /// By the app, by mDNS, and where it linked from.
    pub given: Vec<SocketAddr>,
    pub seen: Vec<SocketAddr>,
    pub met: Option<SocketAddr>,
    /// It is announced and answers, as mDNS and its probes show.
    shown: bool,
    /// How often it was shown after it had not been.
    came_back: u32,
    /// It was linked; its refusals are no news any more.
    pub linked_once: bool,
    pub told: Option<Refused>,
    given_up: bool,
    pause: Option<Instant>,
    apart_since: Option<Instant>,
    task: Option<AbortHandle>,
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// What a dialling task does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The target is no more.
    End,
    /// Until something changes.
    Rest,
    Until(Instant),
    Dial {
        addresses: Vec<SocketAddr>,
        /// Another number than before: it is there again, and no wait from when it was away is due.
        came_back: u32,
    },
}

impl Followed {
    /// Whether that device may have a link at all.
    pub fn screen(&self, peer: DeviceId, session: Session, now: Instant) -> Result<(), Code> {
        if self.barred_until(peer).is_some_and(|until| until > now) {
            return Err(Code::Barred);
        }
        if self.superseded.contains(&(peer, session)) {
            return Err(Code::Elsewhere);
        }
        if !self.links.contains_key(&peer) && self.full_for(peer) {
            return Err(Code::Full);
        }
        Ok(())
    }

    fn full_for(&self, peer: DeviceId) -> bool {
        let owner = self.owners.contains(&peer);
        let same_kind = self.links.keys().filter(|other| self.owners.contains(other) == owner).count();
        same_kind >= if owner { OWNER_LINKS_MAX } else { OTHER_LINKS_MAX }
    }

    /// Whether a new connection becomes the link, asked on the side that decides: not if there is one that the peer
    /// may just not know of yet. A new session has no older links; one that was lost there is lost.
    pub fn wins(&self, peer: DeviceId, session: Session, lost: LinkId) -> bool {
        self.links.get(&peer).is_none_or(|link| link.session != session || link.id == lost)
    }

    /// Puts a link in, and gives back the one that it replaces, and whether that was of an older session.
    pub fn put(&mut self, peer: DeviceId, link: Link) -> Option<(Link, bool)> {
        let session = link.session;
        let old = self.links.insert(peer, link)?;
        let older_session = old.session != session;
        if older_session {
            self.superseded.push_back((peer, old.session));
            while self.superseded.len() > SUPERSEDED_MAX {
                self.superseded.pop_front();
            }
        }
        Some((old, older_session))
    }

    /// Takes a link out that has ended; false if another has taken its place.
    pub fn ended(&mut self, peer: DeviceId, id: LinkId, now: Instant) -> bool {
        if self.lost.len() >= REMEMBERED_DEVICES_MAX {
            self.lost.clear();
        }
        self.lost.insert(peer, id);
        if self.links.get(&peer).is_none_or(|link| link.id != id) {
            return false;
        }
        self.links.remove(&peer);
        for target in self.targets.iter_mut().filter(|(whom, target)| target.is(whom, &peer)).map(|(_, target)| target)
        {
            target.apart_since = Some(now);
        }
        true
    }

    pub fn last_lost(&self, peer: DeviceId) -> LinkId {
        self.lost.get(&peer).copied().unwrap_or(0)
    }

    pub fn bar(&mut self, peer: DeviceId, now: Instant) {
        self.barred.retain(|_, until| *until > now);
        if self.barred.len() < REMEMBERED_DEVICES_MAX {
            self.barred.insert(peer, now + BARRED);
        }
    }

    fn barred_until(&self, peer: DeviceId) -> Option<Instant> {
        self.barred.get(&peer).copied()
    }

    /// All are dialled from now on. A game goes on with those who own its seats, so a crowd of others waits a moment.
    pub fn dial_owners_first(&mut self, now: Instant) {
        self.owners_first = Some(now + OWNERS_FIRST);
    }

    /// When this one's turn to be dialled comes, if not now: owners are waited for until they are linked.
    fn turn(&self, whom: &Whom, is_linked: impl Fn(&DeviceId) -> bool, now: Instant) -> Option<Instant> {
        let until = self.owners_first.filter(|until| *until > now)?;
        let waits = match whom {
            Whom::Device(_) => !self.is_owner(whom),
            // A person named these addresses.
            Whom::Anybody(_) => false,
        };
        (waits && !self.owners.iter().all(is_linked)).then_some(until)
    }

    fn is_owner(&self, whom: &Whom) -> bool {
        match whom {
            Whom::Device(prefix) => self.owners.iter().any(|owner| prefix_of(owner) == *prefix),
            Whom::Anybody(_) => false,
        }
    }

    /// The target's entry, made if there is room: owners have places of their own, as among the links.
    pub fn target(&mut self, whom: Whom) -> Option<&mut Target> {
        if !self.targets.contains_key(&whom) {
            let owner = self.is_owner(&whom);
            let same_kind = self.targets.keys().filter(|other| self.is_owner(other) == owner).count();
            if same_kind >= if owner { OWNER_LINKS_MAX } else { TARGETS_MAX } {
                return None;
            }
        }
        Some(self.targets.entry(whom).or_insert_with(Target::new))
    }

    /// Replaces what mDNS shows of this table's devices: where each is, and whether it answers.
    pub fn show(&mut self, announcers: impl Iterator<Item = (Prefix, Vec<SocketAddr>, bool)>) {
        let mut before = HashSet::new();
        for (whom, target) in &mut self.targets {
            target.seen.clear();
            if std::mem::take(&mut target.shown) {
                before.insert(whom.clone());
            }
        }
        for (device, addresses, answers) in announcers {
            let whom = Whom::Device(device);
            let is_back = answers && !before.contains(&whom);
            if let Some(target) = self.target(whom) {
                (target.seen, target.shown) = (addresses, answers);
                target.came_back += u32::from(is_back);
            }
        }
    }

    /// The device is where this link came from.
    pub fn met(&mut self, peer: DeviceId, address: SocketAddr) {
        if let Some(target) = self.target(Whom::Device(prefix_of(&peer))) {
            target.met = Some(address);
            target.linked_once = true;
        }
    }

    /// The device said goodbye: it dials us when it is back.
    pub fn left(&mut self, peer: DeviceId) {
        if let Some(target) = self.targets.get_mut(&Whom::Device(prefix_of(&peer))) {
            target.met = None;
        }
    }

    /// The person, or the app for it, wants this table again.
    pub fn touch(&mut self) {
        self.elsewhere = false;
        self.targets.values_mut().for_each(Target::touch);
    }

    pub fn plan(&mut self, whom: &Whom, now: Instant) -> Plan {
        let elsewhere = self.elsewhere;
        let linked = self.links.keys().any(|peer| self.targets.get(whom).is_some_and(|target| target.is(whom, peer)));
        let barred = self.barred.iter().filter(|(peer, _)| self.targets.get(whom).is_some_and(|t| t.is(whom, peer)));
        let barred = barred.map(|(_, until)| *until).max().filter(|until| *until > now);
        let turn = self.turn(whom, |owner| self.links.contains_key(owner), now);
        let Some(target) = self.targets.get_mut(whom) else { return Plan::End };
        if linked {
            target.linked_once = true;
            target.apart_since = None;
            return Plan::Rest;
        }
        if target.apart_since.is_some_and(|since| now.duration_since(since) > MET_FORGOTTEN) {
            target.met = None;
        }
        let addresses = target.addresses();
        if addresses.is_empty() {
            self.targets.remove(whom);
            return Plan::End;
        }
        if elsewhere || target.given_up {
            return Plan::Rest;
        }
        match barred.max(turn).max(target.pause.filter(|until| *until > now)) {
            Some(until) => Plan::Until(until),
            None => Plan::Dial { addresses, came_back: target.came_back },
        }
    }

    /// Notes a refusal; gives back what the app is to be told.
    pub fn refused(&mut self, whom: &Whom, code: Code, program: &str, now: Instant) -> Option<Refused> {
        let target = self.targets.get_mut(whom)?;
        let why = match code {
            // The last is no answer to a dialler: it is dialled again, no faster than any other that fails.
            Code::Accepted | Code::Duplicate | Code::Told => return None,
            Code::Barred => {
                target.pause = Some(now + BARRED);
                return None;
            }
            Code::Version => {
                target.given_up = true;
                Refused::Version { theirs: program.to_string() }
            }
            Code::NoSuchTable => {
                target.pause = Some(now + REFUSED_PAUSE);
                Refused::NoSuchTable
            }
            Code::Full => {
                target.pause = Some(now + REFUSED_PAUSE);
                Refused::Full
            }
            Code::Elsewhere => {
                let news = !self.elsewhere;
                self.elsewhere = true;
                return news.then_some(Refused::Elsewhere);
            }
        };
        let news = !target.linked_once && target.told.as_ref() != Some(&why);
        target.told = Some(why.clone());
        news.then_some(why)
    }
}

impl Target {
    fn new() -> Target {
        Target {
            pinned: None,
            found: None,
            given: vec![],
            seen: vec![],
            met: None,
            shown: false,
            came_back: 0,
            linked_once: false,
            told: None,
            given_up: false,
            pause: None,
            apart_since: None,
            task: None,
        }
    }

    /// Whether this device is the one that is dialled.
    pub fn is(&self, whom: &Whom, peer: &DeviceId) -> bool {
        match whom {
            Whom::Device(prefix) => *prefix == prefix_of(peer) && self.pinned.is_none_or(|pinned| pinned == *peer),
            Whom::Anybody(_) => self.found == Some(*peer),
        }
    }

    /// Whether this device may be taken when it answers.
    pub fn takes(&self, whom: &Whom, peer: &DeviceId) -> bool {
        match whom {
            Whom::Device(_) => self.is(whom, peer),
            Whom::Anybody(_) => true,
        }
    }

    pub fn touch(&mut self) {
        self.given_up = false;
        self.pause = None;
        self.told = None;
    }

    pub fn give_up(&mut self) {
        self.given_up = true;
    }

    /// Starts the dialling task unless there is one.
    pub fn start(&mut self, spawn: impl FnOnce() -> AbortHandle) {
        if self.task.as_ref().is_none_or(AbortHandle::is_finished) {
            self.task = Some(spawn());
        }
    }

    /// Adds addresses of the app's, the newest first. What was given up is tried again where there is a new one.
    pub fn give(&mut self, addresses: Vec<SocketAddr>) {
        if addresses.iter().any(|address| !self.given.contains(address)) {
            self.touch();
        }
        let old = std::mem::take(&mut self.given);
        for address in addresses.into_iter().chain(old) {
            if !self.given.contains(&address) && self.given.len() < ADDRESSES_PER_TARGET_MAX {
                self.given.push(address);
            }
        }
    }

    fn addresses(&self) -> Vec<SocketAddr> {
        let mut all: Vec<SocketAddr> = vec![];
        for address in self.met.iter().chain(&self.seen).chain(&self.given) {
            if !all.contains(address) && all.len() < ADDRESSES_PER_TARGET_MAX {
                all.push(*address);
            }
        }
        all
    }
}

/// All tables, and for each pair the end of its newest link's task, which the next one waits for: so the app hears
/// of one link's end before it hears of the next.
#[derive(Default)]
pub(crate) struct Tables {
    pub followed: HashMap<TableId, Followed>,
    pub tails: HashMap<(TableId, DeviceId), (LinkId, oneshot::Receiver<()>)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_shown_again_is_dialled_as_if_for_the_first_time() {
        let (device, address) = ([7; 16], SocketAddr::from(([10, 0, 0, 7], 40515)));
        let mut followed = Followed::default();
        let mut plan = |answers: Option<bool>| {
            followed.show(answers.map(|answers| (device, vec![address], answers)).into_iter());
            // Where it was met is tried all the time.
            followed.met(DeviceId([7; 32]), address);
            match followed.plan(&Whom::Device(device), Instant::now()) {
                Plan::Dial { addresses, came_back } => (addresses, came_back),
                other => panic!("{other:?}"),
            }
        };
        let at = |came_back| (vec![address], came_back);
        for (answers, came_back) in [
            (Some(true), 1),
            (Some(true), 1),
            (Some(false), 1),
            (Some(false), 1),
            (Some(true), 2),
            (None, 2),
            (Some(true), 3),
        ] {
            assert_eq!(plan(answers), at(came_back), "{answers:?}");
        }
    }

    fn device(n: u8) -> (DeviceId, Whom, SocketAddr) {
        (DeviceId([n; 32]), Whom::Device([n; 16]), SocketAddr::from(([10, 0, 0, n], 40515)))
    }

    #[test]
    fn owners_are_dialled_before_others_and_not_waited_for_long() {
        let now = Instant::now();
        let mut followed = Followed::default();
        let (owner, owners_place, address) = device(1);
        let (_, place, elsewhere) = device(2);
        let named = Whom::Anybody(vec![elsewhere]);
        followed.owners.insert(owner);
        for (whom, address) in [(&owners_place, address), (&place, elsewhere), (&named, elsewhere)] {
            followed.target(whom.clone()).unwrap().give(vec![address]);
        }
        let dials = |plan: Plan| matches!(plan, Plan::Dial { .. });
        assert!(dials(followed.plan(&place, now)), "nothing has been begun");
        followed.dial_owners_first(now);
        assert!(dials(followed.plan(&owners_place, now)));
        assert!(dials(followed.plan(&named, now)), "a person asked for it");
        assert_eq!(followed.plan(&place, now), Plan::Until(now + OWNERS_FIRST));
        assert!(dials(followed.plan(&place, now + OWNERS_FIRST)), "the owner may be off");
        assert_eq!(followed.turn(&place, |peer| *peer != owner, now), Some(now + OWNERS_FIRST));
        assert_eq!(followed.turn(&place, |peer| *peer == owner, now), None, "all owners are linked");
        followed.owners.clear();
        assert!(dials(followed.plan(&place, now)), "nobody is known to own a seat");
    }

    #[test]
    fn no_number_of_others_keeps_owners_from_being_dialled() {
        let mut followed = Followed::default();
        let (owner, owners_place, _) = device(1);
        for n in 0..=u8::try_from(TARGETS_MAX).unwrap() {
            let found = followed.target(device(100 + n).1).is_some();
            assert_eq!(found, usize::from(n) < TARGETS_MAX, "{n}");
        }
        assert!(followed.target(owners_place.clone()).is_none());
        followed.owners.insert(owner);
        assert!(followed.target(owners_place).is_some());
    }
}
