//! The commands: inspect, diff, send, demo and history, on the same core as the window.

mod access;
pub mod arguments;
mod demo;
mod diff;
mod diff_json;
mod diff_text;
mod history;
mod history_conversations;
mod history_list;
mod inspect;
mod inspect_json;
mod inspect_text;
mod inspected;
mod kept;
mod kept_conversation;
mod output;
mod problem;
mod send;
mod send_events;
mod send_record;
mod send_request;

use std::path::Path;
use std::process::ExitCode;

pub use access::{credentials, trusted};
pub use arguments::{Arguments, Command};

/// The thing asked about could not be obtained, or the command could not be carried out.
const UNOBTAINED: u8 = 2;

/// Carries out a command, with the history in `data_folder`. Everything it has to say is on standard output and error
/// when it returns.
#[must_use]
pub fn run(command: Command, data_folder: Option<&Path>) -> ExitCode {
    // One thread: a command waits for one thing at a time, and starts quicker this way.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output::fail(&format!("The program's event loop could not be started: {error}.")),
    };
    let code = match command {
        Command::Inspect(arguments) => runtime.block_on(inspect::run(arguments, data_folder)),
        Command::Diff(arguments) => runtime.block_on(diff::run(arguments, data_folder)),
        Command::Send(arguments) => runtime.block_on(send::run(arguments, data_folder)),
        Command::Demo(arguments) => runtime.block_on(demo::run(arguments)),
        Command::History(command) => history::run(command, data_folder),
    };
    // A name lookup that hangs must not keep the process.
    runtime.shutdown_background();
    code
}
