//! The home screen: settings, interrupted games, tables nearby, warnings.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use net::{Announcement, Listing, Net};
use table::{DeviceId, Millis, Presence, Seat, Sitter, State, TableId};
use tokio::sync::Notify;
use tokio::time::Duration;

use crate::api::AppEvent;
use crate::api::home::{HomeView, InterruptedView, NearbyState, NearbyTable, NearbyView, Settings, Warning};
use crate::api::setup::FavouriteView;
use crate::core::{Core, locked};
use crate::names::clean_name;
use crate::snapshot::{Snapshot, name_of, names};
use crate::view::bare_board;

/// Changes within this time are shown together.
const GATHER: Duration = Duration::from_millis(20);

/// What the home screen knows.
pub(crate) struct Home {
    facts: Mutex<Facts>,
    changed: Notify,
}

struct Facts {
    settings: Settings,
    /// Running journals, by table.
    kept: BTreeMap<TableId, Kept>,
    /// Tables that this device is at.
    open: BTreeSet<TableId>,
    announcements: BTreeMap<TableId, Announcement>,
    /// What would be announced of the tables where this device sits, the hidden ones included.
    inviting: BTreeMap<TableId, Announcement>,
    announced: Vec<Announcement>,
    /// The hidden tables where this device sits, of which others there are to know, and what they were last told to be.
    hidden: BTreeSet<TableId>,
    announced_hidden: BTreeSet<TableId>,
    /// `None` until the network has said where it can be reached.
    addresses: Option<Vec<SocketAddr>>,
    /// When the tables on the network changed last.
    listed: Option<Millis>,
    warnings: BTreeSet<Warning>,
    /// What was wrong with the folder when it was opened, a line each.
    mended: Vec<String>,
    /// Finished games that are known to be in the archive.
    archived: BTreeSet<(TableId, u32)>,
    games: u32,
    favourites: Vec<FavouriteView>,
    data: PathBuf,
    /// Rises with every table that is taken up, for "newest first".
    rank: u64,
}

/// A table with a running journal.
struct Kept {
    rank: u64,
    /// `None` where there is nothing to go on with: between games, or nobody ever came.
    interrupted: Option<InterruptedView>,
    /// A seat there is this device's.
    mine: bool,
    /// The other people of that table.
    people: Vec<(DeviceId, String)>,
    /// The number of the game whose result stands.
    over: Option<u32>,
    /// Somebody else waits for the next game.
    asked_for: bool,
}

impl Home {
    pub(crate) fn new(settings: Settings, data: PathBuf, games: usize) -> Home {
        Home {
            facts: Mutex::new(Facts {
                settings,
                kept: BTreeMap::new(),
                open: BTreeSet::new(),
                announcements: BTreeMap::new(),
                inviting: BTreeMap::new(),
                announced: Vec::new(),
                hidden: BTreeSet::new(),
                announced_hidden: BTreeSet::new(),
                addresses: None,
                listed: None,
                warnings: BTreeSet::new(),
                mended: Vec::new(),
                archived: BTreeSet::new(),
                games: u32::try_from(games).unwrap_or(u32::MAX),
                favourites: Vec::new(),
                data,
                rank: 0,
            }),
            changed: Notify::new(),
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Facts) -> T) -> T {
        let done = change(&mut locked(&self.facts));
        self.changed.notify_one();
        done
    }

    pub(crate) fn settings(&self) -> Settings {
        locked(&self.facts).settings.clone()
    }

    pub(crate) fn set_settings(&self, settings: Settings) {
        self.change(|facts| facts.settings = settings);
    }

    pub(crate) fn favourites(&self) -> Vec<FavouriteView> {
        locked(&self.facts).favourites.clone()
    }

    pub(crate) fn set_favourites(&self, favourites: Vec<FavouriteView>) {
        self.change(|facts| facts.favourites = favourites);
    }

    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        locked(&self.facts).addresses.clone().unwrap_or_default()
    }

    /// The network has said that nobody else can reach this device.
    pub(crate) fn no_network(&self) -> bool {
        locked(&self.facts).no_network()
    }

    pub(crate) fn set_addresses(&self, addresses: Vec<SocketAddr>) {
        self.change(|facts| facts.addresses = Some(addresses));
    }

    /// A table on the network came, changed or went.
    pub(crate) fn listed(&self, now: Millis) {
        self.change(|facts| facts.listed = Some(now));
    }

    /// This game is in the archive, which now holds so many.
    pub(crate) fn archived(&self, table: TableId, number: u32, games: usize) {
        self.change(|facts| {
            facts.archived.insert((table, number));
            facts.games = u32::try_from(games).unwrap_or(u32::MAX);
            // Its result is kept: there is nothing left to go on with.
            if let Some(kept) = facts.kept.get_mut(&table)
                && kept.over == Some(number)
                && !kept.asked_for
            {
                kept.interrupted = None;
            }
        });
    }

    /// Adds a standing warning.
    pub(crate) fn warn(&self, warning: Warning) {
        self.change(|facts| facts.warnings.insert(warning));
    }

    /// Something was written: the disk takes what it is given again.
    pub(crate) fn kept(&self) {
        if locked(&self.facts).warnings.contains(&Warning::NotSaved) {
            self.change(|facts| facts.warnings.remove(&Warning::NotSaved));
        }
    }

    /// Adds a line about what was wrong with the folder.
    pub(crate) fn mend(&self, line: String) {
        locked(&self.facts).mended.push(line);
    }

    pub(crate) fn mended(&self) -> Vec<String> {
        locked(&self.facts).mended.clone()
    }

    /// The tables that this device is at.
    fn open(&self) -> BTreeSet<String> {
        locked(&self.facts).open.iter().map(TableId::to_string).collect()
    }

    pub(crate) fn opened(&self, table: TableId) {
        self.change(|facts| {
            facts.open.insert(table);
            facts.rank += 1;
            let rank = facts.rank;
            let kept = facts.kept.entry(table);
            kept.or_insert(Kept::new(rank)).rank = rank;
        });
    }

    pub(crate) fn closed(&self, table: TableId) {
        self.change(|facts| {
            facts.open.remove(&table);
            facts.announcements.remove(&table);
            facts.inviting.remove(&table);
            facts.hidden.remove(&table);
        });
    }

    /// The table's journal is no longer a running one.
    pub(crate) fn forget(&self, table: TableId) {
        self.change(|facts| facts.kept.remove(&table));
    }

    /// Takes up what a table looks like now.
    pub(crate) fn saw(&self, seen: &Snapshot) {
        self.change(|facts| {
            facts.rank += 1;
            let mut kept = Kept::new(facts.kept.get(&seen.table).map_or(facts.rank, |kept| kept.rank));
            if let Some(state) = &seen.state {
                kept.see(seen, state, &facts.archived);
            }
            facts.kept.insert(seen.table, kept);
            facts.announcements.remove(&seen.table);
            facts.inviting.remove(&seen.table);
            facts.hidden.remove(&seen.table);
            if facts.open.contains(&seen.table) && is_hidden_with_others(seen) {
                facts.hidden.insert(seen.table);
            }
            if let Some(announcement) = announcement(seen, &facts.settings.name)
                && facts.open.contains(&seen.table)
            {
                if !seen.state.as_ref().is_some_and(|state| state.settings.hidden || is_solo(state)) {
                    facts.announcements.insert(seen.table, announcement.clone());
                }
                facts.inviting.insert(seen.table, announcement);
            }
        });
    }

    /// What is to be announced, if that differs from the last answer.
    pub(crate) fn new_announcements(&self) -> Option<Vec<Announcement>> {
        let mut facts = locked(&self.facts);
        let wanted: Vec<Announcement> = facts.announcements.values().cloned().collect();
        if wanted == facts.announced {
            return None;
        }
        facts.announced.clone_from(&wanted);
        Some(wanted)
    }

    /// The hidden tables where this device sits, if they differ from the last answer.
    pub(crate) fn new_hidden(&self) -> Option<Vec<TableId>> {
        let mut facts = locked(&self.facts);
        if facts.hidden == facts.announced_hidden {
            return None;
        }
        facts.announced_hidden = facts.hidden.clone();
        Some(facts.hidden.iter().copied().collect())
    }

    /// Where a code of this device leads: of the tables where it sits the newest with a free seat, else the newest.
    pub(crate) fn invites_to(&self) -> Option<Announcement> {
        let facts = locked(&self.facts);
        let rank = |table: &TableId| facts.kept.get(table).map_or(0, |kept| kept.rank);
        let best = facts.inviting.values().max_by_key(|own| (own.taken < own.seats, rank(&own.table)));
        best.cloned()
    }

    /// Interrupted games, newest first.
    pub(crate) fn interrupted(&self) -> Vec<InterruptedView> {
        locked(&self.facts).interrupted(&|_| Vec::new())
    }

    pub(crate) fn view(&self, net: &Net, now: Millis) -> HomeView {
        let listed = net.listed();
        let facts = locked(&self.facts);
        let interrupted = facts.interrupted(&|table| net.announcers(table));
        let seconds_since = |then: Millis| u32::try_from(now.saturating_sub(then) / 1000).unwrap_or(u32::MAX);
        let no_network = facts.no_network();
        HomeView {
            settings: facts.settings.clone(),
            interrupted,
            nearby: NearbyView {
                state: if no_network { NearbyState::NoNetwork } else { NearbyState::Searching },
                searching_s: seconds_since(facts.listed.unwrap_or(0)),
                tables: listed
                    .iter()
                    .filter(|row| !facts.open.contains(&row.table))
                    .map(|row| facts.row(row))
                    .collect(),
            },
            games: facts.games,
            favourites: facts.favourites.clone(),
            warnings: facts.warnings.iter().copied().collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: facts.data.display().to_string(),
        }
    }
}

impl Facts {
    /// Where there is nothing but the device itself, the network names loopback.
    fn no_network(&self) -> bool {
        let is_alone = |addresses: &Vec<SocketAddr>| addresses.iter().all(|address| address.ip().is_loopback());
        self.addresses.as_ref().is_some_and(is_alone)
    }

    /// `announcers` names the devices that announce a table, by the beginnings of their ids.
    fn interrupted(&self, announcers: &dyn Fn(TableId) -> Vec<[u8; 16]>) -> Vec<InterruptedView> {
        let mut kept: Vec<(&TableId, &Kept)> = self.kept.iter().collect();
        kept.sort_unstable_by_key(|(_, kept)| std::cmp::Reverse(kept.rank));
        kept.into_iter()
            .filter_map(|(table, kept)| {
                let there = announcers(*table);
                let is_there = |device: &DeviceId| there.iter().any(|prefix| device.0.starts_with(prefix));
                let here = kept.people.iter().filter(|(device, _)| is_there(device)).map(|(_, name)| name.clone());
                Some(InterruptedView { here: here.collect(), ..kept.interrupted.clone()? })
            })
            .collect()
    }

    fn row(&self, listing: &Listing) -> NearbyTable {
        NearbyTable {
            table: listing.table.to_string(),
            name: clean_name(&listing.name),
            preset: listing.preset.clone(),
            taken: listing.taken,
            seats: listing.seats,
            locked: listing.locked,
            mine: self.kept.get(&listing.table).is_some_and(|kept| kept.mine),
        }
    }
}

/// Tells the listeners about every change, until the app ends.
pub(crate) async fn show_changes(core: Arc<Core>) {
    let mut shown: Option<HomeView> = None;
    loop {
        core.home.changed.notified().await;
        tokio::time::sleep(GATHER).await;
        if !core.has_listeners() {
            // Whoever listens next has seen nothing yet.
            shown = None;
            continue;
        }
        let view = core.home.view(&core.net, core.clock.now());
        let open = core.home.open();
        if shown.as_ref().is_none_or(|shown| differs(shown, &view, &open)) {
            core.tell(AppEvent::Home { view: Box::new(view.clone()) });
            shown = Some(view);
        }
    }
}

/// The seconds count on by themselves. How a game goes that is `open` here is not told with every move: who looks at it
/// has its table, and when it is left it counts again.
fn differs(shown: &HomeView, view: &HomeView, open: &BTreeSet<String>) -> bool {
    let still = NearbyView { searching_s: shown.nearby.searching_s, ..view.nearby.clone() };
    let as_shown = |game: &InterruptedView| {
        let before = shown.interrupted.iter().find(|shown| shown.table == game.table && open.contains(&game.table));
        match before {
            Some(before) => InterruptedView {
                ply: before.ply,
                my_turn: before.my_turn,
                board: before.board.clone(),
                ..game.clone()
            },
            None => game.clone(),
        }
    };
    let interrupted = view.interrupted.iter().map(as_shown).collect();
    *shown != HomeView { nearby: still, interrupted, ..view.clone() }
}

impl Kept {
    fn new(rank: u64) -> Kept {
        Kept { rank, interrupted: None, mine: false, people: Vec::new(), over: None, asked_for: false }
    }

    /// A game to go on with: one that runs, or a table where another person sits and none has begun. Between games there
    /// is nothing to go on with until somebody asks for the next, once the result is kept.
    fn see(&mut self, seen: &Snapshot, state: &State, archived: &BTreeSet<(TableId, u32)>) {
        self.mine = seen.my_seat.is_some();
        self.people = others_of(state, seen.me);
        let others = !self.people.is_empty();
        let waits = |seat: &Seat| seat.ready && owner_of(seat).is_some_and(|device| device != seen.me);
        self.asked_for = state.seats.iter().any(waits);
        let number = state.current.as_ref().map(|current| current.number);
        self.over = number.filter(|_| state.result().is_some());
        let worth_it = match (number, self.over) {
            (None, _) => others,
            (Some(_), None) => true,
            (Some(_), Some(over)) => self.asked_for || !archived.contains(&(seen.table, over)),
        };
        self.interrupted = seen.my_seat.filter(|_| worth_it).map(|my_seat| InterruptedView {
            table: seen.table.to_string(),
            preset: state.rules.preset().name().to_owned(),
            ply: state.current.as_ref().map_or(0, |current| current.game.ply()),
            names: names(state),
            alone: !others,
            // Whose turn it is among several is told at the table.
            my_turn: state.turn_seat() == Some(my_seat) && !seen.is_shared(),
            over: self.over.is_some(),
            board: bare_board(state),
            here: Vec::new(),
        });
    }
}

fn others_of(state: &State, me: DeviceId) -> Vec<(DeviceId, String)> {
    let person = |seat: &Seat| match &seat.sitter {
        Sitter::Person { device, name, .. } if *device != me => Some((*device, name.clone())),
        Sitter::Person { .. } | Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => None,
    };
    state.seats.iter().filter_map(person).collect()
}

fn owner_of(seat: &Seat) -> Option<DeviceId> {
    match &seat.sitter {
        Sitter::Person { device, .. } => Some(*device),
        Sitter::Nobody | Sitter::Cpu { .. } | Sitter::GivenUp { .. } => None,
    }
}

/// What this device says of a table that it sits at, to all or to whoever has an invite: under the opener's name, so that all of its devices announce
/// the same.
fn announcement(seen: &Snapshot, own_name: &str) -> Option<Announcement> {
    let state = seen.state.as_ref()?;
    let mine_is_here = matches!(seen.presence_of(seen.my_seat?), Presence::Here);
    if !mine_is_here {
        return None;
    }
    let opener = name_of(state, 0);
    let seats = u8::try_from(state.seats.len()).unwrap_or(u8::MAX);
    let open = state.seats.iter().filter(|seat| seat.sitter == Sitter::Nobody).count();
    Some(Announcement {
        table: seen.table,
        name: if opener.is_empty() { own_name } else { opener }.to_owned(),
        preset: state.rules.preset().name().to_owned(),
        taken: seats.saturating_sub(u8::try_from(open).unwrap_or(u8::MAX)),
        seats,
        locked: state.is_locked(),
    })
}

/// Whether this device has a seat at a hidden table that somebody else may come back to: they find each other wherever
/// both are by then.
fn is_hidden_with_others(seen: &Snapshot) -> bool {
    let hidden = |state: &State| state.settings.hidden && !is_solo(state);
    seen.my_seat.is_some() && seen.state.as_ref().is_some_and(hidden)
}

/// Whether nobody is waited for: one plays against CPUs, or with people who share the device. The lists of others are not
/// to fill with such tables; whoever is to look on or to take a CPU's seat gets the invite.
fn is_solo(state: &State) -> bool {
    let taken = |seat: &Seat| matches!(seat.sitter, Sitter::Person { .. } | Sitter::Cpu { .. });
    state.owners().len() <= 1 && state.seats.iter().all(taken)
}

#[cfg(test)]
mod tests {
    use rules::Preset;

    use super::*;
    use crate::api::home::Settings;
    use crate::script::Script;

    fn home() -> Home {
        Home::new(Settings::default(), PathBuf::from("data"), 0)
    }

    fn gomoku() -> Script {
        Script::open(Preset::Gomoku, 2, &[])
    }

    const WON: &str = "H8 A1 H9 A2 H10 A3 H11 A5 H12";

    #[test]
    fn a_game_that_runs_can_be_gone_on_with() {
        let home = home();
        home.saw(&gomoku().start().play("H8").seen());
        let games = home.interrupted();
        assert_eq!(games.len(), 1);
        let game = &games[0];
        assert_eq!((game.ply, game.alone, game.my_turn, game.over), (1, true, false, false));
        assert_eq!(game.names, ["Anna", ""]);
        assert_eq!(game.board.stones.len(), 1);
    }

    #[test]
    fn a_lobby_where_nobody_came_is_nothing_to_go_on_with() {
        let home = home();
        home.saw(&gomoku().seen());
        assert!(home.interrupted().is_empty());
    }

    #[test]
    fn a_result_is_shown_until_it_is_kept() {
        let home = home();
        let script = gomoku().start().play(WON);
        home.saw(&script.seen());
        assert!(home.interrupted()[0].over);
        home.archived(script.table.id(), 1, 1);
        assert!(home.interrupted().is_empty());
        home.saw(&script.seen());
        assert!(home.interrupted().is_empty());
    }

    #[test]
    fn the_newest_comes_first() {
        let home = home();
        let old = Script::open(Preset::Pente, 2, &[]).start();
        let new = gomoku().start();
        home.saw(&old.seen());
        home.saw(&new.seen());
        home.saw(&old.seen());
        let presets = || home.interrupted().iter().map(|game| game.preset.clone()).collect::<Vec<_>>();
        assert_eq!(presets(), ["gomoku", "pente"]);
        home.opened(old.table.id());
        assert_eq!(presets(), ["pente", "gomoku"]);
        home.forget(old.table.id());
        assert_eq!(presets(), ["gomoku"]);
    }

    #[test]
    fn a_table_is_announced_while_this_device_is_at_it() {
        let home = home();
        let script = gomoku();
        let seen = |sitter: Sitter| {
            let mut seen = script.seen();
            if let Some(state) = &mut seen.state {
                state.seats[1].sitter = sitter;
            }
            seen
        };
        let ben = || Sitter::Person { device: DeviceId([9; 32]), key: [0; 32], name: "Ben".to_owned(), guest: false };
        home.saw(&seen(ben()));
        assert_eq!(home.new_announcements(), None, "not taken up yet");
        home.opened(script.table.id());
        home.saw(&script.seen());
        assert_eq!(home.new_announcements(), None, "a game against the CPU is nobody's business");
        assert!(home.invites_to().is_some(), "but one may invite");
        home.saw(&seen(Sitter::Nobody));
        let announced = home.new_announcements().expect("news");
        assert_eq!((announced[0].taken, announced[0].seats), (1, 2));
        home.saw(&seen(ben()));
        let announced = home.new_announcements().expect("news");
        assert_eq!((announced[0].name.as_str(), announced[0].taken, announced[0].seats), ("Anna", 2, 2));
        assert_eq!(home.new_announcements(), None, "no news");
        home.closed(script.table.id());
        assert_eq!(home.new_announcements(), Some(Vec::new()));
    }

    #[test]
    fn a_hidden_table_is_told_to_its_own_people_alone() {
        let home = home();
        let mut seen = gomoku().seen();
        if let Some(state) = &mut seen.state {
            state.settings.hidden = true;
            state.seats[1].sitter = Sitter::Nobody;
        }
        home.saw(&seen);
        assert_eq!(home.new_hidden(), None, "not taken up yet");
        home.opened(seen.table);
        home.saw(&seen);
        assert_eq!((home.new_announcements(), home.new_hidden()), (None, Some(vec![seen.table])));
        assert_eq!(home.new_hidden(), None, "no news");
        home.closed(seen.table);
        assert_eq!((home.new_announcements(), home.new_hidden()), (None, Some(vec![])));
    }

    #[test]
    fn those_who_announce_the_table_are_here() {
        let home = home();
        let mut seen = gomoku().start().seen();
        let ben = DeviceId([9; 32]);
        let person = Sitter::Person { device: ben, key: [0; 32], name: "Ben".to_owned(), guest: false };
        if let Some(state) = &mut seen.state {
            state.seats[1].sitter = person;
        }
        home.saw(&seen);
        let facts = locked(&home.facts);
        let here = |prefix: u8| facts.interrupted(&|_| vec![[prefix; 16]])[0].here.clone();
        assert_eq!(here(9), ["Ben"]);
        assert!(here(8).is_empty());
    }

    #[test]
    fn a_device_that_reaches_only_itself_has_no_network() {
        let home = home();
        assert!(!home.no_network(), "not known yet");
        for (addresses, alone) in [
            ("", true),
            ("127.0.0.1:4000", true),
            ("[::1]:4000 127.0.0.1:4000", true),
            ("192.168.1.20:4000", false),
            ("127.0.0.1:4000 192.168.1.20:4000", false),
        ] {
            home.set_addresses(addresses.split_whitespace().map(|text| text.parse().expect("an address")).collect());
            assert_eq!(home.no_network(), alone, "{addresses}");
        }
    }

    #[test]
    fn passing_seconds_are_no_change() {
        let home = home();
        let view = |searching_s| {
            let facts = locked(&home.facts);
            let tables = Vec::new();
            let nearby = NearbyView { state: NearbyState::Searching, searching_s, tables };
            HomeView {
                settings: facts.settings.clone(),
                interrupted: Vec::new(),
                nearby,
                games: searching_s / 10,
                favourites: Vec::new(),
                warnings: Vec::new(),
                version: String::new(),
                data_folder: String::new(),
            }
        };
        assert!(!differs(&view(1), &view(2), &BTreeSet::new()));
        assert!(differs(&view(1), &view(11), &BTreeSet::new()), "another number of games");
    }

    #[test]
    fn a_move_at_an_open_table_is_no_change_until_it_is_left() {
        let home = home();
        let script = gomoku().start();
        let table = script.table.id().to_string();
        let look = |seen: &Snapshot| {
            home.saw(seen);
            let interrupted = home.interrupted();
            let nearby = NearbyView { state: NearbyState::Searching, searching_s: 0, tables: Vec::new() };
            let settings = Settings::default();
            HomeView {
                settings,
                interrupted,
                nearby,
                games: 0,
                favourites: Vec::new(),
                warnings: Vec::new(),
                version: String::new(),
                data_folder: String::new(),
            }
        };
        let before = look(&script.seen());
        let after = look(&script.play("H8").seen());
        assert!(!differs(&before, &after, &BTreeSet::from([table])));
        assert!(differs(&before, &after, &BTreeSet::new()), "it was left");
    }
}
