//! The demo agent's card in its two revisions.

use a2a_sdk::{
    AgentCapabilities, AgentCard, AgentInterface, AgentProvider, AgentSkill, TRANSPORT_PROTOCOL_HTTP_JSON,
    TRANSPORT_PROTOCOL_JSONRPC,
};

use super::{routes, script};

/// How many revisions of the card there are, counted from 1.
pub(super) const REVISIONS: u8 = 2;

/// The media types that messages may bring.
pub(super) const INPUT_MODES: [&str; 3] = ["text/plain", "text/csv", "application/json"];

/// The card of `revision` for an agent at `origin` (`http://127.0.0.1:PORT`).
pub(super) fn card(origin: &str, revision: u8) -> AgentCard {
    let later = revision > 1;
    let mut interfaces =
        vec![AgentInterface::new(format!("{origin}{}", routes::JSONRPC_PATH), TRANSPORT_PROTOCOL_JSONRPC)];
    if !later {
        interfaces.push(AgentInterface::new(format!("{origin}{}", routes::REST_PATH), TRANSPORT_PROTOCOL_HTTP_JSON));
    }
    let mut output_modes = words(&["text/plain", "text/markdown", "application/json"]);
    if later {
        output_modes.push("text/csv".to_owned());
    }
    AgentCard {
        name: "Quote Comparison Agent".to_owned(),
        description: "Compares suppliers' quotes: reads the offers from a message, works out the cheapest and the \
                      spread, and returns a table for people and the figures for programs. It runs inside Cardscope, \
                      on this machine only, so that every kind of answer an agent can give may be tried safely."
            .to_owned(),
        version: if later { "2.2.0" } else { "2.1.0" }.to_owned(),
        supported_interfaces: interfaces,
        capabilities: capabilities(),
        default_input_modes: words(&INPUT_MODES),
        default_output_modes: output_modes,
        skills: skills(later),
        provider: Some(AgentProvider { organization: "Cardscope demo".to_owned(), url: format!("{origin}/") }),
        documentation_url: Some(format!("{origin}{}", routes::GUIDE_PATH)),
        icon_url: Some(format!("{origin}{}", routes::ICON_PATH)),
        security_schemes: None,
        security_requirements: None,
        signatures: None,
    }
}

/// What the agent can do, said in full: an absent capability would count as "no" but leave the reader wondering.
pub(super) fn capabilities() -> AgentCapabilities {
    AgentCapabilities {
        streaming: Some(true),
        push_notifications: Some(false),
        extensions: None,
        extended_agent_card: Some(false),
    }
}

fn skills(later: bool) -> Vec<AgentSkill> {
    let compare = if later {
        "Takes two to twenty quotes as text, as CSV or as JSON, works through them in about three seconds and \
         completes with a Markdown table, ranked by price, and a JSON object with the cheapest quote, the average and \
         the spread. Quotes in different currencies are listed but not ranked."
    } else {
        "Takes two or more quotes, works through them in about three seconds and completes with a Markdown table and \
         a JSON object with the cheapest quote, the average and the spread."
    };
    let mut skills = vec![
        AgentSkill {
            input_modes: Some(words(&INPUT_MODES)),
            output_modes: Some(words(&["text/markdown", "application/json"])),
            ..skill(
                "compare-quotes",
                "Compare quotes",
                compare,
                &["quotes", "prices", "table"],
                &script::COMPARE_EXAMPLES,
            )
        },
        skill(
            "explain-terms",
            "Explain delivery terms",
            "Says in a sentence what a delivery term such as EXW, FCA, DAP or DDP means for the price. Answers at once \
             with a message, without a task.",
            &["terms", "incoterms"],
            &script::EXPLAIN_EXAMPLES,
        ),
        skill(
            "prepare-order",
            "Prepare an order",
            "Drafts an order to the cheapest supplier. Asks for the delivery date first: the task waits with \
             input required until it is answered.",
            &["order", "input-required"],
            &script::ORDER_EXAMPLES,
        ),
        skill(
            "contract-prices",
            "Compare contract prices",
            "Compares with the prices of your own contracts. Stops with authorization required until access to the \
             contracts is granted; reply \"authorized\" to grant it.",
            &["contracts", "prices", "auth-required"],
            &script::CONTRACT_EXAMPLES,
        ),
        skill(
            "watch-prices",
            "Watch prices",
            "Watches the quotes for a minute and reports every two seconds. Long enough to be canceled.",
            &["prices", "long-running"],
            &script::WATCH_EXAMPLES,
        ),
        skill(
            "refusals",
            "Show how tasks go wrong",
            "Ends in a failure (the price list cannot be read) or in a rejection (this agent compares, it does not \
             buy), to see what they look like.",
            &["failed", "rejected"],
            &script::REFUSAL_EXAMPLES,
        ),
    ];
    if later {
        skills.push(skill(
            "forecast-delivery",
            "Forecast delivery",
            "Says which supplier is likely to deliver on time, judged by past orders. Answers at once with a message.",
            &["delivery", "forecast"],
            &script::FORECAST_EXAMPLES,
        ));
    }
    skills
}

fn skill(id: &str, name: &str, description: &str, tags: &[&str], examples: &[&str]) -> AgentSkill {
    AgentSkill {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        tags: words(tags),
        examples: Some(words(examples)),
        input_modes: None,
        output_modes: None,
        security_requirements: None,
    }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}
