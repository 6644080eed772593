//! The demo agent: a quote comparison service on the official server SDK, on loopback.
//!
//! [`DemoAgent::bind`] takes the port, and whoever called it drives the returned future. `script` decides from a
//! message's text what happens, `executor` plays that out, the SDK keeps the tasks and speaks both bindings.

mod card;
mod executor;
mod quotes;
mod replies;
mod routes;
mod script;
mod task_store;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long open answers may take to end once the agent is stopped.
const STOP_GRACE: Duration = Duration::from_millis(250);

/// Why the demo agent could not start.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("port {port} on 127.0.0.1 could not be opened")]
    Bind { port: u16, source: io::Error },
}

/// A handle to the demo agent; the agent serves as long as the future returned beside it is polled.
#[derive(Clone, Debug)]
pub struct DemoAgent {
    address: SocketAddr,
    revision: Arc<AtomicU8>,
    stop: CancellationToken,
}

/// The card of `revision` byte for byte as an agent at `origin` serves it.
///
/// # Errors
///
/// If the card cannot be written as JSON, which would be a fault of the SDK.
pub fn card_json(origin: &str, revision: u8) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec_pretty(&card::card(origin, known_revision(revision)))
}

impl DemoAgent {
    /// Takes `port` on 127.0.0.1 (0: any free one). The future serves until [`DemoAgent::stop`].
    ///
    /// `revision` is 1 or 2; anything else counts as the nearer of them.
    ///
    /// # Errors
    ///
    /// If the port cannot be opened, mostly because something else listens there.
    pub async fn bind(port: u16, revision: u8) -> Result<(Self, impl Future<Output = ()> + Send + 'static), DemoError> {
        let bind_error = |source| DemoError::Bind { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(bind_error)?;
        let address = listener.local_addr().map_err(bind_error)?;
        let agent = Self {
            address,
            revision: Arc::new(AtomicU8::new(known_revision(revision))),
            stop: CancellationToken::new(),
        };
        Ok((agent.clone(), serve(listener, agent)))
    }

    /// Where the card is.
    #[must_use]
    pub fn card_url(&self) -> String {
        format!("{}{}", self.origin(), a2a_server::WELL_KNOWN_AGENT_CARD_PATH)
    }

    /// The revision of the card served now: 1 or 2.
    #[must_use]
    pub fn revision(&self) -> u8 {
        self.revision.load(Ordering::Relaxed)
    }

    /// Serves another revision of the card from now on; running tasks go on.
    pub fn set_revision(&self, revision: u8) {
        self.revision.store(known_revision(revision), Ordering::Relaxed);
    }

    /// Stops running tasks, closes every connection and lets the serving future end.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn known_revision(revision: u8) -> u8 {
    revision.clamp(1, card::REVISIONS)
}

async fn serve(listener: TcpListener, agent: DemoAgent) {
    let stop = agent.stop.clone();
    let server = axum::serve(listener, routes::router(agent)).with_graceful_shutdown(stop.clone().cancelled_owned());
    let overdue = async {
        stop.cancelled().await;
        tokio::time::sleep(STOP_GRACE).await;
    };
    tokio::select! {
        ended = server => {
            if let Err(error) = ended {
                tracing::warn!(%error, "the demo agent's server ended");
            }
        }
        () = overdue => {}
    }
}
