//! The corpus of real-shaped cards: skeletons whose file names say what they are.

use std::path::Path;

use cardscope::card::Document;
use cardscope::card::inspection::shape;

/// Named "not a card", but with an address and well-formed skills: a client can call them, so they open as cards.
const BETTER_JUDGED: [&str; 2] = ["not-a-card-1c99db", "not-a-card-e5f272"];

#[test]
fn each_skeleton_has_the_shape_that_its_name_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let (shape, reason) = shape::judge(&Document::new(std::fs::read(&path).unwrap()));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Card-like documents without an address are read as the oldest cards.
        let expected = match stem.rsplit_once('-').unwrap().0 {
            "degenerate-card" => "0.2",
            "not-a-card" if BETTER_JUDGED.contains(&stem.as_str()) => "0.2",
            "not-a-card" => "notACard",
            name => name,
        };
        assert_eq!(shape.label(), expected, "{stem}: {reason}");
    }
}
