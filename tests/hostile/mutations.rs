//! Cards of the corpus with something changed by chance: the same changes in every run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cardscope::card::{JsonTree, Node};

use super::{check, inspect};

/// How many documents are made.
const ROUNDS: usize = 600;

/// Chance that repeats itself (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`; 0 where that is 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap()
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Values that are legal JSON and expected nowhere.
fn odd_values() -> Vec<String> {
    let long_number = format!("-{}.{}e-{}", "9".repeat(400), "0".repeat(400), "7".repeat(40));
    let mut values: Vec<String> = [
        "null",
        "true",
        "0",
        "-0",
        "1e999999999999",
        "123456789012345678901234567890",
        "\"\"",
        "\" \"",
        "[]",
        "{}",
        "[null]",
        "[[], {}]",
        "{\"\": \"\"}",
        "{\"list\": null}",
        "{\"type\": 1, \"scheme\": [], \"flows\": {\"implicit\": null}}",
        "\"\\ud83d\"",
        "\"\\udc00\\ud83d\\u0000\"",
        "\"\u{202e}evil\u{2066}\u{200b}\u{feff}\"",
        "\"\u{1f3f4}\u{e0067}\u{e0062}\u{1f469}\u{200d}\u{200d}\u{fe0f}\"",
        "\"料理 \u{0651}\u{0651}\u{0651} ß İ ﬁ\"",
        "\"http://[::1\"",
        "\"https://u:p@\u{202e}x:99999/%zz/../..//?#\"",
        "\"//\"",
        "\"1.0.0.0.0\"",
        "\"-1.-1\"",
        "\"99999999999999999999.3\"",
        "\"eyJhbGciOiJub25lIn0\"",
        "\"W10\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    ]
    .map(str::to_owned)
    .to_vec();
    values.push(long_number);
    for depth in [40, 63, 64, 65, 5000] {
        values.push(format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        values.push(format!("{}0{}", "{\"a\":".repeat(depth), "}".repeat(depth)));
    }
    values.push(format!("\"{}\"", "ü".repeat(9000)));
    values.push(format!("[{}0]", "\"x\",".repeat(3000)));
    values
}

/// A value of the document by chance.
fn any_node<'a>(tree: &'a JsonTree, chance: &mut Chance) -> Node<'a> {
    tree.nodes().nth(chance.below(tree.len())).unwrap()
}

/// One change, to values where the text still is JSON, else to bytes.
fn mutate(bytes: &mut Vec<u8>, odd: &[String], chance: &mut Chance) {
    let text = String::from_utf8(bytes.clone()).ok();
    let tree = text.and_then(|text| JsonTree::parse(text).ok());
    match (chance.below(10), tree) {
        (0..=5, Some(tree)) => *bytes = with_other_value(&tree, odd, chance).into_bytes(),
        (6, _) => bytes.truncate(chance.below(bytes.len() + 1)),
        (7, _) => {
            let at = chance.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << chance.below(8);
            }
        }
        (8, _) => {
            let start = chance.below(bytes.len() + 1);
            let end = (start + chance.below(200)).min(bytes.len());
            let stretch = bytes[start..end].to_vec();
            if chance.below(2) == 0 {
                bytes.drain(start..end);
            } else {
                bytes.splice(start..start, stretch);
            }
        }
        _ => {
            let odd_bytes: [&[u8]; 8] =
                [b"\xef\xbb\xbf", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"/*", b"//", b"\r", b"\xf0\x9f"];
            let at = chance.below(bytes.len() + 1);
            bytes.splice(at..at, chance.pick(&odd_bytes).iter().copied());
        }
    }
}

/// The text with one value replaced, wrapped, repeated, or called something else.
fn with_other_value(tree: &JsonTree, odd: &[String], chance: &mut Chance) -> String {
    let node = any_node(tree, chance);
    let text = tree.text();
    let span = node.span();
    let value = match chance.below(6) {
        0..=1 => chance.pick(odd).clone(),
        2 => format!("[{}]", node.raw()),
        3 => format!("{{\"schemes\": {}, \"value\": {}}}", node.raw(), node.raw()),
        4 => any_node(tree, chance).raw().to_owned(),
        _ => match node.key() {
            // The member once more, behind itself: the same name, a snake_case one, or a stranger's.
            Some(key) => {
                let snake: String = key
                    .chars()
                    .flat_map(|c| c.is_uppercase().then_some('_').into_iter().chain(c.to_lowercase()))
                    .collect();
                let name = match chance.below(4) {
                    0 => key.into_owned(),
                    1 => snake,
                    2 => format!("{key}\u{200b}"),
                    _ => "\u{1f9ea}~/".to_owned(),
                };
                format!("{}, {}: {}", node.raw(), serde_json::to_string(&name).unwrap(), chance.pick(odd))
            }
            None => format!("{0}, {0}", node.raw()),
        },
    };
    // A root that is repeated is no JSON any more, which is worth a try as well.
    format!("{}{value}{}", &text[..span.start], &text[span.end..])
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn whatever_is_changed_in_a_card_it_opens_in_time() {
    let cards = corpus();
    let odd = odd_values();
    let mut chance = Chance(0x0c0f_fee5);
    let (mut slowest, mut still_json) = (Duration::ZERO, 0);
    for round in 0..ROUNDS {
        let mut bytes = cards[round % cards.len()].clone();
        for _ in 0..=chance.below(4) {
            mutate(&mut bytes, &odd, &mut chance);
        }
        let began = Instant::now();
        let card = inspect(&bytes);
        slowest = slowest.max(began.elapsed());
        still_json += usize::from(card.document.tree().is_some());
        check(&card, &bytes);
    }
    // Otherwise the changes would be of one kind only.
    assert!((ROUNDS / 4..ROUNDS * 9 / 10).contains(&still_json), "{still_json} of {ROUNDS} are JSON still");
    assert!(slowest < Duration::from_secs(3), "{slowest:?}");
}
