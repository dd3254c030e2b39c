//! RULES.md, sections 4 and 5: captures, flanks moved into, winning.

mod support;

use rules::{Colour, Point, Refusal};
use support::{check, drawn, go_on, played, refuses};

const BLACK: Colour = Colour::Black;

/// Black's move on `at` in a drawing whose lower left corner is D4, and facts after it.
#[track_caller]
fn case(rules: &str, picture: &str, at: &str, facts: &str) {
    let mut game = drawn(rules, BLACK, "D4", picture);
    go_on(&mut game, at);
    check(&game, facts);
}

#[test]
fn exactly_two_enemies_between_the_new_stone_and_another_are_taken() {
    let pairs = "capture-five";
    let threes = "capture-five capture_threes=true";
    case(pairs, ".WWB", "D4", "captured = 2 0; at D4,E4,F4,G4 = black - - black; result = -");
    case(pairs, ".WB.", "D4", "captured = 0 0");
    case(pairs, ".WWWB", "D4", "captured = 0 0");
    case(pairs, ".WW.B", "D4", "captured = 0 0");
    case(pairs, ".W.WB", "D4", "captured = 0 0");
    case(pairs, "..WWB", "D4", "captured = 0 0");
    case(threes, ".WWB", "D4", "captured = 2 0");
    case(threes, ".WWWB", "D4", "captured = 3 0; at D4,E4,F4,G4,H4 = black - - - black");
    case(threes, ".WWWWB", "D4", "captured = 0 0");
    case(threes, ".WB.", "D4", "captured = 0 0");
    case("gomoku", ".WWB", "D4", "captured = 0 0");
}

#[test]
fn all_eight_directions_are_taken_at_once() {
    let star = "
        B..B..B
        .W.W.W.
        ..WWW..
        BWW.WWB
        ..WWW..
        .W.W.W.
        B..B..B";
    let game = drawn("capture-five", BLACK, "D4", star);
    check(&game, "groups G7 = E5,F6 / G5,G6 / I5,H6 / E7,F7 / H7,I7 / F8,E9 / G8,G9 / H8,I9");
    let mut after = game;
    go_on(&mut after, "G7");
    check(&after, "captured = 16 0; result = black by captures");
}

#[test]
fn the_edge_flanks_nothing() {
    let mut game = drawn("capture-five", BLACK, "A4", "WW.");
    go_on(&mut game, "C4");
    check(&game, "captured = 0 0");
    let mut corner = drawn("capture-five", BLACK, "A1", "W..\n.W.\n...");
    go_on(&mut corner, "C1");
    check(&corner, "captured = 0 0");
}

#[test]
fn moving_between_two_enemies_is_safe() {
    case("capture-five", "WB.W", "F4", "captured = 0 0; at E4,F4 = black black");
}

#[test]
fn partners_stones_are_one_colour() {
    let mut game = drawn("capture-five seats=4 teams=true", BLACK, "D4", ".WWB");
    go_on(&mut game, "D4");
    check(&game, "captured = 2 0");
}

#[test]
fn a_group_may_mix_enemies_only_if_mixed_captures_is_on() {
    let mixed = "capture-five seats=3";
    let plain = "capture-five seats=3 mixed_captures=false";
    let threes = "capture-five seats=4 capture_threes=true";
    let plain_threes = "capture-five seats=4 capture_threes=true mixed_captures=false";
    case(mixed, ".WUB", "D4", "captured = 2 0 0");
    case(mixed, ".UUB", "D4", "captured = 2 0 0");
    case(plain, ".WUB", "D4", "captured = 0 0 0");
    case(plain, ".UUB", "D4", "captured = 2 0 0");
    case(plain, ".WWUB", "D4", "captured = 0 0 0");
    case(threes, ".WURB", "D4", "captured = 3 0 0 0");
    case(plain_threes, ".WUWB", "D4", "captured = 0 0 0 0");
    case(plain_threes, ".RRRB", "D4", "captured = 3 0 0 0");
    case(plain_threes, ".RRWB", "D4", "captured = 0 0 0 0");
}

#[test]
fn optional_captures_are_named_with_the_stone() {
    let cross = "
        B...
        W...
        W...
        .WWB";
    let game = drawn("capture-five forced_capture=false", BLACK, "D4", cross);
    check(&game, "groups D4 = E4,F4 / D5,D6");
    let cases = [
        ("D4", "captured = 4 0"),
        ("D4[]", "captured = 0 0; at D4,E4,F4,D5,D6 = black white white white white"),
        ("D4[F4,E4]", "captured = 2 0; at E4,F4,D5,D6 = - - white white"),
        ("D4[D5,D6]", "captured = 2 0; at E4,F4,D5,D6 = white white - -"),
        ("D4[D6,D5][E4,F4]", "captured = 4 0"),
    ];
    for (stone, facts) in cases {
        let mut after = game.clone();
        go_on(&mut after, stone);
        check(&after, facts);
    }
    for stone in ["D4[E4]", "D4[E4,D5]", "D4[E4,F4][E4,F4]", "D4[E4,E4,F4]", "D4[E4,F4,G4]", "D4[H8,H9]", "D4[G4,F4]"] {
        refuses(&game, stone, Refusal::BadTake);
    }
    refuses(&game, "D4[P4,E4]", Refusal::OffBoard);
}

#[test]
fn forced_captures_must_all_be_named() {
    let game = drawn("capture-five", BLACK, "D4", "B...\nW...\nW...\n.WWB");
    let mut named = game.clone();
    go_on(&mut named, "D4[F4,E4][D5,D6]");
    check(&named, "captured = 4 0");
    refuses(&game, "D4[]", Refusal::BadTake);
    refuses(&game, "D4[E4,F4]", Refusal::BadTake);
    let mut quiet = game.clone();
    go_on(&mut quiet, "H8[]");
    check(&quiet, "captured = 0 0");
}

#[test]
fn the_flanking_side_takes_a_stretch_moved_into() {
    let pairs = "capture-five into_flank=captured";
    let threes = "capture-five into_flank=captured capture_threes=true";
    case(pairs, "WB.W", "F4", "captured = 0 2; at D4,E4,F4,G4 = white - - white");
    case(pairs, "W.W", "E4", "captured = 0 0; at E4 = black");
    case(pairs, "WBB.W", "G4", "captured = 0 0");
    case(threes, "WBB.W", "G4", "captured = 0 3; at E4,F4,G4 = - - -");
    case(threes, "WB.BW", "F4", "captured = 0 3");
    case(threes, "WB.BBW", "F4", "captured = 0 0");
    case(pairs, ".B.W", "F4", "captured = 0 0");
}

#[test]
fn a_stone_lost_on_two_axes_counts_once_for_the_side_that_takes_it() {
    let one_axis = "
        W...
        B...
        .BW.
        W...";
    let two_axes = "
        .W...
        .B...
        W.BW.
        .W...";
    let rules = "capture-five into_flank=captured";
    case(rules, one_axis, "D5", "captured = 0 2; at D5,D6,E5 = - - black");
    case(rules, two_axes, "E5", "captured = 0 3; at E5,E6,F5 = - - -");
}

#[test]
fn a_stretch_moved_into_may_be_mixed_where_captures_may() {
    case("capture-five seats=3 into_flank=captured", "W.UW", "E4", "captured = 0 2 0; at E4,F4 = - -");
    case("capture-five seats=3 into_flank=captured mixed_captures=false", "W.UW", "E4", "captured = 0 0 0");
    case("capture-five seats=3 into_flank=captured mixed_captures=false", "W.BW", "E4", "captured = 0 2 0");
}

#[test]
fn exactly_five_wins_or_longer_where_longer_wins() {
    let no_win = "capture-five";
    let wins = "capture-five overline=wins";
    case(no_win, "BBBB.", "H4", "result = black by line; lines = black D4,E4,F4,G4,H4; turn = -");
    case(no_win, "BB.BB", "F4", "result = black by line");
    case(no_win, "BBB.BB", "G4", "result = -; lines = -");
    case(wins, "BBB.BB", "G4", "result = black by line; lines = black D4,E4,F4,G4,H4,I4");
    case(no_win, "BBB.", "G4", "result = -");
    case(no_win, "BBBBW.", "I4", "result = -");
    case(no_win, "....B\n...B.\n..B..\n.B...\n.....", "D4", "result = black by line");
    case(no_win, "B....\n.B...\n..B..\n...B.\n.....", "H4", "result = black by line");
    case(no_win, "B\nB\nB\nB\n.", "D4", "result = black by line");
}

#[test]
fn four_win_among_three_or_four_sides() {
    case("capture-five seats=3", "BBB.", "G4", "result = black by line");
    case("capture-five seats=4", "BB.B", "F4", "result = black by line");
    case("capture-five seats=3", "BBB.B", "G4", "result = -");
    case("capture-five seats=3 overline=wins", "BBB.B", "G4", "result = black by line");
    case("capture-five seats=4 teams=true", "BBB.", "G4", "result = -");
    case("capture-five seats=4 teams=true", "BBBB.", "H4", "result = black by line");
    case("gomoku seats=3", "BBB.", "G4", "result = black by line");
}

/// Five pairs for two sides, taken one after another.
#[test]
fn ten_captured_stones_win() {
    let mut game = drawn("capture-five", BLACK, "D4", "BWW.\n....\n.WWB\n....\nBWW.\n....\n.WWB\n....\nBWW.");
    for (at, facts) in [
        ("G4", "captured = 2 0"),
        ("D6", "captured = 4 0"),
        ("G8", "captured = 6 0"),
        ("D10", "captured = 8 0; result = -"),
    ] {
        go_on(&mut game, at);
        check(&game, facts);
        let elsewhere = game.rules().board().points().find(|&at| {
            let mut after = game.clone();
            at.column() == 14 && after.play(&rules::Action::place(at)).is_ok_and(|played| played.took.is_empty())
        });
        go_on(&mut game, &elsewhere.expect("a free point").to_string());
    }
    assert!(game.would_win(support::point("G12")));
    assert!(!game.would_win(support::point("H12")));
    assert!(game.preview(support::point("G12")).is_some_and(|seen| seen.ways[0].after.wins(Colour::Black)));
    go_on(&mut game, "G12");
    check(&game, "captured = 10 0; result = black by captures");
}

#[test]
fn line_and_captures_together_name_both_conditions() {
    let star = "
        B.....B
        .W.B.W.
        ..WBW..
        BWW.WWB
        ..WBW..
        .W.B.W.
        B.....B";
    case("capture-five", star, "G7", "captured = 12 0; result = black by captures+line");
}

/// White's six on column F; G8 takes E10 and F9, so that five are left.
const SIX_TO_TRIM: &str = "
    B.......
    .W......
    ..W.....
    ..W.....
    ..W.....
    ..W.....
    ..W.....
    ..W.....";

#[test]
fn a_capture_that_trims_an_enemys_six_makes_the_enemy_win() {
    let before = drawn("capture-five", BLACK, "D4", SIX_TO_TRIM);
    check(&before, "lines = -; result = -");
    case("capture-five", SIX_TO_TRIM, "G8", "captured = 2 0; result = white by line; lines = white F4,F5,F6,F7,F8");
}

#[test]
fn all_sides_that_meet_a_condition_win_together_and_two_of_two_draw() {
    let two = "
        B.......
        .W......
        ..W.....
        ..W.BBBB
        ..W.....
        ..W.....
        ..W.....
        ..W.....";
    case("capture-five", two, "G8", "captured = 2 0; result = draw all-win");
    let of_three = "
        B......
        .W.....
        ..W....
        ..W.BBB
        ..W....
        ..W....
        ..W....";
    case("capture-five seats=3", of_three, "G7", "captured = 2 0 0; result = black+white by line");
}

#[test]
fn players_move_in_turn_order_and_hold_their_colours() {
    check(&played("capture-five", ""), "turn = 0 black place");
    check(&played("capture-five", "A1"), "turn = 1 white place");
    check(&played("pente", "J10"), "turn = 1 black place; at J10 = white");
    check(&played("capture-five seats=3", "A1 C3"), "turn = 2 blue place");
    check(&played("capture-five seats=3", "A1 C3 E5"), "turn = 0 black place; ply = 3");
    check(&played("capture-five seats=4", "A1 C3 E5"), "turn = 3 red place");
    check(&played("capture-five seats=4 teams=true", "A1 C3"), "turn = 2 black place");
    check(&played("custom seats=4 teams=true colours=white-first", "A1 C3 E5"), "turn = 3 black place");
    check(&played("custom seats=4 colours=white-first", "A1"), "turn = 1 black place; at A1 = white");
}

#[test]
fn points_off_the_board_or_occupied_are_refused() {
    let game = played("capture-five", "H8");
    refuses(&game, "H8", Refusal::Occupied);
    refuses(&game, "P1", Refusal::OffBoard);
    refuses(&game, "A16", Refusal::OffBoard);
    refuses(&game, "black", Refusal::NotAChoice);
    refuses(&game, "add", Refusal::NotAChoice);
    let small = played("capture-five board=9", "");
    refuses(&small, "J9", Refusal::OffBoard);
    refuses(&small, "A10", Refusal::OffBoard);
    assert_eq!(small.rules().board().points().filter(|&at| small.check(at).is_ok()).count(), 81);
    assert_eq!(small.check(Point::new(18, 18).expect("a point")), Err(Refusal::OffBoard));
}

/// Section 4.3: all groups leave the board at once, and each stone counts one.
#[test]
fn groups_of_two_and_three_are_taken_together() {
    let picture = "
        B....
        W....
        W....
        .WWWB";
    case("capture-five capture_threes=true", picture, "D4", "captured = 5 0; at D5,D6,E4,F4,G4 = - - - - -");
    case("capture-five", picture, "D4", "captured = 2 0; at D5,D6,E4,F4,G4 = - - white white white");
}

/// Section 4.3: with three or more sides it is the colours of the pair that mixing is about, not of the neighbours.
#[test]
fn each_group_is_mixed_or_not_on_its_own() {
    let picture = "
        B...
        W...
        U...
        .WWB";
    case("capture-five seats=3", picture, "D4", "captured = 4 0 0");
    case("capture-five seats=3 mixed_captures=false", picture, "D4", "captured = 2 0 0; at D5,D6 = blue white");
}

/// Section 4.4: the stretch is judged with nothing removed yet, edges flank nothing, and it is never optional.
#[test]
fn flanks_moved_into_are_never_optional_and_end_at_stones() {
    let captured = "capture-five into_flank=captured";
    let mut at_edge = drawn(captured, BLACK, "A4", "B.W");
    go_on(&mut at_edge, "B4");
    check(&at_edge, "captured = 0 0; at A4,B4 = black black");
    case("capture-five into_flank=captured forced_capture=false", "WB.W", "F4[]", "captured = 0 2");
    case("capture-five into_flank=captured forced_capture=false", "WB.WWB", "F4[]", "captured = 0 2; at G4 = white");
    case(captured, "W.BBBW", "E4", "captured = 0 0");
    case("capture-five seats=4 teams=true into_flank=captured", "WB.W", "F4", "captured = 0 2");
    // Each end must be the same enemy's.
    case("capture-five seats=3 into_flank=captured", "WB.U", "F4", "captured = 0 0 0");
}

/// Section 4.5: the conditions are looked up on the board as it stands after captures and losses.
#[test]
fn a_stone_that_is_taken_itself_still_takes_and_makes_no_line() {
    // Five pairs at once; the new stone and F7 are lost between E7 and H7, which is itself taken.
    let star = "
        B.....B
        .W...W.
        ..W.W..
        .WB.WWB
        ..W.W..
        .W...W.
        B.....B";
    let rules = "capture-five into_flank=captured";
    case(rules, star, "G7", "captured = 10 2; result = black by captures; at E7,F7,G7,H7 = white - - -");
    let cross = "
        ...B..
        ...B..
        ...B..
        ...B..
        .WB.W.";
    case("capture-five into_flank=captured", cross, "G4", "captured = 0 2; result = -; lines = -; at F4,G4 = - -");
    case("capture-five", cross, "G4", "captured = 0 0; result = black by line");
}

/// Section 5: nine stones lost on four axes are more than the eight that win among three sides.
#[test]
fn losing_stones_can_make_the_enemy_win() {
    let star = "
        W..W..W
        .B.B.B.
        ..BBB..
        WBB.W..
        ..WWW..";
    let rules = "capture-five seats=3 into_flank=captured capture_threes=true";
    case(rules, star, "G5", "captured = 0 9 0; result = white by captures; at G5,E5,F5,G6,G7 = - - - - -");
}

/// Section 5: one capture trims the lines of two enemies.
const TWO_TO_TRIM: &str = "
    B......
    .W.....
    .WU....
    .WU....
    .WU....
    .WU....
    ..U....";

#[test]
fn a_capture_may_make_several_sides_win_or_all() {
    case("capture-five seats=3", TWO_TO_TRIM, "G7", "captured = 2 0 0; result = white+blue by line");
    case("capture-five seats=4", TWO_TO_TRIM, "G7", "captured = 2 0 0 0; result = white+blue by line");
    let with_own = TWO_TO_TRIM.replacen(".WU....\n    .WU....", ".WU....\n    .WU.BBB", 1);
    case("capture-five seats=3", &with_own, "G7", "result = draw all-win");
    case("capture-five seats=4", &with_own, "G7", "result = black+white+blue by line");
    case("capture-five seats=3 mixed_captures=false", TWO_TO_TRIM, "G7", "captured = 0 0 0; result = -");
}

/// Section 5: a team's total is both partners'.
#[test]
fn a_teams_total_is_both_partners() {
    let mut game = played("capture-five seats=4 teams=true", "D4 E4 A1 F4 G4");
    check(&game, "captured = 2 0; turn = 1 white place");
    go_on(&mut game, "E8 D8 F8 M1 A15");
    check(&game, "captured = 2 0; turn = 2 black place");
    go_on(&mut game, "G8");
    check(&game, "captured = 4 0; turn = 3 white place");
}

/// Section 4: an illegal move changes nothing, and it is still that seat's turn.
#[test]
fn trying_an_illegal_move_is_never_a_loss() {
    let mut game = drawn("capture-five into_flank=not-allowed", BLACK, "D4", "WB.W");
    for _ in 0..3 {
        refuses(&game, "F4", Refusal::IntoFlank);
        assert!(game.play(&support::action("F4")).is_err());
        check(&game, "turn = 0 black place; result = -");
    }
    go_on(&mut game, "H8");
}

/// Section 5: all sides are looked at after a move, and a stone that is lost with another may trim its own side's six.
#[test]
fn a_stone_that_is_lost_can_trim_its_own_line_to_a_winning_one() {
    let picture = "
        .....W
        ......
        BBBBBB
        .....W";
    let mut game = drawn("capture-five into_flank=captured", BLACK, "D3", picture);
    let at = support::point("I5");
    assert!(game.would_win(at) && !game.would_win(support::point("H5")));
    go_on(&mut game, "I5");
    check(&game, "result = black by line; lines = black D4,E4,F4,G4,H4");
    assert_eq!((game.stone(at), game.captured(Colour::White)), (None, 2));
}
