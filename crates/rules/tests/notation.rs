//! Rules, actions and games as text and back.

mod support;

use rules::notation::{ACTIONS_MAX, GROUP_POINTS_MAX, GROUPS_MAX, SHOWN_CHARS_MAX, TEXT_BYTES_MAX};
use rules::{
    Action, Clash, Colour, Game, Group, NoPoint, OptionError, OptionName, Point, Preset, Refusal, Rules, SetupError,
    Take, TextError, TextFault,
};
use support::point;

#[test]
fn rules_are_their_preset_and_what_differs() {
    for (read, written) in [
        ("pente", "pente"),
        ("wuziqi forbidden=renju board=19", "wuziqi board=19 forbidden=renju"),
        ("  gomoku \n overline=wins seats=2 captures=off ", "gomoku"),
        ("capture-five seats=4 teams=true", "capture-five seats=4 teams=true"),
        ("custom move_limit_s=30", "custom move_limit_s=30"),
    ] {
        let rules: Rules = read.parse().unwrap_or_else(|fault| panic!("{read}: {fault}"));
        assert_eq!(rules.to_string(), written);
        assert_eq!(written.parse(), Ok(rules));
    }
    for preset in Preset::ALL {
        assert_eq!(Rules::of(preset).to_string(), preset.name());
    }
}

#[test]
fn wrong_rules_say_what_is_wrong() {
    let unknown = |name: &str| TextFault::Option(OptionError::UnknownOption { name: name.to_owned() });
    for (text, fault) in [
        ("", TextFault::NoPreset),
        ("chess", TextFault::UnknownPreset("chess".to_owned())),
        ("pente board", TextFault::NotAnOption("board".to_owned())),
        ("pente bord=9", unknown("bord")),
        ("pente board=9 board=9", TextFault::Repeated("board".to_owned())),
        ("pente seats=3", TextFault::Clash(Clash(OptionName::Opening, OptionName::Seats))),
    ] {
        assert_eq!(text.parse::<Rules>(), Err(fault), "{text:?}");
    }
}

#[test]
fn each_action_is_one_word() {
    let take = |groups: &[&[&str]]| {
        Take::Just(groups.iter().map(|group| Group(group.iter().map(|&at| point(at)).collect())).collect())
    };
    let place = |at: &str, take| Action::Place { at: point(at), take };
    for (word, action) in [
        ("H8", place("H8", Take::All)),
        ("S19", place("S19", Take::All)),
        ("H8[]", place("H8", take(&[]))),
        ("H8[F8,G8]", place("H8", take(&[&["F8", "G8"]]))),
        ("H8[F8,G8][H9,H10]", place("H8", take(&[&["F8", "G8"], &["H9", "H10"]]))),
        ("black", Action::Choose(Colour::Black)),
        ("red", Action::Choose(Colour::Red)),
        ("add", Action::Add),
        ("resign:white", Action::Resign(Colour::White)),
        ("draw", Action::Draw),
    ] {
        assert_eq!(word.parse(), Ok(action.clone()), "{word}");
        assert_eq!(action.to_string(), word);
    }
    // The order in which groups and points are named does not matter.
    assert_eq!("H8[H10,H9][G8,F8]".parse(), Ok(place("H8", take(&[&["F8", "G8"], &["H9", "H10"]]))));
}

#[test]
fn what_is_no_action_is_refused() {
    let words = [
        "",
        "h8",
        "H08",
        "H8[",
        "H8]",
        "H8[F8",
        "H8F8]",
        "[]",
        "[F8]",
        "H8[[F8]]",
        "Black",
        "pass",
        "resign",
        "resign:",
        "resign:green",
        "H8[]x",
        "add[]",
        "black[]",
    ];
    for word in words {
        assert!(matches!(word.parse::<Action>(), Err(TextFault::NotAnAction(_) | TextFault::Point(..))), "{word}");
    }
    let beyond = |word: &str| Err(TextFault::Point(word.to_owned(), NoPoint::Beyond));
    assert_eq!("T1".parse::<Action>(), beyond("T1"));
    assert_eq!("H8[F8,Z99]".parse::<Action>(), beyond("Z99"));
    let malformed = |word: &str| Err(TextFault::Point(word.to_owned(), NoPoint::Malformed));
    for word in ["H8[][]", "H8[][F8,G8]", "H8[,]"] {
        assert_eq!(word.parse::<Action>(), malformed(""), "{word}: a group has points");
    }
    let points = vec!["A1"; GROUP_POINTS_MAX + 1].join(",");
    assert_eq!(format!("H8[{points}]").parse::<Action>(), Err(TextFault::TooMuchTaken));
    assert_eq!(format!("H8{}", "[A1,A2]".repeat(GROUPS_MAX + 1)).parse::<Action>(), Err(TextFault::TooMuchTaken));
    let long = "x".repeat(1000);
    assert_eq!(long.parse::<Action>(), Err(TextFault::NotAnAction("x".repeat(SHOWN_CHARS_MAX))));
}

/// Written in one form, whatever the spacing it was read from.
#[track_caller]
fn written(text: &str, expected: &str) -> Game {
    let game = Game::from_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(game.to_text(), expected);
    let again = Game::from_text(expected).unwrap_or_else(|error| panic!("{error}\n{expected}"));
    assert_eq!(again.actions(), game.actions());
    assert_eq!(again.setup(), game.setup());
    assert_eq!((again.state_bytes(), again.hash()), (game.state_bytes(), game.hash()));
    game
}

#[test]
fn games_are_written_in_one_form() {
    written("c5-game 1 pente", "c5-game 1 pente\n");
    written("\u{feff}\r\n  c5-game\t1 pente opening=centre\r\n\r\n J10\r\n\r\nA1", "c5-game 1 pente\nJ10 A1\n");
    written(
        "c5-game 1 pente-swap2\nA1 C3 E5 add G7 J9 black K1 resign:black",
        "c5-game 1 pente-swap2\nA1 C3 E5 add G7 J9 black K1 resign:black\n",
    );
    let game = written(
        "c5-game 1 capture-five forced_capture=false\nH8 H9 A1 H10 H11[H10,H9] draw",
        "c5-game 1 capture-five forced_capture=false\nH8 H9 A1 H10 H11[H9,H10] draw\n",
    );
    assert_eq!(game.captured(Colour::Black), 2);
}

#[test]
fn long_games_are_wrapped() {
    let mut game = Game::new(support::rules("gomoku board=9"));
    let order = (0..9).flat_map(|row| [0, 2, 4, 6, 8, 1, 3, 5, 7].map(|column| (column, (row * 2) % 9)));
    for (column, row) in order {
        if game.result().is_none() {
            game.place(Point::new(column, row).expect("on the board")).expect("empty");
        }
    }
    let text = game.to_text();
    assert!(text.lines().count() > 3, "{text}");
    assert!(text.lines().all(|line| line.len() <= 80 && line.trim() == line), "{text}");
    written(&text, &text);
}

#[track_caller]
fn faulty(text: &str, line: usize, word: usize, why: TextFault) {
    assert_eq!(Game::from_text(text).err(), Some(TextError { line, word, why }), "{text}");
}

#[test]
fn errors_say_where_and_why() {
    faulty("", 1, 0, TextFault::NotAGame);
    faulty("\n\nhello", 3, 1, TextFault::NotAGame);
    faulty("c5-game", 1, 1, TextFault::NotAGame);
    faulty("c5-game 2 pente", 1, 2, TextFault::Version("2".to_owned()));
    faulty("c5-game 1", 1, 0, TextFault::NoPreset);
    faulty("c5-game 1 chess", 1, 3, TextFault::UnknownPreset("chess".to_owned()));
    faulty("c5-game 1 pente 9", 1, 4, TextFault::NotAnOption("9".to_owned()));
    let clash = TextFault::Clash(Clash(OptionName::Forbidden, OptionName::Captures));
    faulty("c5-game 1 pente forbidden=renju colours=black-first", 1, 0, clash);
    faulty("c5-game 1 gomoku\nH8\nJ9 hello", 3, 2, TextFault::NotAnAction("hello".to_owned()));
    faulty("c5-game 1 gomoku\n1. H8", 2, 1, TextFault::NotAnAction("1.".to_owned()));
    faulty("c5-game 1 gomoku\nH8 T20", 2, 2, TextFault::Point("T20".to_owned(), NoPoint::Beyond));
    let refused = |action, refusal| TextFault::Refused { action, refusal };
    faulty("c5-game 1 gomoku\nH8\n\nJ9 H8", 4, 2, refused(3, Refusal::Occupied));
    faulty("c5-game 1 gomoku\ndraw H8", 2, 2, refused(2, Refusal::GameOver));
    faulty("c5-game 1 pente\nA1", 2, 1, refused(1, Refusal::Opening));
    let error = Game::from_text("c5-game 1 pente\nA1").expect_err("an opening").to_string();
    assert_eq!(error, "line 2, word 1: action 1 is refused: opening");
}

#[test]
fn texts_are_bounded() {
    let long = format!("c5-game 1 gomoku{}", " ".repeat(TEXT_BYTES_MAX));
    faulty(&long, 1, 0, TextFault::TooLong(long.len()));
    let fits = format!("c5-game 1 gomoku{}", " ".repeat(TEXT_BYTES_MAX - 16));
    written(&fits, "c5-game 1 gomoku\n");
    // The longest game there can be: every point of the largest board, every stone that can have been taken before
    // somebody has won, and the choices of an opening.
    let stones = 19 * 19 + 4 * 9 + 3;
    assert!(stones < ACTIONS_MAX);
    let longest_word = "S19".len() + GROUPS_MAX * "[S19,S19,S19]".len() + 1;
    assert!(stones * longest_word < TEXT_BYTES_MAX);
}

#[test]
fn a_game_from_a_setup_has_it_in_its_text() {
    let text = "\
c5-game 1 gomoku board=9
setup turn=black
9 .........
8 .........
7 .........
6 ..WW.....
5 ..BBB....
4 .........
3 .........
2 .........
1 .........
  ABCDEFGHI
F5 G6 G5
";
    let game = written(text, text);
    support::check(&game, "result = black by line; ply = 9");
    let plain = text
        .replace("  ABCDEFGHI\n", "\n")
        .replace("9 ...", " ...")
        .replace("5 ..B", "..B")
        .replace("=black", "=black ply=6");
    written(&plain, text);
    let head = text.split_once('\n').expect("lines").0;
    faulty(&text.replace("turn=black", ""), 2, 0, TextFault::NoSetup);
    faulty(&text.replace("turn=black", "turn=black deck"), 2, 3, TextFault::NotASetupWord("deck".to_owned()));
    faulty(&text.replace("turn=black", "turn=black turn=white"), 2, 3, TextFault::Repeated("turn".to_owned()));
    faulty(&text.replace("5 ..BBB....", "5 ..BBB..."), 7, 2, TextFault::Row("..BBB...".to_owned()));
    faulty(&text.replace("5 ..BBB....", "4 ..BBB...."), 7, 0, TextFault::Row("4 ..BBB....".to_owned()));
    faulty(&text.replace("5 ..BBB....", "..BXB...."), 7, 1, TextFault::Row("..BXB....".to_owned()));
    faulty(&text.replace("5 ..BBB....", "..BUB...."), 2, 0, TextFault::Setup(SetupError::NotInPlay(Colour::Blue)));
    faulty(&format!("{head}\nsetup turn=black\n.........\n\n"), 4, 0, TextFault::RowMissing);
    faulty(&text.replace("G5", "G6"), 13, 3, TextFault::Refused { action: 3, refusal: Refusal::Occupied });
    for word in [
        "ply=",
        "ply=07",
        "ply=-1",
        "ply=70000",
        "captured=black",
        "captured=black:0",
        "captured=black:1,black:2",
        "captured=:3",
        "stage=begun",
        "swapped=yes",
        "turn=green",
        "over=time",
    ] {
        let text = text.replace("turn=black", &format!("turn=black {word}"));
        let error = Game::from_text(&text).expect_err(word);
        assert!(matches!(error.why, TextFault::NotASetupWord(_) | TextFault::Repeated(_)), "{word}: {error}");
        assert_eq!((error.line, error.word), (2, 3));
    }
}
