//! Which table is meant by an id, the beginning of one, a name, or an invite.

use std::collections::BTreeSet;
use std::time::Duration;

use app::App;
use net::Invited;
use net::invite::{Invite, InviteError};
use table::TableId;
use tokio::time::{Instant, sleep};

use crate::Failure;

/// The beginning of an id has at least this many digits.
const PREFIX_DIGITS_MIN: usize = 8;
/// Digits of a whole id.
const ID_DIGITS: usize = 32;
/// Letters and digits of an invite's code, of either kind.
const CODE_DIGITS: [usize; 2] = [12, 20];
/// As many are left out, or written twice, of a code that is typed in a hurry.
const CODE_DIGITS_MISTYPED: usize = 3;
/// Whoever invited by a link is given this long to answer, however short the search is to be.
const LINK_WAIT_MIN: Duration = Duration::from_secs(1);
/// The network is asked this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A name is believed to be the only one of its kind when no other was heard for this long.
const NAME_WAIT: Duration = Duration::from_secs(1);

/// A table, and who invited to it.
#[derive(Debug)]
pub(crate) enum Found {
    Listed(TableId),
    /// By a code: its device has answered.
    Invited(Invited),
    /// By a link.
    Linked(Invited),
}

impl Found {
    pub(crate) const fn table(&self) -> TableId {
        match self {
            Found::Listed(table) => *table,
            Found::Invited(invited) | Found::Linked(invited) => invited.table,
        }
    }

    /// How long the table's devices are waited for, of the time to look for the table. Only a link was believed without
    /// an answer from any of them: the search is still to come.
    pub(crate) fn wait(&self, to_look: Duration) -> Duration {
        match self {
            Found::Linked(_) => to_look.max(LINK_WAIT_MIN),
            Found::Listed(_) | Found::Invited(_) => Duration::from_millis(app::JOIN_WAIT_MS),
        }
    }

    /// Dials whoever invited; the table is followed by now.
    pub(crate) fn dial(self, app: &App) -> TableId {
        let table = self.table();
        match self {
            Found::Listed(_) => {}
            Found::Invited(invited) | Found::Linked(invited) => app.dial_invited(invited),
        }
        table
    }
}

/// Looks on the network, and among this device's own tables, for so long. A code may look like a table's name or the
/// beginning of an id: it is taken for one when no such table is heard of.
pub(crate) async fn on_network(app: &App, text: &str, wait: Duration) -> Result<Found, Failure> {
    let invite = Invite::read(text);
    if text.trim_start().to_ascii_lowercase().starts_with("capturefive:") {
        return Ok(Found::Linked(app.find_invited(text, wait).await?));
    }
    // A code, or one with a mistake in it, is first of all that.
    let as_invite = match invite {
        Ok(_) => Some(None),
        Err(why @ (InviteError::Mistyped | InviteError::Newer)) => is_like_invite(text).then_some(Some(why)),
        Err(InviteError::NoInvite) => None,
    };
    let listed = listed(app, text, if as_invite.is_some() { wait.min(NAME_WAIT) } else { wait }).await;
    match (listed, as_invite) {
        (Err(failure), Some(None)) if failure.code == "not-found" => {
            Ok(Found::Invited(app.find_invited(text, wait).await?))
        }
        (Err(failure), Some(Some(why))) if failure.code == "not-found" => {
            Err(Failure::new("bad-invite", why.to_string()))
        }
        (listed, _) => listed.map(Found::Listed),
    }
}

async fn listed(app: &App, text: &str, wait: Duration) -> Result<TableId, Failure> {
    let until = Instant::now() + wait;
    let mut named_since: Option<(TableId, Instant)> = None;
    loop {
        let listed = app.listed();
        let ids: Vec<TableId> = listed.iter().map(|row| row.table).chain(app.running()).collect();
        let openers: Vec<(TableId, &str)> = listed.iter().map(|row| (row.table, row.name.as_str())).collect();
        match one_of(text, &ids, &[&openers])? {
            Some(Meant::ById(table)) => return Ok(table),
            // Another table of this name, or one that is written just so, may be heard of a little later.
            Some(Meant::ByName(table)) => {
                let named = named_since.filter(|(named, _)| *named == table);
                let (_, since) = *named_since.insert(named.unwrap_or_else(|| (table, Instant::now())));
                if since.elapsed() >= NAME_WAIT {
                    return Ok(table);
                }
            }
            None => named_since = None,
        }
        if named_since.is_none() && Instant::now() >= until {
            return Err(Failure::new("not-found", not_on_network(text)));
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Among this device's own tables: by the name of whoever opened it as on the network, or of anybody who plays there,
/// since one's own tables bear one's own name.
pub(crate) fn among_own(app: &App, text: &str) -> Result<TableId, Failure> {
    let games: Vec<(TableId, Vec<String>)> =
        app.interrupted().into_iter().filter_map(|game| Some((game.table.parse().ok()?, game.names))).collect();
    let openers: Vec<(TableId, &str)> =
        games.iter().filter_map(|(table, names)| Some((*table, names.first()?.as_str()))).collect();
    let all = games.iter().flat_map(|(table, names)| names.iter().map(|name| (*table, name.as_str())));
    let found = one_of(text, &app.running(), &[&openers, &all.collect::<Vec<_>>()])?;
    found.map(Meant::table).ok_or_else(|| Failure::new("not-found", not_here(text)))
}

fn not_on_network(text: &str) -> String {
    let look = "look with `c5 tables`, and check that both devices are on it";
    if is_too_short(text) {
        return format!(
            "no table {text:?} is on this network: of an id, {PREFIX_DIGITS_MIN} digits at least are needed"
        );
    }
    let missing = if is_like_id(text) {
        format!("no table whose id begins with {text:?} is on this network: {look}")
    } else {
        format!("no table {text:?} is on this network: {look}")
    };
    match digits_of_code(text) {
        Some(digits) if CODE_DIGITS.contains(&digits) => {
            format!("{missing}; if it is an invite's code, there is a mistake in it: compare it with the other screen")
        }
        Some(digits) if !is_like_id(text) => {
            format!("{missing}; if it is an invite's code: it has {digits} letters and digits, and a code 12 or 20")
        }
        Some(_) | None => missing,
    }
}

fn not_here(text: &str) -> String {
    if is_too_short(text) {
        format!(
            "{text:?} is too short: {PREFIX_DIGITS_MIN} digits of the table's id at least are needed; `c5 resume` lists them"
        )
    } else {
        format!("no interrupted game here is at table {text:?}: `c5 resume` lists them")
    }
}

/// The text may be a table's id, or the beginning of one that is long enough.
fn is_like_id(text: &str) -> bool {
    is_hex(text) && (PREFIX_DIGITS_MIN..=ID_DIGITS).contains(&text.trim().len())
}

/// It has the form of a code, or of a link without its beginning, and not that of a name or an id.
fn is_like_invite(text: &str) -> bool {
    let is_code = digits_of_code(text).is_some_and(|digits| CODE_DIGITS.contains(&digits)) && has_digit(text);
    !is_like_id(text) && (is_code || letters_and_digits(text) > app::NAME_CHARS_MAX)
}

/// How many letters and digits there are of what may be an invite's code, also one with some too few or too many.
fn digits_of_code(text: &str) -> Option<usize> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == ' ';
    let digits = letters_and_digits(text);
    let near = CODE_DIGITS.into_iter().any(|code| code.abs_diff(digits) <= CODE_DIGITS_MISTYPED);
    let marked = CODE_DIGITS.contains(&digits) || has_digit(text);
    (near && marked && text.chars().all(is_part)).then_some(digits)
}

fn letters_and_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_alphanumeric).count()
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|letter| letter.is_ascii_digit())
}

/// It may be the beginning of an id, but one that too many ids may have.
fn is_too_short(text: &str) -> bool {
    is_hex(text) && text.trim().len() < PREFIX_DIGITS_MIN
}

fn is_hex(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The one table that is meant, so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// By its id, or the beginning of it.
    ById(TableId),
    ByName(TableId),
}

impl Meant {
    const fn table(self) -> TableId {
        match self {
            Meant::ById(table) | Meant::ByName(table) => table,
        }
    }
}

/// `None` if there is none; an error if there are several. Of the lists of names a later one counts where no earlier
/// one has the name.
fn one_of(text: &str, ids: &[TableId], names: &[&[(TableId, &str)]]) -> Result<Option<Meant>, Failure> {
    let mut found: BTreeSet<TableId> = ids.iter().copied().filter(|id| is_meant(text, *id)).collect();
    let by_name = found.is_empty();
    if by_name {
        let named = names.iter().map(|names| named(text, names));
        found = named.into_iter().find(|tables| !tables.is_empty()).unwrap_or_default();
    }
    if found.len() > 1 {
        let ids: Vec<String> = found.iter().map(TableId::to_string).collect();
        return Err(Failure::new(
            "not-found",
            format!("{text:?} may be any of {}: give more of the id", ids.join(", ")),
        ));
    }
    Ok(found.pop_first().map(if by_name { Meant::ByName } else { Meant::ById }))
}

/// The tables of this name; capital and small letters count only where it is written just so.
fn named(text: &str, names: &[(TableId, &str)]) -> BTreeSet<TableId> {
    let wanted = app::clean_name(text);
    if wanted.is_empty() {
        // A CPU's seat.
        return BTreeSet::new();
    }
    let tables = |is_same: &dyn Fn(&str) -> bool| -> BTreeSet<TableId> {
        names.iter().filter(|(_, name)| is_same(name)).map(|(table, _)| *table).collect()
    };
    let found = tables(&|name| name == wanted);
    if found.is_empty() { tables(&|name| name.to_lowercase() == wanted.to_lowercase()) } else { found }
}

fn is_meant(text: &str, id: TableId) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.len() >= PREFIX_DIGITS_MIN && id.to_string().starts_with(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(first: u8) -> TableId {
        let mut bytes = [0; 16];
        bytes[0] = 0xab;
        bytes[15] = first;
        TableId(bytes)
    }

    fn check(text: &str, listed: &[(TableId, &str)], own: &[TableId]) -> Result<Option<Meant>, &'static str> {
        let ids: Vec<TableId> = listed.iter().map(|(id, _)| *id).chain(own.iter().copied()).collect();
        one_of(text, &ids, &[listed]).map_err(|failure| failure.code)
    }

    #[test]
    fn a_table_is_meant_by_id_prefix_or_name() {
        let listed = [(id(1), "Anna"), (id(2), "Ben"), (id(3), "Ben")];
        assert_eq!(check(&id(1).to_string(), &listed, &[]), Ok(Some(Meant::ById(id(1)))));
        assert_eq!(check(" Anna", &listed, &[]), Ok(Some(Meant::ByName(id(1)))));
        assert_eq!(check("Carl", &listed, &[]), Ok(None));
        assert_eq!(check("Ben", &listed, &[]), Err("not-found"));
        assert_eq!(check("ab000000", &listed, &[]), Err("not-found"));
        assert_eq!(check("ab000000", &listed[..1], &[]), Ok(Some(Meant::ById(id(1)))));
        // Seven digits are too few.
        assert_eq!(check("ab00000", &listed[..1], &[]), Ok(None));
    }

    #[test]
    fn capital_letters_count_only_where_a_name_is_written_just_so() {
        let listed = [(id(1), "Anna"), (id(2), "Ben"), (id(3), "BEN"), (id(4), "Ägir")];
        for (text, found) in [
            ("anna", Ok(Some(Meant::ByName(id(1))))),
            (" ANNA ", Ok(Some(Meant::ByName(id(1))))),
            ("ägir", Ok(Some(Meant::ByName(id(4))))),
            ("Ben", Ok(Some(Meant::ByName(id(2))))),
            ("BEN", Ok(Some(Meant::ByName(id(3))))),
            ("ben", Err("not-found")),
            ("", Ok(None)),
        ] {
            assert_eq!(check(text, &listed, &[]), found, "{text:?}");
        }
    }

    #[test]
    fn an_own_table_is_meant_by_its_opener_or_by_anybody_who_plays_there() {
        let openers = [(id(1), "Anna"), (id(2), "Ben"), (id(3), "Anna")];
        let all = [(id(1), "Anna"), (id(1), "Ben"), (id(2), "Ben"), (id(2), "Anna"), (id(3), "Anna"), (id(3), "Cid")];
        let own = |text| one_of(text, &[id(1), id(2), id(3)], &[&openers, &all]).map_err(|failure| failure.code);
        assert_eq!(own("ben"), Ok(Some(Meant::ByName(id(2)))), "the table is called after him");
        assert_eq!(own("cid"), Ok(Some(Meant::ByName(id(3)))));
        assert_eq!(own("Anna"), Err("not-found"));
        assert_eq!(own("Dora"), Ok(None));
    }

    #[test]
    fn what_is_not_found_is_named_for_what_it_may_be() {
        for (text, words) in [
            ("3e8d8e31", "begins with"),
            ("3E8D8E31", "begins with"),
            ("3e8d8e313e8d", "a mistake in it"),
            ("Grandmothers", "a mistake in it"),
            ("3e8d", "8 digits at least"),
            ("Lou", "no table \"Lou\""),
            ("Somebody", "no table \"Somebody\""),
            ("081A-C3SN-MBF", "it has 11 letters and digits"),
        ] {
            let told = not_on_network(text);
            assert!(told.contains(words), "{text}: {told}");
            assert_eq!(told.contains("mistake"), letters_and_digits(text) == CODE_DIGITS[0], "{text}: {told}");
            assert_eq!(told.contains("an invite's code"), text.len() >= CODE_DIGITS[0], "{text}: {told}");
        }
        assert!(not_here("3e8d").contains("8 digits"));
        assert!(!not_here("3e8d8e31").contains("8 digits"));
    }

    #[test]
    fn a_code_is_told_from_a_name_and_an_id() {
        for (text, is_invite) in [
            ("081A-C3SN-MBFG", true),
            ("081ac3snmbfg", true),
            ("R000-40PH-4JQ2-KN4H-HJWC", true),
            ("Somebody", false),
            ("Grandmothers", false),
            ("3e8d8e313e8d", false),
            ("Anna 2", false),
        ] {
            assert_eq!(is_like_invite(text), is_invite, "{text}");
        }
        assert!(is_like_invite(&"04XPSQXP18".repeat(10)), "a link without its beginning");
    }

    #[test]
    fn an_own_table_counts_once_with_its_listing() {
        assert_eq!(check("ab000000", &[(id(1), "Anna")], &[id(1)]), Ok(Some(Meant::ById(id(1)))));
        assert_eq!(check("ab000000", &[], &[id(4)]), Ok(Some(Meant::ById(id(4)))));
    }
}
