//! Rules on what the server says about keeping the card, and on how it deals with those who kept it (§8.6).

use super::super::facts::Revalidation;
use super::Rule;
use super::Severity::{Info, Warning};
use super::card::Card;
use super::report::{Report, quoted};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "cache-max-age-missing",
        Info,
        "§8.6.1",
        "Without max-age clients have to guess how long the card may be kept.",
        cache_max_age_missing,
    ),
    Rule::new(
        "cache-max-age-invalid",
        Warning,
        "§8.6.1",
        "A max-age that is no number of seconds counts as none, so that every use of the card asks the server again.",
        cache_max_age_invalid,
    ),
    Rule::new(
        "etag-missing",
        Info,
        "§8.6.1",
        "With an ETag a client can ask whether the card changed without downloading it again.",
        etag_missing,
    ),
    Rule::new(
        "etag-malformed",
        Warning,
        "RFC 9110 §8.8.3",
        "An ETag stands in quotes; caches and proxies drop any other, and clients cannot ask by it.",
        etag_malformed,
    ),
    Rule::new(
        "etag-not-compared",
        Info,
        "§8.6.1",
        "A server that sends the whole card to those who have it already makes its ETag useless.",
        etag_not_compared,
    ),
    Rule::new(
        "etag-reused",
        Warning,
        "§8.6.1",
        "Clients that ask by the ETag are told that nothing changed, and go on with the older card.",
        etag_reused,
    ),
    Rule::new(
        "not-modified-unfounded",
        Warning,
        "RFC 9110 §15.4.5",
        "A client without that copy is left with nothing: 304 answers only the question that was asked.",
        not_modified_unfounded,
    ),
];

fn max_age(card: &Card<'_>) -> Option<String> {
    let cache_control = card.inspection.origin.cache_control.as_deref()?.to_ascii_lowercase();
    let values = cache_control.split(',').filter_map(|directive| {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        (name.trim() == "max-age").then(|| value.trim().trim_matches('"').to_owned())
    });
    values.into_iter().next()
}

fn cache_max_age_missing(card: &Card<'_>, report: &mut Report<'_>) {
    if card.source().is_some() && max_age(card).is_none() {
        report.at(card.root, || {
            "The answer has no Cache-Control with max-age; say how long the card may be kept.".to_owned()
        });
    }
}

fn cache_max_age_invalid(card: &Card<'_>, report: &mut Report<'_>) {
    let Some(value) = max_age(card).filter(|_| card.source().is_some()) else { return };
    if value.is_empty() || !value.chars().all(|c| c.is_ascii_digit()) {
        report.at(card.root, || {
            format!("The Cache-Control says max-age={}, which is no number of seconds; send one.", quoted(&value))
        });
    }
}

fn etag_missing(card: &Card<'_>, report: &mut Report<'_>) {
    if card.source().is_some() && card.inspection.origin.etag.is_none() {
        report.at(card.root, || "The answer has no ETag; derive one from the card's version or content.".to_owned());
    }
}

fn etag_malformed(card: &Card<'_>, report: &mut Report<'_>) {
    let Some(etag) = card.inspection.origin.etag.as_deref().filter(|_| card.source().is_some()) else { return };
    let opaque = etag.trim();
    let opaque = opaque.strip_prefix("W/").unwrap_or(opaque);
    let inner = opaque.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if inner.is_none_or(|inner| inner.contains('"')) {
        report.at(card.root, || format!("The ETag {} is not one text in quotes; send it as \"…\".", quoted(etag)));
    }
}

fn etag_not_compared(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.origin.revalidation == Some(Revalidation::SentAgain) {
        report.at(card.root, || {
            "Asked by its own ETag whether the card changed, the server sent the same card again; answer 304 then."
                .to_owned()
        });
    }
}

fn etag_reused(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.origin.revalidation == Some(Revalidation::SameTagOtherContent) {
        report.at(card.root, || {
            let etag = quoted(card.inspection.origin.etag.as_deref().unwrap_or_default());
            format!("The card changed, but its ETag is still {etag}; derive the ETag from the content.")
        });
    }
}

fn not_modified_unfounded(card: &Card<'_>, report: &mut Report<'_>) {
    if card.inspection.origin.revalidation == Some(Revalidation::Contradictory) {
        report.at(card.root, || {
            "The server answered 304 to a request that named no copy of its card, or named another copy; answer 200 \
             with the card then."
                .to_owned()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::facts::Origin;
    use super::super::testing::{CARD, card_from, fires_on, silent_on};
    use super::*;

    fn origin() -> Origin {
        Origin {
            requested_url: Some("https://a.example/.well-known/agent-card.json".to_owned()),
            final_url: Some("https://a.example/.well-known/agent-card.json".to_owned()),
            content_type: Some("application/json".to_owned()),
            cache_control: Some("public, max-age=300".to_owned()),
            etag: Some("W/\"1\"".to_owned()),
            ..Origin::default()
        }
    }

    #[test]
    fn what_the_server_says_about_keeping_is_judged_only_where_there_is_a_server() {
        let well = card_from(CARD, Origin { revalidation: Some(Revalidation::Confirmed), ..origin() });
        let pasted = card_from(CARD, Origin::default());
        for rule in RULES {
            silent_on(rule.name, &well);
            silent_on(rule.name, &pasted);
        }
    }

    #[test]
    fn each_fault_of_caching_is_found() {
        let says = |cache_control: &str| Origin { cache_control: Some(cache_control.to_owned()), ..origin() };
        let answers = |revalidation| Origin { revalidation: Some(revalidation), ..origin() };
        for (rule, origin) in [
            ("cache-max-age-missing", Origin { cache_control: None, ..origin() }),
            ("cache-max-age-missing", says("no-cache")),
            ("cache-max-age-invalid", says("max-age=soon")),
            ("cache-max-age-invalid", says("public, Max-Age=-1")),
            ("etag-missing", Origin { etag: None, ..origin() }),
            ("etag-malformed", Origin { etag: Some("k1".to_owned()), ..origin() }),
            ("etag-malformed", Origin { etag: Some("\"a\", \"b\"".to_owned()), ..origin() }),
            ("etag-not-compared", answers(Revalidation::SentAgain)),
            ("etag-reused", answers(Revalidation::SameTagOtherContent)),
            ("not-modified-unfounded", answers(Revalidation::Contradictory)),
        ] {
            fires_on(rule, &card_from(CARD, origin));
        }
    }
}
