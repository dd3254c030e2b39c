//! People's names: what others typed is never shown as it came.

use table::{Sitter, State};

use crate::api::{ApiError, ErrorCode};

/// A name has at most this many characters (PROTOCOL.md, section 4).
pub const NAME_CHARS_MAX: usize = 40;

/// A name as it may be shown: one line that does not turn the text around it, with single spaces inside.
pub fn clean_name(name: &str) -> String {
    let kept: String = name.chars().filter(|&c| c.is_whitespace() || !(c.is_control() || turns_text(c))).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks, overrides and isolates of the writing direction.
const fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The same for this device's person: refused where it is too long.
pub fn checked_name(name: &str) -> Result<String, ApiError> {
    let name = clean_name(name);
    if name.chars().count() > NAME_CHARS_MAX {
        return Err(ApiError::new(
            ErrorCode::NameTooLong,
            format!("a name has at most {NAME_CHARS_MAX} characters: choose a shorter one"),
        )
        .with("max", NAME_CHARS_MAX));
    }
    Ok(name)
}

/// A copy of a table's state that is only shown: its log keeps the names as they were signed.
pub(crate) fn with_clean_names(mut state: State) -> State {
    let seats = state.seats.iter_mut().map(|seat| &mut seat.sitter);
    let left = state.current.iter_mut().flat_map(|current| &mut current.given_up).map(|(_, sitter)| sitter);
    for sitter in seats.chain(left) {
        match sitter {
            Sitter::Person { name, .. } | Sitter::GivenUp { name, .. } => *name = clean_name(name),
            Sitter::Nobody | Sitter::Cpu { .. } => {}
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use rules::Preset;

    use super::*;
    use crate::script::Script;

    #[test]
    fn names_are_one_plain_line() {
        for (name, clean) in [
            ("Anna", "Anna"),
            ("  Anna \t Lee\n", "Anna Lee"),
            ("An\u{1b}[31mna\u{7}", "An[31mna"),
            ("\u{202e}annA\u{202c}\u{2066}\u{2069}\u{200e}\u{200f}", "annA"),
            ("小明\u{3000}王", "小明 王"),
            (" \u{200f} \u{0} ", ""),
        ] {
            assert_eq!(clean_name(name), clean, "{name:?}");
        }
    }

    #[test]
    fn the_length_counts_what_is_left() {
        let long = "x".repeat(NAME_CHARS_MAX);
        assert_eq!(checked_name(&format!("  {long}\u{202e} ")), Ok(long.clone()));
        assert_eq!(checked_name(&format!("{long}y")).expect_err("too long").code, ErrorCode::NameTooLong);
    }

    #[test]
    fn a_snapshot_shows_clean_names() {
        let mut state = Script::open(Preset::Gomoku, 2, &[]).start().seen().state.expect("a state");
        let Sitter::Person { name, .. } = &mut state.seats[0].sitter else { panic!("a person") };
        *name = "\u{202e}Eve\r\n".to_owned();
        assert_eq!(crate::snapshot::names(&state)[0], "Eve");
        assert_eq!(crate::snapshot::name_of(&with_clean_names(state), 0), "Eve");
    }
}
