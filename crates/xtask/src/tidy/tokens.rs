//! The dark colours are written twice, for the system's preference and for the setting: both must say the same.

use super::tree::Tree;

const FILE: &str = "ui/src/styles/tokens.css";
const SETTING: &str = ":root[data-theme=\"dark\"] {";
const PREFERENCE: &str = ":root:not([data-theme=\"light\"]) {";

pub fn check(tree: &Tree) -> Vec<String> {
    let text = tree.text(FILE).unwrap_or_default();
    let (setting, preference) = (declarations(text, SETTING), declarations(text, PREFERENCE));
    if setting.is_empty() || preference.is_empty() {
        return vec![format!("{FILE}: the block `{SETTING}` or `{PREFERENCE}` is missing")];
    }
    let only_in = |a: &[&str], b: &[&str], block| {
        let lines = a.iter().filter(|line| !b.contains(line));
        lines.map(|line| format!("{FILE}: `{line}` is in the block `{block}` only")).collect::<Vec<_>>()
    };
    [only_in(&setting, &preference, SETTING), only_in(&preference, &setting, PREFERENCE)].concat()
}

/// The lines of a block that holds no other block.
fn declarations<'a>(text: &'a str, head: &str) -> Vec<&'a str> {
    let block = text.split_once(head).and_then(|(_, rest)| rest.split_once('}')).map_or("", |(block, _)| block);
    block.split(';').map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(setting: &str, preference: &str) -> Tree {
        let text = format!(
            "{SETTING}\n  {setting}\n}}\n@media (prefers-color-scheme: dark) {{\n  {PREFERENCE}\n    {preference}\n  }}\n}}"
        );
        Tree::of(&[(FILE, &text)])
    }

    #[test]
    fn blocks_that_differ_are_found() {
        assert_eq!(
            check(&tokens("--ink: #FFF; --paper: #000;", "--ink: #FFF;\n    --paper: #000;")),
            Vec::<String>::new()
        );
        let found = check(&tokens("--ink: #FFF; --paper: #000;", "--ink: #EEE; --paper: #000;"));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("#FFF") && found[1].contains("#EEE"));
        assert_eq!(check(&tokens("--ink: #FFF;", "")).len(), 1);
        assert_eq!(check(&Tree::of(&[])).len(), 1);
    }
}
