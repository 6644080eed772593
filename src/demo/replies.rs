//! What the demo agent answers at once, without a task.

/// What to try, for a text that starts nothing.
pub(super) const HELP: &str = "I compare quotes. Try one of these:\n\
    - \"Compare these quotes: Acme 1200 EUR, Borealis 1140.50 EUR, Cygnus 1275 EUR\" for a task that ends in a table\n\
    - \"What does DAP mean?\" for an immediate answer\n\
    - \"Prepare an order with the cheapest supplier\" for a task that asks you something\n\
    - \"Compare our contract prices\" for a task that needs authorization\n\
    - \"Watch the prices for a minute\" for a task to cancel\n\
    - \"Compare the broken price list\" for a failure, \"Buy the cheapest one for me\" for a rejection";

/// The invented past of the sample suppliers.
pub(super) const FORECAST: &str = "Of their last forty orders, Acme Supplies delivered 38 on time, Cygnus Components 36 \
    and Borealis Trading 31. Acme Supplies is the most likely to be on time.";

const TERMS: [(&str, &str); 6] = [
    ("exw", "EXW (Ex Works): the price ends at the supplier's door; transport, insurance and duties come on top."),
    ("fca", "FCA (Free Carrier): the supplier hands the goods to your carrier; the main transport comes on top."),
    ("fob", "FOB (Free on Board): the supplier loads the ship; sea freight and insurance come on top."),
    ("cif", "CIF (Cost, Insurance and Freight): freight to the port is in the price; unloading and duties are not."),
    ("dap", "DAP (Delivered at Place): transport to your address is in the price; import duties and taxes are not."),
    ("ddp", "DDP (Delivered Duty Paid): transport, import duties and taxes are all in the price."),
];

/// The terms that are asked for, one sentence each.
pub(super) fn explain(asked_for: impl Fn(&str) -> bool) -> String {
    let explained: Vec<&str> =
        TERMS.iter().filter(|(term, _)| asked_for(term)).map(|(_, sentence)| *sentence).collect();
    if explained.is_empty() {
        "I know the delivery terms EXW, FCA, FOB, CIF, DAP and DDP. Ask, for example: What does DAP mean?".to_owned()
    } else {
        explained.join("\n")
    }
}
