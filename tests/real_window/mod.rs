//! The built program in a real window, driven through its accessible names; needs a display, so `.ci/run` runs it.
//!
//! ```text
//! xvfb-run -a cargo test --features inspection real_window -- --ignored
//! ```

mod driver;

use std::time::Duration;

use driver::Window;

/// How long the window may take for what it can do at once, on a slow machine without a GPU.
const SOON: Duration = Duration::from_secs(20);
/// How long a task of some seconds may take.
const TASK: Duration = Duration::from_secs(40);

#[test]
#[ignore = "needs a display and the feature `inspection`; run by .ci/run"]
fn the_demo_agent_is_shown_and_answers() {
    let mut window = Window::open(&["--demo"]);
    window.wait_for("Quote Comparison Agent", SOON);
    for group in ["Identity", "Interfaces", "Capabilities", "Skills and formats", "Access", "Findings", "Retrieval"] {
        window.wait_for(group, SOON);
    }
    window.save_picture("inspect");

    window.click("Message");
    window.click("Message text");
    let message = "Compare these quotes: Acme 1200 EUR, Borealis 1140.50 EUR, Cygnus 1275 EUR";
    window.type_text(message);
    window.click("Send");
    window.wait_for("Borealis is cheapest at 1,140.50 EUR", TASK);
    window.wait_for("completed", TASK);
    window.save_picture("message");

    window.click("New conversation");
    window.click("Conversations");
    window.click(&format!("Conversation {message}"));
    window.wait_for("An earlier conversation, to be read.", SOON);
    window.wait_for("Borealis is cheapest at 1,140.50 EUR", SOON);
    window.save_picture("conversation");

    window.click("Compare");
    window.click("See the demo agent's two revisions");
    for words in ["breaking: ", "unchanged lines", "newer: "] {
        window.wait_for(words, SOON);
    }
    window.click("Inline");
    window.save_picture("compare");

    let frames = window.frames_while_idle(Duration::from_secs(5));
    assert_eq!(frames, 0, "{frames} frames were painted in 5 s although nothing changed");
}

#[test]
#[ignore = "needs a display, the feature `inspection` and agents named in CARDSCOPE_PEERS; run by .ci/run"]
fn agents_on_the_official_sdk_are_shown_and_answer() {
    let peers = std::env::var("CARDSCOPE_PEERS").expect("CARDSCOPE_PEERS names the agents, separated by spaces");
    let mut window = Window::open(&[]);
    for (index, peer) in peers.split_whitespace().enumerate() {
        window.click("Agent address");
        window.select_all();
        window.type_text(peer);
        window.click("Fetch");
        window.click("Inspect");
        window.wait_for("Word Reverser", SOON);
        window.wait_for(peer, SOON);

        window.click("Message");
        window.click("Message text");
        window.type_text("one two three");
        window.click("Send");
        window.wait_for("three two one", TASK);
        window.wait_for("completed", TASK);
        window.save_picture(&format!("peer-{index}"));
    }
}
