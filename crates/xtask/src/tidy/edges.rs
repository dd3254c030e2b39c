//! Which crate may know which: the graph of ARCHITECTURE.md.

use serde_json::Value;

use super::tree::Tree;

/// A member of the workspace and the members that it may depend on, in tests and builds too.
const GRAPH: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("cpu", &["rules"]),
    ("table", &["rules"]),
    ("history", &["table", "rules"]),
    ("net", &["table"]),
    ("learn", &["rules", "cpu"]),
    ("app", &["rules", "cpu", "learn", "table", "net", "history"]),
    ("door", &["app"]),
    ("c5", &["app", "door", "rules", "cpu", "table", "net", "history"]),
    ("capture-five", &["app", "door"]),
    ("tests", &["app", "door", "c5", "rules", "cpu", "table", "net", "history"]),
    ("sim", &["rules", "table"]),
    ("xtask", &[]),
];

/// A library, with all that are named after it (`tauri-build`), and the only member that may use it.
const OWNED: &[(&str, &str)] = &[("quinn", "net"), ("mdns-sd", "net"), ("sled", "history"), ("tauri", "capture-five")];

/// Members that must not use a library, beyond those that others own.
const FORBIDDEN: &[(&str, &str)] = &[("cpu", "tokio"), ("table", "tokio"), ("sim", "tokio")];

/// Members that may use these libraries only; their tests are free.
const NOTHING_BUT: &[(&str, &[&str])] = &[("rules", &["serde"])];

/// Edges that the graph does not have.
pub fn check(metadata: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, ours)) = GRAPH.iter().find(|(member, _)| *member == name) else {
            found.push(format!(
                "crate {name} is not in the graph: say in crates/xtask/src/tidy/edges.rs what it may know"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"] == "dev";
            found.extend(fault(name, ours, to, for_tests).map(|why| format!("{name} depends on {to}: {why}")));
        }
    }
    found
}

/// Why this edge may not be, if so.
fn fault(from: &str, ours: &[&str], to: &str, for_tests: bool) -> Option<String> {
    if GRAPH.iter().any(|(member, _)| *member == to) {
        let allowed = if ours.is_empty() { "none of ours".into() } else { ours.join(", ") };
        return (!ours.contains(&to)).then(|| format!("it may know {allowed}"));
    }
    let is_part_of =
        |library: &str| to == library || to.strip_prefix(library).is_some_and(|rest| rest.starts_with('-'));
    if let Some((library, owner)) = OWNED.iter().find(|(library, owner)| is_part_of(library) && *owner != from) {
        return Some(format!("only {owner} may use {library}"));
    }
    if FORBIDDEN.contains(&(from, to)) {
        return Some("it does no IO and has no runtime".into());
    }
    let (_, only) = NOTHING_BUT.iter().find(|(member, _)| *member == from)?;
    (!for_tests && !only.contains(&to)).then(|| format!("it may use {} only", only.join(", ")))
}

/// Members that do not take the workspace's lints (`unsafe_code` is forbidden there).
pub fn lints(metadata: &Value, tree: &Tree) -> Vec<String> {
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|package| package["manifest_path"].as_str());
    let paths = manifests.map(|path| path.strip_prefix(root).unwrap_or(path).replace('\\', "/"));
    let lax = paths.filter(|path| {
        let text = tree.text(path.trim_start_matches('/')).unwrap_or_default();
        !text.replace('\r', "").contains("[lints]\nworkspace = true")
    });
    lax.map(|path| format!("{} lacks `[lints] workspace = true`", path.trim_start_matches('/'))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
        let dependencies: Vec<_> =
            dependencies.iter().map(|(name, kind)| json!({"name": name, "kind": kind})).collect();
        json!({"name": name, "dependencies": dependencies})
    }

    #[test]
    fn each_kind_of_forbidden_edge_is_found() {
        for (from, to, kind, why) in [
            ("rules", "table", None, "none of ours"),
            ("table", "net", Some("dev"), "it may know rules"),
            ("tests", "capture-five", None, "it may know"),
            ("app", "xtask", None, "it may know"),
            ("app", "quinn", None, "only net may use quinn"),
            ("door", "mdns-sd", None, "only net"),
            ("tests", "quinn-proto", Some("dev"), "only net"),
            ("app", "sled", None, "only history"),
            ("door", "tauri", None, "only capture-five"),
            ("c5", "tauri-build", Some("build"), "only capture-five"),
            ("cpu", "tokio", Some("dev"), "no runtime"),
            ("rules", "rand", None, "serde only"),
        ] {
            let found = check(&json!({"packages": [package(from, &[(to, kind)])]}));
            assert!(matches!(&found[..], [one] if one.contains(why)), "{from} to {to}: {found:?}");
        }
    }

    #[test]
    fn the_edges_of_the_graph_pass() {
        let packages = [
            package("rules", &[("serde", None), ("proptest", Some("dev"))]),
            package("net", &[("table", None), ("quinn", None), ("mdns-sd", None), ("tokio", None)]),
            package("history", &[("rules", None), ("sled", None)]),
            package("capture-five", &[("app", None), ("tauri", None), ("tauri-build", Some("build"))]),
            package("tests", &[("c5", None), ("net", Some("dev"))]),
            package("app", &[("quinnine", None)]),
        ];
        assert_eq!(check(&json!({ "packages": packages })), Vec::<String>::new());
    }

    #[test]
    fn a_new_crate_has_to_be_placed() {
        assert!(check(&json!({"packages": [package("relay", &[])]}))[0].contains("not in the graph"));
    }

    #[test]
    fn a_crate_without_the_lints_is_found() {
        let metadata = json!({"workspace_root": "/w", "packages": [
            {"manifest_path": "/w/crates/a/Cargo.toml"}, {"manifest_path": "/w/Cargo.toml"},
        ]});
        let tree = Tree::of(&[("crates/a/Cargo.toml", "[package]\n"), ("Cargo.toml", "[lints]\nworkspace = true\n")]);
        assert_eq!(lints(&metadata, &tree), ["crates/a/Cargo.toml lacks `[lints] workspace = true`"]);
    }
}
