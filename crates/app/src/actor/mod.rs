//! One table's actor: it feeds the table protocol with messages, time and commands, and carries out what it asks for.

pub(crate) mod archive;
pub(crate) mod disk;
pub(crate) mod mind;
mod notices;
mod stand;
mod unseated;
mod ways;

use std::net::SocketAddr;
use std::sync::Arc;

use rules::{Action, Preset};
use table::{Command, CommandError, DeviceId, Event, Hash, Input, Millis, Output, Table, TableId};
use tokio::sync::{mpsc, oneshot};

use crate::api::branch::{BranchView, ReplayView};
use crate::api::table::{PinView, TableView};
use crate::api::{ApiError, AppEvent};
use crate::core::{Core, Reached};
use crate::snapshot::{Besides, Snapshot};
use crate::view::{branch_view, replay_view, table_view};
use disk::Disk;
use mind::Mind;
use notices::Notices;
use stand::Standing;
use unseated::{full, nobody_answers, not_known_yet, not_seated, other_version};
pub(crate) use unseated::{no_seat_of_ours, own_seat};

/// Notes that may wait for the actor; whoever sends more waits.
const INBOX_NOTES_MAX: usize = 1024;
/// Notes that are taken before the view is drawn again.
const NOTES_AT_ONCE_MAX: usize = 256;
/// Views are at least this far apart.
const SHOW_EVERY_MS: Millis = 16;
/// How long a goodbye waits for the disk.
const LEAVE_WAIT_MS: Millis = 2_000;
/// How long somebody may think of a PIN.
const PIN_WAIT_MS: Millis = 10 * 60 * 1_000;
/// Into the actor.
pub(crate) type Inbox = mpsc::Sender<Note>;

/// What an actor hears.
pub(crate) enum Note {
    LinkUp {
        peer: DeviceId,
        address: SocketAddr,
    },
    LinkDown {
        peer: DeviceId,
    },
    Message {
        peer: DeviceId,
        bytes: Vec<u8>,
    },
    Refused {
        address: SocketAddr,
        why: net::Refused,
    },
    /// A device of another version was turned away.
    OtherVersion {
        address: SocketAddr,
        theirs: String,
    },
    Addresses(Vec<SocketAddr>),
    Written {
        ticket: u64,
        saved: bool,
    },
    Thought {
        ticket: u64,
        action: Action,
    },
    Command(Command, oneshot::Sender<Result<(), CommandError>>),
    Look(oneshot::Sender<Arc<Snapshot>>),
    /// What is kept beside the log.
    Branches(oneshot::Sender<Vec<BranchView>>),
    /// The branch with this head, move by move.
    Branch(Hash, oneshot::Sender<Option<ReplayView>>),
    /// Gives the seat up, and leaves when that is in the log.
    Stand(oneshot::Sender<Result<(), ApiError>>),
    /// Says goodbye, keeps the seat, and ends.
    Leave(oneshot::Sender<()>),
}

/// What a follower of one table is told, in order.
#[derive(Clone, Debug)]
pub enum News {
    /// Something happened; the snapshot is what the log says now, at this event or a little later.
    Event { event: Event, seen: Arc<Snapshot> },
    /// Something that is shown has changed.
    Changed(Arc<Snapshot>),
    /// A command that had been accepted was refused later.
    Refused(ApiError),
    /// The table asks for its PIN, or the one given is wrong; the next is looked at after `wait`.
    Locked { wrong: bool, wait: Millis },
    /// The last news: the table is no longer followed here.
    Closed(Option<ApiError>),
}

/// A wish to sit down as soon as the log is here.
pub(crate) struct Joining {
    pub(crate) name: String,
    pub(crate) seat: Option<u8>,
    pub(crate) until: Millis,
}

/// What an actor starts with.
pub(crate) struct Begin {
    pub(crate) table: Table,
    pub(crate) disk: disk::Source,
    pub(crate) joining: Option<Joining>,
    /// Without a seat: the log is waited for until then.
    pub(crate) watching: Option<Millis>,
    pub(crate) news: Option<mpsc::UnboundedSender<News>>,
    /// The preset that was announced, to show until the log is here.
    pub(crate) expected: Preset,
    pub(crate) begins: Begins,
}

/// What is wished for from the beginning, as soon as the table is known.
#[derive(Debug, Default)]
pub(crate) struct Begins {
    /// People who share this device sit down, by seat.
    pub(crate) here: Vec<(u8, String)>,
    /// Then the start is asked for.
    pub(crate) ready: bool,
}

pub(crate) struct Actor {
    core: Arc<Core>,
    id: TableId,
    table: Table,
    inbox: mpsc::Receiver<Note>,
    own_inbox: Inbox,
    disk: Disk,
    mind: Mind,
    joining: Option<Joining>,
    watching: Option<Millis>,
    begins: Begins,
    standing: Option<Standing>,
    leaving: Vec<oneshot::Sender<()>>,
    /// Set once the actor is to end, with what it tells.
    ending: Option<Ending>,
    news: Option<mpsc::UnboundedSender<News>>,
    expected: Preset,
    notices: Notices,
    /// The table asks for its PIN: whether the last one was wrong, and when the next is looked at.
    locked: Option<(bool, Millis)>,
    reached: Reached,
    writes_pending: usize,
    /// The others at this table, as the network was told.
    members: Vec<DeviceId>,
    dirty: bool,
    next_show: Millis,
    shown: Option<TableView>,
}

struct Ending {
    error: Option<ApiError>,
    /// The journal is no longer a running one.
    retire: bool,
    until: Millis,
}

impl Actor {
    /// Starts the actor. Fails where no thread can be had for the journal.
    pub(crate) fn start(core: &Arc<Core>, begin: Begin) -> std::io::Result<Inbox> {
        let (own_inbox, inbox) = mpsc::channel(INBOX_NOTES_MAX);
        let id = begin.table.id();
        let disk = Disk::start(Arc::clone(&core.history), id, begin.disk, own_inbox.clone())?;
        let actor = Actor {
            core: Arc::clone(core),
            id,
            table: begin.table,
            inbox,
            own_inbox: own_inbox.clone(),
            disk,
            mind: Mind::default(),
            joining: begin.joining,
            watching: begin.watching,
            begins: begin.begins,
            standing: None,
            leaving: Vec::new(),
            ending: None,
            news: begin.news,
            expected: begin.expected,
            notices: Notices::default(),
            locked: None,
            reached: Reached::new(),
            writes_pending: 0,
            members: Vec::new(),
            dirty: true,
            next_show: 0,
            shown: None,
        };
        core.spawn(actor.run());
        Ok(own_inbox)
    }

    async fn run(mut self) {
        loop {
            self.drain();
            self.follow_wishes();
            if self.is_over() {
                break;
            }
            self.show();
            let wake = self.core.clock.at(self.wake_at());
            let note = tokio::select! {
                note = self.inbox.recv() => note,
                () = tokio::time::sleep_until(wake) => None,
            };
            match note {
                Some(note) => self.hear(note),
                None => self.table.handle(Input::Tick, self.now()),
            }
            for _ in 0..NOTES_AT_ONCE_MAX {
                let Ok(note) = self.inbox.try_recv() else { break };
                self.hear(note);
            }
        }
        self.end().await;
    }

    fn now(&self) -> Millis {
        self.core.clock.now()
    }

    fn wake_at(&self) -> Millis {
        let mut at = self.table.next_wakeup();
        if self.dirty {
            at = at.min(self.next_show);
        }
        if let Some(joining) = &self.joining {
            at = at.min(joining.until);
        }
        if let Some(until) = self.watching.filter(|_| self.table.state().is_none()) {
            at = at.min(until);
        }
        if let Some(standing) = self.standing.as_ref().filter(|standing| standing.reply.is_some()) {
            at = at.min(standing.until);
        }
        if let Some(ending) = &self.ending {
            at = at.min(ending.until);
        }
        if let Some(look) = self.notices.wake_at() {
            at = at.min(look);
        }
        at
    }

    fn hear(&mut self, note: Note) {
        let now = self.now();
        match note {
            Note::LinkUp { peer, address } => {
                if self.reached.is_empty() {
                    // Somebody is there, however short the wait for that was.
                    self.wait_at_least_until(now + crate::app::JOIN_WAIT_MS);
                }
                self.remember(peer, address);
                self.table.handle(Input::LinkUp { peer, address: Some(address.ip()) }, now);
            }
            Note::LinkDown { peer } => self.table.handle(Input::LinkDown { peer }, now),
            Note::Message { peer, bytes } => self.table.handle(Input::Message { from: peer, bytes }, now),
            Note::Refused { address, why } => self.refused_link(address, why),
            Note::OtherVersion { address, theirs } => self.tell_refused(other_version(address, &theirs)),
            Note::Addresses(addresses) => {
                self.table.handle(Input::Addresses(addresses), now);
                // The invite leads elsewhere now, which nothing in the table shows.
                self.dirty = true;
            }
            Note::Written { ticket, saved } => {
                self.writes_pending = self.writes_pending.saturating_sub(1);
                let input = if saved { Input::Written { ticket } } else { Input::WriteFailed { ticket } };
                let before = self.table.not_saved();
                self.table.handle(input, now);
                self.dirty |= before != self.table.not_saved();
            }
            Note::Thought { ticket, action } => self.table.handle(Input::Thought { ticket, action }, now),
            Note::Command(command, reply) => {
                if let Command::Pin(_) = command {
                    self.wait_until(now + crate::app::JOIN_WAIT_MS);
                }
                let done = self.table.command(command, now);
                self.dirty = true;
                let _ = reply.send(done);
            }
            Note::Look(reply) => {
                let _ = reply.send(Arc::new(self.look()));
            }
            Note::Branches(reply) => {
                let _ = reply.send(branches_of(&self.table));
            }
            Note::Branch(head, reply) => {
                let _ = reply.send(replay_of(&self.table, head, &self.look()));
            }
            Note::Stand(reply) => {
                if let Err(error) = self.stand(now) {
                    let _ = reply.send(Err(error));
                    return;
                }
                self.joining = None;
                self.standing = Some(Standing::new(now, reply));
            }
            Note::Leave(reply) => {
                self.leaving.push(reply);
                self.leave(None, false);
            }
        }
    }

    /// Carries out what the table asks for, in order.
    fn drain(&mut self) {
        let mut seen = None;
        while let Some(output) = self.table.poll() {
            match output {
                Output::Write { ticket, record } => self.write(ticket, record),
                Output::Send { to, bytes } => self.core.net.send(self.id, to, bytes),
                Output::Dial { peer, addresses } => self.core.net.dial(self.id, Some(peer), addresses),
                Output::Think { ticket, seat: _, level, game } => {
                    self.mind.think(ticket, *game, level, self.own_inbox.clone());
                }
                Output::StopThinking => self.mind.stop(),
                Output::Event(event) => self.tell(*event, &mut seen),
                Output::Changed => self.dirty = true,
                Output::Refused(error) => self.refused(error),
                Output::Finished { game } => self.archive(game),
                Output::Disconnect { peer, why } => self.core.net.disconnect(self.id, peer, why),
                Output::Locked { wrong, wait } => {
                    self.locked = Some((wrong, self.now() + wait));
                    // A person has to think of it, and perhaps to wait.
                    self.wait_until(self.now() + wait + PIN_WAIT_MS);
                    self.send_news(News::Locked { wrong, wait });
                    self.dirty = true;
                }
                Output::Closed => self.leave(None, true),
            }
        }
    }

    fn write(&mut self, ticket: u64, record: Vec<u8>) {
        if self.disk.write(ticket, record) {
            self.writes_pending += 1;
        } else {
            self.table.handle(Input::WriteFailed { ticket }, self.now());
        }
    }

    fn tell(&mut self, event: Event, seen: &mut Option<Arc<Snapshot>>) {
        self.dirty = true;
        self.notices.hear(&event, &self.table, self.now());
        if self.news.is_some() {
            let seen = Arc::clone(seen.get_or_insert_with(|| Arc::new(self.look())));
            self.send_news(News::Event { event, seen });
        }
    }

    fn send_news(&self, news: News) {
        if let Some(listener) = &self.news {
            // A listener that has gone needs no news.
            let _ = listener.send(news);
        }
    }

    /// Whoever comes to a table or is at it is waited for until then.
    fn wait_until(&mut self, until: Millis) {
        if let Some(joining) = &mut self.joining {
            joining.until = until;
        }
        if let Some(watching) = &mut self.watching {
            *watching = until;
        }
    }

    fn wait_at_least_until(&mut self, until: Millis) {
        let waits = self.joining.as_ref().map(|joining| joining.until).or(self.watching);
        if waits.is_some_and(|waits| waits < until) {
            self.wait_until(until);
        }
    }

    fn look(&self) -> Snapshot {
        let now = self.now();
        let wait_s = |until: Millis| u32::try_from(until.saturating_sub(now).div_ceil(1_000)).unwrap_or(u32::MAX);
        let besides = Besides {
            notices: self.notices.last().to_vec(),
            invite: self.invite(),
            pin: self.locked.map(|(wrong, until)| PinView { wrong, wait_s: wait_s(until) }),
            no_network: self.core.home.no_network(),
        };
        Snapshot { besides, ..Snapshot::of(&self.table, self.expected, now) }
    }

    fn refused(&mut self, error: CommandError) {
        let without_seat = self.table.my_seat().is_none();
        match &self.joining {
            // Two people took the same seat at once: the next free one will do.
            Some(joining) if without_seat && joining.seat.is_none() && error == CommandError::SeatTaken => {}
            Some(_) if without_seat => self.leave(Some(self.unseated(error)), true),
            Some(_) | None => {
                self.tell_refused(error.into());
            }
        }
    }

    fn tell_refused(&self, error: ApiError) {
        self.core.tell(AppEvent::Refused { table: self.id.to_string(), error: error.clone() });
        self.send_news(News::Refused(error));
    }

    fn archive(&self, game: u32) {
        let Some(finished) = archive::finished(&self.table, game) else { return };
        self.core.spawn_blocking(move |core| core.archive(&finished));
    }

    /// Sitting down when the log has come, asking for the start, and leaving when the seat is given up.
    fn follow_wishes(&mut self) {
        let now = self.now();
        self.dirty |= self.notices.look(&self.table, now);
        if self.table.state().is_some() {
            self.locked = None;
        }
        self.sit_down(now);
        self.begin_as_wished(now);
        self.stand_up(now);
        // What these wishes made the table ask for.
        self.drain();
    }

    /// Those who share this device sit down, and when all have, the start is asked for.
    fn begin_as_wished(&mut self, now: Millis) {
        let own = self.table.own_seats();
        let wished = std::mem::take(&mut self.begins.here);
        for (seat, name) in wished.into_iter().filter(|(seat, _)| !own.contains(seat)) {
            match self.table.command(Command::SitHere { seat, name: name.clone() }, now) {
                Ok(()) | Err(CommandError::NotReady) => self.begins.here.push((seat, name)),
                // Somebody was quicker: they find the table as it is.
                Err(error) => self.tell_refused(error.into()),
            }
        }
        if self.begins.ready && self.begins.here.is_empty() {
            self.begins.ready = self.table.command(Command::Ready, now) == Err(CommandError::NotReady);
        }
    }

    /// While the log is being fetched, a seat may be shown that was given up long ago: that counts for nothing.
    fn sit_down(&mut self, now: Millis) {
        let seated = self.table.my_seat().is_some();
        let Some(joining) = &self.joining else { return self.leave_if_without_seat() };
        if seated && (now >= joining.until || self.table.is_caught_up() && !self.table.is_fresh()) {
            self.joining = None;
            return;
        }
        if now >= joining.until {
            let error = not_seated(self.id, self.table.state().is_some());
            return self.leave(Some(error), true);
        }
        if seated || !self.table.is_caught_up() || self.table.is_sitting_down() {
            return;
        }
        let sit = Command::Sit { seat: joining.seat, name: joining.name.clone() };
        match self.table.command(sit, now) {
            // To be tried again with the next message, where it is not yet on its way.
            Ok(()) | Err(CommandError::NotReady | CommandError::Stale) => {}
            Err(error) => self.leave(Some(self.unseated(error)), true),
        }
    }

    /// A device whose seat turns out to be gone says so and goes, unless it is there to look on. Its journal stays.
    fn leave_if_without_seat(&mut self) {
        if let Some(until) = self.watching {
            if self.table.my_seat().is_some() && self.table.is_caught_up() {
                self.leave(Some(own_seat(self.id)), false);
            } else if self.table.state().is_none() && self.now() >= until {
                self.leave(Some(not_seated(self.id, false)), true);
            }
            return;
        }
        if self.standing.is_none() && self.table.my_seat().is_none() && self.table.is_caught_up() {
            self.leave(Some(no_seat_of_ours(self.id)), false);
        }
    }

    /// Why there is no seat for whoever joins.
    fn unseated(&self, error: CommandError) -> ApiError {
        match (&error, self.table.state()) {
            (CommandError::Full, Some(state)) => full(self.id, state),
            _ => error.into(),
        }
    }

    fn leave(&mut self, error: Option<ApiError>, retire: bool) {
        if self.ending.is_some() {
            return;
        }
        let now = self.now();
        // Refused only where there is nobody to say goodbye to.
        let _ = self.table.command(Command::Leave, now);
        self.ending = Some(Ending { error, retire, until: now + LEAVE_WAIT_MS });
        self.drain();
    }

    fn is_over(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| self.writes_pending == 0 || self.now() >= ending.until)
    }

    fn show(&mut self) {
        let now = self.now();
        if !self.dirty || now < self.next_show {
            return;
        }
        self.dirty = false;
        self.next_show = now + SHOW_EVERY_MS;
        self.name_members();
        let seen = Arc::new(self.look());
        self.core.saw(&seen);
        if self.core.has_listeners() {
            let view = table_view(&seen);
            if self.shown.as_ref() != Some(&view) {
                self.core.tell(AppEvent::Table { view: Box::new(view.clone()) });
                self.shown = Some(view);
            }
        } else {
            // Whoever listens next has seen nothing yet.
            self.shown = None;
        }
        self.send_news(News::Changed(seen));
    }

    async fn end(mut self) {
        let Some(ending) = self.ending.take() else { return };
        self.mind.stop();
        // Nobody waits for this actor any more, the journal's thread least of all.
        self.inbox.close();
        let owns_none = self.table.my_seat().is_none();
        self.core.saw(&self.look());
        self.disk.close().await;
        if (ending.retire || self.watching.is_some()) && owns_none {
            let id = self.id;
            let _ = self.core.blocking(move |core| core.history.retire(id)).await;
            self.core.home.forget(self.id);
        }
        self.core.gone(self.id, self.reached);
        self.core.spawn_blocking(Core::name_known);
        if let Some(reply) = self.standing.take().and_then(|standing| standing.reply) {
            let _ = reply.send(match (owns_none, ending.retire) {
                // With nobody left the table is closed.
                (true, true) => Ok(()),
                (true, false) => Err(not_known_yet()),
                (false, _) => Err(nobody_answers()),
            });
        }
        self.core.tell(AppEvent::Closed { table: self.id.to_string(), error: ending.error.clone() });
        if let Some(listener) = &self.news {
            let _ = listener.send(News::Closed(ending.error));
        }
        for reply in self.leaving {
            let _ = reply.send(());
        }
    }
}

/// What was continued apart and is worth a look.
pub(crate) fn branches_of(table: &Table) -> Vec<BranchView> {
    table.branches().iter().filter_map(branch_view).collect()
}

/// One of these, move by move.
pub(crate) fn replay_of(table: &Table, head: Hash, seen: &Snapshot) -> Option<ReplayView> {
    let branch = table.branches().into_iter().find(|branch| branch.head == head)?;
    Some(replay_view(seen, seen.state.as_ref()?, table.branch_game(head)?, branch.first))
}
