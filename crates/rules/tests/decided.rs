//! What RULES.md marks as [decided]: a test for each, named in the table below, which is held against the page.
//! Where the table of players keeps a part of a point, the test in `crates/table` that covers it is named as well.

mod support;

use rules::{BoardSize, Clash, Colour, OptionName, Options, Point, Preset, Refusal, Rules, Starter, starter};
use support::{check, drawn, go_on, played, refuses};

const BLACK: Colour = Colour::Black;
const WHITE: Colour = Colour::White;

/// One point: its section, the words around its mark (from the sentence's or clause's beginning to the sentence's
/// end), its test here, and the test of the table's part, if there is such a part and it is built.
struct Decided {
    section: u8,
    words: &'static str,
    test: &'static str,
    at_the_table: Option<&'static str>,
}

/// In the order of the page.
const DECIDED: [Decided; 15] = [
    Decided {
        section: 1,
        words: "**Coordinates** [decided]: column letters from the left, `A B C …` with **no letter skipped** (15: \
            A–O, 19: A–S); rows from 1 at the **bottom** up.",
        test: "coordinates_skip_no_letter_and_count_from_the_bottom",
        at_the_table: None,
    },
    Decided {
        section: 2,
        words: "with `captures = on` [decided: Renju knows no captures, and its threes would be undefined]; \
            `forced_capture = false`, `capture_threes`, `into_flank ≠ nothing`, `overtime ≠ none` with `captures = off`.",
        test: "renju_clashes_with_captures",
        at_the_table: None,
    },
    Decided {
        section: 3,
        words: "Where the seat whose turn it would be to start plays no longer, the next one that does, in seat order, \
            starts [decided].",
        test: "the_start_passes_over_seats_that_no_longer_play",
        at_the_table: None,
    },
    Decided {
        section: 4,
        words: "what steps 3 and 4 take leaves the board together [decided: as in Poof-Pente, where captures and own \
            losses are simultaneous, so a flanking stone that is itself captured by this move still flanks].",
        test: "captures_and_own_losses_are_simultaneous",
        at_the_table: None,
    },
    Decided {
        section: 4,
        words: "Each X is credited with the distinct stones it takes (a stone that two different sides take counts \
            for both) [decided].",
        test: "a_stone_that_two_sides_take_counts_for_both",
        at_the_table: None,
    },
    Decided {
        section: 4,
        words: "If nobody has won and the next seat to move has no legal point, the game is a draw [decided for all \
            presets; the 004 text says it for black under `renju`].",
        test: "no_legal_point_is_a_draw_under_every_preset",
        at_the_table: None,
    },
    Decided {
        section: 5,
        words: "If A still has a winning line after that move, A wins, alone: A's win had come first and only waited, \
            so neither a line nor a tenth captured stone that the next player made in the meantime counts [decided].",
        test: "what_the_next_player_reaches_in_overtime_does_not_count",
        at_the_table: None,
    },
    Decided {
        section: 5,
        words: "`break` and `take` are alternatives: under `take` only taking the whole line opens overtime, but once \
            in overtime an ordinary capture that breaks the line also saves the game [decided].",
        test: "in_take_overtime_an_ordinary_capture_saves_too",
        at_the_table: None,
    },
    Decided {
        section: 6,
        words: "nor whether the new stone itself leaves the board in step 4 [decided].",
        test: "a_stone_that_blocks_a_five_and_is_taken_still_blocks_it",
        at_the_table: None,
    },
    Decided {
        section: 6,
        words: "Whether the follow-up point is itself forbidden is not asked [decided: not recursive].",
        test: "double_three_is_not_recursive",
        at_the_table: None,
    },
    Decided {
        section: 6,
        words: "White's overline follows `overline` also here [decided: 004 says both that its limits equal Renju's, \
            where a white overline wins, and that with overlines off both colours need exactly five; the option governs].",
        test: "whites_overline_follows_the_option_under_renju",
        at_the_table: None,
    },
    Decided {
        section: 8,
        words: "**Move limit** 30 or 60 s, per stone and per choice: when it runs out, the CPU plays that one move for \
            the seat [decided]; the seat stays the player's; after three in a row the seat counts as dropped until its \
            player touches anything.",
        test: "a_move_limit_changes_nothing_but_the_time",
        at_the_table: Some("after_three_in_a_row_the_seat_is_away_until_something_is_touched"),
    },
    Decided {
        section: 8,
        words: "Three or four solo: the resigned seat is scored as a loss and the CPU plays on in its place, so that \
            the others' game is not spoiled [decided]; should that colour win, nobody is credited with it.",
        test: "of_three_or_four_sides_none_ends_the_game_by_resigning",
        at_the_table: Some("with_three_sides_the_cpu_plays_a_resigned_seat_on_and_nobody_is_credited"),
    },
    Decided {
        section: 8,
        words: "Not in ranked games [decided].",
        test: "taking_back_knows_the_last_action_and_not_whether_the_game_is_ranked",
        at_the_table: Some("ranked_games_take_nothing_back"),
    },
    Decided {
        section: 8,
        words: "**Draw offer**: all other humans must agree [decided].",
        test: "an_agreed_draw_ends_any_game_at_any_moment",
        at_the_table: Some("a_draw_needs_every_human_of_the_game"),
    },
];

/// The page's marked points: section and words.
fn marked() -> Vec<(u8, String)> {
    let page = include_str!("../RULES.md");
    let mut section = 0;
    let mut blocks: Vec<(u8, String)> = Vec::new();
    for line in page.lines() {
        if let Some((number, _)) = line.strip_prefix("## ").and_then(|heading| heading.split_once('.')) {
            section = number.parse().expect("a numbered section");
        }
        let text = line.trim();
        let begins_item = text.starts_with("- ") || text.split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok());
        match blocks.last_mut() {
            Some((_, block)) if !text.is_empty() && !begins_item => {
                block.push(' ');
                block.push_str(text);
            }
            _ => blocks.push((section, text.trim_start_matches("- ").to_owned())),
        }
    }
    // Before the first section stands what the mark means.
    blocks.retain(|&(section, _)| section > 0);
    blocks.iter().flat_map(|(section, block)| marks(block).map(|words| (*section, words))).collect()
}

/// The words around each mark in a paragraph or item.
fn marks(block: &str) -> impl Iterator<Item = String> {
    block.match_indices("[decided").map(|(mark, _)| {
        let before = [". ", "; "].into_iter().filter_map(|end| block[..mark].rfind(end)).max();
        let start = before.map_or(0, |end| end + 2);
        let end = block[mark..].find(". ").map_or(block.len(), |end| mark + end + 1);
        block[start..end].trim().to_owned()
    })
}

#[test]
fn every_point_marked_decided_has_its_test() {
    let listed: Vec<(u8, String)> = DECIDED.iter().map(|point| (point.section, point.words.to_owned())).collect();
    assert_eq!(listed, marked(), "the list differs from RULES.md");
    let here = include_str!("decided.rs");
    let table = [
        include_str!("../../table/tests/seats.rs"),
        include_str!("../../table/tests/offers.rs"),
        include_str!("../../table/tests/clock.rs"),
    ]
    .concat();
    let is_in = |source: &str, test: &str| source.contains(&format!("#[test]\nfn {test}() {{"));
    for point in DECIDED {
        assert!(is_in(here, point.test), "no test {}", point.test);
        assert!(point.at_the_table.is_none_or(|test| is_in(&table, test)), "no test {:?}", point.at_the_table);
        let (about, _) = here.split_once(&format!("#[test]\nfn {}()", point.test)).expect("just found");
        let about = &about[about.rfind("\n\n").unwrap_or(0)..];
        let first_words: Vec<&str> = point.words.split(' ').take(4).collect();
        let quoted = format!("/// Section {}: \"{}", point.section, first_words.join(" "));
        assert!(about.contains(&quoted), "the test {} does not quote its sentence", point.test);
    }
}

/// Section 1: "**Coordinates** [decided]: column letters from the left, … no letter skipped; rows from 1 at the bottom".
#[test]
fn coordinates_skip_no_letter_and_count_from_the_bottom() {
    let letters = "ABCDEFGHIJKLMNOPQRS";
    for (column, letter) in (0..).zip(letters.chars()) {
        let point = Point::new(column, 0).expect("on the board");
        assert_eq!(point.to_string(), format!("{letter}1"));
        assert_eq!(Point::new(0, column).expect("on the board").to_string(), format!("A{}", column + 1));
    }
    let corners = |size: BoardSize| {
        let last = size.points().last().expect("points");
        (size.centre().to_string(), last.to_string())
    };
    let text = |centre: &str, last: &str| (centre.to_owned(), last.to_owned());
    assert_eq!(corners(BoardSize::Nine), text("E5", "I9"));
    assert_eq!(corners(BoardSize::Thirteen), text("G7", "M13"));
    assert_eq!(corners(BoardSize::Fifteen), text("H8", "O15"));
    assert_eq!(corners(BoardSize::Nineteen), text("J10", "S19"));
}

/// Section 2: "with `captures = on` [decided: Renju knows no captures, and its threes would be undefined]".
#[test]
fn renju_clashes_with_captures() {
    let clash = Clash(OptionName::Forbidden, OptionName::Captures);
    for preset in Preset::ALL {
        let mut options = preset.options();
        options.set("forbidden", "renju").expect("a value");
        options.set("colours", "black-first").expect("a value");
        options.set("captures", "on").expect("a value");
        assert_eq!(options.check(preset), Err(clash));
        options.set("captures", "off").expect("a value");
        assert!(options.check(preset).is_ok());
    }
    assert_eq!(clash.to_string(), "the options forbidden and captures do not go together");
}

/// Section 3: "Where the seat whose turn it would be to start plays no longer, the next one that does, … starts".
#[test]
fn the_start_passes_over_seats_that_no_longer_play() {
    let passing = *Rules::of(Preset::CaptureFive).options();
    let staying = Options { pass_start: false, ..passing };
    assert_eq!(starter(&passing, &[0, 3], Some(1)), Starter::Seat(3));
    assert_eq!(starter(&passing, &[0, 1], Some(3)), Starter::Seat(0));
    assert_eq!(starter(&staying, &[0, 3], Some(1)), Starter::Seat(3));
}

/// Section 4: "what steps 3 and 4 take leaves the board together [decided: as in Poof-Pente, …]".
#[test]
fn captures_and_own_losses_are_simultaneous() {
    let rules = "capture-five into_flank=captured";
    // F4 takes G4 and H4. D4 and that very G4 flank E4 and the new stone.
    let mut game = drawn(rules, BLACK, "D4", "WB.WWB");
    go_on(&mut game, "F4");
    check(&game, "captured = 2 2; at D4,E4,F4,G4,H4,I4 = white - - - - black");
    // The mover takes another pair with the stone that is lost, and its captures count all the same.
    let elsewhere = "
        ..B..
        ..W..
        ..W..
        WB.W.";
    let mut game = drawn(rules, BLACK, "D4", elsewhere);
    go_on(&mut game, "F4");
    check(&game, "captured = 2 2; at D4,E4,F4,G4 = white - - white; at F5,F6,F7 = - - black");
}

/// Section 4: "Each X is credited with the distinct stones it takes (a stone that two different sides take counts for
/// both) [decided]".
#[test]
fn a_stone_that_two_sides_take_counts_for_both() {
    // Black's stretch E5 F5 lies between blue stones, and F5 F6 between white ones.
    let cross = "
        ..W..
        ..B..
        UB.U.
        ..W..";
    let mut game = drawn("capture-five seats=3 into_flank=captured", BLACK, "D4", cross);
    go_on(&mut game, "F5");
    check(&game, "captured = 0 2 2; at E5,F5,F6 = - - -");
    // Between white stones on both axes: three stones are distinct.
    let mut game = drawn("capture-five seats=3 into_flank=captured", BLACK, "D4", &cross.replace('U', "W"));
    go_on(&mut game, "F5");
    check(&game, "captured = 0 3 0; at E5,F5,F6 = - - -");
    // The mover takes F4 (blue) and G4 (white); D4 and G4 flank F4 and the new stone. F4 counts for both.
    let mut game = drawn("capture-five seats=3 into_flank=captured", BLACK, "D4", "W.UWB");
    go_on(&mut game, "E4");
    check(&game, "captured = 2 2 0; at D4,E4,F4,G4,H4 = white - - - black");
}

/// Section 4: "If nobody has won and the next seat to move has no legal point, the game is a draw [decided for all
/// presets; …]".
#[test]
fn no_legal_point_is_a_draw_under_every_preset() {
    let mut presets = Vec::new();
    let games = include_str!("data/draws.txt").lines().filter(|line| !line.starts_with('#'));
    for line in games.filter(|line| line.contains("| draw no-legal-move |")) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[rules, result, actions] = &fields[..] else { panic!("three fields: {line}") };
        let game = played(rules, actions);
        check(&game, &format!("result = {result}; turn = -; illegal = -; overtime = -"));
        let empty = game.rules().board().points().filter(|&at| game.stone(at).is_none());
        assert!(empty.count() > 0, "{rules}");
        // Before its last stone the game had a legal point.
        let mut before = game.clone();
        assert!(before.undo());
        check(&before, "result = -");
        presets.push(game.rules().preset());
    }
    presets.sort_unstable();
    presets.dedup();
    // Gomoku alone forbids nothing with its own options.
    assert_eq!(presets, NO_LEGAL_POINT_PRESETS);
}

/// The presets of which `draws.txt` has such a game.
const NO_LEGAL_POINT_PRESETS: [Preset; 5] =
    [Preset::CaptureFive, Preset::Pente, Preset::PenteSwap2, Preset::Wuziqi, Preset::Custom];

/// Section 5: "If A still has a winning line after that move, A wins, alone: … neither a line nor a tenth captured
/// stone … counts [decided]".
#[test]
fn what_the_next_player_reaches_in_overtime_does_not_count() {
    let rules = "capture-five overtime=break";
    let with_white_four = "
        WWWW.
        .....
        .....
        .W...
        .B...
        BB.BB";
    let mut game = drawn(rules, BLACK, "D4", with_white_four);
    go_on(&mut game, "F4");
    check(&game, "overtime = black D4,E4,F4,G4,H4");
    go_on(&mut game, "H9");
    check(&game, "result = black by line; lines = black D4,E4,F4,G4,H4 / white D9,E9,F9,G9,H9");
    // H8 takes ten stones and leaves the line alone.
    let with_ten = "
        .W..W..W.
        ..B.B.B..
        ...BBB...
        .WBB.BBW.
        .........
        .........
        .W.......
        .B.......
        BB.BB....";
    let mut game = drawn(rules, BLACK, "D3", with_ten);
    go_on(&mut game, "F3");
    check(&game, "overtime = black D3,E3,F3,G3,H3; groups H8 = F8,G8 / I8,J8 / G9,F10 / H9,H10 / I9,J10");
    go_on(&mut game, "H8");
    check(&game, "captured = 0 10; result = black by line");
}

/// Section 5: "`break` and `take` are alternatives: … once in overtime an ordinary capture that breaks the line also
/// saves the game [decided]".
#[test]
fn in_take_overtime_an_ordinary_capture_saves_too() {
    let picture = "
        ...W...
        ...B...
        W.BBBB.";
    let mut game = drawn("capture-five overtime=take", BLACK, "D4", picture);
    go_on(&mut game, "E4");
    check(&game, "overtime = black E4,F4,G4,H4,I4; groups G3 = G4,G5; groups J4 = E4,F4,G4,H4,I4");
    go_on(&mut game, "G3");
    check(&game, "result = -; overtime = -; captured = 0 2");
    // The capture alone opens no overtime.
    let mut closed = drawn("capture-five overtime=take", BLACK, "D4", &picture.replace("W.B", "..B"));
    go_on(&mut closed, "E4");
    check(&closed, "result = black by line");
}

/// Section 6: "nor whether the new stone itself leaves the board in step 4". E4 blocks white's four, and stands with D5
/// between C6 and F3.
#[test]
fn a_stone_that_blocks_a_five_and_is_taken_still_blocks_it() {
    let picture = "
        ......W
        ..B..W.
        W.B.W..
        .B.W...
        ...BB..
        ...W...";
    let rules = "capture-five forbidden=double-three-first into_flank=captured";
    let mut game = drawn(rules, BLACK, "C3", picture);
    check(&game, "check E4 = -");
    go_on(&mut game, "E4");
    let blocked: Point = "E4".parse().expect("a point");
    assert_eq!((game.stone(blocked), game.captured(WHITE)), (None, 2));
    check(&drawn(rules, BLACK, "C3", &picture.replace("......W", ".......")), "check E4 = DoubleThree");
}

/// Section 6: "Whether the follow-up point is itself forbidden is not asked [decided: not recursive]". E4's row can
/// only become an open four with D4, which is a double three itself: renju asks, and lets E4 be played.
#[test]
fn double_three_is_not_recursive() {
    let nested = "
        ..B.....
        B.B..B..
        .B..B...
        ....BB.W";
    let first = "capture-five forbidden=double-three-first";
    let renju = "wuziqi forbidden=renju overline=no-win";
    let game = drawn(first, BLACK, "B4", nested);
    check(&game, "check E4 = DoubleThree");
    check(&drawn(renju, BLACK, "B4", nested), "check E4 = -");
    check(&drawn(renju, BLACK, "B4", &nested.replace('W', ".")), "check E4 = DoubleThree");
    // With E4 on the board D4 is forbidden.
    check(&drawn(renju, BLACK, "B4", &nested.replace("....BB.W", "...BBB.W")), "check D4 = DoubleThree");
}

/// Section 6: "White's overline follows `overline` also here [decided: …]". Black's line is exactly five either way.
#[test]
fn whites_overline_follows_the_option_under_renju() {
    let wins = "wuziqi forbidden=renju";
    let exact = "wuziqi forbidden=renju overline=no-win";
    for (rules, result) in [(wins, "result = white by line"), (exact, "result = -; lines = -")] {
        let mut game = drawn(rules, WHITE, "D4", "WWW.WW");
        go_on(&mut game, "G4");
        check(&game, result);
        check(&drawn(rules, BLACK, "D4", "BBB.BB"), "check G4 = Overline");
    }
}

/// Section 8: "**Move limit** 30 or 60 s, … the CPU plays that one move for the seat [decided]". Whose clock runs
/// out, and who plays then, is the table's; the stone is one like any other.
#[test]
fn a_move_limit_changes_nothing_but_the_time() {
    let limits = OptionName::MoveLimit.values();
    assert_eq!(limits, ["none", "30", "60"]);
    let courses = [
        ("capture-five", "D4 E4 A1 F4 G4 H8"),
        ("pente-swap2", "A1 C3 E5 add G7 J9 white K11"),
        ("capture-five seats=3 overtime=break", "A1 C3 E5 A2"),
    ];
    for (rules, actions) in courses {
        let [free, limited @ ..] = [0, 1, 2].map(|n| played(&format!("{rules} move_limit_s={}", limits[n]), actions));
        for game in limited {
            assert_eq!(game.state_bytes(), free.state_bytes());
            assert_eq!((game.turn(), game.illegal()), (free.turn(), free.illegal()));
        }
    }
}

/// Section 8: "Three or four solo: the resigned seat is scored as a loss and the CPU plays on in its place, …
/// [decided]".
#[test]
fn of_three_or_four_sides_none_ends_the_game_by_resigning() {
    for rules in ["capture-five seats=3", "capture-five seats=4", "gomoku seats=3"] {
        for colour in Colour::ALL {
            refuses(&played(rules, "A1"), &format!("resign:{}", colour.name()), Refusal::BadRequest);
        }
    }
    // A team of two is one of two sides.
    let mut teams = played("capture-five seats=4 teams=true", "A1");
    go_on(&mut teams, "resign:white");
    check(&teams, "result = black by resignation");
}

/// Section 8: "Not in ranked games [decided]". Who may ask for an undo, and in which games, is the table's; a game
/// takes back its last stone or choice, whoever made it, also after the end.
#[test]
fn taking_back_knows_the_last_action_and_not_whether_the_game_is_ranked() {
    let mut game = played("pente-swap2", "A1 C3 E5 add G7 J9 white K11 resign:black");
    let stops = [
        "turn = 1 black place; ply = 6; result = -",
        "turn = 0 white place; ply = 5",
        "turn = 0 white choose",
        "turn = 1 black place; ply = 4",
        "turn = 1 white place; ply = 3",
        "turn = 1 white choose-or-add",
        "turn = 0 black place; ply = 2",
    ];
    for facts in stops {
        assert!(game.undo());
        check(&game, facts);
    }
}

/// Section 8: "**Draw offer**: all other humans must agree [decided]". Offers and answers are the table's: to the
/// game a draw is an action of no seat, and the table takes it as no seat's move.
#[test]
fn an_agreed_draw_ends_any_game_at_any_moment() {
    let cases = [
        ("capture-five", ""),
        ("capture-five seats=3", "A1 C3"),
        ("capture-five seats=4 teams=true", "A1 C3 E5"),
        ("pente-swap2", "A1 C3"),
        ("pente-swap2", "A1 C3 E5"),
        ("pente", "J10 K10"),
    ];
    for (rules, actions) in cases {
        let before = played(rules, actions);
        let mut game = before.clone();
        let agreed = game.play(&rules::Action::Draw).expect("a game that runs");
        assert_eq!(agreed.colour, None);
        check(&game, "result = draw agreement; turn = -; illegal = -");
        refuses(&game, "draw", Refusal::GameOver);
        assert!(game.undo());
        assert_eq!(game.state_bytes(), before.state_bytes());
    }
}
