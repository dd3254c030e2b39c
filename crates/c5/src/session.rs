//! One seat at one table: commands from stdin, events to stdout, until the process leaves.

use std::sync::Arc;
use std::time::Duration;

use app::api::{ApiError, ErrorCode};
use app::{App, News, Snapshot};
use rules::{Action, Refusal};
use serde_json::{Map, Value};
use table::{Command, EventKind, Hash, Millis, Proposal, Setup, Sitter, TableId};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};

use crate::args::Play;
use crate::auto::{Auto, Decision};
use crate::changes::changes;
use crate::ending::{Farewell, Kept, Over, Stays, end_not_saved};
use crate::explain::{choices_named, explained, no_game, only_away};
use crate::find::Found;
use crate::order::{BadCommand, HELP, Order, order_from_line};
use crate::referee::Asked;
use crate::sentences::{change_sentence, disk_sentence, left_sentence};
use crate::standing::{invite_line, standing};
use crate::stdin::Lines;
use crate::stop::Stop;
use crate::terms::changed_terms;
use crate::under_way::{UnderWay, on_its_way};
use crate::{Failure, Output, events};

/// What could not be done at once is looked at again this often.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// A wish to start is said again after this, should it have become void.
const READY_AGAIN: Duration = Duration::from_secs(3);
/// Whoever leaves waits so long for what was asked for before.
const LEAVE_WAIT: Duration = Duration::from_secs(2);

/// There is nobody to ask for a PIN: it comes with the command line or not at all.
fn locked(wrong: bool, wait: Millis) -> Failure {
    let message = if wait > 0 {
        let seconds = wait.div_ceil(1_000);
        format!("too many wrong PINs came from this address: try again in {seconds} s")
    } else if wrong {
        "this is not the table's PIN: ask somebody who sits there".to_owned()
    } else {
        "this table asks for a PIN: give it with --pin".to_owned()
    };
    Failure::new("wrong-pin", message)
}

/// How a session comes to its table.
pub(crate) enum Entry {
    Open(Box<Setup>),
    Join { found: Found, wait: Duration, name: String, seat: Option<u8>, pin: Option<String> },
    Watch { found: Found, wait: Duration, pin: Option<String> },
    Resume(TableId),
}

/// Sits at the table until it is left.
pub(crate) async fn run(
    app: &App,
    entry: Entry,
    play: &Play,
    lines: Lines,
    stop: Stop,
    output: &mut Output,
) -> Result<(), Failure> {
    let (listener, news) = mpsc::unbounded_channel();
    let table = match entry {
        Entry::Open(setup) => app.open(*setup, Some(listener)).await?,
        Entry::Join { found, wait, name, seat, pin } => {
            app.join(found.table(), name, seat, pin, wait, Some(listener)).await?;
            found.dial(app)
        }
        Entry::Watch { found, wait, pin } => {
            app.watch(found.table(), pin, wait, Some(listener)).await?;
            found.dial(app)
        }
        Entry::Resume(table) => {
            app.resume(table, Some(listener)).await?;
            table
        }
    };
    let (decide, decisions) = mpsc::unbounded_channel();
    let session = Session {
        app: app.clone(),
        table,
        news,
        lines,
        decisions,
        auto: Auto::new(play, decide),
        seen: None,
        looked_at: None,
        position_due: false,
        under_way: UnderWay::default(),
        gave_up: false,
        leaving_since: None,
        terms_seen: None,
        invite_told: None,
        warned: None,
        failing_told: false,
        ready_said: None,
        farewell: Farewell::default(),
        output,
    };
    session.run(stop).await
}

struct Session<'a> {
    app: App,
    table: TableId,
    news: mpsc::UnboundedReceiver<News>,
    lines: Lines,
    decisions: mpsc::UnboundedReceiver<Decision>,
    auto: Option<Auto>,
    /// The newest look at the table.
    seen: Option<Arc<Snapshot>>,
    /// The newest look of which it is told what has changed.
    looked_at: Option<Arc<Snapshot>>,
    /// The table was told, and how its game stands is still to be.
    position_due: bool,
    /// What was asked for and has not come about yet.
    under_way: UnderWay,
    /// The seat is given up, and not only left.
    gave_up: bool,
    /// When `leave` was written.
    leaving_since: Option<Instant>,
    /// What was seen when the terms of the table were last told.
    terms_seen: Option<Arc<Snapshot>>,
    /// The invite that was told: its code, or its link where it has none.
    invite_told: Option<String>,
    /// The game that a person was told would count no longer.
    warned: Option<u32>,
    /// It was told that the disk takes nothing.
    failing_told: bool,
    /// The game for which `ready` was said by itself, and when.
    ready_said: Option<(u32, Instant)>,
    /// With `--auto`: the wait for the last game's end.
    farewell: Farewell,
    output: &'a mut Output,
}

/// Whether the session goes on.
enum Next {
    Stay,
    End,
}

impl Session<'_> {
    async fn run(mut self, mut stop: Stop) -> Result<(), Failure> {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_leaving = self.leaving_since.is_some();
            let next = tokio::select! {
                news = self.news.recv() => match news {
                    Some(news) => self.hear(news)?,
                    None => Next::End,
                },
                line = self.lines.next(), if !is_leaving => self.obey(&line).await,
                Some(decision) = self.decisions.recv() => {
                    self.play_decision(decision).await;
                    Next::Stay
                }
                _ = looks.tick() => Next::Stay,
                () = stop.asked() => Next::End,
            };
            match next {
                Next::Stay if self.output.is_closed() || self.has_done_all().await => return self.leave().await,
                Next::Stay => match self.over() {
                    Over::No => self.look_after().await,
                    Over::Done => return self.leave().await,
                    Over::NotSaved => {
                        // It says goodbye all the same.
                        let _ = self.app.leave(self.table).await;
                        return Err(end_not_saved());
                    }
                },
                Next::End => return self.leave().await,
            }
        }
    }

    fn hear(&mut self, news: News) -> Result<Next, Failure> {
        match news {
            News::Event { event, seen } => {
                let (body, sentence) = events::told(&event, &seen, self.terms_seen.as_deref());
                let about_me = match event.kind {
                    EventKind::YourTurn { .. } => self.auto.is_none(),
                    EventKind::Table
                    | EventKind::Seat { .. }
                    | EventKind::Start { .. }
                    | EventKind::Move { .. }
                    | EventKind::Keeper { .. }
                    | EventKind::Resigned { .. }
                    | EventKind::Asked { .. }
                    | EventKind::Answered { .. }
                    | EventKind::AskClosed { .. }
                    | EventKind::Undone { .. }
                    | EventKind::Agreed
                    | EventKind::Halted
                    | EventKind::Final { .. }
                    | EventKind::Rewound { .. }
                    | EventKind::Link { .. }
                    | EventKind::Said { .. }
                    | EventKind::End { .. } => true,
                };
                self.output.event(&body, sentence.as_deref().filter(|_| about_me));
                if self.output.is_json() && event.kind == EventKind::Table {
                    // It holds the invite.
                    self.invite_told = invite_key(&seen);
                }
                if tells_terms(&event.kind) {
                    self.terms_seen = Some(Arc::clone(&seen));
                }
                self.under_way.hear(&event.kind, seen.my_seat);
                if event.kind == EventKind::Agreed {
                    self.tell_unready(event.index, event.head);
                }
                if event.kind == EventKind::Table {
                    // What is seen may be ahead of this event: then what lies between is told first.
                    self.position_due = true;
                    self.tell_position(&seen, event.index);
                }
                self.seen = Some(seen);
                if event.kind == EventKind::Halted {
                    self.tell_halt();
                }
                self.tell_standing();
            }
            News::Changed(seen) => {
                if let Some((index, _)) = seen.head {
                    self.tell_position(&seen, index);
                }
                self.tell_changes(&seen);
                self.seen = Some(seen);
                self.tell_standing();
            }
            News::Refused(error) => {
                self.under_way.forget();
                self.tell_error(error.code.name(), &error.message);
                if let Some(auto) = &mut self.auto {
                    auto.again();
                }
            }
            News::Locked { wrong, wait } => return Err(locked(wrong, wait)),
            News::Closed(None) => return Ok(Next::End),
            News::Closed(Some(error)) => return Err(error.into()),
        }
        Ok(Next::Stay)
    }

    /// Whoever comes to a table is told once how it stands there: a person all of it, a program the position of a game.
    fn tell_position(&mut self, seen: &Snapshot, told_upto: u32) {
        if !self.position_due || seen.head.is_none_or(|(index, _)| index != told_upto) {
            return;
        }
        self.position_due = false;
        let has_game = seen.state.as_ref().is_some_and(|state| state.current.is_some());
        if has_game || !self.output.is_json() {
            self.output.event(&events::position(seen), Some(&standing(seen)));
        }
        if !self.output.is_json() {
            // It was among that.
            self.invite_told = invite_key(seen);
        }
    }

    /// What was agreed made everybody's word for the next game void. What is seen may be ahead of that, with the same
    /// people ready again.
    fn tell_unready(&mut self, index: u32, head: Hash) {
        let Some(before) = &self.looked_at else { return };
        let mut then = Snapshot::clone(before);
        then.head = Some((index, head));
        then.state.iter_mut().flat_map(|state| &mut state.seats).for_each(|seat| seat.ready = false);
        self.tell_changes(&Arc::new(then));
    }

    /// All events up to what is seen are told by now.
    fn tell_changes(&mut self, seen: &Arc<Snapshot>) {
        self.under_way.look(seen);
        let before = self.looked_at.replace(Arc::clone(seen));
        for change in before.map_or_else(Vec::new, |before| changes(&before, seen)) {
            let sentence = change_sentence(change, seen);
            self.output.event(&events::changed(change, seen), sentence.as_deref());
        }
    }

    /// What is so until it changes: how others come here, and whether the disk takes what happens.
    fn tell_standing(&mut self) {
        self.tell_invite();
        let Some(seen) = &self.seen else { return };
        if seen.not_saved != self.failing_told {
            self.failing_told = seen.not_saved;
            self.output.event(&events::disk(seen), Some(disk_sentence(seen.not_saved)));
        }
    }

    /// Whoever sits here tells the others how they come here.
    fn tell_invite(&mut self) {
        let Some(seen) = self.seen.as_ref().filter(|seen| seen.state.is_some()) else { return };
        let (Some(invite), Some(line)) = (invite_key(seen), invite_line(seen)) else { return };
        if self.invite_told.as_ref() != Some(&invite) {
            self.invite_told = Some(invite);
            self.output.event(&events::invite(seen), Some(&line));
        }
    }

    /// A ranked game that counts would count no longer: a person says it twice, a program knows what it does.
    async fn cpu_now(&mut self, seat: Option<u8>) -> Result<(), ApiError> {
        let seen = self.app.look(self.table).await?;
        let game = seen.state.as_ref().filter(|state| state.playing() && state.counts()).and_then(|state| {
            let mut seats = 0..state.seats.len() as u8;
            let away = seats.any(|at| seen.is_waited_for(at) && seat.is_none_or(|seat| seat == at));
            state.current.as_ref().filter(|_| away).map(|current| current.number)
        });
        if game.is_some() && !self.output.is_json() && self.warned != game {
            self.warned = game;
            let warning = "This game is ranked: once the CPU has played in it, it counts no longer. Write cpu-now again \
                           to let the CPU play, or wait";
            self.output.event(&events::at_table("warning", &seen), Some(warning));
            return Ok(());
        }
        self.command(Command::CpuNow { seat }).await
    }

    /// A halt is an error that the process outlives: whoever plays here decides.
    fn tell_halt(&mut self) {
        let halt = self.seen.as_ref().and_then(|seen| seen.halt.clone());
        let versions = halt.map_or_else(String::new, |halt| {
            format!(" ({} here, {} there)", version(&halt.ours), version(&halt.theirs))
        });
        let about = format!(
            "the devices at this table disagree about the game{versions}: write go-on to play without those that \
             differ, or update the older program and open a new table"
        );
        self.tell_error(ErrorCode::RulesDiffer.name(), &about);
    }

    fn tell_error(&mut self, code: &str, message: &str) {
        let body = events::error(code, message, self.seen.as_deref());
        self.output.event(&body, Some(message));
    }

    async fn obey(&mut self, line: &str) -> Next {
        let order = match order_from_line(line) {
            None => {
                self.touched().await;
                return Next::Stay;
            }
            Some(Ok(order)) => order,
            Some(Err(BadCommand(why))) => {
                self.tell_error("bad-command", &why);
                return Next::Stay;
            }
        };
        self.touched().await;
        let done = match order {
            Order::Leave => {
                self.leaving_since = Some(Instant::now());
                return Next::Stay;
            }
            Order::State => {
                self.tell_state().await;
                Ok(())
            }
            // Ends the session by the table's closing.
            Order::Stand => {
                let done = self.app.give_up_seat(self.table).await;
                self.gave_up |= done.is_ok();
                done.map_err(|error| self.seen.iter().fold(error, |error, seen| explained(error, seen)))
            }
            Order::Ready => self.command(Command::Ready).await,
            Order::Resign => self.command(Command::Resign).await,
            Order::Play(asked) => self.play_asked(asked).await,
            Order::Undo => self.command(Command::Offer(Proposal::Undo)).await,
            Order::Draw => self.command(Command::Offer(Proposal::Draw)).await,
            Order::Answer { offer, yes } => self.command(Command::Answer { offer, yes }).await,
            Order::Options(changes) => self.offer_options(&changes).await,
            Order::Wait(seat) => self.command(Command::Hold { seat }).await,
            Order::CpuNow(seat) => self.cpu_now(seat).await,
            Order::GoOn => self.command(Command::GoOn).await,
            Order::Help => {
                self.output.event(&events::help(), Some(HELP));
                Ok(())
            }
            Order::Say(phrase) => self.command(Command::Say { phrase }).await,
        };
        if let Err(error) = done {
            self.tell_error(error.code.name(), &error.message);
        }
        Next::Stay
    }

    /// Whoever writes is there. A device without a seat has nothing to say it for.
    async fn touched(&self) {
        let _ = self.app.command(self.table, Command::Touched).await;
    }

    /// A command that is written twice is answered twice.
    async fn command(&mut self, command: Command) -> Result<(), ApiError> {
        let seen = self.app.look(self.table).await?;
        if let Command::Hold { seat: None } | Command::CpuNow { seat: None } = command
            && seen.my_seat.is_some()
        {
            only_away(&seen)?;
        }
        self.under_way.check(&command, &seen)?;
        let again = self.under_way.has(&command);
        self.app.command(self.table, command.clone()).await.map_err(|error| explained(error, &seen))?;
        self.under_way.note(command);
        if again { Err(on_its_way()) } else { Ok(()) }
    }

    async fn offer_options(&mut self, changes: &Map<String, Value>) -> Result<(), ApiError> {
        let seen = self.app.look(self.table).await?;
        let terms = changed_terms(&seen, changes)?;
        self.command(Command::Offer(Proposal::Options(terms))).await
    }

    async fn tell_state(&mut self) {
        match self.app.look(self.table).await {
            Ok(seen) => {
                let body = events::state(&seen);
                self.output.event(&body, Some(&standing(&seen)));
            }
            Err(error) => self.tell_error(error.code.name(), &error.message),
        }
    }

    async fn play_asked(&mut self, asked: Asked) -> Result<(), ApiError> {
        let seen = self.app.look(self.table).await?;
        let Some((state, current)) = seen.state.as_ref().and_then(|state| Some((state, state.current.as_ref()?)))
        else {
            return Err(no_game(&seen));
        };
        let action = match asked.action(&current.game) {
            Ok(action) => action,
            Err(refusal) => return Err(choices_named(refusal, &current.game)),
        };
        let is_mine = seen.my_seat.is_some() && state.turn_seat() == seen.my_seat;
        if is_mine && let Err(refusal @ Refusal::NotAChoice) = current.game.clone().play(&action) {
            return Err(choices_named(refusal, &current.game));
        }
        let own = seen.my_seat.and_then(|seat| state.colour(seat));
        match action {
            Action::Resign(colour) if Some(colour) == own => self.command(Command::Resign).await,
            Action::Resign(_) | Action::Draw => {
                Err(ApiError::new(ErrorCode::BadCommand, "only your own seat can resign: write resign"))
            }
            Action::Place { .. } | Action::Choose(_) | Action::Add => self.command(Command::Play(action)).await,
        }
    }

    async fn play_decision(&mut self, decision: Decision) {
        let Ok(seen) = self.app.look(self.table).await else { return };
        let Some(auto) = &mut self.auto else { return };
        let still = crate::auto::my_turn(&seen).is_some_and(|(place, _)| place == decision.place);
        if still && self.app.command(self.table, Command::Play(decision.action)).await.is_ok() {
            return;
        }
        auto.again();
    }

    /// What this session does by itself: play, and say that it is ready.
    async fn look_after(&mut self) {
        let Some(seen) = self.seen.clone() else { return };
        if let Some(auto) = &mut self.auto {
            auto.look(&seen);
            // Nobody is left waiting for an answer.
            if let Some(offer) = auto.offer_to_answer(&seen) {
                let no = Command::Answer { offer: Some(offer), yes: false };
                let _ = self.app.command(self.table, no).await;
            }
        }
        let Some(game) = self.game_to_start(&seen) else { return };
        let said = self.ready_said.is_some_and(|(said, when)| said == game && when.elapsed() < READY_AGAIN);
        if !said && self.app.command(self.table, Command::Ready).await.is_ok() {
            self.under_way.note(Command::Ready);
            self.ready_said = Some((game, Instant::now()));
        }
    }

    /// The number of the game that this session asks for without being told to (PROTOCOL.md, section 11).
    fn game_to_start(&self, seen: &Snapshot) -> Option<u32> {
        let state = seen.state.as_ref()?;
        let seat = seen.my_seat?;
        let own = state.seats.get(usize::from(seat))?;
        if state.playing() || own.ready || !own.here || seen.fresh {
            return None;
        }
        match &state.current {
            None => {
                let nobody_missing = state.seats.iter().all(|seat| seat.sitter != Sitter::Nobody);
                let asked_for = state.seats.iter().any(|seat| seat.ready);
                (nobody_missing || asked_for).then_some(1)
            }
            Some(current) => {
                let next = current.number + 1;
                self.auto.as_ref().is_some_and(|auto| auto.wants_game(next)).then_some(next)
            }
        }
    }

    /// With `--auto`: whether the last game is over, and its end kept.
    fn over(&mut self) -> Over {
        let (Some(auto), Some(seen)) = (&self.auto, &self.seen) else { return Over::No };
        let kept = if auto.is_done(seen) { Kept::of(seen) } else { None };
        self.farewell.look(kept, Instant::now())
    }

    /// Whoever leaves has first what was written before, and is told of it.
    async fn has_done_all(&self) -> bool {
        let Some(since) = self.leaving_since else { return false };
        if since.elapsed() >= LEAVE_WAIT {
            return true;
        }
        let ghost = self.app.look(self.table).await.is_ok_and(|seen| seen.ghost.is_some());
        self.under_way.is_empty() && !ghost
    }

    /// Says goodbye, keeps the seat, and tells what happened until then.
    async fn leave(mut self) -> Result<(), Failure> {
        // The table may have closed by itself.
        let _ = self.app.leave(self.table).await;
        while let Ok(news) = self.news.try_recv() {
            self.hear(news)?;
        }
        let stays = self.stays().await;
        let body = events::left(self.table, self.seen.as_deref(), stays);
        let had_seat = self.seen.as_ref().is_some_and(|seen| seen.my_seat.is_some());
        self.output.event(&body, Some(&left_sentence(self.table, stays, had_seat, self.gave_up)));
        Ok(())
    }

    /// What the disk has of the table. Whoever only looked on keeps nothing, and misses nothing.
    async fn stays(&self) -> Stays {
        let seat = self.seen.as_ref().and_then(|seen| seen.my_seat).filter(|_| !self.gave_up);
        if seat.is_none() && !self.gave_up {
            return Stays { seat: None, saved: true };
        }
        let head = |seen: &Snapshot| seen.head.map(|(index, _)| index);
        let rest = self.app.look_at_rest(self.table).await.ok();
        Stays::of(seat, self.seen.as_deref().and_then(head), rest.map(|rest| (head(&rest), rest.my_seat)))
    }
}

/// What tells one invite from another: the code, which stays the same while addresses come and go, or else the link.
fn invite_key(seen: &Snapshot) -> Option<String> {
    let invite = seen.invite()?;
    Some(if invite.code.is_empty() { invite.link.clone() } else { invite.code.clone() })
}

/// Whether a person who has read this event's sentence knows the terms as they then are.
const fn tells_terms(kind: &EventKind) -> bool {
    match kind {
        EventKind::Table
        | EventKind::Start { .. }
        | EventKind::Agreed
        | EventKind::Rewound { .. }
        | EventKind::End { .. } => true,
        EventKind::Seat { .. }
        | EventKind::Move { .. }
        | EventKind::YourTurn { .. }
        | EventKind::Keeper { .. }
        | EventKind::Resigned { .. }
        | EventKind::Asked { .. }
        | EventKind::Answered { .. }
        | EventKind::AskClosed { .. }
        | EventKind::Undone { .. }
        | EventKind::Halted
        | EventKind::Final { .. }
        | EventKind::Link { .. }
        | EventKind::Said { .. } => false,
    }
}

const fn version(version: &str) -> &str {
    if version.is_empty() { "an unknown version" } else { version }
}
