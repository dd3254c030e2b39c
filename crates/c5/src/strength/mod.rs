//! `c5 strength`: lists of matches whose results say how strong the CPU is, how far its levels lie apart, and whether it
//! keeps to rules and time.

mod book;
mod bout;
mod lateness;
mod levels;
mod manners;
mod marks;
mod table;

use std::time::Duration;

use rules::{Action, Rules};

use crate::args;
use crate::matches::openings_of;
use crate::{Failure, Output};
use book::Book;
use table::Table;

/// Plays what was asked for and is not in the book yet, tells each match when it has ended, and all in a table at the end.
pub(crate) fn run(asked: &args::Strength, output: &mut Output) -> Result<(), Failure> {
    let (bouts, table) = match asked.what {
        args::StrengthOf::Marks => (marks::bouts(asked)?, Table::Sums(marks::MARKS)),
        args::StrengthOf::Levels => (levels::bouts(asked)?, Table::Steps),
        args::StrengthOf::Lateness => return lateness::run(asked.seed, output),
        args::StrengthOf::Manners => (manners::bouts(asked)?, Table::Sums(&[])),
    };
    let mut rows = Vec::new();
    let mut book = Book::open(asked.record.as_deref())?;
    for mut bout in bouts.into_iter().enumerate().filter(|(place, _)| asked.part.has(*place)).map(|(_, bout)| bout) {
        let wanted = asked.only.as_deref().is_none_or(|word| bout.key().contains(word));
        if !wanted || output.is_closed() {
            continue;
        }
        bout.terms.margin = Duration::from_millis(asked.margin);
        let row = bout.play(&mut book, asked.jobs, &mut || true)?;
        table::tell(&bout, &row, output);
        rows.push((bout, row));
    }
    table.tell(&rows, output);
    Ok(())
}

/// A set of balanced openings, as it lies in the repository.
fn balanced(text: &str, rules: Rules) -> Result<Vec<Vec<Action>>, Failure> {
    openings_of(text, rules).map_err(|why| Failure::new("internal", why))
}

/// The rules of a text, as `rules` reads them.
fn rules(text: &str) -> Result<Rules, Failure> {
    text.parse().map_err(|fault| Failure::new("internal", format!("{text}: {fault:?}")))
}
