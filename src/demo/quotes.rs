//! Quotes: read from text, CSV or JSON, compared, and written as a table and as figures.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// More than this in one message is no longer a table that anyone reads.
const MOST_QUOTES: usize = 20;
/// Amounts up to a billion; longer runs of digits are no prices.
const MOST_DIGITS: usize = 12;
/// The longest name kept of what stands before an amount, in characters.
const LONGEST_NAME: usize = 40;
const CURRENCIES: [(&str, &str); 10] = [
    ("eur", "EUR"),
    ("€", "EUR"),
    ("usd", "USD"),
    ("us$", "USD"),
    ("$", "USD"),
    ("gbp", "GBP"),
    ("£", "GBP"),
    ("chf", "CHF"),
    ("jpy", "JPY"),
    ("¥", "JPY"),
];
/// Words of the request itself, which are not part of the first supplier's name.
const REQUEST_WORDS: [&str; 14] = [
    "compare",
    "comparing",
    "the",
    "these",
    "quotes",
    "quote",
    "offers",
    "offer",
    "from",
    "of",
    "and",
    "with",
    "at",
    "for",
];

/// One supplier's offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub supplier: String,
    /// In hundredths of the currency's unit.
    pub cents: u64,
    /// `EUR` if none was written.
    pub currency: String,
}

/// Quotes in order of price, with what follows from them.
pub(super) struct Comparison {
    quotes: Vec<Quote>,
    one_currency: bool,
}

/// The quotes used when a message brings none.
pub(super) fn sample() -> Vec<Quote> {
    [("Acme Supplies", 120_000), ("Borealis Trading", 114_050), ("Cygnus Components", 127_500)]
        .map(|(supplier, cents)| Quote { supplier: supplier.to_owned(), cents, currency: "EUR".to_owned() })
        .to_vec()
}

/// Reads `supplier amount currency` out of free text or CSV lines.
///
/// Every number counts as an amount and takes the words before it, back to the last separator, as the supplier.
pub(super) fn from_text(text: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (cents, length) = amount(&rest[start..]);
        let after = &rest[start + length..];
        if let Some(cents) = cents
            && quotes.len() < MOST_QUOTES
        {
            let supplier = supplier_name(&rest[..start]).unwrap_or_else(|| format!("Offer {}", quotes.len() + 1));
            let currency = currency_beside(&rest[..start], after).unwrap_or("EUR").to_owned();
            quotes.push(Quote { supplier, cents, currency });
        }
        rest = after;
    }
    quotes
}

/// Reads a list of `{supplier, amount, currency}`, bare or under `quotes`.
pub(super) fn from_json(value: &Value) -> Vec<Quote> {
    let list = value.get("quotes").unwrap_or(value).as_array();
    let read = |item: &Value| {
        let amount = item.get("amount")?;
        let digits = amount.as_str().map_or_else(|| amount.to_string(), str::to_owned);
        let text = |name| item.get(name).and_then(Value::as_str);
        let supplier = text("supplier").filter(|name| !name.trim().is_empty()).unwrap_or("Unnamed supplier");
        Some(Quote {
            supplier: supplier.chars().take(LONGEST_NAME).collect(),
            cents: self::amount(digits.trim()).0?,
            currency: text("currency").unwrap_or("EUR").chars().take(LONGEST_NAME).collect(),
        })
    };
    list.into_iter().flatten().filter_map(read).take(MOST_QUOTES).collect()
}

/// The amount at the start of `text` in hundredths, and how many bytes it takes.
///
/// A separator belongs to the number before exactly three digits (thousands) or before one or two (decimals), so
/// `1,200.50`, `1.200,50`, `1'200` and `1200` all read as people mean them.
fn amount(text: &str) -> (Option<u64>, usize) {
    let digits_at = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits_at(0);
    let mut digits = text[..length].to_owned();
    let mut decimals = String::new();
    while let Some(separator) = text[length..].chars().next().filter(|c| ",.'’".contains(*c)) {
        let from = length + separator.len_utf8();
        let following = digits_at(from);
        match following {
            3 => digits.push_str(&text[from..from + 3]),
            1 | 2 => text[from..from + following].clone_into(&mut decimals),
            _ => break,
        }
        length = from + following;
        if following < 3 {
            break;
        }
    }
    if digits.len() > MOST_DIGITS {
        return (None, length);
    }
    let cents = digits.parse::<u64>().ok().and_then(|whole| {
        let hundredths = format!("{decimals:0<2}").parse::<u64>().ok()?;
        whole.checked_mul(100)?.checked_add(hundredths)
    });
    (cents, length)
}

fn supplier_name(before: &str) -> Option<String> {
    let piece =
        before.rsplit([',', ';', ':', '\n', '\t', '|', '(']).find(|piece| piece.chars().any(char::is_alphabetic))?;
    let is_name = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        !bare.is_empty() && !REQUEST_WORDS.contains(&bare.as_str()) && currency_of(word).is_none()
    };
    let words: Vec<&str> = piece.split_whitespace().filter(is_name).collect();
    let name = words.join(" ").chars().take(LONGEST_NAME).collect::<String>();
    let name = name.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    (!name.is_empty()).then_some(name)
}

fn currency_beside(before: &str, after: &str) -> Option<&'static str> {
    let next = after.trim_start_matches([' ', ',', ';', '\t']).split(|c: char| c.is_whitespace() || ",;.)".contains(c));
    let last = before.split_whitespace().next_back();
    next.take(1).chain(last).find_map(currency_of)
}

fn currency_of(word: &str) -> Option<&'static str> {
    let word = word.trim_matches(|c: char| ",;:.()".contains(c)).to_lowercase();
    CURRENCIES.iter().find(|(spelling, _)| *spelling == word).map(|(_, code)| *code)
}

impl Comparison {
    /// Ranks the quotes; in different currencies they keep their order.
    pub(super) fn of(mut quotes: Vec<Quote>) -> Self {
        let one_currency = quotes.windows(2).all(|pair| pair[0].currency == pair[1].currency);
        if one_currency {
            quotes.sort_by_key(|quote| quote.cents);
        }
        Self { quotes, one_currency }
    }

    pub(super) fn len(&self) -> usize {
        self.quotes.len()
    }

    /// The cheapest quote, if the quotes can be ranked at all.
    pub(super) fn cheapest(&self) -> Option<&Quote> {
        self.quotes.first().filter(|_| self.one_currency)
    }

    /// One sentence: who is cheapest and by how much.
    pub(super) fn summary(&self) -> String {
        match (self.cheapest(), self.quotes.get(1)) {
            (Some(best), Some(next)) => format!(
                "{} is cheapest at {}, {} below the next offer.",
                best.supplier,
                money(best.cents, &best.currency),
                money(next.cents - best.cents, &best.currency)
            ),
            (Some(best), None) => {
                format!("{} at {} is the only offer.", best.supplier, money(best.cents, &best.currency))
            }
            (None, _) => "The quotes are in different currencies, so they are listed but not ranked.".to_owned(),
        }
    }

    /// A Markdown table, one row a quote, with the summary above it.
    pub(super) fn to_markdown(&self) -> String {
        let mut text = format!("### Quote comparison\n\n{}\n\n", self.summary());
        text.push_str("| Rank | Supplier | Amount | Above the cheapest |\n|---:|---|---:|---:|\n");
        for (index, quote) in self.quotes.iter().enumerate() {
            let (rank, above) = match self.cheapest() {
                Some(best) if index > 0 => {
                    ((index + 1).to_string(), format!("{:+.1} %", percent_above(quote.cents, best.cents)))
                }
                Some(_) => ("1".to_owned(), "cheapest".to_owned()),
                None => ("–".to_owned(), "–".to_owned()),
            };
            let supplier = quote.supplier.replace('|', "\\|");
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {rank} | {supplier} | {} | {above} |", money(quote.cents, &quote.currency));
        }
        text
    }

    /// The same as CSV, with a header line.
    pub(super) fn to_csv(&self) -> String {
        let mut text = "supplier,amount,currency\n".to_owned();
        for quote in &self.quotes {
            let supplier = quote.supplier.replace('"', "\"\"");
            let _ = writeln!(text, "\"{supplier}\",{}.{:02},{}", quote.cents / 100, quote.cents % 100, quote.currency);
        }
        text
    }

    /// The figures for programs.
    pub(super) fn to_json(&self) -> Value {
        let quotes: Vec<Value> = self
            .quotes
            .iter()
            .map(|quote| json!({"supplier": quote.supplier, "amount": units(quote.cents), "currency": quote.currency}))
            .collect();
        let mut figures = json!({"quotes": quotes, "count": self.quotes.len(), "ranked": self.one_currency});
        if let (Some(best), Some(worst)) = (self.cheapest(), self.quotes.last()) {
            let total: u64 = self.quotes.iter().map(|quote| quote.cents).sum();
            figures["cheapest"] = json!(best.supplier);
            figures["currency"] = json!(best.currency);
            figures["total"] = json!(units(total));
            figures["average"] = json!(units(total / self.quotes.len() as u64));
            figures["spread"] = json!(units(worst.cents - best.cents));
        }
        figures
    }
}

/// `1,140.50 EUR`
pub(super) fn money(cents: u64, currency: &str) -> String {
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped}.{:02} {currency}", cents % 100)
}

fn units(cents: u64) -> f64 {
    cents as f64 / 100.0
}

fn percent_above(cents: u64, best: u64) -> f64 {
    if best == 0 { 0.0 } else { (cents as f64 / best as f64 - 1.0) * 100.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, u64, String)> {
        from_text(text).into_iter().map(|quote| (quote.supplier, quote.cents, quote.currency)).collect()
    }

    #[test]
    fn quotes_are_read_as_people_write_them() {
        let quote = |supplier: &str, cents, currency: &str| (supplier.to_owned(), cents, currency.to_owned());
        let cases = [
            (
                "Compare the quotes: Acme 1200 EUR, Borealis 1140.50 EUR and Cygnus 1275 EUR",
                vec![quote("Acme", 120_000, "EUR"), quote("Borealis", 114_050, "EUR"), quote("Cygnus", 127_500, "EUR")],
            ),
            (
                "Compare Acme $1,200.50 and Zed Ltd $999",
                vec![quote("Acme", 120_050, "USD"), quote("Zed Ltd", 99_900, "USD")],
            ),
            ("Müller: 1.200,50 €; Łódź: 1'140 €", vec![quote("Müller", 120_050, "EUR"), quote("Łódź", 114_000, "EUR")]),
            (
                "supplier;amount\nAcme;1200;CHF\nZed;90;CHF",
                vec![quote("Acme", 120_000, "CHF"), quote("Zed", 9_000, "CHF")],
            ),
            ("compare 300 and 200", vec![quote("Offer 1", 30_000, "EUR"), quote("Offer 2", 20_000, "EUR")]),
            ("compare 12345678901234567890", vec![]),
            ("no figures at all", vec![]),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn json_quotes_are_read_bare_or_under_a_name() {
        let list =
            json!([{"supplier": "Acme", "amount": 12.5, "currency": "GBP"}, {"amount": "7"}, {"supplier": "Zed"}]);
        for value in [list.clone(), json!({"quotes": list})] {
            let quotes = from_json(&value);
            assert_eq!(quotes.len(), 2);
            assert_eq!((quotes[0].cents, quotes[0].currency.as_str()), (1250, "GBP"));
            assert_eq!(quotes[1].supplier, "Unnamed supplier");
        }
        assert!(from_json(&json!("nothing")).is_empty());
    }

    #[test]
    fn a_comparison_ranks_within_one_currency_only() {
        let comparison = Comparison::of(sample());
        assert_eq!(
            comparison.summary(),
            "Borealis Trading is cheapest at 1,140.50 EUR, 59.50 EUR below the next offer."
        );
        assert!(comparison.to_markdown().contains("| 2 | Acme Supplies | 1,200.00 EUR | +5.2 % |"));
        let figures = comparison.to_json();
        assert_eq!(figures["cheapest"], "Borealis Trading");
        assert_eq!(figures["total"].as_f64(), Some(3615.5));
        assert_eq!(figures["spread"].as_f64(), Some(134.5));

        let mixed = Comparison::of(from_text("Acme 10 EUR, Zed 9 USD"));
        assert!(mixed.cheapest().is_none());
        assert!(mixed.to_json().get("cheapest").is_none());
        assert!(mixed.to_markdown().contains("| – | Acme | 10.00 EUR | – |"));
    }
}
