//! What a stone would do, what stops a line that waits, and what threatens a side, each against trying everything.

mod support;

use std::cell::Cell;

use proptest::prelude::*;
use rules::{
    Action, After, BoardSize, Colour, Condition, Danger, Game, Group, Must, Options, Outcome, OvertimeRule, Point,
    Preset, Rules, Take, Threat,
};
use support::random::{any_rules, over_games, some_action, subsets};
use support::{check, drawn, go_on, point};

const BLACK: Colour = Colour::Black;
const WHITE: Colour = Colour::White;

fn points(text: &str) -> Vec<Point> {
    text.split(',').map(point).collect()
}

/// The game after a stone with just these captures; `None` where that is refused.
fn after(game: &Game, at: Point, take: &[Group]) -> Option<Game> {
    let mut after = game.clone();
    after.play(&Action::Place { at, take: Take::Just(take.to_vec()) }).ok()?;
    Some(after)
}

fn outcome(game: &Game) -> After {
    match (game.result(), game.overtime()) {
        (Some(outcome), _) => After::Over(outcome.clone()),
        (None, Some(overtime)) => After::Overtime(overtime.clone()),
        (None, None) => After::GoesOn,
    }
}

/// Plays random games in which every other stone is one that does something, so that lines, captures and overtimes
/// are many; calls `look` where a stone is to be placed.
fn eager_game(
    rules: Rules,
    choices: &[u32],
    mut look: impl FnMut(&Game) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut game = Game::new(rules);
    for &choice in choices {
        if game.turn().is_none_or(|turn| turn.must != Must::Place) {
            let _ = game.play(&some_action(&game, choice));
            continue;
        }
        look(&game)?;
        let previews = game.previews();
        let eager = choice % 4 == 0 && !previews.is_empty();
        let action = if eager {
            let preview = &previews[choice as usize / 4 % previews.len()];
            let way = &preview.ways[choice as usize / 64 % preview.ways.len()];
            Action::Place { at: preview.at, take: Take::Just(way.takes.clone()) }
        } else {
            some_action(&game, choice)
        };
        let played = game.play(&action);
        prop_assert!(!eager || played.is_ok(), "a previewed stone was refused");
    }
    Ok(())
}

#[test]
fn previews_tell_all_that_trying_every_choice_finds() {
    let told = Cell::new(0);
    over_games(300, any_rules(), |rules, choices| {
        let mut seen = 0;
        eager_game(rules, &choices, |game| {
            seen += 1;
            if seen % 4 != 0 {
                return Ok(());
            }
            let own = game.turn().expect("a turn").colour;
            let previews = game.previews();
            told.set(told.get() + previews.len());
            prop_assert!(previews.is_sorted_by_key(|preview| preview.at));
            for at in rules.board().points() {
                let preview = game.preview(at);
                prop_assert_eq!(preview.is_some(), game.check(at).is_ok());
                let Some(preview) = preview else { continue };
                prop_assert_eq!(&preview.takes, &game.groups(at));
                let legal = subsets(&preview.takes).filter_map(|take| Some((after(game, at, &take)?, take)));
                let mut expected: Vec<(Vec<Group>, After)> = legal.map(|(game, take)| (take, outcome(&game))).collect();
                let mut ways: Vec<(Vec<Group>, After)> =
                    preview.ways.iter().map(|way| (way.takes.clone(), way.after.clone())).collect();
                prop_assert!(ways[0].0.len() >= ways[ways.len() - 1].0.len(), "the largest comes first");
                expected.sort_by_key(|(take, _)| take.clone());
                ways.sort_by_key(|(take, _)| take.clone());
                prop_assert_eq!(&ways, &expected);
                let wins = game.clone().place(at).is_ok() && preview.ways[0].after.wins(own);
                prop_assert_eq!(game.would_win(at), wins);
                if previews.contains(&preview) {
                    continue;
                }
                let quiet = match &preview.ways[0].after {
                    After::GoesOn => true,
                    After::Over(Outcome::Win { winners, .. }) => {
                        game.overtime().is_some_and(|overtime| vec![overtime.colour] == *winners)
                    }
                    After::Over(Outcome::Draw(_)) => true,
                    After::Overtime(_) => false,
                };
                prop_assert!(quiet && preview.takes.is_empty() && preview.lost.is_empty(), "{:?}", preview);
            }
            Ok(())
        })
    });
    assert!(told.get() > 500, "only {} previews", told.get());
}

/// Any rules with overtime of this kind.
fn overtime_rules() -> impl Strategy<Value = Rules> {
    (any_rules(), prop::bool::ANY).prop_map(|(rules, take)| {
        let mut options: Options = *rules.options();
        options.captures = true;
        options.overtime = if take { OvertimeRule::Take } else { OvertimeRule::Break };
        if options.forbidden == rules::Forbidden::Renju {
            options.forbidden = Options::DEFAULT.forbidden;
        }
        options.check(Preset::Custom).expect("coherent with captures")
    })
}

#[test]
fn stops_are_exactly_the_moves_that_save_the_game() {
    let (waits, optional) = (Cell::new(0), Cell::new(0));
    over_games(1500, overtime_rules(), |rules, choices| {
        eager_game(rules, &choices, |game| {
            let stops = game.stops();
            let Some(overtime) = game.overtime() else {
                prop_assert!(stops.is_empty());
                return Ok(());
            };
            waits.set(waits.get() + 1);
            prop_assert!(!stops.is_empty(), "nothing stops it\n{}", support::drawing(game));
            for at in rules.board().points() {
                let stop = stops.iter().find(|stop| stop.at == at);
                for take in subsets(&game.groups(at)) {
                    let Some(after) = after(game, at, &take) else { continue };
                    let stopped = !after.winning_lines().iter().any(|(colour, _)| *colour == overtime.colour);
                    let named = stop.is_some_and(|stop| stop.choices.contains(&take));
                    prop_assert_eq!(named, stopped, "{} {:?}\n{}", at, take, support::drawing(game));
                    optional.set(optional.get() + usize::from(named && !rules.options().forced_capture));
                    let lost = after.result().is_some_and(
                        |result| matches!(result, Outcome::Win { winners, .. } if *winners == [overtime.colour]),
                    );
                    prop_assert!(stopped || lost);
                }
                for take in stop.iter().flat_map(|stop| &stop.choices) {
                    prop_assert!(after(game, at, take).is_some(), "{} {:?} is illegal", at, take);
                }
            }
            Ok(())
        })
    });
    assert!(waits.get() > 150 && optional.get() > 50, "{} lines waited, {} choices", waits.get(), optional.get());
}

/// Any rules on the largest board, so that there is room for stones far away.
fn roomy_rules() -> impl Strategy<Value = Rules> {
    any_rules().prop_map(|rules| {
        let mut options = *rules.options();
        options.board = BoardSize::Nineteen;
        options.check(Preset::Custom).expect("any board is coherent")
    })
}

/// Passes the turn on by stones in far corners, where they touch nothing; `None` where they do not fit.
fn passed(game: &Game, to: Colour) -> Option<Game> {
    let mut game = game.clone();
    for corner in ["A1", "S19", "A19", "S1"] {
        if game.turn()?.colour == to {
            return Some(game);
        }
        game.play(&Action::place(point(corner))).ok()?;
    }
    None
}

/// What an enemy who is to move could do to a side at a point, by trying every choice: the worst, and the stones.
fn tried(game: &Game, at: Point, colour: Colour) -> Option<(usize, Vec<Point>)> {
    let enemy = game.turn()?.colour;
    let (mut worst, mut stones) = (usize::MAX, Vec::new());
    for take in subsets(&game.groups(at)) {
        let Some(after) = after(game, at, &take) else { continue };
        let taken: Vec<Point> = take.iter().flat_map(|group| &group.0).copied().collect();
        let ours: Vec<Point> = taken.into_iter().filter(|&at| game.stone(at) == Some(colour)).collect();
        worst = worst.min(match outcome(&after) {
            After::Over(Outcome::Win { winners, .. }) if winners.contains(&enemy) => winners.len() - 1,
            After::Over(_) => usize::MAX,
            After::Overtime(overtime) if overtime.colour == enemy => 10,
            After::Overtime(_) | After::GoesOn => {
                if ours.is_empty() {
                    usize::MAX
                } else {
                    20
                }
            }
        });
        stones.extend(ours);
    }
    stones.sort_unstable();
    stones.dedup();
    (worst < usize::MAX).then_some((worst, stones))
}

fn rank(threat: &Threat) -> usize {
    match &threat.danger {
        Danger::Wins { with, .. } => with.len(),
        Danger::Overtime { .. } => 10,
        Danger::Captures => 20,
    }
}

/// How many threats of each kind were seen: lines, captures, overtimes, stones taken.
#[derive(Default)]
struct Seen([Cell<usize>; 4]);

impl Seen {
    fn count(&self, kind: usize) {
        self.0[kind].set(self.0[kind].get() + 1);
    }
}

/// What an enemy threatens a side with, point by point against trying; `threats` are all that the side was told.
fn compare(game: &Game, threats: &[Threat], colour: Colour, enemy: Colour, seen: &Seen) -> Result<(), TestCaseError> {
    let Some(passed) = passed(game, enemy) else { return Ok(()) };
    let ahead = (passed.ply() - game.ply()) as u8;
    let waits = game.overtime().is_some() && ahead > 0;
    // The stones that pass the turn are no part of it.
    let unchanged = |at: &Point| passed.stone(*at).is_some() == game.stone(*at).is_some();
    for at in game.rules().board().points().filter(unchanged) {
        let told = threats.iter().find(|threat| threat.by == enemy && threat.at == at);
        let expected = if waits { None } else { tried(&passed, at, colour) };
        let found = told.map(|threat| (rank(threat), threat.stones.clone()));
        prop_assert_eq!(found, expected, "{:?} by {:?} at {}\n{}", colour, enemy, at, support::drawing(game));
        let Some(threat) = told else { continue };
        prop_assert_eq!(threat.ahead, ahead);
        let after = after(&passed, at, &threat.takes).expect("legal for the enemy");
        match (&threat.danger, outcome(&after)) {
            (Danger::Wins { by, with }, After::Over(Outcome::Win { winners, by: conditions })) => {
                seen.count(usize::from(by.contains(&Condition::Captures)));
                prop_assert_eq!(by, &conditions);
                prop_assert!(winners.iter().all(|winner| *winner == enemy || with.contains(winner)));
            }
            (Danger::Overtime { line }, After::Overtime(overtime)) => {
                seen.count(2);
                prop_assert_eq!(line, &overtime.lines[0]);
            }
            (Danger::Captures, After::GoesOn | After::Overtime(_)) => seen.count(3),
            (danger, after) => prop_assert!(false, "{:?} but {:?}", danger, after),
        }
    }
    Ok(())
}

#[test]
fn threats_are_what_enemies_could_do_if_it_were_their_turn() {
    let seen = Seen::default();
    over_games(300, roomy_rules(), |rules, choices| {
        // Stones in the middle only; the corners are for passing.
        let choices: Vec<u32> = choices.iter().map(|choice| choice / 64 * 64 + choice % 44 + 4).collect();
        let mut positions = 0;
        eager_game(rules, &choices, |game| {
            positions += 1;
            if positions % 7 != 0 && game.overtime().is_none() {
                return Ok(());
            }
            let colours_open = rules.options().opening.name().starts_with("place")
                && !game.actions().iter().any(|action| matches!(action, Action::Choose(_)));
            for colour in rules.colours() {
                let threats = game.threats(colour);
                prop_assert!(threats.is_sorted_by_key(|threat| (threat.ahead, rank(threat), threat.at)));
                prop_assert!(threats.is_empty() || !colours_open);
                let mut enemies = rules.colours().into_iter().filter(|&enemy| enemy != colour && !colours_open);
                enemies.try_for_each(|enemy| compare(game, &threats, colour, enemy, &seen))?;
            }
            Ok(())
        })
    });
    let counts = seen.0.map(Cell::into_inner);
    assert!(counts.iter().all(|&count| count >= 20), "lines, captures, overtimes, stones taken: {counts:?}");
}

fn threats(game: &Game, colour: Colour) -> String {
    let told = game.threats(colour).into_iter().map(|threat| {
        let stones: Vec<String> = threat.stones.iter().map(Point::to_string).collect();
        let danger = match threat.danger {
            Danger::Wins { by, with } => format!("wins by {by:?} with {with:?}"),
            Danger::Overtime { line } => format!("line of {}", line.len()),
            Danger::Captures => "takes".to_owned(),
        };
        let words = format!("{} {} in {}: {danger} {}", threat.by.name(), threat.at, threat.ahead, stones.join(","));
        words.trim_end().to_owned()
    });
    told.collect::<Vec<_>>().join("; ").to_lowercase()
}

/// White threatens five at either end and to take a pair; black, who is to move, the pair at the other side.
#[test]
fn threats_come_by_turn_then_danger_then_point() {
    let picture = "
        .BWW...
        .......
        .......
        .WBB...
        .......
        .WWWW..";
    let game = drawn("capture-five", BLACK, "D4", picture);
    assert_eq!(
        threats(&game, BLACK),
        "white d4 in 1: wins by [line] with []; white i4 in 1: wins by [line] with []; white h6 in 1: takes f6,g6"
    );
    assert_eq!(threats(&game, WHITE), "black h9 in 0: takes f9,g9");
    assert_eq!(threats(&game, Colour::Blue), "", "not in play");
}

#[test]
fn points_that_an_enemy_may_not_play_are_no_threats() {
    // White's F4 would stand with E4 between D4 and G4, though it takes F5 and F6.
    let picture = "
        ..W.
        ..B.
        ..B.
        BW.B";
    assert_eq!(threats(&drawn("capture-five", BLACK, "D4", picture), BLACK), "white f4 in 1: takes f5,f6");
    assert_eq!(threats(&drawn("capture-five into_flank=not-allowed", BLACK, "D4", picture), BLACK), "");
}

#[test]
fn threats_know_overtime_teams_and_turn_order() {
    // White's line F4 can be broken by black from E3 (E4 and E5).
    let picture = "
        .B...
        .W...
        WW.WW";
    assert_eq!(threats(&drawn("capture-five", BLACK, "D4", picture), BLACK), "white f4 in 1: wins by [line] with []");
    let game = drawn("capture-five overtime=break", BLACK, "D4", picture);
    assert_eq!(threats(&game, BLACK), "white f4 in 1: line of 5");
    let teams = drawn("capture-five seats=4 teams=true", WHITE, "D4", ".WBB...");
    assert_eq!(threats(&teams, BLACK), "white h4 in 0: takes f4,g4");
    assert_eq!(threats(&teams, WHITE), "");
    // Four sides: blue is to move, black comes two turns later. Only white's stones are white's loss.
    let four = drawn("capture-five seats=4", Colour::Blue, "D4", "UWR.\n....\nBRW.");
    assert_eq!(threats(&four, WHITE), "blue g6 in 0: takes e6; red c6 in 1: takes e6; black g4 in 2: takes f4");
    let one_colour = drawn("capture-five seats=4 mixed_captures=false", Colour::Blue, "D4", "UWR.\n....\nBRW.");
    assert_eq!(threats(&one_colour, WHITE), "");
}

/// While a line waits only the next player's stone counts.
#[test]
fn while_a_line_waits_only_the_next_player_threatens() {
    let picture = "
        .W...
        .B...
        BB.BB
        .....
        ..BWW";
    let mut game = drawn("capture-five overtime=break", BLACK, "D2", picture);
    go_on(&mut game, "F4");
    check(&game, "overtime = black D4,E4,F4,G4,H4");
    assert_eq!(threats(&game, BLACK), "white e3 in 0: takes e4,e5");
    assert_eq!(threats(&game, WHITE), "", "black's line is told as the overtime");
    let stops = game.stops();
    assert_eq!(stops.len(), 1);
    assert_eq!((stops[0].at, &stops[0].choices), (point("E3"), &vec![vec![Group(points("E4,E5"))]]));
}

#[test]
fn nobody_is_threatened_before_colours_are_chosen() {
    let mut game = support::played("pente-swap2", "J10 K10 A1");
    assert_eq!(threats(&game, BLACK), "");
    go_on(&mut game, "add L10 A2");
    assert_eq!(threats(&game, WHITE), "");
    go_on(&mut game, "black");
    assert_eq!(threats(&game, WHITE), "black m10 in 1: takes k10,l10");
}

/// F4 makes black's four. Taking F5 and F6 cuts white's five to an exact four: then both win, and blue does not.
#[test]
fn a_preview_names_those_who_would_win_together() {
    let picture = "
        ..B....
        ..U....
        ..WWWWW
        BB.B...";
    let won = |winners: &[Colour]| After::Over(Outcome::Win { winners: winners.to_vec(), by: vec![Condition::Line] });
    let pair = vec![Group(points("F5,F6"))];
    let forced = drawn("capture-five seats=3", BLACK, "D4", picture);
    let preview = forced.preview(point("F4")).expect("legal");
    assert_eq!(preview.takes, pair);
    assert_eq!(preview.ways.len(), 1);
    assert_eq!(preview.ways[0].after, won(&[BLACK, WHITE]));
    assert!(preview.ways[0].after.wins(WHITE) && !preview.ways[0].after.wins(Colour::Blue));
    let optional = drawn("capture-five seats=3 forced_capture=false", BLACK, "D4", picture);
    let ways = optional.preview(point("F4")).expect("legal").ways;
    assert_eq!((&ways[0].takes, &ways[0].after), (&pair, &won(&[BLACK, WHITE])));
    assert_eq!((&ways[1].takes, &ways[1].after), (&vec![], &won(&[BLACK])));
    // An enemy is taken at its best.
    let whites = drawn("capture-five seats=3", WHITE, "D4", picture);
    let told = threats(&whites, Colour::Blue);
    assert!(told.contains("black f4 in 2: wins by [line] with [white] f6"), "{told}");
    let whites = drawn("capture-five seats=3 forced_capture=false", WHITE, "D4", picture);
    let told = threats(&whites, Colour::Blue);
    assert!(told.contains("black f4 in 2: wins by [line] with [] f6"), "{told}");
}
