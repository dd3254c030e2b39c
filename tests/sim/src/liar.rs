//! The hostile device of a game: it runs the real code, bent where a lie needs it (crates/table/src/planted.rs), and
//! sends what nobody should believe.

use rand::Rng;
use table::entry::{Body, Intent};
use table::message::{Letter, Message, Note, Said};
use table::seal::{Kind, Sealed, Signature};
use table::{Act, Hash};

use crate::plan::{Liar, Plan};
use crate::trace::Trace;
use crate::world::{What, World};

/// Lets a device do something, lying if it is the game's liar.
#[cfg(feature = "planted")]
pub fn with_lie<T>(plan: &Plan, device: usize, work: impl FnOnce() -> T) -> T {
    use table::planted::{Lie, set_lie};
    let lie = plan.liar.filter(|&(liar, _)| plan.lying && liar == device).and_then(|(_, liar)| match liar {
        Liar::Withholds => Some(Lie::Withhold),
        Liar::LeavesOut => Some(Lie::LeaveOut),
        Liar::WrongBase => Some(Lie::WrongBase),
        Liar::NoGrace => Some(Lie::NoGrace),
        Liar::SignsTwice | Liar::Forges => None,
    });
    set_lie(lie);
    let done = work();
    set_lie(None);
    done
}

/// Without the feature nobody's code is bent.
#[cfg(not(feature = "planted"))]
pub fn with_lie<T>(_: &Plan, _: usize, work: impl FnOnce() -> T) -> T {
    work()
}

impl World {
    /// The liar does something.
    pub fn lie(&mut self) {
        let Some((device, liar)) = self.plan.liar else { return };
        if self.healed {
            return;
        }
        let after = self.between(100, 1_200);
        self.at(after, What::Lie);
        let awake = self.devices[device].table.is_some() && self.devices[device].asleep_until <= self.now;
        match liar {
            Liar::Forges if awake => self.forge(device),
            Liar::SignsTwice if awake => self.sign_twice(device),
            Liar::LeavesOut | Liar::WrongBase if awake => self.call_for_nothing(device),
            Liar::Forges | Liar::SignsTwice | Liar::Withholds | Liar::LeavesOut | Liar::WrongBase | Liar::NoGrace => {}
        }
    }

    /// Two moves for one place: most see one, one device the other.
    #[cfg(feature = "planted")]
    fn sign_twice(&mut self, device: usize) {
        let others: Vec<usize> = self.up().filter(|&other| other != device).collect();
        let Some(&victim) = others.get(self.rng.random_range(0..others.len().max(1))) else { return };
        let at = &self.devices[device];
        let game = at.table.as_ref().and_then(|table| table.state()?.current.clone()).map(|current| current.game);
        let Some(game) = game.filter(|game| game.result().is_none()) else { return };
        let one = crate::person::any_action(&game, &mut self.rng);
        let other = crate::person::any_action(&game, &mut self.rng);
        let (victim, now) = (self.devices[victim].id, self.devices[device].local(self.now));
        let Some(table) = self.devices[device].table.as_mut().filter(|_| one != other) else { return };
        if table.sign_twice(victim, one, other, now) && self.trace.on {
            self.trace.line(self.now, &format!("{} signs twice", Trace::name(device)));
        }
        self.after(device);
    }

    /// A call without a reason, for a roll that lies.
    #[cfg(feature = "planted")]
    fn call_for_nothing(&mut self, device: usize) {
        if self.rng.random_range(0..4) > 0 {
            return;
        }
        let now = self.devices[device].local(self.now);
        let plan = self.plan.clone();
        let Some(table) = &mut self.devices[device].table else { return };
        with_lie(&plan, device, || table.call_for_nothing(now));
        self.after(device);
    }

    /// Without the feature nobody can.
    #[cfg(not(feature = "planted"))]
    fn sign_twice(&mut self, _: usize) {}

    #[cfg(not(feature = "planted"))]
    fn call_for_nothing(&mut self, _: usize) {}

    /// An act that no honest device made now, as a letter to everybody.
    fn forge(&mut self, device: usize) {
        let Some(&tip) = self.devices[device].log.last() else { return };
        let old: Vec<Sealed> = self
            .chains
            .back(tip)
            .filter_map(|id| match &self.chains.all[id].body {
                Body::Act(sealed) => Some(sealed.clone()),
                _ => None,
            })
            .collect();
        let Some(template) = old.first().and_then(|sealed| sealed.open::<Intent>()) else { return };
        let own = self.devices[device].keys.port();
        let made = |intent: &Intent| Sealed::new(&*own, Kind::Intent, self.table, intent);
        let seats = self.plan.setup.seats.len() as u8;
        let seat = self.rng.random_range(0..seats);
        let ahead = self.rng.random_range(1..100);
        let turn = self.devices[device].table.as_ref().and_then(|table| table.state()?.turn_seat()).unwrap_or(seat);
        let game = self.devices[device].table.as_ref().and_then(|table| table.state()?.current.clone());
        let play = game
            .filter(|game| game.game.result().is_none())
            .map(|game| Act::Move { action: crate::person::any_action(&game.game, &mut self.rng), by_clock: false });
        let mut sealed = match self.rng.random_range(0..6) {
            0 => old[self.rng.random_range(0..old.len())].clone(),
            1 => made(&Intent { seat, seq: template.seq + ahead, act: Act::Resign, ..template }),
            2 => made(&Intent { seat, seq: template.seq + ahead, act: Act::Ready { commit: None }, ..template }),
            3 => made(&Intent { seat, seq: template.seq + ahead, act: Act::Stand, at: Hash([7; 32]), ..template }),
            _ => {
                let act = play.unwrap_or(Act::Stand);
                made(&Intent { seat: turn, seq: template.seq + ahead, act, ..template })
            }
        };
        if self.rng.random_range(0..3) == 0 {
            sealed.signature = Signature([self.rng.random(); 64]);
        }
        if self.trace.on {
            let line = format!("{} forges {:?}", Trace::name(device), sealed.open::<Intent>());
            self.trace.line(self.now, &line);
        }
        let note = Note { session: [9; 16], number: self.now, said: Said::Act(sealed) };
        let note = Sealed::new(&*own, Kind::Letter, self.table, &note);
        let bytes = Message::Letter(Letter { origin: own.key(), note }).to_bytes();
        for to in (0..self.devices.len()).filter(|&to| to != device) {
            self.post(device, to, bytes.clone());
        }
    }
}
