//! What the demo agent does about a message: which steps, with which words, at which pace.

use std::time::Duration;

use a2a_sdk::{Artifact, Message, Part, PartContent, TaskState, new_artifact_id};

use super::quotes::{self, Comparison, Quote};
use super::replies;

pub(super) const COMPARE_EXAMPLES: [&str; 2] =
    ["Compare these quotes: Acme 1200 EUR, Borealis 1140.50 EUR, Cygnus 1275 EUR", "Compare the sample quotes"];
pub(super) const EXPLAIN_EXAMPLES: [&str; 2] = ["What does DAP mean?", "Explain EXW"];
pub(super) const ORDER_EXAMPLES: [&str; 1] = ["Prepare an order with the cheapest supplier"];
pub(super) const CONTRACT_EXAMPLES: [&str; 1] = ["Compare our contract prices"];
pub(super) const WATCH_EXAMPLES: [&str; 1] = ["Watch the prices for a minute"];
pub(super) const REFUSAL_EXAMPLES: [&str; 2] = ["Compare the broken price list", "Buy the cheapest one for me"];
pub(super) const FORECAST_EXAMPLES: [&str; 1] = ["Who is likely to deliver on time?"];

const WATCH_REPORTS: u32 = 30;
const WATCH_PERIOD: Duration = Duration::from_secs(2);
/// Any of these, whole or cut to three letters and more, or a digit, makes an answer a date.
const DATE_WORDS: [&str; 22] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tomorrow",
    "week",
];

/// What a message says, as far as this agent reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    text: String,
    quotes: Vec<Quote>,
}

/// One thing that happens, `after` the step before it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub after: Duration,
    pub event: StepEvent,
}

#[derive(Clone, Debug)]
pub(super) enum StepEvent {
    /// Answers with a Message and no task; always the only step.
    Reply(String),
    /// The task's state with a status message.
    State(TaskState, String),
    Artifact(Box<Artifact>),
}

impl Request {
    /// Reads text parts, text files, and JSON data with quotes.
    pub(super) fn of(message: &Message) -> Self {
        let mut request = Self::default();
        for part in &message.parts {
            match &part.content {
                PartContent::Text(text) => request.add_text(text),
                PartContent::Raw(bytes) => request.add_text(&String::from_utf8_lossy(bytes)),
                PartContent::Data(value) => request.quotes.extend(quotes::from_json(value)),
                // Nothing is ever fetched because a message mentions it.
                PartContent::Url(_) => {}
            }
        }
        request
    }

    fn add_text(&mut self, text: &str) {
        self.quotes.extend(quotes::from_text(text));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Whether any word starts with one of `stems`, in upper or lower case.
    fn mentions(&self, stems: &[&str]) -> bool {
        let text = self.text.to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).any(|word| stems.iter().any(|stem| word.starts_with(stem)))
    }

    fn reads_like_a_date(&self) -> bool {
        let text = self.text.to_lowercase();
        let is_date_word = |word: &str| word.len() > 2 && DATE_WORDS.iter().any(|name| name.starts_with(word));
        text.contains(|c: char| c.is_ascii_digit()) || text.split(|c: char| !c.is_alphanumeric()).any(is_date_word)
    }

    /// Its own quotes, or the sample ones where there is nothing to compare, and whether they are its own.
    fn quotes_or_sample(&self) -> (Vec<Quote>, bool) {
        if self.quotes.len() < 2 { (quotes::sample(), false) } else { (self.quotes.clone(), true) }
    }
}

/// The steps for a message that starts something new.
pub(super) fn begin(request: &Request, with_csv: bool) -> Vec<Step> {
    if request.mentions(&["broken", "fail"]) {
        fail()
    } else if request.mentions(&["buy", "purchase", "pay"]) {
        reject()
    } else if request.mentions(&["contract", "authori"]) {
        ask_for_authorization()
    } else if request.mentions(&["watch", "monitor", "minute"]) {
        watch(request)
    } else if request.mentions(&["forecast", "likely", "punctual"]) {
        reply(replies::FORECAST)
    } else if request.mentions(&["order", "deliver"]) {
        ask_for_date()
    } else if request.mentions(&["compar", "quote", "offer", "cheap", "price"]) || request.quotes.len() > 1 {
        compare(request, with_csv)
    } else if request.mentions(&["explain", "mean", "term", "incoterm", "exw", "fca", "fob", "cif", "dap", "ddp"]) {
        reply(&replies::explain(|term| request.mentions(&[term])))
    } else {
        reply(replies::HELP)
    }
}

/// The steps for an answer to a task that waits in `state`; `first` is the message that began it.
pub(super) fn resume(state: &TaskState, first: &Request, answer: &Request, with_csv: bool) -> Vec<Step> {
    if *state == TaskState::AuthRequired {
        if answer.mentions(&["authori", "grant", "yes", "ok", "allow"]) {
            contract_prices(first, with_csv)
        } else {
            vec![state_after(
                300,
                TaskState::AuthRequired,
                "Access to the contracts has not been granted yet. Reply \"authorized\" to grant it.",
            )]
        }
    } else if answer.reads_like_a_date() {
        draft_order(first, answer)
    } else {
        vec![state_after(
            300,
            TaskState::InputRequired,
            "That does not read like a date. By which date shall it be delivered? For example: 12 December.",
        )]
    }
}

fn compare(request: &Request, with_csv: bool) -> Vec<Step> {
    let (quotes, own) = request.quotes_or_sample();
    let comparison = Comparison::of(quotes);
    let found = if own {
        format!("Found {} quotes in the message.", comparison.len())
    } else if request.mentions(&["sample"]) {
        "Taking the three sample quotes.".to_owned()
    } else {
        "The message has fewer than two quotes, so the three sample quotes are compared.".to_owned()
    };
    let mut steps = vec![
        state_after(0, TaskState::Working, "Reading the quotes."),
        state_after(700, TaskState::Working, &found),
        state_after(800, TaskState::Working, "Ranking them by price."),
    ];
    steps.extend(results(&comparison, with_csv));
    steps
}

/// The artifacts of a comparison and the completion.
fn results(comparison: &Comparison, with_csv: bool) -> Vec<Step> {
    let table = Part::text(comparison.to_markdown()).with_media_type("text/markdown");
    let figures = Part::data(comparison.to_json()).with_media_type("application/json");
    let mut steps = vec![
        artifact_after(600, "Comparison", "The quotes in order of price.", table),
        artifact_after(200, "Figures", "The same for programs.", figures),
    ];
    if with_csv {
        let file = Part::raw(comparison.to_csv().into_bytes()).with_media_type("text/csv").with_filename("quotes.csv");
        steps.push(artifact_after(200, "CSV", "The same for spreadsheets.", file));
    }
    steps.push(state_after(200, TaskState::Completed, &comparison.summary()));
    steps
}

fn ask_for_date() -> Vec<Step> {
    vec![
        state_after(0, TaskState::Working, "Looking for the cheapest supplier."),
        state_after(
            600,
            TaskState::InputRequired,
            "The order is ready but for the date. By which date shall it be delivered? For example: 12 December.",
        ),
    ]
}

fn draft_order(first: &Request, answer: &Request) -> Vec<Step> {
    let comparison = Comparison::of(first.quotes_or_sample().0);
    let date = answer.text.trim();
    let (supplier, price) = match comparison.cheapest() {
        Some(best) => (best.supplier.clone(), quotes::money(best.cents, &best.currency)),
        None => ("the supplier you choose".to_owned(), "as quoted".to_owned()),
    };
    let draft =
        format!("Order draft (nothing was sent)\n\nSupplier: {supplier}\nPrice:    {price}\nDelivery: {date}\n");
    let file = Part::raw(draft.into_bytes()).with_media_type("text/plain").with_filename("order-draft.txt");
    vec![
        state_after(0, TaskState::Working, "Writing the draft."),
        artifact_after(800, "Order draft", "Nothing was sent to the supplier.", file),
        state_after(
            200,
            TaskState::Completed,
            &format!("The draft of the order with {supplier} is ready; delivery: {date}."),
        ),
    ]
}

fn ask_for_authorization() -> Vec<Step> {
    vec![
        state_after(0, TaskState::Working, "Opening your contracts."),
        state_after(
            600,
            TaskState::AuthRequired,
            "Your contracts may only be read with your authorization. A real agent would send you to sign in somewhere \
             else; here, reply \"authorized\" to grant it.",
        ),
    ]
}

fn contract_prices(first: &Request, with_csv: bool) -> Vec<Step> {
    // Contracts are five percent below the list.
    let reduced = |quote: Quote| Quote { cents: quote.cents - quote.cents / 20, ..quote };
    let comparison = Comparison::of(first.quotes_or_sample().0.into_iter().map(reduced).collect());
    let mut steps = vec![state_after(0, TaskState::Working, "Authorized. Reading the contract prices.")];
    steps.extend(results(&comparison, with_csv));
    steps
}

fn watch(request: &Request) -> Vec<Step> {
    let comparison = Comparison::of(request.quotes_or_sample().0);
    let price = comparison.cheapest().map_or_else(
        || "the quotes are in different currencies".to_owned(),
        |best| format!("lowest price {} at {}", quotes::money(best.cents, &best.currency), best.supplier),
    );
    let report = |index: u32| Step {
        after: if index == 0 { Duration::ZERO } else { WATCH_PERIOD },
        event: StepEvent::State(
            TaskState::Working,
            format!(
                "Watched for {} of {} s: {price}.",
                (WATCH_PERIOD * index).as_secs(),
                (WATCH_PERIOD * WATCH_REPORTS).as_secs()
            ),
        ),
    };
    let mut steps: Vec<Step> = (0..WATCH_REPORTS).map(report).collect();
    let end = StepEvent::State(TaskState::Completed, format!("Watched for a minute, no price changed: {price}."));
    steps.push(Step { after: WATCH_PERIOD, event: end });
    steps
}

fn fail() -> Vec<Step> {
    vec![
        state_after(0, TaskState::Working, "Opening the price list."),
        state_after(700, TaskState::Working, "Reading line 14 of 52."),
        state_after(
            500,
            TaskState::Failed,
            "The price list cannot be read: line 14 has no amount. Nothing was compared; correct the line and send \
             the request again.",
        ),
    ]
}

fn reject() -> Vec<Step> {
    vec![state_after(
        0,
        TaskState::Rejected,
        "This agent compares quotes, it does not buy. To draft an order instead, say: Prepare an order with the \
         cheapest supplier.",
    )]
}

fn reply(text: &str) -> Vec<Step> {
    vec![Step { after: Duration::ZERO, event: StepEvent::Reply(text.to_owned()) }]
}

fn state_after(millis: u64, state: TaskState, text: &str) -> Step {
    Step { after: Duration::from_millis(millis), event: StepEvent::State(state, text.to_owned()) }
}

fn artifact_after(millis: u64, name: &str, description: &str, part: Part) -> Step {
    let artifact = Artifact {
        artifact_id: new_artifact_id(),
        name: Some(name.to_owned()),
        description: Some(description.to_owned()),
        parts: vec![part],
        metadata: None,
        extensions: None,
    };
    Step { after: Duration::from_millis(millis), event: StepEvent::Artifact(Box::new(artifact)) }
}

#[cfg(test)]
mod tests {
    use a2a_sdk::Role;

    use super::*;
    use crate::demo::card;

    fn request(text: &str) -> Request {
        Request::of(&Message::new(Role::User, vec![Part::text(text)]))
    }

    fn ending(steps: &[Step]) -> String {
        match &steps.last().unwrap().event {
            StepEvent::Reply(_) => "reply".to_owned(),
            StepEvent::State(state, _) => format!("{state:?}"),
            StepEvent::Artifact(_) => "artifact".to_owned(),
        }
    }

    #[test]
    fn each_example_of_the_card_triggers_what_its_skill_promises() {
        let expected = |skill: &str, example: &str| match skill {
            "compare-quotes" | "watch-prices" => "Completed",
            "explain-terms" | "forecast-delivery" => "reply",
            "prepare-order" => "InputRequired",
            "contract-prices" => "AuthRequired",
            "refusals" if example.contains("broken") => "Failed",
            "refusals" => "Rejected",
            other => panic!("no expectation for skill {other}"),
        };
        for revision in 1..=card::REVISIONS {
            for skill in card::card("http://127.0.0.1:1", revision).skills {
                for example in skill.examples.unwrap() {
                    assert_eq!(ending(&begin(&request(&example), false)), expected(&skill.id, &example), "{example}");
                }
            }
        }
    }

    #[test]
    fn variants_in_other_words_work_too() {
        let cases = [
            ("WHICH OFFER IS CHEAPEST?", "Completed"),
            ("acme 12, zed 13", "Completed"),
            ("explain ddp and exw please", "reply"),
            ("please fail", "Failed"),
            ("I want to order from the best one", "InputRequired"),
            ("hello", "reply"),
            ("", "reply"),
        ];
        for (text, expected) in cases {
            assert_eq!(ending(&begin(&request(text), false)), expected, "{text}");
        }
        let StepEvent::Reply(help) = &begin(&request("hello"), false)[0].event else { panic!("no reply") };
        for example in
            [COMPARE_EXAMPLES[0], EXPLAIN_EXAMPLES[0], ORDER_EXAMPLES[0], CONTRACT_EXAMPLES[0], WATCH_EXAMPLES[0]]
        {
            assert!(help.contains(example), "the help does not name {example:?}");
        }
    }

    #[test]
    fn a_waiting_task_goes_on_with_a_fitting_answer_only() {
        let order = request(ORDER_EXAMPLES[0]);
        let input = TaskState::InputRequired;
        assert_eq!(ending(&resume(&input, &order, &request("12 December"), false)), "Completed");
        assert_eq!(ending(&resume(&input, &order, &request("Tomorrow"), false)), "Completed");
        assert_eq!(ending(&resume(&input, &order, &request("first week of Sept"), false)), "Completed");
        assert_eq!(ending(&resume(&input, &order, &request("hm, maybe"), false)), "InputRequired");
        let auth = TaskState::AuthRequired;
        assert_eq!(ending(&resume(&auth, &order, &request("Authorized"), false)), "Completed");
        assert_eq!(ending(&resume(&auth, &order, &request("no"), false)), "AuthRequired");
    }

    #[test]
    fn files_and_data_are_read_as_quotes() {
        let csv = Part::raw(b"Acme;10\nZed;11\n".to_vec()).with_media_type("text/csv");
        let data = Part::data(serde_json::json!([{"supplier": "Mid", "amount": 10.5}]));
        let read = Request::of(&Message::new(Role::User, vec![csv, data]));
        assert_eq!(read.quotes.len(), 3);
    }
}
