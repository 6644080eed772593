//! The demo agent's life inside the program: one task that serves and takes commands.

use tokio::sync::mpsc::UnboundedReceiver;

use super::Outbox;
use crate::demo::DemoAgent;
use crate::state::Outcome;

/// Tried first, so that the agent is the same one each time and its versions stand together in the history. It spells
/// AGENT on a telephone, and no system gives it to outgoing connections.
const PORT: u16 = 24368;

/// Serves until the channel of revisions to serve is closed.
pub(super) async fn serve(revision: u8, mut revisions: UnboundedReceiver<u8>, outbox: Outbox) {
    let bound = match DemoAgent::bind(PORT, revision).await {
        // Another program has it, mostly another window of this one.
        Err(_) => DemoAgent::bind(0, revision).await,
        bound => bound,
    };
    let (agent, serving) = match bound {
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
