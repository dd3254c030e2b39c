//! RULES.md, sections 4.6 and 8: draws, resignations, and taking back.

mod support;

use rules::{Action, Game, Refusal};
use support::{check, go_on, played, refuses};

/// Section 4.6: a full board is a draw unless its last stone wins, and so is that the next player has no legal point.
/// Taking the end back restores every bit.
/// Double threes alone never leave no legal point: a three needs empty points on both sides, and the outermost empty
/// point has them on one side only.
#[test]
fn whole_games_that_end_in_a_draw() {
    let games = include_str!("data/draws.txt");
    let mut count = 0;
    for line in games.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[rules, result, actions] = &fields[..] else { panic!("three fields: {line}") };
        let game = played(rules, actions);
        check(&game, &format!("result = {result}; turn = -; illegal = -; overtime = -"));
        let has_room = game.rules().board().points().any(|at| game.stone(at).is_none());
        assert_eq!(has_room, result == "draw no-legal-move", "{rules}");
        let (last, before) = game.actions().split_last().expect("a game with stones");
        let mut again = Game::replay(*game.rules(), before).expect("legal");
        let mut back = game.clone();
        assert!(back.undo());
        assert_eq!((back.state_bytes(), back.hash()), (again.state_bytes(), again.hash()), "{rules}");
        again.play(last).expect("legal");
        assert_eq!(again.state_bytes(), game.state_bytes(), "{rules}");
        count += 1;
    }
    assert_eq!(count, 18);
}

#[test]
fn a_side_of_two_can_resign_at_any_moment() {
    let cases = [
        ("capture-five", "", "resign:black", "white by resignation"),
        ("capture-five", "", "resign:white", "black by resignation"),
        ("pente-swap2", "A1 C3 E5", "resign:white", "black by resignation"),
        ("pente", "J10", "resign:white", "black by resignation"),
        ("capture-five seats=4 teams=true", "A1 C3 E5", "resign:black", "white by resignation"),
    ];
    for (rules, actions, resign, result) in cases {
        let mut game = played(rules, actions);
        go_on(&mut game, resign);
        check(&game, &format!("result = {result}"));
    }
    refuses(&played("capture-five", ""), "resign:blue", Refusal::BadRequest);
}

#[test]
fn played_names_who_acted_and_what_it_did() {
    let mut game = played("capture-five seats=4 teams=true", "A1 C3");
    let resigned = game.play(&support::action("resign:white")).expect("two sides");
    assert_eq!((resigned.player, resigned.colour.map(rules::Colour::name)), (1, Some("white")));
    let mut game = played("capture-five into_flank=captured", "D4 E4 A1 F4 G4");
    check(&game, "captured = 2 0");
    assert!(game.undo());
    let played = game.play(&support::action("G4")).expect("legal");
    assert_eq!(played.player, 0);
    assert_eq!(played.took.iter().map(|group| group.0.len()).collect::<Vec<_>>(), [2]);
    assert!(played.lost.is_empty());
}

#[test]
fn nothing_can_be_done_after_the_end() {
    let game = played("capture-five", "A1 A2 B1 B2 C1 C2 D1 D2 E1");
    check(&game, "result = black by line; turn = -; illegal = -");
    for text in ["E2", "A1", "P9", "black", "add", "draw", "resign:black", "resign:blue"] {
        refuses(&game, text, Refusal::GameOver);
    }
    assert_eq!(game.check(support::point("E2")), Err(Refusal::GameOver));
    assert!(game.groups(support::point("E2")).is_empty() && game.reason(support::point("E2")).is_none());
}

#[test]
fn everything_can_be_taken_back_to_the_empty_board() {
    let games = [
        ("pente-swap2", "A1 C3 E5 add G7 J9 white K11"),
        ("capture-five forced_capture=false", "D4 E4 A1 F4 G4[] draw"),
        ("capture-five into_flank=captured", "D4 C4 A1 F4 E4 resign:white"),
        ("capture-five seats=3 overtime=break", "A1 C3 E5 A2"),
    ];
    for (rules, actions) in games {
        let mut states = Vec::new();
        let mut game = Game::new(support::rules(rules));
        for text in actions.split_whitespace() {
            states.push((game.state_bytes(), game.hash(), game.actions().to_vec()));
            go_on(&mut game, text);
        }
        while let Some((bytes, hash, actions)) = states.pop() {
            assert!(game.undo());
            assert_eq!((game.state_bytes(), game.hash(), game.actions()), (bytes, hash, &actions[..]), "{rules}");
        }
        assert!(!game.undo(), "nothing is left to take back");
    }
}

#[test]
fn replay_names_the_first_refused_action() {
    let rules = support::rules("capture-five");
    let actions: Vec<Action> = "H8 J9 H8 Q19".split(' ').map(support::action).collect();
    assert_eq!(Game::replay(rules, &actions).err(), Some((2, Refusal::Occupied)));
    assert_eq!(Game::replay(rules, &actions[..2]).map(|game| game.ply()), Ok(2));
}
