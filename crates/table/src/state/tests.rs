//! Entries in any order: what no honest device would send, and what must hold after every entry.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rules::{Action, FirstStart, MoveLimit, Must, Options, Preset};

use super::*;
use crate::entry::{Body, Intent, Opened, Why};
use crate::seal::{Sealed, Signature};
use crate::{Act, Grace, Proposal, SeatSetup, Terms};

/// A port whose keys are device numbers.
struct Numbered;

impl Port for Numbered {
    fn key(&self) -> [u8; 32] {
        [0; 32]
    }

    fn device(&self, key: &[u8; 32]) -> DeviceId {
        DeviceId(*key)
    }

    fn hash(&self, bytes: &[u8]) -> Hash {
        Hash(*blake3::hash(bytes).as_bytes())
    }

    fn sign(&self, _bytes: &[u8]) -> [u8; 64] {
        [0; 64]
    }

    fn verify(&self, _key: &[u8; 32], _bytes: &[u8], _signature: &[u8; 64]) -> bool {
        true
    }
}

const TABLE: TableId = TableId([3; 16]);

/// A table's state, and the numbers of the newest entry and act.
struct Bench {
    state: State,
    index: u32,
    seq: u64,
}

fn key(device: u8) -> [u8; 32] {
    [device; 32]
}

fn enter(state: &mut State, index: u32, body: &Body) -> Result<(), Invalid> {
    let check = Check { port: &Numbered, table: TABLE, signatures: false };
    let term = state.term;
    state.enter(&check, index, term, body)
}

impl Bench {
    /// People in the first seats; device n has seat n.
    fn new(seats: &[SeatSetup], people: u8, change: impl FnOnce(&mut Options, &mut Settings)) -> Bench {
        let mut options = Options { seats: seats.len() as u8, ..Preset::CaptureFive.options() };
        let mut settings = Settings { grace: Grace::default(), level: 5, ranked: false, hidden: false };
        change(&mut options, &mut settings);
        let opened = Opened {
            key: key(0),
            name: "Anna".into(),
            nonce: [5; 32],
            rules: options.check(Preset::CaptureFive).expect("coherent").to_bytes(),
            settings,
            seats: seats.to_vec(),
            pin: None,
        };
        let mut state = State::opened(&Numbered, &opened).expect("valid");
        state.set_table(TABLE);
        let mut bench = Bench { state, index: 0, seq: 0 };
        for device in 1..people {
            assert_eq!(bench.act(device, sit(device, None)), Ok(()));
        }
        bench
    }

    fn body(&mut self, body: Body) -> Result<(), Invalid> {
        self.index += 1;
        enter(&mut self.state, self.index, &body)
    }

    fn act(&mut self, seat: u8, act: Act) -> Result<(), Invalid> {
        let sealed = self.intent(seat, act);
        self.body(sealed)
    }

    fn intent(&mut self, seat: u8, act: Act) -> Body {
        self.seq += 1;
        intent(&self.state, self.seq, seat, act)
    }

    fn start(&mut self) {
        let people: Vec<u8> = self.state.owners().into_iter().flat_map(|owner| self.state.seats_of(owner)).collect();
        for seat in people {
            assert_eq!(self.act(seat, Act::Ready { commit: None }), Ok(()));
        }
        assert_eq!(self.body(Body::Start { game: self.state.game_number() + 1 }), Ok(()));
    }

    fn stone(&mut self) {
        let seat = self.state.turn_seat().expect("a game runs");
        let action = any_action(&self.state, 0).expect("a game runs");
        assert_eq!(self.act(seat, Act::Move { action, by_clock: false }), Ok(()));
    }

    /// What a roll does to one seat.
    fn set_here(&mut self, seat: u8, here: bool) {
        self.index += 1;
        set_here(&mut self.state, self.index, seat, here);
    }
}

fn set_here(state: &mut State, index: u32, seat: u8, here: bool) {
    if state.owner(seat).is_some() && state.seats[usize::from(seat)].here != here {
        state.seats[usize::from(seat)].here = here;
        state.seats[usize::from(seat)].taken &= !here;
        state.since[usize::from(seat)] = index;
        state.closed.clear();
        state.settle_offers(&Numbered, index);
    }
}

fn intent(state: &State, seq: u64, seat: u8, act: Act) -> Body {
    let intent = Intent { game: state.game_number(), seq, at: state.at, seat, act };
    Body::Act(Sealed { bytes: encode(&intent), signature: Signature([0; 64]) })
}

fn sit(device: u8, leaves: Option<u8>) -> Act {
    Act::Sit { key: key(device), name: format!("P{device}"), guest: None, leaves }
}

fn any_action(state: &State, pick: usize) -> Option<Action> {
    let game = &state.current.as_ref()?.game;
    let colours = game.rules().colours();
    match game.turn()?.must {
        Must::Choose => Some(Action::Choose(colours[pick % colours.len()])),
        Must::ChooseOrAdd => Some(Action::Add),
        Must::Place => {
            let legal = |at: &rules::Point| game.stone(*at).is_none() && game.check(*at).is_ok();
            let points: Vec<rules::Point> = game.rules().board().points().filter(legal).collect();
            Some(Action::place(points[pick % points.len()]))
        }
    }
}

const OPEN: SeatSetup = SeatSetup::Open;

#[test]
fn each_place_at_a_device_is_left_by_its_own_person() {
    let mut bench = Bench::new(&[SeatSetup::Open; 4], 1, |_, _| {});
    let guest = |leaves| Act::Sit { key: key(0), name: "Mei".into(), guest: Some([1; 32]), leaves };
    assert_eq!(bench.act(1, guest(Some(0))), Err(Invalid::NotOwner), "the place of the person whose device it is");
    assert_eq!(bench.act(1, guest(None)), Ok(()));
    assert_eq!(bench.act(2, sit(0, Some(1))), Err(Invalid::Seated), "the guest's place");
    assert_eq!(bench.act(2, sit(0, None)), Err(Invalid::Seated), "a second one for the same person");
    assert_eq!(bench.act(2, guest(Some(1))), Ok(()), "the guest moves");
    assert_eq!(bench.act(3, sit(0, Some(0))), Ok(()), "and the other");
    let device = DeviceId(key(0));
    assert_eq!((bench.state.seats_of(device), bench.state.host_seat(device)), (vec![2, 3], Some(3)));
    assert_eq!(bench.act(3, Act::Stand), Ok(()));
    assert_eq!(bench.act(0, guest(None)), Err(Invalid::NotOwner), "guests come to somebody");
    assert_eq!(bench.act(0, sit(0, Some(2))), Err(Invalid::NotOwner));
    assert_eq!(bench.act(0, sit(0, None)), Ok(()), "and whose device it is may come back");
}

/// A device whose own person is gone may still own a guest's place.
#[test]
fn no_game_with_a_guest_is_ranked() {
    let mut bench = Bench::new(&[SeatSetup::Open; 3], 2, |_, _| {});
    let guest = Act::Sit { key: key(1), name: "Mei".into(), guest: Some([1; 32]), leaves: None };
    assert_eq!(bench.act(2, guest), Ok(()));
    assert_eq!(bench.act(1, Act::Stand), Ok(()));
    let settings = Settings { ranked: true, ..bench.state.settings };
    let terms = Terms { rules: bench.state.rules.to_bytes(), settings, seats: vec![SeatSetup::Open; 3], pin: None };
    assert_eq!(bench.act(0, Act::Offer(Proposal::Options(terms))), Err(Invalid::Ranked));
}

#[test]
fn a_seat_is_taken_over_for_a_reason_that_the_log_holds() {
    /// What has been said of the away seat 1, which is to move, or of the table.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Said {
        Nothing,
        Hold,
        CpuNow,
        HoldThenCpuNow,
        Ranked,
        RankedCpuNow,
        Limit,
    }
    let nothing = (true, false, false);
    let cases = [
        (Said::Nothing, nothing),
        (Said::Hold, (false, false, false)),
        (Said::CpuNow, (true, true, false)),
        (Said::HoldThenCpuNow, (false, true, false)),
        (Said::Ranked, (false, false, false)),
        (Said::RankedCpuNow, (false, true, false)),
        (Said::Limit, (true, false, true)),
    ];
    for (said, (grace, asked, late)) in cases {
        for (why, may) in [(Why::Grace, grace), (Why::Asked, asked), (Why::Late, late)] {
            let mut bench = Bench::new(&[OPEN, OPEN], 2, |options, settings| {
                options.move_limit = if said == Said::Limit { MoveLimit::Seconds30 } else { MoveLimit::None };
                settings.ranked = matches!(said, Said::Ranked | Said::RankedCpuNow);
            });
            bench.start();
            bench.stone();
            assert_eq!(bench.body(Body::Taken { seat: 1, why }), Err(Invalid::NotAway), "it is here");
            bench.set_here(1, false);
            assert!(bench.body(Body::Taken { seat: 0, why }).is_err(), "another is away");
            if matches!(said, Said::Hold | Said::HoldThenCpuNow) {
                assert_eq!(bench.act(0, Act::Hold { seat: 1 }), Ok(()));
            }
            if matches!(said, Said::CpuNow | Said::HoldThenCpuNow | Said::RankedCpuNow) {
                assert_eq!(bench.act(0, Act::CpuNow { seat: 1 }), Ok(()));
            }
            let taken = bench.body(Body::Taken { seat: 1, why });
            assert_eq!(taken.is_ok(), may, "{said:?}, {why:?}: {taken:?}");
            if may {
                assert!(bench.body(Body::Taken { seat: 1, why }).is_err(), "once is enough");
                assert_eq!(bench.act(0, Act::Hold { seat: 1 }), Err(Invalid::NotAway));
            }
        }
    }
    let mut bench = Bench::new(&[OPEN, OPEN], 2, |options, _| options.move_limit = MoveLimit::Seconds30);
    bench.start();
    bench.set_here(1, false);
    let late = Body::Taken { seat: 1, why: Why::Late };
    assert!(bench.body(late).is_err(), "it is not that seat's turn");
}

#[test]
fn nothing_from_before_an_undo_can_be_played_again() {
    let mut bench = Bench::new(&[OPEN, SeatSetup::Cpu(3)], 1, |_, _| {});
    bench.start();
    let first = any_action(&bench.state, 0).expect("a game runs");
    let old = bench.intent(0, Act::Move { action: first, by_clock: false });
    assert_eq!(bench.body(old.clone()), Ok(()));
    assert_eq!(bench.act(0, Act::Offer(Proposal::Undo)), Ok(()));
    assert_eq!(bench.state.current.as_ref().map(|game| game.moves.len()), Some(0));
    let Body::Act(sealed) = &old else { panic!("an act") };
    let signed: Intent = sealed.open().expect("an intent");
    for seq in [signed.seq, bench.seq + 1] {
        let again = Intent { seq, ..signed.clone() };
        let sealed = Sealed { bytes: encode(&again), signature: Signature([0; 64]) };
        assert_eq!(bench.body(Body::Act(sealed)), Err(Invalid::Stale), "number {seq}");
    }
}

#[test]
fn who_sits_down_after_the_end_and_stands_up_again_did_not_play_it() {
    let mut bench = Bench::new(&[OPEN, OPEN], 2, |_, _| {});
    bench.start();
    assert_eq!(bench.act(0, Act::Resign), Ok(()));
    let left = |bench: &Bench| bench.state.current.as_ref().and_then(|game| game.left_by(1)).map(str::to_owned);
    assert_eq!(bench.act(1, Act::Stand), Ok(()));
    let player = left(&bench);
    assert!(player.is_some());
    assert_eq!(bench.act(1, sit(2, None)), Ok(()));
    assert_eq!(left(&bench), player);
    assert_eq!(bench.act(1, Act::Stand), Ok(()));
    assert_eq!(left(&bench), player);
    // Who changes places leaves the game where it was played.
    assert_eq!(bench.act(1, sit(0, Some(0))), Ok(()));
    let opener = bench.state.current.as_ref().and_then(|game| game.left_by(0));
    assert_eq!((left(&bench), opener), (player, Some("Anna")));
}

#[test]
fn a_toss_takes_what_was_committed_to_and_nothing_else() {
    let mut bench = Bench::new(&[OPEN, OPEN, OPEN], 2, |options, _| options.first_start = FirstStart::Random);
    let commit = |seat: u8, nonce: u8| Some(commit_of(&Numbered, TABLE, 1, seat, &[nonce; 32]).0);
    let ready = |seat: u8, nonce: u8| Act::Ready { commit: commit(seat, nonce) };
    assert_eq!(bench.act(0, Act::Ready { commit: None }), Err(Invalid::Toss), "a toss is to come");
    assert_eq!(bench.act(0, ready(0, 1)), Ok(()));
    assert_eq!(bench.act(0, ready(0, 2)), Err(Invalid::Toss), "ready is said once");
    assert_eq!(bench.act(0, Act::Reveal { nonce: [1; 32] }), Err(Invalid::Toss), "not all are ready");
    // Who leaves before the toss is closed leaves it altogether.
    assert_eq!(bench.act(1, ready(1, 3)), Ok(()));
    assert!(bench.state.toss.is_closed());
    let seats = vec![OPEN; 3];
    let terms = Terms { rules: bench.state.rules.to_bytes(), settings: bench.state.settings, seats, pin: None };
    for (seat, act) in [
        (0, Act::Reveal { nonce: [2; 32] }),
        (1, Act::Reveal { nonce: [1; 32] }),
        (2, sit(2, None)),
        (2, sit(1, Some(1))),
        (0, ready(0, 1)),
        (0, Act::Offer(Proposal::Options(terms))),
    ] {
        assert_eq!(bench.act(seat, act), Err(Invalid::Toss));
    }
    assert_eq!(bench.body(Body::Start { game: 1 }), Err(Invalid::Toss), "nothing is revealed");
    assert_eq!(bench.act(0, Act::Reveal { nonce: [1; 32] }), Ok(()));
    assert_eq!(bench.act(0, Act::Reveal { nonce: [1; 32] }), Err(Invalid::Toss), "a nonce is revealed once");
    assert_eq!(bench.body(Body::Start { game: 1 }), Err(Invalid::Toss), "one is here and has not revealed");
    assert_eq!(bench.act(1, Act::Reveal { nonce: [3; 32] }), Ok(()));
    assert_eq!(bench.body(Body::Start { game: 1 }), Ok(()));
}

#[test]
fn who_leaves_after_the_toss_changes_no_other_seats_chance() {
    for nonce in 0..60 {
        let drawn = |leaves: Option<u8>| {
            let mut bench = Bench::new(&[OPEN; 4], 4, |options, _| options.first_start = FirstStart::Random);
            for seat in 0..4 {
                let commit = commit_of(&Numbered, TABLE, 1, seat, &[nonce; 32]).0;
                assert_eq!(bench.act(seat, Act::Ready { commit: Some(commit) }), Ok(()));
            }
            for seat in 0..4 {
                assert_eq!(bench.act(seat, Act::Reveal { nonce: [nonce; 32] }), Ok(()));
            }
            if let Some(seat) = leaves {
                assert_eq!(bench.act(seat, Act::Stand), Ok(()));
            }
            assert_eq!(bench.body(Body::Start { game: 1 }), Ok(()));
            bench.state.current.as_ref().expect("a game").starter
        };
        let won = drawn(None);
        for leaves in 0..4 {
            let expected = if leaves == won { (won + 1) % 4 } else { won };
            assert_eq!(drawn(Some(leaves)), expected, "{won} has won and {leaves} leaves");
        }
    }
}

/// One try at an entry, with numbers to choose by.
type Try = (u8, u8, u8, u8);

fn tried(state: &State, seq: u64, (kind, a, b, c): Try) -> Body {
    let seat = if a > 250 { 9 } else { a % state.seats.len() as u8 };
    let other = b % state.seats.len() as u8;
    let device = c % 5;
    let turn = state.turn_seat().unwrap_or(seat);
    let commit = |nonce: u8| commit_of(&Numbered, TABLE, state.game_number() + 1, seat, &[nonce; 32]).0;
    let offer = state.offers.get(usize::from(b) % state.offers.len().max(1)).map_or(Hash([b; 32]), |offer| offer.id);
    let action = || any_action(state, usize::from(b) * 7 + usize::from(c)).unwrap_or(Action::Add);
    let act = |seat: u8, act: Act| intent(state, seq, seat, act);
    match kind % 40 {
        0 => act(seat, sit(device, None)),
        1 => act(seat, sit(device, Some(other))),
        2 if b % 4 == 0 => act(seat, Act::Stand),
        24..=39 if state.playing() && state.cpu_plays(turn) => Body::Cpu { seat: turn, action: action() },
        24..=33 if state.playing() => act(turn, Act::Move { action: action(), by_clock: b % 4 == 0 }),
        24..=27 => Body::Start { game: state.game_number() + 1 },
        28..=33 => act(seat, Act::Ready { commit: state.needs_toss().then(|| commit(1)) }),
        34..=36 => act(seat, Act::Answer { offer, yes: c % 4 > 0 }),
        37 => act(seat, Act::Offer(Proposal::Undo)),
        38 => act(seat, Act::Offer(Proposal::Draw)),
        39 => Body::Taken { seat, why: Why::Grace },
        3 | 4 => act(seat, Act::Ready { commit: state.needs_toss().then(|| commit(1)) }),
        5 => act(seat, Act::Ready { commit: Some(commit(b)) }),
        6 | 7 => act(seat, Act::Reveal { nonce: [1; 32] }),
        8..=11 => act(turn, Act::Move { action: action(), by_clock: b % 4 == 0 }),
        12 => act(seat, Act::Resign),
        13 | 14 => act(seat, Act::Offer(Proposal::Undo)),
        15 => act(seat, Act::Offer(Proposal::Draw)),
        16 if c % 2 == 0 => {
            let seats = (0..state.seats.len() as u8)
                .map(|seat| if state.owner(seat).is_some() || b % 2 == 0 { OPEN } else { SeatSetup::Cpu(2) })
                .collect();
            let settings = Settings { ranked: c % 8 == 0, ..state.settings };
            act(
                seat,
                Act::Offer(Proposal::Options(Terms { rules: state.chosen.to_bytes(), settings, seats, pin: None })),
            )
        }
        17 | 18 => act(seat, Act::Answer { offer, yes: c % 3 > 0 }),
        19 => act(seat, if c % 2 == 0 { Act::Hold { seat: other } } else { Act::CpuNow { seat: other } }),
        20 | 21 => Body::Cpu { seat: turn, action: action() },
        22 => Body::Taken { seat, why: [Why::Grace, Why::Asked, Why::Late][usize::from(b % 3)] },
        _ => Body::Start { game: state.game_number() + 1 },
    }
}

fn holds_after(before: &State, now: &State, body: &Body) {
    let fields = |state: &State| state.current.as_ref().map(|game| (game.number, game.moves.clone()));
    if let Some(turn) = now.turn_seat() {
        assert_ne!(now.seats[usize::from(turn)].sitter, Sitter::Nobody, "somebody has the turn");
    }
    for (seat, at) in now.numbered() {
        assert!(!(at.hold || at.asked || at.taken) || now.is_away(seat), "seat {seat}: {at:?}");
        assert!(!at.here || now.owner(seat).is_some());
    }
    let mut askers: Vec<u8> = now.offers.iter().map(|offer| offer.seat).collect();
    askers.dedup();
    assert_eq!(askers.len(), now.offers.len(), "one open offer a seat");
    let mut settled = now.clone();
    settled.settle_offers(&Numbered, u32::MAX);
    assert_eq!(settled.offers, now.offers, "what is complete is done at once");
    if let Some(game) = &now.current {
        assert_eq!(game.resigned.len(), game.resigned_at.len());
        assert!(game.moves.iter().zip(game.game.actions()).all(|(made, action)| made.action == *action));
        assert!(!game.counts() || game.ranked);
    }
    if let (Some((number, moves)), Some((now_number, left))) = (fields(before), fields(now))
        && number == now_number
        && left.len() < moves.len()
    {
        assert!(!before.settings.ranked, "ranked games take nothing back");
        let absent = |made: &&MoveRecord| made.by == Made::Hand && before.is_away(made.seat);
        assert_eq!(moves[left.len()..].iter().find(absent), None, "nobody's stone goes who is not here");
    }
    if let Body::Cpu { seat, .. } = body {
        assert!(before.cpu_plays(*seat) && before.somebody_here());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_entries_lead_two_copies_to_the_same_and_a_refused_one_nowhere(
        seats in 2usize..5,
        kind in 0u8..8,
        tries in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>()), 40..200),
    ) {
        let setup = vec![OPEN; seats];
        let mut bench = Bench::new(&setup, seats.min(3) as u8, |options, settings| {
            options.teams = kind == 1 && seats == 4;
            options.first_start = if kind == 2 { FirstStart::Random } else { FirstStart::FirstSeat };
            options.move_limit = if kind == 3 { MoveLimit::Seconds60 } else { MoveLimit::None };
            settings.ranked = kind == 4;
        });
        if kind != 2 && kind != 5 {
            bench.start();
        }
        let (mut state, mut seq, mut index) = (bench.state, bench.seq, bench.index);
        let mut copy = state.clone();
        let mut places = BTreeSet::from([state.at]);
        for one in tries {
            (seq, index) = (seq + 1, index + 1);
            let before = state.clone();
            if one.0 >= 245 {
                let (seat, here) = (one.1 % seats as u8, one.2 % 2 > 0);
                set_here(&mut state, index, seat, here);
                set_here(&mut copy, index, seat, here);
            } else {
                let body = tried(&before, seq, one);
                let entered = enter(&mut state, index, &body);
                prop_assert_eq!(enter(&mut copy, index, &body), entered);
                if entered.is_err() {
                    prop_assert_eq!(state.hash(&Numbered), before.hash(&Numbered));
                    prop_assert_eq!(&state.closed, &before.closed);
                } else {
                    holds_after(&before, &state, &body);
                }
            }
            prop_assert_eq!(state.hash(&Numbered), copy.hash(&Numbered));
            prop_assert!(state.at == before.at || places.insert(state.at), "play never stands where it stood");
        }
    }
}
