//! The rules of a table in words: which sentences state them, in which order. The sentences themselves are in the
//! catalogues `ui/src/i18n/<language>/rules.json`, one text a key, the same keys in every language.
//!
//! ```
//! use rules::{Preset, Rules, words};
//!
//! let said = words::sentences(&Rules::of(Preset::Pente));
//! let first = said.first().expect("every game has rules");
//! assert_eq!(first.key, "rules.goal.line-or-more");
//!
//! // A catalogue is any way from a key to a text.
//! let catalogue = |key: &str| match key {
//!     "rules.goal.line-or-more" => Some("At least {line} in a row win."),
//!     "rules.count.5" => Some("five"),
//!     _ => None,
//! };
//! assert_eq!(first.text(catalogue).as_deref(), Some("At least five in a row win."));
//! ```

use crate::game::opening::{CENTRE_DISTANCE, CENTRE_FAR_DISTANCE};
use crate::named::named;
use crate::{
    BoardSize, Colour, FirstStart, Forbidden, IntoFlank, MoveLimit, Opening, Overline, OvertimeRule, Point, Rules,
};

named! {
    /// What a sentence is about. A section's heading has the key [`Section::key`].
    pub enum Section {
        Goal = "goal",
        Players = "players",
        Turns = "turns",
        Opening = "opening",
        Captures = "captures",
        Overtime = "overtime",
        Forbidden = "forbidden",
        Draws = "draws",
        Time = "time",
        Series = "series",
    }
}

/// One sentence (sometimes two that belong together): its text is the catalogue's for the key, with the arguments
/// filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub section: Section,
    pub key: &'static str,
    /// By the name of the placeholder; the text has each of them, and no other.
    pub args: Vec<(&'static str, Arg)>,
}

/// What is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// In digits: points along a side, seconds.
    Number(u8),
    /// A small number in words: stones.
    Count(u8),
    Colour(Colour),
    Point(Point),
}

impl Arg {
    /// The key of the word for it; `None` where it is written the same in every language.
    pub fn word(self) -> Option<String> {
        match self {
            Arg::Number(_) | Arg::Point(_) => None,
            Arg::Count(count) => Some(format!("rules.count.{count}")),
            Arg::Colour(colour) => Some(format!("rules.colour.{}", colour.name())),
        }
    }
}

/// As written in every language; for what has a word in each, the number or the name.
impl std::fmt::Display for Arg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Arg::Number(number) | Arg::Count(number) => number.fmt(f),
            Arg::Colour(colour) => colour.name().fmt(f),
            Arg::Point(point) => point.fmt(f),
        }
    }
}

impl Section {
    /// The key of the heading.
    pub const fn key(self) -> &'static str {
        match self {
            Section::Goal => "rules.section.goal",
            Section::Players => "rules.section.players",
            Section::Turns => "rules.section.turns",
            Section::Opening => "rules.section.opening",
            Section::Captures => "rules.section.captures",
            Section::Overtime => "rules.section.overtime",
            Section::Forbidden => "rules.section.forbidden",
            Section::Draws => "rules.section.draws",
            Section::Time => "rules.section.time",
            Section::Series => "rules.section.series",
        }
    }
}

impl Sentence {
    /// The sentence in the catalogue's language; `None` where the catalogue lacks it or one of its words.
    pub fn text<'a>(&self, catalogue: impl Fn(&str) -> Option<&'a str>) -> Option<String> {
        let mut text = catalogue(self.key)?.to_owned();
        for (name, arg) in &self.args {
            let word = match arg.word() {
                Some(key) => catalogue(&key)?.to_owned(),
                None => arg.to_string(),
            };
            text = text.replace(&format!("{{{name}}}"), &word);
        }
        Some(text)
    }
}

/// Everything a player has to know about this table's rules. Sentences of one section stand together, the sections in
/// the order of [`Section::ALL`].
pub fn sentences(rules: &Rules) -> Vec<Sentence> {
    let mut said = Said { rules, section: Section::Goal, sentences: Vec::new() };
    for section in Section::ALL {
        said.section = section;
        match section {
            Section::Goal => said.goal(),
            Section::Players => said.players(),
            Section::Turns => said.turns(),
            Section::Opening => said.opening(),
            Section::Captures => said.captures(),
            Section::Overtime => said.overtime(),
            Section::Forbidden => said.forbidden(),
            Section::Draws => said.draws(),
            Section::Time => said.time(),
            Section::Series => said.series(),
        }
    }
    said.sentences
}

/// The sentences that the same party would not find at a table of the preset as it comes: what is special here.
pub fn special(rules: &Rules) -> Vec<Sentence> {
    let own = rules.options();
    let (usual, _) = rules.preset().options().for_seats(own.seats);
    let usual = crate::Options { teams: own.teams, ..usual };
    let usual = usual.check(rules.preset()).map_or(Vec::new(), |rules| sentences(&rules));
    sentences(rules).into_iter().filter(|sentence| !usual.contains(sentence)).collect()
}

/// What has been said so far.
struct Said<'a> {
    rules: &'a Rules,
    section: Section,
    sentences: Vec<Sentence>,
}

impl Said<'_> {
    fn say(&mut self, key: &'static str) {
        self.say_with(key, &[]);
    }

    fn say_with(&mut self, key: &'static str, args: &[(&'static str, Arg)]) {
        self.sentences.push(Sentence { section: self.section, key, args: args.to_vec() });
    }

    fn line(&self) -> (&'static str, Arg) {
        ("line", Arg::Count(self.rules.line()))
    }

    /// The shortest line that is too long where only an exact one wins.
    fn longer(&self) -> (&'static str, Arg) {
        ("longer", Arg::Count(self.rules.line() + 1))
    }

    /// The colour of the game's first stone, and of its second.
    fn first(&self) -> (&'static str, Arg) {
        ("first", Arg::Colour(self.rules.turn_colours()[0]))
    }

    fn second(&self) -> (&'static str, Arg) {
        ("second", Arg::Colour(self.rules.turn_colours()[1]))
    }

    fn third(&self) -> (&'static str, Arg) {
        ("third", Arg::Colour(self.rules.turn_colours()[2]))
    }

    fn fourth(&self) -> (&'static str, Arg) {
        ("fourth", Arg::Colour(self.rules.turn_colours()[3]))
    }

    fn sides_are_many(&self) -> bool {
        self.rules.sides() > 2
    }

    /// Stones of several colours may be captured together.
    fn captures_mix(&self) -> bool {
        self.sides_are_many() && self.rules.options().mixed_captures
    }

    /// Stones are placed before the colours are chosen.
    fn colours_are_chosen(&self) -> bool {
        match self.rules.options().opening {
            Opening::None | Opening::Centre | Opening::CentreFar => false,
            Opening::PlaceFour | Opening::PlaceThree => true,
        }
    }

    /// Whether section 6 of RULES.md forbids anything.
    fn points_are_forbidden(&self) -> bool {
        let options = self.rules.options();
        options.forbidden != Forbidden::None || options.into_flank == IntoFlank::NotAllowed
    }

    /// RULES.md, section 5.
    fn goal(&mut self) {
        let options = self.rules.options();
        match (options.overline, options.forbidden) {
            (Overline::NoWin, _) => self.say_with("rules.goal.line-exact", &[self.line(), self.longer()]),
            (Overline::Wins, Forbidden::Renju) => self.say_with("rules.goal.line-renju", &[self.line()]),
            (Overline::Wins, Forbidden::None | Forbidden::DoubleThreeFirst | Forbidden::DoubleThreeBoth) => {
                self.say_with("rules.goal.line-or-more", &[self.line()]);
            }
        }
        if !options.captures {
            return self.say("rules.goal.no-captures");
        }
        let goal = ("goal", Arg::Count(self.rules.goal()));
        self.say_with(if options.teams { "rules.goal.captures-teams" } else { "rules.goal.captures" }, &[goal]);
        let trims = options.overline == Overline::NoWin;
        if trims {
            self.say_with("rules.goal.trim", &[self.line()]);
        }
        // Only a trimmed line, or stones that moved into a flank, let a side win by another's move.
        if trims || options.into_flank == IntoFlank::Captured {
            self.say(if self.sides_are_many() { "rules.goal.several" } else { "rules.goal.both" });
        }
    }

    /// RULES.md, section 3.
    fn players(&mut self) {
        let (first, second) = (self.first(), self.second());
        let size = ("size", Arg::Number(self.rules.board().side()));
        let seats = self.rules.players();
        if self.rules.options().teams {
            self.say_with("rules.players.teams", &[size]);
            self.say("rules.players.partners");
            self.say_with("rules.players.colours-teams", &[first, second]);
        } else if seats == 4 {
            self.say_with("rules.players.four", &[size]);
            self.say_with("rules.players.colours-four", &[first, second, self.third(), self.fourth()]);
        } else if seats == 3 {
            self.say_with("rules.players.three", &[size]);
            self.say_with("rules.players.colours-three", &[first, second, self.third()]);
        } else {
            self.say_with("rules.players.two", &[size]);
            if self.colours_are_chosen() {
                self.say("rules.players.colours-opening");
            } else {
                self.say_with("rules.players.colours-two", &[first, second]);
            }
        }
        if self.rules.options().show_coordinates {
            self.say("rules.players.coordinates");
        }
    }

    /// RULES.md, section 4.
    fn turns(&mut self) {
        self.say(if self.rules.players() > 2 { "rules.turns.round" } else { "rules.turns.two" });
        self.say("rules.turns.not-allowed");
    }

    /// RULES.md, section 7.
    fn opening(&mut self) {
        let (first, second) = (self.first(), self.second());
        match self.rules.options().opening {
            Opening::None => {}
            Opening::Centre => self.centre(CENTRE_DISTANCE),
            Opening::CentreFar => self.centre(CENTRE_FAR_DISTANCE),
            Opening::PlaceFour => {
                self.say_with("rules.opening.four", &[first, second]);
                self.say_with("rules.opening.four-choose", &[first]);
            }
            Opening::PlaceThree => {
                self.say_with("rules.opening.three", &[first, second]);
                self.say_with("rules.opening.three-second", &[second]);
                self.say_with("rules.opening.three-first", &[first, second]);
                self.say_with("rules.opening.three-add", &[first, second]);
            }
        }
        if !self.colours_are_chosen() {
            return;
        }
        if self.rules.options().captures {
            self.say("rules.opening.captured");
        }
        if self.points_are_forbidden() {
            self.say("rules.opening.exempt");
        }
    }

    fn centre(&mut self, distance: u8) {
        let board: BoardSize = self.rules.board();
        self.say_with("rules.opening.centre", &[("point", Arg::Point(board.centre()))]);
        let square = ("square", Arg::Number(2 * distance - 1));
        self.say_with("rules.opening.centre-away", &[square, ("distance", Arg::Count(distance))]);
    }

    /// RULES.md, sections 4.3, 4.4 and 6.
    fn captures(&mut self) {
        let options = self.rules.options();
        if !options.captures {
            return;
        }
        self.say(if options.capture_threes { "rules.captures.pair-or-three" } else { "rules.captures.pair" });
        if self.sides_are_many() {
            self.say(if options.mixed_captures { "rules.captures.mixed" } else { "rules.captures.one-colour" });
        }
        self.say(if options.forced_capture { "rules.captures.forced" } else { "rules.captures.optional" });
        self.say("rules.captures.leave");
        self.say("rules.captures.edge");
        match options.into_flank {
            IntoFlank::Nothing => self.say("rules.captures.safe"),
            IntoFlank::Captured => self.flank_captured(),
            IntoFlank::NotAllowed => {
                self.say(match (options.capture_threes, self.captures_mix()) {
                    (false, false) => "rules.captures.flank-forbidden-two",
                    (true, false) => "rules.captures.flank-forbidden-three",
                    (false, true) => "rules.captures.flank-forbidden-two-mixed",
                    (true, true) => "rules.captures.flank-forbidden-three-mixed",
                });
                self.say("rules.captures.single-safe");
            }
        }
    }

    fn flank_captured(&mut self) {
        self.say(match (self.rules.options().capture_threes, self.captures_mix()) {
            (false, false) => "rules.captures.flank-captured-two",
            (true, false) => "rules.captures.flank-captured-three",
            (false, true) => "rules.captures.flank-captured-two-mixed",
            (true, true) => "rules.captures.flank-captured-three-mixed",
        });
        if !self.rules.options().forced_capture {
            self.say("rules.captures.flank-always");
        }
        self.say("rules.captures.flank-together");
        if self.sides_are_many() {
            self.say("rules.captures.flank-twice");
        }
        self.say("rules.captures.single-safe");
    }

    /// RULES.md, section 5, *Overtime*.
    fn overtime(&mut self) {
        let options = self.rules.options();
        match options.overtime {
            OvertimeRule::None => return,
            OvertimeRule::Break => self.say("rules.overtime.break"),
            OvertimeRule::Take => {
                self.say("rules.overtime.take");
                let forced = options.forced_capture;
                self.say(if forced { "rules.overtime.take-forced" } else { "rules.overtime.take-optional" });
                self.say("rules.overtime.take-or-break");
            }
        }
        self.say("rules.overtime.alone");
        self.say("rules.overtime.stands");
        self.say("rules.overtime.gone");
        if options.overline == Overline::Wins {
            self.say_with("rules.overtime.trim", &[self.line()]);
        }
    }

    /// RULES.md, section 6.
    fn forbidden(&mut self) {
        match self.rules.options().forbidden {
            Forbidden::None => {}
            Forbidden::DoubleThreeFirst => {
                self.say_with("rules.forbidden.three-first", &[self.first()]);
                self.double_three();
            }
            Forbidden::DoubleThreeBoth => {
                self.say("rules.forbidden.three-both");
                self.double_three();
            }
            Forbidden::Renju => self.renju(),
        }
    }

    fn double_three(&mut self) {
        self.say("rules.forbidden.three-means");
        self.say("rules.forbidden.three-not-asked");
        if self.rules.options().captures {
            self.say("rules.forbidden.three-after-captures");
        }
        self.say("rules.forbidden.three-if-line");
        self.say("rules.forbidden.three-if-block");
    }

    fn renju(&mut self) {
        let (line, longer) = (self.line(), self.longer());
        self.say("rules.forbidden.renju");
        self.say_with("rules.forbidden.renju-three", &[line]);
        self.say_with("rules.forbidden.renju-four", &[line]);
        self.say_with("rules.forbidden.renju-overline", &[longer]);
        self.say_with("rules.forbidden.renju-five", &[line]);
        match self.rules.options().overline {
            Overline::NoWin => self.say_with("rules.forbidden.renju-white-exact", &[longer]),
            Overline::Wins => self.say_with("rules.forbidden.renju-white-wins", &[longer]),
        }
        self.say("rules.forbidden.renju-marked");
    }

    /// RULES.md, section 4.6.
    fn draws(&mut self) {
        self.say("rules.draws.full-board");
        if self.points_are_forbidden() {
            self.say("rules.draws.no-point");
        }
    }

    /// RULES.md, section 8.
    fn time(&mut self) {
        let seconds = match self.rules.options().move_limit {
            MoveLimit::None => return,
            MoveLimit::Seconds30 => 30,
            MoveLimit::Seconds60 => 60,
        };
        self.say_with("rules.time.limit", &[("seconds", Arg::Number(seconds))]);
        self.say("rules.time.limit-three");
    }

    /// RULES.md, section 3.4.
    fn series(&mut self) {
        let options = self.rules.options();
        match options.first_start {
            FirstStart::FirstSeat => self.say("rules.series.first-seat"),
            FirstStart::Random => self.say("rules.series.random"),
        }
        self.say(match (options.pass_start, self.colours_are_chosen()) {
            (false, _) => "rules.series.same",
            (true, false) => "rules.series.pass",
            (true, true) => "rules.series.pass-opening",
        });
    }
}
