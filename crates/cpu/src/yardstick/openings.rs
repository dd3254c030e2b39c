//! Openings in which colours are chosen (RULES.md, section 7), by playouts. They play all choices alike, so how often a
//! colour wins does not depend on who will hold it: the placer looks for an even position, the chooser for the better
//! colour.

use rules::{Action, Colour, Game, Must, Playout, Point, Stage};

use super::Numbers;
use super::near::near;

/// A lead in playouts of less than one in so many counts as none.
const EVEN: u32 = 50;

/// Whether the next stone is placed before colours are chosen.
pub fn is_placing(game: &Game) -> bool {
    match game.to_setup().map(|setup| setup.stage) {
        None | Some(Stage::Over) => false,
        Some(Stage::Placing | Stage::Choosing | Stage::Adding | Stage::ChoosingAgain) => true,
    }
}

/// How often the first colour won, and the second.
#[derive(Clone, Copy, Default)]
struct Wins {
    runs: u32,
    black: u32,
    white: u32,
}

impl Wins {
    fn run(&mut self, from: &Playout, numbers: &mut Numbers) {
        let ended = from.run(&mut || numbers.next());
        self.runs += 1;
        self.black += u32::from(ended.has_won(Colour::Black));
        self.white += u32::from(ended.has_won(Colour::White));
    }

    /// How far from even it is, 0 to 1; what was not tried is as far as can be.
    fn lead(self) -> f64 {
        if self.runs == 0 { 1.0 } else { f64::from(self.black.abs_diff(self.white)) / f64::from(self.runs) }
    }
}

/// The near point after which playouts are nearest to even.
pub fn place(game: &Game, count: u32, numbers: &mut Numbers, stop: &mut dyn FnMut() -> bool) -> Action {
    let mut points = near(game);
    numbers.shuffle(&mut points);
    let start = |at: &Point| {
        let mut after = game.clone();
        after.place(*at).expect("near points are legal");
        (*at, Playout::of(&after), Wins::default())
    };
    let mut tried: Vec<(Point, Playout, Wins)> = points.iter().map(start).collect();
    let many = tried.len();
    for run in 0..count as usize {
        let (_, from, wins) = &mut tried[run % many];
        wins.run(from, numbers);
        if stop() {
            break;
        }
    }
    let best = tried.iter().min_by(|a, b| a.2.lead().total_cmp(&b.2.lead()));
    Action::place(best.expect("a running game has a legal point").0)
}

/// The colour that wins more playouts; `add`, where it may be said, when neither does.
pub fn choose(game: &Game, must: Must, count: u32, numbers: &mut Numbers, stop: &mut dyn FnMut() -> bool) -> Action {
    let from = Playout::of(game);
    let mut wins = Wins::default();
    while wins.runs < count.max(1) {
        wins.run(&from, numbers);
        if stop() {
            break;
        }
    }
    let even = wins.black.abs_diff(wins.white) < wins.runs.div_ceil(EVEN);
    match must {
        Must::ChooseOrAdd if even => Action::Add,
        Must::Choose | Must::ChooseOrAdd | Must::Place => {
            Action::Choose(if wins.black >= wins.white { Colour::Black } else { Colour::White })
        }
    }
}
