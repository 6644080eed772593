//! Which formats a list of media types stands for: wildcards, case and parameters as HTTP reads them (RFC 9110 §8.3).

use std::collections::HashSet;

/// One spelling for every way to write a media type: small letters where case does not count, parameters in order,
/// and without `charset=utf-8`, which is what all text in A2A's JSON is.
pub(super) fn normal(mode: &str) -> String {
    let mut parts = mode.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut parameters: Vec<String> =
        parts.filter(|part| !part.is_empty()).map(parameter).filter(|part| part != "charset=utf-8").collect();
    parameters.sort();
    parameters.dedup();
    // Some write one asterisk for both.
    let essence = if essence == "*" { "*/*" } else { &essence };
    std::iter::once(essence).chain(parameters.iter().map(String::as_str)).collect::<Vec<_>>().join(";")
}

fn parameter(text: &str) -> String {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.trim().to_ascii_lowercase();
    let value = value.trim();
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    let value = if name == "charset" { value.to_ascii_lowercase() } else { value.to_owned() };
    format!("{name}={value}")
}

/// The formats of a list.
pub(super) struct Formats(HashSet<String>);

impl Formats {
    pub(super) fn of(modes: &[String]) -> Self {
        Self(modes.iter().map(|mode| normal(mode)).collect())
    }

    /// Whether everything that `mode` stands for is among them: by itself, without its parameters, or by a wildcard.
    pub(super) fn cover(&self, mode: &str) -> bool {
        let mode = normal(mode);
        let essence = mode.split(';').next().unwrap_or_default();
        let family = essence.split_once('/').map(|(family, _)| format!("{family}/*"));
        self.0.contains(&mode)
            || self.0.contains(essence)
            || family.is_some_and(|family| self.0.contains(&family) || self.0.contains("*/*"))
    }
}

/// What of the older list the newer one does not cover and the other way round, each in its own order and once.
pub(super) fn changes<'a>(older: &'a [String], newer: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    let uncovered = |from: &'a [String], other: &[String]| -> Vec<&'a str> {
        let formats = Formats::of(other);
        let mut seen = HashSet::new();
        from.iter().map(String::as_str).filter(|mode| !formats.cover(mode) && seen.insert(normal(mode))).collect()
    };
    (uncovered(older, newer), uncovered(newer, older))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(list: &str, mode: &str) -> bool {
        Formats::of(&list.split(", ").map(str::to_owned).collect::<Vec<_>>()).cover(mode)
    }

    #[test]
    fn a_wider_format_covers_a_narrower_one_and_not_the_other_way_round() {
        assert!(covers("*/*", "text/plain") && covers("*", "text/*") && covers("text/*", "Text/Plain"));
        assert!(covers("application/json", "application/json;profile=\"X\""));
        assert!(!covers("text/plain", "text/*") && !covers("text/*", "*/*") && !covers("text/*", "image/png"));
        assert!(!covers("application/json;profile=X", "application/json"));
    }

    #[test]
    fn case_and_utf_8_do_not_count_and_other_parameters_do() {
        assert_eq!(normal("Text/Plain ; Charset=\"UTF-8\""), "text/plain");
        assert_eq!(normal("a/b;y=2; X=A"), normal("A/B; x=A ;y=2"));
        assert_ne!(normal("text/plain;charset=latin1"), normal("text/plain"));
        // A word that is no media type is what it is.
        assert!(!covers("*/*", "voice") && covers("voice", "Voice"));
    }
}
