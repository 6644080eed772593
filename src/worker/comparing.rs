//! Reads the documents of a comparison, compares them and writes the result, all off the UI thread.

use std::sync::Arc;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::Outbox;
use super::cards::inspected;
use super::dialogs;
use crate::card::Inspection;
use crate::client::Retrieval;
use crate::demo;
use crate::state::comparison::{ExportFormat, SideSource};
use crate::state::{Compared, JobId, Outcome};

/// Reads and judges one side.
pub(super) async fn load(job: JobId, source: SideSource, outbox: Outbox, cancel: CancellationToken) {
    let result = match source {
        SideSource::File(path) => of_retrieval(&Retrieval::of_file(&path, &cancel).await).await,
        SideSource::Bytes { name, bytes } => of_retrieval(&Retrieval::of_bytes(&name, bytes)).await,
        SideSource::Document { document, origin } => Ok(blocking(move || Inspection::of(document, *origin)).await),
        // The history's own thread reads these.
        SideSource::Kept(_) => Err("The history was not asked.".to_owned()),
        SideSource::Demo { origin, revision } => {
            let card = demo::card_json(&origin, revision).map_err(|error| error.to_string());
            match card {
                Ok(bytes) => of_retrieval(&Retrieval::of_bytes("The demo agent's card", bytes.into())).await,
                Err(problem) => Err(problem),
            }
        }
    };
    outbox.send(Outcome::SideLoaded { job, result });
}

/// The document that was read, or the attempt's own sentence on why there is none.
async fn of_retrieval(retrieval: &Retrieval) -> Result<Arc<Inspection>, String> {
    let why_not =
        || retrieval.attempts.last().map_or_else(|| retrieval.verdict.clone(), |attempt| attempt.note.clone());
    inspected(retrieval, retrieval.chosen).await.ok_or_else(why_not)
}

pub(super) async fn compare(job: JobId, older: Arc<Inspection>, newer: Arc<Inspection>, outbox: Outbox) {
    let compared = blocking(move || Compared::of(older, newer)).await;
    outbox.send(Outcome::Compared { job, compared });
}

/// Asks where to and writes. To be called on the main thread, awaited anywhere.
pub(super) fn export(
    compared: Arc<Compared>,
    format: ExportFormat,
    outbox: Outbox,
) -> impl Future<Output = ()> + Send + use<> {
    let name = compared.export_name(format);
    let made = async move {
        let text = blocking(move || compared.export(format)).await;
        match text.as_ref() {
            Ok(text) => Ok(Bytes::from(text.clone())),
            Err(problem) => Err((*problem).to_owned()),
        }
    };
    dialogs::save_made(&name, made, outbox)
}

/// On a thread that may be kept busy; a fault in a rule ends this job, so that it is reported as what it is.
async fn blocking<T: Send + Sync + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Arc<T> {
    match tokio::task::spawn_blocking(move || Arc::new(work())).await {
        Ok(made) => made,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down: nobody waits for this any more.
        Err(_) => std::future::pending().await,
    }
}
