//! The demo agent's life inside the program: one task that serves and takes commands.

use tokio::sync::mpsc::UnboundedReceiver;

use super::Outbox;
use crate::demo::DemoAgent;
use crate::state::Outcome;

/// Serves until the channel of revisions to serve is closed.
pub(super) async fn serve(revision: u8, mut revisions: UnboundedReceiver<u8>, outbox: Outbox) {
    let (agent, serving) = match DemoAgent::bind(0, revision).await {
        Ok(bound) => bound,
        Err(error) => return outbox.send(Outcome::DemoStopped { problem: Some(error.to_string()) }),
    };
    outbox.send(Outcome::DemoStarted { address: agent.card_url(), revision });
    tokio::pin!(serving);
    loop {
        tokio::select! {
            () = &mut serving => break,
            wanted = revisions.recv() => {
                let Some(revision) = wanted else {
                    agent.stop();
                    serving.await;
                    break;
                };
                agent.set_revision(revision);
                outbox.send(Outcome::DemoStarted { address: agent.card_url(), revision });
            }
        }
    }
    outbox.send(Outcome::DemoStopped { problem: None });
}
