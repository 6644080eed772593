//! Keeps the layer table of `src/lib.rs` true, and the house rules that no lint knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Which of our layers each layer may import; `app` and `main` may import everything.
const TABLE: [(&str, &[&str]); 9] = [
    ("a2a", &[]),
    ("card", &["a2a"]),
    ("client", &["card", "a2a"]),
    ("history", &["card", "a2a"]),
    ("state", &["card", "a2a", PLAIN_DATA]),
    ("worker", &["state", "client", "history", "demo", "card", "a2a"]),
    ("ui", &["state", "card", "a2a", PLAIN_DATA]),
    ("cli", &["worker", "state", "client", "history", "demo", "card", "a2a"]),
    ("demo", &["worker", "state", "client", "history", "card", "a2a"]),
];
/// Stands for the files of `client` and `history` that are plain data.
const PLAIN_DATA: &str = "the plain-data files of client and history";
const PLAIN_DATA_FILES: [(&str, &[&str]); 2] = [
    (
        "client",
        &[
            "caching",
            "catalog_answer",
            "certificate",
            "credentials",
            "curl",
            "endpoint",
            "error",
            "exchange",
            "network_settings",
            "retrieval",
        ],
    ),
    ("history", &["error", "records", "transcript"]),
];

/// Outside crates that belong to some layers only. Tests beside the code count too.
const CRATES: [(&[&str], &[&str]); 5] = [
    (&["egui", "eframe", "egui_extras", "egui_commonmark", "pulldown_cmark"], &["ui", "app"]),
    (&["reqwest"], &["client"]),
    (&["rusqlite"], &["history"]),
    (&["axum", "a2a_server", "a2a_sdk"], &["demo"]),
    (&["anyhow"], &["main"]),
];
/// What the layers without I/O stay away from.
const PURE: [(&str, &[&str]); 4] = [("a2a", IO), ("card", IO), ("state", IO), ("ui", &["tokio::"])];
const IO: &[&str] = &["tokio::", "std::fs", "std::process", "std::thread", "TcpStream", "TcpListener", "ToSocketAddrs"];
/// Starting tasks and threads is the worker's alone. The demo agent needs no exception: whoever binds it drives it.
const SPAWNS: [&str; 3] = ["tokio::spawn(", "spawn_blocking(", "thread::spawn("];
const SPAWNER: &str = "worker";

const MOST_LINES: usize = 600;
const VAGUE_NAMES: [&str; 6] = ["utils", "util", "helpers", "common", "manager", "misc"];

/// A source file with its comments blanked out, lines kept.
struct Source {
    path: PathBuf,
    /// Below `src`: the first folder, or the file's own name at the top.
    layer: String,
    code: String,
}

impl Source {
    fn new(path: &Path, text: &str) -> Self {
        let below = path.strip_prefix("src").unwrap_or(path);
        let first = below.iter().next().unwrap().to_string_lossy();
        let layer = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
        Self { path: path.to_owned(), layer, code: without_comments(text) }
    }

    /// Modules between the crate's root and this file's own module: how many `super` lead to the root.
    fn depth(&self) -> usize {
        let below = self.path.strip_prefix("src").unwrap_or(&self.path);
        let is_folder =
            matches!(below.file_name().and_then(|name| name.to_str()), Some("mod.rs" | "lib.rs" | "main.rs"));
        below.iter().count() - usize::from(is_folder)
    }

    fn line_of(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }

    fn at(&self, offset: usize) -> String {
        format!("{}:{}", self.path.display(), self.line_of(offset))
    }

    /// Every path from the crate's root that the file names, with its place.
    fn crate_paths(&self) -> Vec<(usize, Vec<String>)> {
        let climbs = "super::".repeat(self.depth());
        let mut roots = vec!["crate::"];
        if !climbs.is_empty() {
            roots.push(&climbs);
        }
        let mut paths = Vec::new();
        for root in roots {
            for (offset, _) in self.code.match_indices(root) {
                if !continues_a_path(&self.code[..offset]) {
                    let (trees, _) = use_tree(&self.code[offset + root.len()..]);
                    paths.extend(trees.into_iter().map(|path| (offset, path)));
                }
            }
        }
        paths
    }

    /// Where the file names `name` as the first segment of a path or in `use name`.
    fn uses_crate(&self, name: &str) -> Option<usize> {
        let found = |pattern: String| {
            let mut places = self.code.match_indices(&pattern).map(|(offset, _)| offset);
            places.find(|offset| !continues_a_path(&self.code[..*offset]))
        };
        found(format!("{name}::")).or_else(|| found(format!("use {name};")))
    }
}

/// Whether what follows `before` is the middle of a name or path.
fn continues_a_path(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        let end = line.match_indices("//").map(|(at, _)| at).find(|at| !line[..*at].ends_with(':'));
        line[..end.unwrap_or(line.len())].to_owned()
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

/// The paths of a use tree (`a::{b, c::*}` is `a b` and `a c *`), and how many bytes it takes.
fn use_tree(text: &str) -> (Vec<Vec<String>>, usize) {
    let space = text.len() - text.trim_start().len();
    let rest = &text[space..];
    if let Some(inner) = rest.strip_prefix('{') {
        let mut paths = Vec::new();
        let mut used = 0;
        loop {
            let (branch, length) = use_tree(&inner[used..]);
            paths.extend(branch);
            used += length;
            match inner[used..].find([',', '}']) {
                Some(end) if inner[used + end..].starts_with(',') => used += end + 1,
                Some(end) => return (paths, space + 1 + used + end + 1),
                None => return (paths, text.len()),
            }
        }
    }
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*').unwrap_or(rest.len());
    let name = rest[..length].to_owned();
    if name.is_empty() {
        return (Vec::new(), space);
    }
    let Some(after) = rest[length..].strip_prefix("::") else { return (vec![vec![name]], space + length) };
    let (branches, more) = use_tree(after);
    let used = space + length + 2 + more;
    if branches.is_empty() {
        return (vec![vec![name]], used);
    }
    let join = |mut branch: Vec<String>| {
        branch.insert(0, name.clone());
        branch
    };
    (branches.into_iter().map(join).collect(), used)
}

/// The plain-data files of a layer, and the names that its `mod.rs` re-exports from them, each behind the layer's name.
fn plain_data_names(layer: &str, files: &[&str], layer_mod: &str) -> BTreeSet<(String, String)> {
    let code = without_comments(layer_mod);
    let uses = code.match_indices("pub use ").flat_map(|(at, found)| use_tree(&code[at + found.len()..]).0);
    let reexported = uses.filter(|path| files.contains(&path[0].as_str())).filter_map(|path| path.last().cloned());
    files.iter().map(|&name| name.to_owned()).chain(reexported).map(|name| (layer.to_owned(), name)).collect()
}

/// What is wrong with the layers of `source`, one message each.
fn forbidden_edges(source: &Source, plain_data: &BTreeSet<(String, String)>) -> Vec<String> {
    let Some((_, allowed)) = TABLE.iter().find(|(layer, _)| *layer == source.layer) else { return Vec::new() };
    let is_layer = |name: &str| name == "app" || TABLE.iter().any(|(layer, _)| *layer == name);
    let mut problems = Vec::new();
    for (offset, path) in source.crate_paths() {
        let target = path[0].as_str();
        if target == source.layer || !is_layer(target) || allowed.contains(&target) {
            continue;
        }
        let is_data = path.get(1).is_some_and(|name| plain_data.contains(&(target.to_owned(), name.clone())));
        if !(is_data && allowed.contains(&PLAIN_DATA)) {
            let (from, named) = (&source.layer, path.join("::"));
            problems
                .push(format!("{}: `{from}` must not use `crate::{named}`; it may use {allowed:?}", source.at(offset)));
        }
    }
    problems
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn sources() -> Vec<Source> {
    rust_files("src").iter().map(|path| Source::new(path, &fs::read_to_string(path).unwrap())).collect()
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn no_layer_imports_what_the_table_forbids() {
    let plain_data = PLAIN_DATA_FILES.iter().flat_map(|(layer, files)| {
        plain_data_names(layer, files, &fs::read_to_string(format!("src/{layer}/mod.rs")).unwrap())
    });
    let plain_data = plain_data.collect();
    let sources = sources();
    assert!(sources.len() > 40, "the sources were not found");
    assert_none(&sources.iter().flat_map(|source| forbidden_edges(source, &plain_data)).collect::<Vec<_>>());
}

#[test]
fn plain_data_files_are_plain_data() {
    let mut problems = Vec::new();
    for source in &sources() {
        let name = source.path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some((layer, files)) = PLAIN_DATA_FILES.iter().find(|(layer, _)| *layer == source.layer) else { continue };
        if source.depth() != 2 || !files.contains(&name.as_str()) {
            continue;
        }
        for word in IO.iter().copied().chain(["reqwest::", "rusqlite::"]) {
            problems.extend(source.code.find(word).map(|at| format!("{}: plain data has no `{word}`", source.at(at))));
        }
        for (at, found) in source.code.match_indices("super::") {
            for path in use_tree(&source.code[at + found.len()..]).0 {
                let first_letter = path[0].chars().next().unwrap();
                if first_letter.is_lowercase() && !files.contains(&path[0].as_str()) {
                    problems.push(format!("{}: plain data must not use `{layer}::{}`", source.at(at), path[0]));
                }
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn outside_crates_stay_in_their_layers() {
    let mut problems = Vec::new();
    for source in sources() {
        for (names, layers) in CRATES {
            for name in names.iter().filter(|_| !layers.contains(&source.layer.as_str())) {
                let place = source.uses_crate(name);
                problems.extend(place.map(|at| format!("{}: `{name}` is used in {layers:?} only", source.at(at))));
            }
        }
        for (_, words) in PURE.iter().filter(|(layer, _)| *layer == source.layer) {
            // Beside the code, tests may read files.
            let code = source.code.split("#[cfg(test)]").next().unwrap();
            let places = words.iter().filter_map(|word| code.find(word).map(|at| (word, at)));
            problems.extend(places.map(|(word, at)| format!("{}: `{word}` has no place in this layer", source.at(at))));
        }
    }
    assert_none(&problems);
}

#[test]
fn only_the_worker_spawns() {
    let mut problems = Vec::new();
    for source in sources().iter().filter(|source| source.layer != SPAWNER) {
        let code = source.code.split("#[cfg(test)]").next().unwrap();
        let places = SPAWNS.iter().filter_map(|word| code.find(word).map(|at| (word, at)));
        problems.extend(places.map(|(word, at)| format!("{}: `{word}` is the worker's alone", source.at(at))));
    }
    assert_none(&problems);
}

/// Marking only what is hidden leaves silent boxes for what no face can draw.
#[test]
fn what_is_painted_is_marked_by_the_face_that_draws_it() {
    let mut problems = Vec::new();
    for source in sources().iter().filter(|source| source.layer == "ui") {
        let place = source.code.find("visible_text(");
        problems.extend(place.map(|at| format!("{}: `shown_text` and its kin are for painting", source.at(at))));
    }
    assert_none(&problems);
}

#[test]
fn every_file_says_what_it_is_for_and_stays_small() {
    let mut problems = Vec::new();
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display();
        if !text.starts_with("//! ") {
            problems.push(format!("{name}:1: does not open with a `//!` sentence"));
        }
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if VAGUE_NAMES.contains(&stem.as_str()) {
            problems.push(format!("{name}: the name does not say what is inside"));
        }
        let lines = text.lines().count();
        if lines > MOST_LINES {
            problems.push(format!("{name}: {lines} lines, at most {MOST_LINES} can be read"));
        }
    }
    assert_none(&problems);
}

#[test]
fn every_test_file_is_run() {
    let main = without_comments(&fs::read_to_string("tests/main.rs").unwrap());
    let mut forgotten = Vec::new();
    for entry in fs::read_dir("tests").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_module = path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists();
        if is_module && name != "main" && !main.contains(&format!("mod {name};")) {
            forgotten.push(format!("tests/main.rs does not name `mod {name};`, so its tests never run"));
        }
    }
    assert_none(&forgotten);
}

#[test]
fn the_check_sees_what_it_is_there_for() {
    let files = ["endpoint", "retrieval"];
    let plain_data =
        plain_data_names("client", &files, "pub use endpoint::Endpoint;\npub use http::{Client, Other};\n");
    let cases: [(&str, &str, &[&str]); 9] = [
        ("src/card/facts.rs", "use crate::a2a::Dialect;", &[]),
        ("src/card/facts.rs", "\nuse crate::client::Client;", &["src/card/facts.rs:2"]),
        ("src/card/lint/mod.rs", "fn f() { super::super::ui::f() }", &["src/card/lint/mod.rs:1"]),
        ("src/state/mod.rs", "use crate::client::{Endpoint, retrieval};", &[]),
        (
            "src/state/mod.rs",
            "use crate::{\n  card::Document,\n  client::{Client, Endpoint},\n};",
            &["src/state/mod.rs:1"],
        ),
        ("src/ui/theme.rs", "fn f(w: &crate::worker::Worker) {}", &["src/ui/theme.rs:1"]),
        ("src/ui/theme.rs", "// crate::worker is not needed here", &[]),
        ("src/app.rs", "use crate::worker::Worker;", &[]),
        (
            "src/worker/mod.rs",
            "use crate::ui::Panes; use crate::app::run;",
            &["src/worker/mod.rs:1", "src/worker/mod.rs:1"],
        ),
    ];
    for (path, text, expected) in cases {
        let problems = forbidden_edges(&Source::new(Path::new(path), text), &plain_data);
        let places: Vec<&str> = problems.iter().map(|problem| problem.split(": ").next().unwrap()).collect();
        assert_eq!(places, expected, "{path}: {text}");
    }
    let source = Source::new(Path::new("src/state/mod.rs"), "let a = my_egui::x; let b: egui::Ui;");
    assert_eq!(source.uses_crate("egui"), Some(27));
    assert_eq!(source.uses_crate("reqwest"), None);
}
