//! For tests: one device's table without disk, network or clock, whose CPU plays what a script says.

use rules::{Action, Colour, OptionName, Preset, Rules};
use table::port::Ed25519;
use table::{Command, Input, Output, SeatSetup, Setup, Table};

use crate::setup::default_settings;
use crate::snapshot::Snapshot;

/// A table whose seats but the first are CPUs.
pub(crate) struct Script {
    pub(crate) table: Table,
    now: u64,
    /// The CPU's turn that waits for the script.
    thinks: Option<u64>,
}

impl Script {
    pub(crate) fn open(preset: Preset, seats: usize, options: &[(OptionName, &str)]) -> Script {
        let mut chosen = preset.options();
        chosen.seats = seats as u8;
        for (name, value) in options {
            chosen.set(name.name(), value).expect("an option");
        }
        let rules: Rules = chosen.check(preset).expect("coherent");
        let setup = Setup {
            rules,
            settings: default_settings(),
            seats: vec![SeatSetup::Cpu(3); seats],
            name: "Anna".to_owned(),
            pin: None,
        };
        let mut script =
            Script { table: Table::open(Box::new(Ed25519::new(&[7; 32])), [1; 32], setup, 0), now: 0, thinks: None };
        script.settle();
        script
    }

    pub(crate) fn start(mut self) -> Script {
        self.command(Command::Ready);
        self
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.now += 1;
        self.table.command(command, self.now).expect("accepted");
        self.settle();
    }

    /// Every record is on disk at once.
    fn settle(&mut self) {
        while let Some(output) = self.table.poll() {
            match output {
                Output::Write { ticket, .. } => self.table.handle(Input::Written { ticket }, self.now),
                Output::Think { ticket, .. } => self.thinks = Some(ticket),
                Output::StopThinking => self.thinks = None,
                Output::Send { .. }
                | Output::Dial { .. }
                | Output::Event(_)
                | Output::Changed
                | Output::Refused(_)
                | Output::Finished { .. }
                | Output::Disconnect { .. }
                | Output::Locked { .. }
                | Output::Closed => {}
            }
        }
    }

    /// The next player's action, whoever that is.
    pub(crate) fn act(&mut self, action: Action) {
        match self.thinks.take() {
            Some(ticket) => {
                self.now += 1;
                self.table.handle(Input::Thought { ticket, action }, self.now);
                self.settle();
            }
            None => self.command(Command::Play(action)),
        }
    }

    /// Stones, choices: `H8 black add`.
    pub(crate) fn play(mut self, script: &str) -> Script {
        for word in script.split_whitespace() {
            self.act(match word {
                "black" => Action::Choose(Colour::Black),
                "white" => Action::Choose(Colour::White),
                "add" => Action::Add,
                point => Action::place(point.parse().expect("a point")),
            });
        }
        self
    }

    pub(crate) fn seen(&self) -> Snapshot {
        Snapshot::of(&self.table, Preset::Gomoku, self.now)
    }
}
