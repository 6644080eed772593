//! `cardscope demo`: the demo agent without a window.

use std::process::ExitCode;

use super::arguments::DemoArguments;
use super::output;
use crate::demo::DemoAgent;

/// Serves until Ctrl+C.
pub(super) async fn run(arguments: DemoArguments) -> ExitCode {
    let (agent, serving) = match DemoAgent::bind(arguments.port, arguments.revision).await {
        Ok(bound) => bound,
        Err(error) => return output::fail(&sentence(&error)),
    };
    output::line(&agent.card_url());
    output::note("The demo agent serves until Ctrl+C.");
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => return output::fail("The demo agent's server ended by itself."),
        _ = tokio::signal::ctrl_c() => {}
    }
    agent.stop();
    serving.await;
    ExitCode::SUCCESS
}

/// The error with its causes.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
