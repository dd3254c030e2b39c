//! Views of scripted games.

use rules::{Colour, OptionName, Preset};
use table::port::Ed25519;
use table::{Command, Table};

use super::table_view;
use crate::api::home::Warning;
use crate::api::table::{
    AfterView, ArgView, DangerView, MustView, Phase, PreviewView, ResultKind, SeatState, ShapeView, TableView,
    WaitingView,
};
use crate::script::Script;
use crate::snapshot::Snapshot;

fn stones(view: &TableView) -> String {
    let stones =
        view.board.stones.iter().map(|stone| format!("{}{}{}", stone.at, &stone.colour.name()[..1], stone.ply));
    stones.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_lobby_shows_the_seats_and_the_colours_to_come() {
    let view = table_view(&Script::open(Preset::Pente, 2, &[]).seen());
    assert_eq!((view.phase, view.game, view.can_start), (Phase::Lobby, 0, true));
    assert_eq!((view.my_seat, view.turn, view.waiting), (Some(0), None, None));
    let seats: Vec<_> =
        view.seats.iter().map(|seat| (seat.state, seat.name.as_str(), seat.colour, seat.order)).collect();
    assert_eq!(
        seats,
        [(SeatState::Human, "Anna", Some(Colour::White), Some(0)), (SeatState::Cpu, "", Some(Colour::Black), Some(1))]
    );
    assert!(view.seats[0].me && view.seats[0].keeps && !view.seats[1].keeps);
    assert_eq!(view.seats[1].level, Some(3));
    assert_eq!((view.rules.board, view.rules.line, view.rules.goal), (19, 5, 10));
    assert!(view.rules.differs.is_empty());
}

#[test]
fn a_random_start_promises_no_colours() {
    let view = table_view(&Script::open(Preset::Wuziqi, 2, &[]).seen());
    assert!(view.seats.iter().all(|seat| seat.colour.is_none() && seat.order.is_none()));
    assert_eq!(view.rules.goal, 0, "nothing is captured in this game");
}

#[test]
fn options_that_differ_are_named_without_the_seats() {
    let view = table_view(&Script::open(Preset::CaptureFive, 3, &[(OptionName::Board, "9")]).seen());
    assert_eq!(view.rules.differs, ["board"]);
    assert_eq!((view.rules.line, view.rules.goal), (4, 8));
    assert_eq!(view.rules.options["seats"], "3");
}

#[test]
fn the_rules_are_told_in_words() {
    let script =
        Script::open(Preset::CaptureFive, 2, &[(OptionName::Overtime, "break"), (OptionName::Opening, "centre")]);
    let view = table_view(&script.seen());
    let headings: Vec<_> = view.words.iter().map(|section| section.heading.as_str()).collect();
    assert_eq!((headings[0], headings.len()), ("rules.section.goal", 8));
    let sentence = |key: &str| {
        let mut said = view.words.iter().flat_map(|section| &section.sentences);
        said.find(|sentence| sentence.key == key).expect("it is said")
    };
    let line = sentence("rules.goal.line-exact");
    assert_eq!(line.args["line"], ArgView::Word { word: "rules.count.5".to_owned() });
    assert!(!line.special && sentence("rules.overtime.break").special);
    assert_eq!(sentence("rules.opening.centre").args["point"], ArgView::Text("H8".to_owned()));
    assert_eq!(sentence("rules.players.two").args["size"], ArgView::Number(15));
}

#[test]
fn the_opening_forbids_points_and_says_why() {
    let script = Script::open(Preset::Pente, 2, &[]).start();
    let view = table_view(&script.seen());
    let turn = view.turn.clone().expect("a turn");
    assert_eq!(
        (turn.seat, turn.colour, turn.must, turn.mine, turn.thinking),
        (0, Colour::White, MustView::Place, true, false)
    );
    assert_eq!(view.board.forbidden.len(), 19 * 19 - 1);
    let centre = [ShapeView::Centre { at: "J10".to_owned() }];
    assert!(view.board.forbidden.iter().all(|point| point.why == "opening-centre" && point.because == centre));
    let view = table_view(&script.play("J10").seen());
    assert!(view.board.forbidden.is_empty(), "what the CPU may not do is not drawn");
    assert!(view.turn.expect("a turn").thinking);
}

#[test]
fn the_second_stone_keeps_its_distance() {
    let view = table_view(&Script::open(Preset::Pente, 2, &[]).start().play("J10 A1").seen());
    assert_eq!(view.board.forbidden.len(), 5 * 5 - 1);
    assert!(view.board.forbidden.iter().all(|point| point.why == "opening-distance"));
    assert!(matches!(&view.board.forbidden[0].because[..], [ShapeView::Ring { points }] if points.len() == 25));
}

#[test]
fn a_forbidden_shape_is_shown_apart_from_the_other() {
    let options = [(OptionName::Forbidden, "double-three-first")];
    let script = Script::open(Preset::CaptureFive, 2, &options).start();
    let view = table_view(&script.play("F4 A15 G4 C15 E6 E15 E7 G15").seen());
    let told = view.board.forbidden.iter().find(|point| point.at == "E4").expect("a double three");
    let three = |stones: &str, adds: &str| ShapeView::Three {
        stones: stones.split(',').map(str::to_owned).collect(),
        adds: adds.split(',').map(str::to_owned).collect(),
    };
    assert_eq!(told.because, [three("E4,F4,G4", "D4,H4"), three("E4,E6,E7", "E5")]);
}

#[test]
fn what_enemies_could_do_is_told_whoever_is_to_move() {
    let script = Script::open(Preset::CaptureFive, 2, &[]).start().play("H8 I8 H9 A1 I9 A3");
    let told = |view: &TableView| {
        let threats = view.board.threats.iter();
        threats.map(|threat| format!("{} {} {}", threat.at, threat.ahead, threat.stones.join(","))).collect::<Vec<_>>()
    };
    assert_eq!(told(&table_view(&script.seen())), Vec::<String>::new());
    let mine = script.play("A9 J9");
    let view = table_view(&mine.seen());
    assert_eq!(told(&view), ["G9 1 H9,I9"]);
    assert_eq!(view.board.threats[0].danger, DangerView::Captures);
    let mut onlooker = mine.seen();
    onlooker.my_seat = None;
    assert!(table_view(&onlooker).board.threats.is_empty());
    assert_eq!(told(&table_view(&mine.play("A11").seen())), ["G9 0 H9,I9"]);
}

/// Anna is black; from K8 she can take I8 and J8.
const BEFORE_CAPTURE: &str = "H8 I8 A1 J8";

#[test]
fn a_capture_is_previewed_and_then_lies_in_the_tray() {
    let script = Script::open(Preset::CaptureFive, 2, &[]).start().play(BEFORE_CAPTURE);
    let view = table_view(&script.seen());
    let preview = view.board.previews.iter().find(|preview| preview.at == "K8").expect("a preview");
    assert_eq!(preview.takes, [["I8", "J8"]]);
    assert!(!preview.optional && preview.lost.is_empty());
    assert_eq!(preview.ways.iter().map(|way| way.after).collect::<Vec<_>>(), [AfterView::GoesOn]);
    assert_eq!(view.board.previews.len(), 1, "only what does something is previewed");

    let view = table_view(&script.play("K8").seen());
    assert_eq!(stones(&view), "A1b3 H8b1 K8b5");
    assert_eq!(view.seats[0].captured, 2);
    assert_eq!(view.seats[0].tray, [Colour::White, Colour::White]);
    assert_eq!(view.board.last.as_deref(), Some("K8"));
    assert_eq!((view.board.taken.len(), view.board.taken_by), (2, Some(0)));
    assert_eq!(view.moves[4].took, ["I8", "J8"]);
    assert!(view.moves[4].is_final);
    assert!(view.board.ghost.is_none());
    let view = table_view(&script_after_answer().seen());
    assert_eq!((view.board.taken.len(), view.board.taken_by), (0, None), "the next move took nothing");
    assert_eq!(view.seats[0].tray.len(), 2);
}

fn script_after_answer() -> Script {
    Script::open(Preset::CaptureFive, 2, &[]).start().play(BEFORE_CAPTURE).play("K8 O15")
}

#[test]
fn optional_captures_are_marked() {
    let options = [(OptionName::ForcedCapture, "false")];
    let view = table_view(&Script::open(Preset::CaptureFive, 2, &options).start().play(BEFORE_CAPTURE).seen());
    assert!(view.board.previews[0].optional);
    let choices: Vec<usize> = view.board.previews[0].ways.iter().map(|way| way.takes.len()).collect();
    assert_eq!(choices, [1, 0]);
}

#[test]
fn a_stone_into_a_flank_is_previewed_and_goes_to_the_enemys_tray() {
    let options = [(OptionName::IntoFlank, "captured")];
    // White stands at G8 and J8; black at H8 and I8 would be flanked.
    let script = Script::open(Preset::CaptureFive, 2, &options).start().play("H8 G8 A1 J8");
    let view = table_view(&script.seen());
    let preview = view.board.previews.iter().find(|preview| preview.at == "I8").expect("a preview");
    assert_eq!(preview.lost, ["H8", "I8"]);
    let view = table_view(&script.play("I8").seen());
    assert_eq!(view.moves[4].lost, ["H8", "I8"]);
    assert_eq!(view.seats[1].tray, [Colour::Black, Colour::Black]);
    assert_eq!(view.board.taken_by, Some(1));
    assert_eq!(stones(&view), "A1b3 G8w2 J8w4");
}

#[test]
fn a_win_is_previewed_and_its_line_is_drawn() {
    let script = Script::open(Preset::Gomoku, 2, &[]).start().play("H8 A1 H9 A2 H10 A3 H11 A5");
    let view = table_view(&script.seen());
    let wins = |preview: &&PreviewView| preview.ways[0].after == AfterView::Wins;
    let winning: Vec<&str> = view.board.previews.iter().filter(wins).map(|preview| preview.at.as_str()).collect();
    assert_eq!(winning, ["H7", "H12"]);
    assert_eq!(view.board.previews[0].ways[0].winners, [Colour::Black]);
    let view = table_view(&script.play("H12").seen());
    assert_eq!((view.phase, view.turn.is_none(), view.can_start), (Phase::Over, true, true));
    let result = view.result.expect("a result");
    assert_eq!((result.kind, result.winners, result.by), (ResultKind::Win, vec![0], vec!["line".to_owned()]));
    assert_eq!(result.line, ["H8", "H9", "H10", "H11", "H12"]);
    assert_eq!(result.overline, "wins");
    assert_eq!(view.board.lines[0].points, result.line);
    assert!(view.seats[0].winner && !view.seats[1].winner);
    assert_eq!((view.seats[0].wins, view.seats[1].wins), (1, 0));
}

#[test]
fn a_resignation_draws_no_line() {
    let mut script = Script::open(Preset::Gomoku, 2, &[]).start().play("H8");
    script.command(Command::Resign);
    let result = table_view(&script.seen()).result.expect("a result");
    assert_eq!((result.winners, result.by, result.line.len()), (vec![1], vec!["resignation".to_owned()], 0));
}

#[test]
fn the_choices_of_swap2_are_asked_for_and_listed() {
    let script = Script::open(Preset::PenteSwap2, 2, &[]).start().play("J10 A1 K11");
    assert_eq!(table_view(&script.seen()).turn.expect("a turn").must, MustView::ChooseOrAdd);
    let script = script.play("add B2 C3");
    let view = table_view(&script.seen());
    let turn = view.turn.clone().expect("a turn");
    assert_eq!((turn.seat, turn.must, turn.mine), (0, MustView::Choose, true));
    assert!(view.board.forbidden.is_empty() && view.board.previews.is_empty(), "no stone is due");
    assert_eq!((view.moves[3].ply, view.moves[3].choice.as_deref()), (0, Some("add")));
    let view = table_view(&script.play("white").seen());
    assert_eq!((view.seats[0].colour, view.seats[1].colour), (Some(Colour::White), Some(Colour::Black)));
    assert_eq!(view.moves.last().and_then(|made| made.choice.clone()).as_deref(), Some("white"));
}

#[test]
fn overtime_shows_the_line_that_waits() {
    let options = [(OptionName::Overtime, "break")];
    // White can take G5 and G6 from G4.
    let script = Script::open(Preset::CaptureFive, 2, &options).start().play("E5 A15 F5 G7 G6 A13 G5 A11 H5 A9");
    let view = table_view(&script.seen());
    let ahead = view.board.previews.iter().find(|preview| preview.at == "I5").expect("a preview");
    assert_eq!(ahead.ways[0].after, AfterView::Overtime);
    let script = script.play("I5");
    let view = table_view(&script.seen());
    assert_eq!(view.phase, Phase::Playing);
    assert_eq!(view.board.overtime[0].points, ["E5", "F5", "G5", "H5", "I5"]);
    let stops: Vec<_> = view.board.stops.iter().map(|stop| (stop.at.as_str(), stop.choices.len())).collect();
    assert_eq!(stops, [("G4", 1)]);
    assert!(view.board.lines.is_empty());
}

#[test]
fn partners_share_a_colour_and_a_tray() {
    let options = [(OptionName::Teams, "true")];
    // Seats 0 and 2 are black, 1 and 3 white.
    let view = table_view(&Script::open(Preset::CaptureFive, 4, &options).start().play("H8 I8 A1 J8 K8").seen());
    let colours: Vec<_> = view.seats.iter().map(|seat| seat.colour.expect("a colour").name()).collect();
    assert_eq!(colours, ["black", "white", "black", "white"]);
    assert_eq!((view.seats[0].captured, view.seats[2].captured, view.seats[1].captured), (2, 2, 0));
    assert_eq!(view.board.taken_by, Some(0));
}

#[test]
fn a_resigned_seat_of_three_is_played_by_the_cpu() {
    let mut script = Script::open(Preset::CaptureFive, 3, &[]).start().play("H8 I8 J8");
    script.command(Command::Resign);
    let view = table_view(&script.seen());
    assert!(view.seats[0].resigned);
    let turn = view.turn.expect("a turn");
    assert_eq!((turn.seat, turn.mine, turn.thinking), (0, false, true));
    assert!(view.board.previews.is_empty());
}

#[test]
fn a_table_that_is_still_fetched_shows_what_was_announced() {
    let table = Table::join(Box::new(Ed25519::new(&[7; 32])), [1; 32], table::TableId([3; 16]), 0);
    let view = table_view(&Snapshot::of(&table, Preset::Pente, 0));
    assert_eq!((view.phase, view.rules.preset.as_str(), view.board.size), (Phase::Joining, "pente", 19));
    assert!(!view.can_start && view.seats.is_empty());
}

#[test]
fn why_play_stands_still_is_told() {
    let script = Script::open(Preset::Gomoku, 2, &[]).start();
    let mut seen = script.seen();
    assert_eq!(table_view(&seen).waiting, None);
    seen.keeper_gone = true;
    assert_eq!(table_view(&seen).waiting, Some(WaitingView::Keeper { seat: 0, name: "Anna".to_owned() }));
    seen.keeper_gone = false;
    seen.presence[0] = table::Presence::Away;
    assert_eq!(table_view(&seen).waiting, Some(WaitingView::Nobody));
    seen.presence[1] = table::Presence::Here;
    let seat = WaitingView::Seat { seat: 0, name: "Anna".to_owned() };
    assert_eq!(table_view(&seen).waiting, Some(seat));
    seen.not_saved = true;
    seen.rules_differ = true;
    assert_eq!(table_view(&seen).warnings, [Warning::NotSaved, Warning::RulesDiffer]);
}
