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
