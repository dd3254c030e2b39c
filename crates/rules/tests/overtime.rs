//! RULES.md, section 5 *Overtime*.

mod support;

use rules::{Colour, Game, Refusal};
use support::{check, drawn, go_on, refuses};

const BREAK: &str = "capture-five overtime=break";
const TAKE: &str = "capture-five overtime=take";

/// The position after black's move on `at` in a drawing whose lower left corner is D4.
#[track_caller]
fn after(rules: &str, picture: &str, at: &str) -> Game {
    let mut game = drawn(rules, Colour::Black, "D4", picture);
    go_on(&mut game, at);
    game
}

/// D4 to H4 will be five; white can take E4 and E5 from E3 or E6, where the other end is white.
const BREAKABLE: &str = "
    .W...
    .B...
    BB.BB";

#[test]
fn without_overtime_a_line_wins_at_once() {
    check(&after("capture-five", BREAKABLE, "F4"), "result = black by line");
}

#[test]
fn a_line_that_can_be_broken_waits_for_one_move() {
    let mut game = after(BREAK, BREAKABLE, "F4");
    check(&game, "result = -; overtime = black D4,E4,F4,G4,H4; turn = 1 white place; groups E3 = E4,E5");
    let mut missed = game.clone();
    go_on(&mut missed, "A15");
    check(&missed, "result = black by line; overtime = -; turn = -");
    go_on(&mut game, "E3");
    check(&game, "result = -; overtime = -; captured = 0 2; turn = 0 black place");
    go_on(&mut game, "E4");
    check(&game, "result = black by line");
}

#[test]
fn a_line_that_cannot_be_broken_wins() {
    check(&after(BREAK, ".....\n.B...\nBB.BB", "F4"), "result = black by line");
    check(&after(BREAK, "BB.BB", "F4"), "result = black by line");
    // A pair of which neither stone is in the line.
    check(&after(BREAK, ".....\n.WBB.\n.....\nBB.BB", "F4"), "result = black by line");
}

#[test]
fn a_line_that_captures_win_with_and_two_lines_know_no_overtime() {
    // F4 completes row 4 and column F together; white could take E4 and E5 from E3.
    let two_lines = "
        ..B..
        ..B..
        .WB..
        .BB..
        BB.BB";
    check(&after(BREAK, two_lines, "F4"), "result = black by line; overtime = -");
    // F5 completes row 5 and takes the ninth and tenth stone as well.
    let pairs = "
        B.B.B.B
        W.W.W.W
        W.W.W.W
        .......
        ..B....
        .WW....
        .BWB...
        BB.BB..";
    let mut game = drawn(BREAK, Colour::Black, "D5", pairs);
    for pair in ["D9 N1", "F9 N3", "H9 N5", "J9 A1"] {
        go_on(&mut game, pair);
    }
    check(&game, "captured = 8 0; result = -; groups F5 = F6,F7");
    go_on(&mut game, "F5");
    check(&game, "captured = 10 0; result = black by captures+line; overtime = -");
}

#[test]
fn legality_counts_in_whether_a_line_can_be_broken() {
    // White's E3 would stand with F3 between black's D3 and G3.
    let picture = "
        .W...
        .B...
        BB.BB
        B.WB.";
    let mut free = drawn(BREAK, Colour::Black, "D3", picture);
    go_on(&mut free, "F4");
    check(&free, "overtime = black D4,E4,F4,G4,H4");
    let mut barred = drawn("capture-five overtime=break into_flank=not-allowed", Colour::Black, "D3", picture);
    go_on(&mut barred, "F4");
    check(&barred, "result = black by line");
}

/// The line can also be broken by a flank that the next player moves into.
#[test]
fn whoever_takes_the_stones_may_break_the_line() {
    // Blue (third) takes black's F4 and white's new stone F5 between F3 and F6.
    let picture = "
        ..U..
        .....
        BB.B.
        ..U..";
    let mut game = drawn("capture-five seats=3 overtime=break into_flank=captured", Colour::Black, "D3", picture);
    go_on(&mut game, "F4");
    check(&game, "overtime = black D4,E4,F4,G4; turn = 1 white place");
    go_on(&mut game, "F5");
    check(&game, "result = -; captured = 0 0 2; at F4,F5 = - -");
    let mut plain = drawn("capture-five seats=3 overtime=break", Colour::Black, "D3", picture);
    go_on(&mut plain, "F4");
    check(&plain, "result = black by line");
}

/// Trimming is not breaking: a seven cut to five still wins where longer lines do.
#[test]
fn a_trimmed_line_that_still_wins_is_not_broken() {
    // Taking J4 and J5 leaves six of seven; taking G4 and G5 leaves two threes.
    let picture = "
        ......W
        ......B
        BBB.BBB";
    check(&after("capture-five overtime=break overline=wins", picture, "G4"), "result = black by line");
    let middle = "
        ...W...
        ...B...
        BBB.BBB";
    check(&after("capture-five overtime=break overline=wins", middle, "G4"), "overtime = black D4,E4,F4,G4,H4,I4,J4");
    check(&after(BREAK, middle, "G4"), "result = -; overtime = -");
}

/// If the line is broken, the next player's own line is judged as any other, and may wait in its turn.
#[test]
fn a_breaking_move_may_win_or_wait_itself() {
    // F3 takes F4 and F5 and completes B3 to F3 for white.
    let winning = "
        .....W...
        .....B...
        ....BB.BB
        .WWWW....";
    let mut game = drawn(BREAK, Colour::Black, "A3", winning);
    go_on(&mut game, "G4");
    check(&game, "overtime = black E4,F4,G4,H4,I4; groups F3 = F4,F5");
    go_on(&mut game, "F3");
    check(&game, "result = white by line; captured = 0 2");
    // The same, but black can take D3 and D4 from D2.
    let waiting = "
        .....W...
        ...B.B...
        ...WBB.BB
        .WWWW....";
    let mut game = drawn(BREAK, Colour::Black, "A3", waiting);
    go_on(&mut game, "G4");
    check(&game, "overtime = black E4,F4,G4,H4,I4");
    go_on(&mut game, "F3");
    check(&game, "result = -; overtime = white B3,C3,D3,E3,F3; groups D2 = D3,D4");
    go_on(&mut game, "D2");
    check(&game, "result = -; overtime = -; captured = 2 2; turn = 1 white place");
}

#[test]
fn taking_the_whole_line_needs_an_own_stone_and_an_open_end() {
    let open = "W.BBBB.";
    let mut game = after(TAKE, open, "E4");
    check(&game, "result = -; overtime = black E4,F4,G4,H4,I4; groups J4 = E4,F4,G4,H4,I4; groups J5 = -");
    let mut missed = game.clone();
    go_on(&mut missed, "A1");
    check(&missed, "result = black by line");
    go_on(&mut game, "J4");
    check(&game, "result = -; captured = 0 5; at D4,E4,I4,J4 = white - - white");
    check(&after(TAKE, "W.BBBBW", "E4"), "result = black by line");
    check(&after(TAKE, "..BBBB.", "E4"), "result = black by line");
    check(&after(TAKE, BREAKABLE, "F4"), "result = black by line");
    check(&after("capture-five overtime=take overline=wins", "WBB.BBB.", "G4"), "groups K4 = E4,F4,G4,H4,I4,J4");
}

#[test]
fn the_edge_is_no_end() {
    let mut game = drawn(TAKE, Colour::Black, "A4", "BBBB.W");
    go_on(&mut game, "E4");
    check(&game, "result = black by line");
}

#[test]
fn an_illegal_open_end_saves_nothing() {
    // White on J4 would stand with J5 between black J3 and J6.
    let picture = "
        ......B
        ......W
        W.BBBB.
        ......B";
    let mut free = drawn(TAKE, Colour::Black, "D3", picture);
    go_on(&mut free, "E4");
    check(&free, "overtime = black E4,F4,G4,H4,I4; illegal = -");
    let mut barred = drawn("capture-five overtime=take into_flank=not-allowed", Colour::Black, "D3", picture);
    go_on(&mut barred, "E4");
    check(&barred, "result = black by line");
}

#[test]
fn with_optional_captures_the_line_is_one_more_group() {
    let rules = "capture-five overtime=take forced_capture=false";
    let game = after(rules, "W.BBBB.BBW", "E4");
    check(&game, "groups J4 = E4,F4,G4,H4,I4 / K4,L4");
    let mut kept = game.clone();
    go_on(&mut kept, "J4[K4,L4]");
    check(&kept, "result = black by line; captured = 0 2");
    let mut none = game.clone();
    go_on(&mut none, "J4[]");
    check(&none, "result = black by line; captured = 0 0");
    let mut line = game.clone();
    go_on(&mut line, "J4[I4,H4,G4,F4,E4]");
    check(&line, "result = -; captured = 0 5");
    refuses(&game, "J4[E4,F4,G4,H4]", Refusal::BadTake);
    let mut all = game;
    go_on(&mut all, "J4");
    check(&all, "result = -; captured = 0 7");
}

#[test]
fn among_more_sides_the_stone_at_the_end_must_be_the_next_players() {
    let rules = "capture-five seats=4 overtime=take";
    let mut game = after(rules, "W.BBB.", "E4");
    check(&game, "overtime = black E4,F4,G4,H4; turn = 1 white place");
    go_on(&mut game, "I4");
    check(&game, "captured = 0 4 0 0; result = -; turn = 2 blue place");
    check(&after(rules, "U.BBB.", "E4"), "result = black by line");
}

/// Resignation of a side ends the game also in overtime; the line that stands is named as well.
#[test]
fn resigning_in_overtime() {
    let game = after(BREAK, BREAKABLE, "F4");
    let mut next = game.clone();
    go_on(&mut next, "resign:white");
    check(&next, "result = black by line+resignation; overtime = -");
    let mut claimant = game.clone();
    go_on(&mut claimant, "resign:black");
    check(&claimant, "result = white by resignation; overtime = -");
    assert!(next.undo() && claimant.undo());
    check(&next, "result = -; overtime = black D4,E4,F4,G4,H4");
    assert_eq!(next.state_bytes(), game.state_bytes());
    assert_eq!(claimant.state_bytes(), game.state_bytes());
}

/// `break`: some choice of captures must break the line, not every one.
#[test]
fn a_line_may_be_broken_by_a_part_of_the_captures_only() {
    // E6 takes E7 and E8, which breaks row 7, and E5 and E4, which trims row 4 to an exact five.
    let picture = "
        .W.....
        .B.....
        BB.BB..
        .......
        .B.....
        .BBBBBB
        .W.....";
    let mut forced = drawn(BREAK, Colour::Black, "D3", picture);
    go_on(&mut forced, "F7");
    check(&forced, "result = black by line; lines = black D7,E7,F7,G7,H7");
    let mut game = drawn("capture-five overtime=break forced_capture=false", Colour::Black, "D3", picture);
    go_on(&mut game, "F7");
    check(&game, "overtime = black D7,E7,F7,G7,H7; groups E6 = E4,E5 / E7,E8");
    let mut all = game.clone();
    go_on(&mut all, "E6");
    check(&all, "result = black by line; lines = black F4,G4,H4,I4,J4; captured = 0 4");
    let mut none = game.clone();
    go_on(&mut none, "E6[]");
    check(&none, "result = black by line; captured = 0 0");
    go_on(&mut game, "E6[E7,E8]");
    check(&game, "result = -; overtime = -; captured = 0 2; turn = 0 black place");
}

#[test]
fn a_line_may_be_broken_by_taking_three() {
    let picture = "
        .W...
        .B...
        .B...
        BB.BB";
    check(&after(BREAK, picture, "F4"), "result = black by line");
    let mut game = after("capture-five overtime=break capture_threes=true", picture, "F4");
    check(&game, "overtime = black D4,E4,F4,G4,H4; groups E3 = E4,E5,E6");
    go_on(&mut game, "E3");
    check(&game, "result = -; captured = 0 3");
}

/// A double three is no move, so that it stops nothing.
#[test]
fn a_forbidden_shape_saves_nothing() {
    // White could take E7 and E8 from E6 only, where it would make a three of row 6 and one of column E.
    let picture = "
        .W...
        .B...
        BB.BB
        ..W.W
        .W...
        .W...";
    let first = "capture-five overtime=break forbidden=double-three-first";
    let both = "capture-five overtime=break forbidden=double-three-both";
    let mut game = drawn(first, Colour::Black, "D4", picture);
    go_on(&mut game, "F7");
    check(&game, "overtime = black D7,E7,F7,G7,H7; check E6 = -");
    let mut barred = drawn(both, Colour::Black, "D4", picture);
    go_on(&mut barred, "F7");
    check(&barred, "result = black by line");
    assert!(barred.undo());
    // Before the line stood, the same stone would have blocked black's five, which is exempt.
    go_on(&mut barred, "O14");
    check(&barred, "check E6 = -");
    // With a stone fewer it is no double three.
    let mut free = drawn(both, Colour::Black, "D4", &picture.replacen("..W.W", "..W..", 1));
    go_on(&mut free, "F7");
    check(&free, "overtime = black D7,E7,F7,G7,H7");
}

/// With three or more sides the claimant may be another than the mover.
#[test]
fn a_line_that_a_capture_trims_waits_for_the_next_player() {
    // Black's G8 takes E10 and F9, so that five on column F become four, of white or of blue. From F5's side white
    // could take F5 and G5.
    let white = "
        B......
        .W.....
        ..W....
        ..W....
        ..W....
        ..W....
        ..WU...";
    let rules = "capture-five seats=3 overtime=break";
    let mut of_next = drawn(rules, Colour::Black, "D4", white);
    go_on(&mut of_next, "G7");
    check(&of_next, "result = white by line");
    // Though white could lose F5 by moving to G5, between blue stones.
    let losing = white.replace("..W....\n        ..WU...", ".UW.U..\n        ..W....");
    let mut of_next = drawn("capture-five seats=3 overtime=break into_flank=captured", Colour::Black, "D4", &losing);
    go_on(&mut of_next, "G7");
    check(&of_next, "result = white by line");
    // Blue's four, which white can break by taking F5 and G5 from H5.
    let blue = "
        B......
        .U.....
        ..U....
        ..U....
        ..U....
        .WUB...
        ..U....";
    let mut of_other = drawn(rules, Colour::Black, "D4", blue);
    go_on(&mut of_other, "G7");
    check(&of_other, "result = -; overtime = blue F4,F5,F6,F7; turn = 1 white place; groups H5 = F5,G5");
    let mut missed = of_other.clone();
    go_on(&mut missed, "A14");
    check(&missed, "result = blue by line");
    go_on(&mut of_other, "H5");
    check(&of_other, "result = -; captured = 2 2 0; turn = 2 blue place");
    // What blue itself could do is not asked, nor is the player after the next.
    let mut by_third = drawn("capture-five seats=4 overtime=break", Colour::Black, "D4", &blue.replace(".WUB", ".RUB"));
    go_on(&mut by_third, "G7");
    check(&by_third, "result = blue by line");
}

#[test]
fn only_the_next_player_may_break() {
    let four = "
        .U..
        .B..
        BB.B";
    check(&after("capture-five seats=3 overtime=break", four, "F4"), "result = black by line");
    let mut game = after("capture-five seats=3 overtime=break", &four.replace('U', "W"), "F4");
    check(&game, "overtime = black D4,E4,F4,G4; turn = 1 white place");
    go_on(&mut game, "E3");
    check(&game, "result = -; captured = 0 2 0; turn = 2 blue place");
}

/// In teams the next player is of the other side, and its partner's stones flank as its own do.
#[test]
fn in_teams_the_next_player_stops_with_its_partners_stones() {
    let teams = "capture-five seats=4 teams=true overtime=break";
    let mut game = after(teams, BREAKABLE, "F4");
    assert_eq!(game.overtime().map(|overtime| overtime.colour), Some(Colour::Black));
    go_on(&mut game, "E3");
    check(&game, "result = -; captured = 0 2");
    let mut take = after("capture-five seats=4 teams=true overtime=take", "W.BBBB.", "E4");
    go_on(&mut take, "J4");
    check(&take, "result = -; captured = 0 5");
}

/// When the line is broken, the captures are judged as after any move.
#[test]
fn the_breaking_captures_may_win() {
    let star = "
        W..W..W
        .B.B.B.
        .BB.BB.
        WBB.BBW";
    // Row 4 becomes five with G4, of which G3 takes F4, G4 and H4.
    let mut game = drawn(BREAK, Colour::Black, "D3", star);
    go_on(&mut game, "G4");
    check(&game, "overtime = black E4,F4,G4,H4,I4");
    go_on(&mut game, "G3");
    check(&game, "result = white by captures; captured = 0 10");
}

/// A draw may be agreed in overtime as at any moment.
#[test]
fn a_draw_in_overtime() {
    let mut game = after(BREAK, BREAKABLE, "F4");
    go_on(&mut game, "draw");
    check(&game, "result = draw agreement; overtime = -; turn = -");
    assert!(game.undo());
    check(&game, "overtime = black D4,E4,F4,G4,H4; turn = 1 white place");
}

/// Overtime is over after one move: the next line is judged afresh.
#[test]
fn overtime_may_come_again() {
    let mut game = after(BREAK, BREAKABLE, "F4");
    go_on(&mut game, "E3 E4");
    // E4 is back, and E5 is not: white has no pair to take.
    check(&game, "result = black by line");
    assert!(game.undo());
    go_on(&mut game, "E5 A15");
    check(&game, "result = -; at E4,E5 = - black");
    go_on(&mut game, "E4");
    check(&game, "result = black by line; lines = black D4,E4,F4,G4,H4");
    let again = BREAKABLE.replace("BB.BB", "BB.BBB");
    check(&after(BREAK, &again, "F4"), "result = -; overtime = -; lines = -");
}

/// Two sides that meet a condition at once, or a line of one side beside the goal of another, wait for nobody.
#[test]
fn joint_winners_know_no_overtime() {
    // Black's G7 trims white's five on column E and blue's on column F; white could take F5 and G5 from H5.
    let both = "
        B......
        .W.....
        .WU....
        .WU....
        .WU....
        .WUB...
        ..U....";
    let game = after("capture-five seats=3 overtime=break", both, "G7");
    check(&game, "result = white+blue by line; overtime = -");
    // With E8 empty white has no four, and blue's waits.
    let mut waits = after("capture-five seats=3 overtime=break", &both.replacen(".WU.", "..U.", 1), "G7");
    check(&waits, "overtime = blue F4,F5,F6,F7");
    go_on(&mut waits, "H5");
    check(&waits, "result = -");
}

/// `take`: a choice that includes the line must be legal; that a stone there is legal without it is not enough.
#[test]
fn the_line_itself_must_be_taken_legally() {
    // White's J4 makes a three of column J, and one of row 4 once the line is gone.
    let picture = "
        ......W...
        ......W...
        ..........
        W.BBBB.WW.";
    for forced in ["true", "false"] {
        let rules =
            |forbidden: &str| format!("capture-five overtime=take forced_capture={forced} forbidden={forbidden}");
        let free = after(&rules("double-three-first"), picture, "E4");
        check(&free, "overtime = black E4,F4,G4,H4,I4; groups J4 = E4,F4,G4,H4,I4");
        check(&after(&rules("double-three-both"), picture, "E4"), "result = black by line");
        let one_three = picture.replace(".WW.", ".W..");
        let waits = after(&rules("double-three-both"), &one_three, "E4");
        check(&waits, "overtime = black E4,F4,G4,H4,I4");
    }
}
