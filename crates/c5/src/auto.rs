//! A seat that plays by itself (`--auto`).

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use app::Snapshot;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Action, Colour, Game, Must};
use table::{Hash, Offer};
use tokio::sync::mpsc;

use crate::args::{AutoPlayer, Play};

/// Which decision: the game's number, and the actions before it.
pub(crate) type Place = (u32, usize);

/// What was decided, and where.
pub(crate) struct Decision {
    pub(crate) place: Place,
    pub(crate) action: Action,
}

/// The player, and how many games it plays.
pub(crate) struct Auto {
    player: AutoPlayer,
    think: Duration,
    games: u32,
    /// The number of the last game to play, once the table is known.
    last_game: Option<u32>,
    /// The decision that is being made or was made last.
    at: Option<Place>,
    /// Open offers that were answered.
    answered: Vec<Hash>,
    decisions: mpsc::UnboundedSender<Decision>,
}

impl Auto {
    /// `None` without `--auto`.
    pub(crate) fn new(play: &Play, decisions: mpsc::UnboundedSender<Decision>) -> Option<Auto> {
        Some(Auto {
            player: play.auto?,
            think: Duration::from_millis(play.think_ms),
            games: play.games,
            last_game: None,
            at: None,
            answered: Vec::new(),
            decisions,
        })
    }

    /// Begins to decide where it is this seat's turn.
    pub(crate) fn look(&mut self, seen: &Snapshot) {
        self.count_games(seen);
        let Some((place, game)) = my_turn(seen) else { return };
        if self.at == Some(place) {
            return;
        }
        self.at = Some(place);
        let (player, think, decisions) = (self.player, self.think, self.decisions.clone());
        tokio::spawn(async move {
            let deciding = tokio::task::spawn_blocking(move || decide(player, place, &game));
            tokio::time::sleep(think).await;
            if let Ok(action) = deciding.await {
                // The session may have ended meanwhile.
                let _ = decisions.send(Decision { place, action });
            }
        });
    }

    /// The decision was refused: it is made again at the next look.
    pub(crate) fn again(&mut self) {
        self.at = None;
    }

    /// A returning owner counts the game that it returns to, even if that has ended; somebody new does not.
    fn count_games(&mut self, seen: &Snapshot) {
        let Some(state) = &seen.state else { return };
        let present = state.current.as_ref().map_or(0, |current| current.number);
        let counts_present = state.playing() || seen.my_seat.is_some();
        let played_before = if counts_present { present.saturating_sub(1) } else { present };
        self.last_game.get_or_insert(played_before.saturating_add(self.games));
    }

    pub(crate) fn wants_game(&self, number: u32) -> bool {
        self.last_game.is_some_and(|last| number <= last)
    }

    /// An offer that waits for this seat's answer, if none was given yet. It is for a person to agree.
    pub(crate) fn offer_to_answer(&mut self, seen: &Snapshot) -> Option<Hash> {
        let state = seen.state.as_ref()?;
        let seat = seen.my_seat?;
        self.answered.retain(|id| state.offers.iter().any(|offer| offer.id == *id));
        let waits =
            |offer: &&Offer| offer.seat != seat && !offer.agreed.contains(&seat) && !self.answered.contains(&offer.id);
        let offer = state.offers.iter().find(waits)?.id;
        self.answered.push(offer);
        Some(offer)
    }

    /// All its games are over.
    pub(crate) fn is_done(&self, seen: &Snapshot) -> bool {
        let Some(current) = seen.state.as_ref().and_then(|state| state.current.as_ref()) else { return false };
        current.game.result().is_some() && !self.wants_game(current.number + 1)
    }
}

/// Where this device's seat is to act, and nothing of it is on its way.
pub(crate) fn my_turn(seen: &Snapshot) -> Option<(Place, Game)> {
    let state = seen.state.as_ref()?;
    let seat = seen.my_seat?;
    let current = state.current.as_ref()?;
    let is_here = state.seats.get(usize::from(seat)).is_some_and(|seat| seat.here);
    let free = is_here && !seen.fresh && seen.ghost.is_none() && !state.cpu_plays(seat);
    (free && state.turn_seat() == Some(seat))
        .then(|| ((current.number, current.game.actions().len()), current.game.clone()))
}

fn decide(player: AutoPlayer, place: Place, game: &Game) -> Action {
    match player {
        AutoPlayer::Cpu(level) => app::find_move(game, level, rand::random(), &AtomicBool::new(false)),
        AutoPlayer::Random(seed) => {
            // From the seed and the place alone, so that a restarted process plays as it would have.
            let place = u64::from(place.0) << 32 | place.1 as u64;
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(place);
            at_random(game, &mut random)
        }
    }
}

/// Any legal action, each as likely.
pub fn at_random(game: &Game, random: &mut impl Rng) -> Action {
    let mut actions: Vec<Action> = match game.turn().map(|turn| turn.must) {
        Some(Must::Choose) => game.rules().colours().into_iter().map(Action::Choose).collect(),
        Some(Must::ChooseOrAdd) => {
            game.rules().colours().into_iter().map(Action::Choose).chain([Action::Add]).collect()
        }
        Some(Must::Place) | None => Vec::new(),
    };
    if actions.is_empty() {
        let points = game.rules().board().points();
        actions = points.filter(|&at| game.check(at).is_ok()).map(Action::place).collect();
    }
    // A game with a turn has a legal action; should one not, resigning ends it without harm.
    actions.choose(random).cloned().unwrap_or(Action::Resign(Colour::Black))
}
