//! What came up in the games: each kind in how many of them, so that a run shows that it tried what it claims.

use std::collections::BTreeMap;
use std::fmt::Write as _;

macro_rules! kinds {
    ($($kind:ident = $name:literal, $share:literal;)*) => {
        /// Something that came up in a game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind { $($kind),* }

        impl Kind {
            /// All of them: kind, name, and of how many games in a hundred a run must have it.
            pub const ALL: &[(Kind, &str, u64)] = &[$((Kind::$kind, $name, $share)),*];
        }
    };
}

kinds! {
    Delay = "delay", 5;
    Loss = "loss", 5;
    Duplication = "duplication", 5;
    Reordering = "reordering", 5;
    OneWay = "one-way cut", 5;
    Cut = "cut", 5;
    Partition = "partition", 5;
    Bridge = "bridge", 1;
    Crash = "crash", 5;
    CrashAtWrite = "crash at a write", 5;
    TornWrite = "write lost or torn", 5;
    Blackout = "blackout", 5;
    FullDisk = "full disk", 5;
    Slow = "slow device", 5;
    Drift = "clock drift", 5;
    Sleep = "sleep", 5;
    Gone = "gone for good", 5;
    Leave = "leave and return", 5;
    Ranked = "ranked", 5;
    Teams = "teams", 2;
    Spectators = "spectators", 5;
    LateJoin = "late joiner", 5;
    Started = "game started", 60;
    Ended = "game ended", 20;
    Rolled = "roll", 30;
    KeeperChange = "keeper change", 10;
    Rewound = "log went back", 5;
    SplitHealed = "split healed", 10;
    Branch = "branch kept", 10;
    Carried = "act carried over", 10;
    Taken = "takeover", 10;
    Returned = "back at a taken seat", 5;
    ClockMove = "clock move", 10;
    OfferUndo = "undo offered", 10;
    OfferDraw = "draw offered", 10;
    OfferOptions = "options offered", 10;
    Undone = "undo granted", 5;
    Toss = "toss", 10;
    Hold = "hold", 3;
    CpuNow = "cpu-now", 3;
    Resigned = "resignation", 5;
    Stood = "stood up", 5;
    Liar = "liar", 5;
}

/// What one game had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen(u64);

impl Seen {
    pub fn note(&mut self, kind: Kind) {
        self.0 |= 1 << kind as u64;
    }

    pub fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u64 != 0
    }
}

/// What a run had.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub games: u64,
    pub entries: u64,
    /// Simulated, in ms.
    pub time: u64,
    of: BTreeMap<Kind, u64>,
}

impl Counts {
    pub fn add(&mut self, seen: Seen, entries: u64, time: u64) {
        self.games += 1;
        self.entries += entries;
        self.time += time;
        for &(kind, _, _) in Kind::ALL {
            *self.of.entry(kind).or_default() += u64::from(seen.has(kind));
        }
    }

    pub fn merge(&mut self, other: &Counts) {
        self.games += other.games;
        self.entries += other.entries;
        self.time += other.time;
        for (&kind, games) in &other.of {
            *self.of.entry(kind).or_default() += games;
        }
    }

    fn of(&self, kind: Kind) -> u64 {
        self.of.get(&kind).copied().unwrap_or(0)
    }

    /// Kinds that came up in fewer games than they must.
    pub fn rare(&self) -> Vec<&'static str> {
        let rare = |&&(kind, _, share): &&(Kind, &str, u64)| self.of(kind) * 100 < share * self.games;
        Kind::ALL.iter().filter(rare).map(|&(_, name, _)| name).collect()
    }

    pub fn table(&self) -> String {
        let mut text = String::new();
        for &(kind, name, share) in Kind::ALL {
            let count = self.of(kind);
            let tenths = count * 1000 / self.games.max(1);
            let low = if count * 100 < share * self.games { "  LOW" } else { "" };
            let _ =
                writeln!(text, "{name:22} {count:8} {:3}.{} %  (at least {share:2} %){low}", tenths / 10, tenths % 10);
        }
        text
    }
}
