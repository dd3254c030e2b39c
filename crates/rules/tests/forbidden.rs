//! RULES.md, section 6: flanks that may not be moved into, and double threes. Renju has its own file.

mod support;

use rules::{Colour, Refusal};
use support::{check, drawn, go_on, refuses};

const BLACK: Colour = Colour::Black;
const NOT_ALLOWED: &str = "capture-five into_flank=not-allowed";
const FIRST: &str = "capture-five forbidden=double-three-first";
const BOTH: &str = "capture-five forbidden=double-three-both";

/// What `check` says of a point for the colour to move, in a drawing whose lower left corner is D4.
#[track_caller]
fn case(rules: &str, to_move: Colour, picture: &str, at: &str, expected: &str) {
    let game = drawn(rules, to_move, "D4", picture);
    check(&game, &format!("check {at} = {expected}"));
    if expected == "-" {
        let mut after = game;
        go_on(&mut after, at);
    } else {
        assert!(game.illegal().contains(&support::point(at)));
    }
}

#[test]
fn a_flanked_stretch_may_not_be_moved_into() {
    case(NOT_ALLOWED, BLACK, "WB.W", "F4", "IntoFlank");
    case(NOT_ALLOWED, BLACK, "W.W.", "E4", "-");
    case(NOT_ALLOWED, BLACK, "WBB.W", "G4", "-");
    case("capture-five into_flank=not-allowed capture_threes=true", BLACK, "WBB.W", "G4", "IntoFlank");
    case("capture-five into_flank=captured", BLACK, "WB.W", "F4", "-");
    case("capture-five", BLACK, "WB.W", "F4", "-");
    let game = drawn(NOT_ALLOWED, BLACK, "D4", "WB.W");
    check(&game, "reason F4 = IntoFlank D4,E4,F4,G4; illegal = F4; groups F4 = -");
}

#[test]
fn also_if_the_move_would_capture_or_make_a_line() {
    // F4 would take G4 and H4; it would also stand with E4 between D4 and G4.
    case(NOT_ALLOWED, BLACK, "WB.WWB", "F4", "IntoFlank");
    let line = "
        ..B..
        ..B..
        ..B..
        ..B..
        WB.W.";
    case(NOT_ALLOWED, BLACK, line, "F4", "IntoFlank");
}

#[test]
fn a_mixed_stretch_counts_where_mixed_captures_do() {
    case("capture-five seats=3 into_flank=not-allowed", BLACK, "W.UW", "E4", "IntoFlank");
    case("capture-five seats=3 into_flank=not-allowed mixed_captures=false", BLACK, "W.UW", "E4", "-");
    case("capture-five seats=3 into_flank=not-allowed", BLACK, "W.BU", "E4", "-");
    case("capture-five seats=4 teams=true into_flank=not-allowed", BLACK, "WB.W", "F4", "IntoFlank");
}

/// E4 makes a three of F4 and G4, and one of E6 and E7.
const TEE: &str = "
    .B....
    .B....
    ......
    ..BB..";

#[test]
fn two_open_threes_are_forbidden() {
    case(FIRST, BLACK, TEE, "E4", "DoubleThree");
    case("capture-five", BLACK, TEE, "E4", "-");
    case("capture-five seats=4 teams=true forbidden=double-three-both", BLACK, TEE, "E4", "DoubleThree");
    let game = drawn(FIRST, BLACK, "D4", TEE);
    check(&game, "reason E4 = DoubleThree E4,F4,G4,E6,E7");
    // One closed end: no open four can come of it.
    case(FIRST, BLACK, &TEE.replace("..BB..", "..BBW."), "E4", "-");
}

#[test]
fn first_binds_the_colour_of_the_games_first_stone() {
    let white = TEE.replace('B', "W");
    case(FIRST, Colour::White, &white, "E4", "-");
    case(BOTH, Colour::White, &white, "E4", "DoubleThree");
    case("custom colours=white-first forbidden=double-three-first", Colour::White, &white, "E4", "DoubleThree");
    case("custom colours=white-first forbidden=double-three-first", BLACK, TEE, "E4", "-");
    // After an opening in which the starter chose or was given the other colour, it is still the colour's.
    let mut swapped =
        support::played("custom opening=place-three forbidden=double-three-first", "F4 A1 G4 black A15 E6 O1 E7 O15");
    assert_eq!(swapped.turn().map(|turn| (turn.player, turn.colour)), Some((1, BLACK)));
    check(&swapped, "check E4 = DoubleThree");
    go_on(&mut swapped, "K9");
}

#[test]
fn threes_need_room_for_an_open_four_that_makes_a_line_at_either_end() {
    let at_the_edge = "
        ..B..
        ..B..
        .....
        BB...";
    check(&drawn(FIRST, BLACK, "A4", at_the_edge), "check C4 = -");
    let one_off = "
        ...B.
        ...B.
        .....
        .BB..";
    check(&drawn(FIRST, BLACK, "A4", one_off), "check D4 = DoubleThree");
    // Beyond either end a stone would make six of the five, which wins only where longer lines do.
    let far_stones = "
        ...B.....
        ...B.....
        .........
        B...BB..B";
    check(&drawn(FIRST, BLACK, "B4", far_stones), "check E4 = -");
    let wins = "capture-five overline=wins forbidden=double-three-first";
    check(&drawn(wins, BLACK, "B4", far_stones), "check E4 = DoubleThree");
}

#[test]
fn a_four_is_no_three() {
    // Row 4 becomes a four, column E a three: a four-three is free.
    let four_three = "
        .B....
        .B....
        ......
        ..BBB.";
    case(FIRST, BLACK, four_three, "E4", "-");
    // Row 4 could become an open four with D4 and a line with H4: that is a four, too.
    let with_gap = four_three.replace("..BBB.", "..BB.B");
    case("capture-five overline=wins forbidden=double-three-first", BLACK, &with_gap, "E4", "-");
    case(FIRST, BLACK, &with_gap, "E4", "-");
}

#[test]
fn a_winning_line_is_exempt() {
    // H4: row 4 and the diagonal become threes, and column H five.
    let line = "
        ....B
        ....B
        ..B.B
        ...BB
        ..BB.";
    case(FIRST, BLACK, line, "H4", "-");
    let no_line = "
        ..B..
        ...B.
        ..BB.";
    case(FIRST, BLACK, no_line, "H4", "DoubleThree");
}

#[test]
fn blocking_a_five_is_exempt() {
    // E4 is an end of white's four.
    let four = "
        .....W
        .B..W.
        .B.W..
        ..W...
        ..BB..";
    case(FIRST, BLACK, four, "E4", "-");
    case(FIRST, BLACK, &four.replace(".....W", "......"), "E4", "DoubleThree");
    // With D3 white as well E4 would make six, which does not win: nothing is blocked.
    let six = "
        ......W
        ..B..W.
        ..B.W..
        ...W...
        ...BB..
        .W.....";
    check(&drawn(FIRST, BLACK, "C3", six), "check E4 = DoubleThree");
    check(&drawn(FIRST, BLACK, "C3", &six.replace(".W.....", ".......")), "check E4 = -");
}

/// E4 takes F5 and G6, and F5 is one of white's four on column F.
const CUT: &str = "
    ..W..
    .BW.B
    .BWW.
    ..W..
    ..BB.";

/// A five is also blocked by a capture that cuts its line.
#[test]
fn cutting_a_five_by_a_capture_is_exempt() {
    case(FIRST, BLACK, CUT, "E4", "-");
    case(FIRST, BLACK, &CUT.replacen("..W..", ".....", 1), "E4", "DoubleThree");
}

#[test]
fn the_choice_of_captures_decides() {
    let optional = "capture-five forbidden=double-three-first forced_capture=false";
    let game = drawn(optional, BLACK, "D4", CUT);
    check(&game, "check E4 = -; illegal = -; groups E4 = F5,G6");
    refuses(&game, "E4[]", Refusal::DoubleThree);
    let mut taken = game;
    go_on(&mut taken, "E4[F5,G6]");
    check(&taken, "captured = 2 0");

    // The other way round: taking E2 and E3 opens the three on column E.
    let opened = "
        B..
        B..
        .BB
        W..
        W..
        B..";
    check(&drawn(FIRST, BLACK, "E1", opened), "check E4 = DoubleThree; groups E4 = -");
    let game = drawn(optional, BLACK, "E1", opened);
    check(&game, "check E4 = -; groups E4 = E2,E3");
    refuses(&game, "E4", Refusal::DoubleThree);
    refuses(&game, "E4[E2,E3]", Refusal::DoubleThree);
    let mut left = game;
    go_on(&mut left, "E4[]");
    check(&left, "captured = 0 0; at E2,E3 = white white");
}

/// Whether the enemy's five, which is blocked, would be legal for it is not asked.
#[test]
fn a_blocked_five_need_not_be_legal() {
    // E4 is an end of white's four, where white would stand with D5 between C6 and F3.
    let picture = "
        ......W
        ..B..W.
        B.B.W..
        .W.W...
        ...BB..
        ...B...";
    let rules = "capture-five forbidden=double-three-first into_flank=not-allowed";
    check(&drawn(rules, BLACK, "C3", picture), "check E4 = -");
    check(&drawn(rules, Colour::White, "C3", picture), "check E4 = IntoFlank");
    let no_four = picture.replace("......W", ".......");
    check(&drawn(rules, BLACK, "C3", &no_four), "check E4 = DoubleThree");
}

/// One end of an open four is a five blocked; a four elsewhere is none.
#[test]
fn a_five_must_be_blocked_by_this_stone() {
    let picture = "
        .....W....B..
        .B..W.....B..
        .B.W.........
        ..W........BB
        ..BB.........";
    let game = drawn(FIRST, BLACK, "A4", picture);
    check(&game, "check B4 = -; check G9 = -; check K5 = DoubleThree; illegal = K5");
}

/// Three axes with a three are two or more; one is free.
#[test]
fn one_three_is_free_and_three_are_forbidden() {
    case(FIRST, BLACK, "BB.", "F4", "-");
    let three = "
        .B..B
        .B.B.
        .....
        ..BB.";
    let game = drawn(FIRST, BLACK, "D4", three);
    check(&game, "check E4 = DoubleThree; reason E4 = DoubleThree E4,F4,G4,E6,G6,E7,H7");
}

/// A three may have its gap anywhere, and stones farther off are no part of it.
#[test]
fn threes_with_gaps() {
    let column = |row: &str| format!(".B.......\n.B.......\n.........\n{row}");
    for (row, expected) in [
        ("..BB.....", "DoubleThree"),
        ("..B.B....", "DoubleThree"),
        ("...BB....", "DoubleThree"),
        ("...B.B...", "-"),
        ("..B..B...", "-"),
        ("..BBW....", "-"),
        ("..BB.W...", "DoubleThree"),
        ("W.BB.W...", "-"),
    ] {
        check(&drawn(FIRST, BLACK, "D4", &column(row)), &format!("check E4 = {expected}"));
    }
}

/// In teams partners' stones are one colour here, too.
#[test]
fn in_teams_partners_make_threes_together() {
    let teams = "capture-five seats=4 teams=true forbidden=double-three-first";
    let mut game = support::played(teams, "F4 A1 E6 A13 G4 C1 E7 O13");
    check(&game, "turn = 0 black place; check E4 = DoubleThree; illegal = E4");
    go_on(&mut game, "O1");
    check(&game, "turn = 1 white place; check E4 = -; illegal = -");
}

/// Judged after the mover's captures and before its losses: a stone that the enemy would take is forbidden all the same.
#[test]
fn a_double_three_that_would_be_lost_is_forbidden() {
    // E4 with F3 stands between D5 and G2.
    let picture = "
        .B....
        .B....
        W.....
        ..BB..
        ..B...
        ...W..";
    for into_flank in ["nothing", "captured"] {
        let rules = format!("capture-five forbidden=double-three-first into_flank={into_flank}");
        check(&drawn(&rules, BLACK, "D2", picture), "check E4 = DoubleThree");
    }
    // Looked for first is the flank, where it is not allowed.
    let rules = "capture-five forbidden=double-three-first into_flank=not-allowed";
    check(&drawn(rules, BLACK, "D2", picture), "check E4 = IntoFlank");
}
