//! `cardscope inspect`: fetches a card and prints what it declares.

use std::path::Path;
use std::process::ExitCode;

use super::access::Access;
use super::arguments::InspectArguments;
use super::kept::Kept;
use super::output::{self, Style, Written};
use super::{UNOBTAINED, inspect_json, inspect_text};

pub(super) async fn run(arguments: InspectArguments, data_folder: Option<&Path>) -> ExitCode {
    let access = match Access::new(&arguments.address, &arguments.ask).await {
        Ok(access) => access,
        Err(problem) => return output::fail(&problem),
    };
    let mut kept = Kept::open(data_folder, &arguments.ask);
    let inspected = match kept.obtain(&access, &arguments.address).await {
        Ok(inspected) => inspected,
        Err(problem) => return output::fail(&problem),
    };
    let text = if arguments.json {
        match inspect_json::document(&inspected) {
            Ok(json) => Some(json),
            Err(error) => return output::fail(&format!("The result could not be written as JSON: {error}.")),
        }
    } else {
        inspected.card().map(|card| inspect_text::card(&inspected.retrieval, card, Style::of_stdout()))
    };
    let is_lost = text.is_some_and(|text| output::line(&text) == Written::Failed);
    let Some(card) = inspected.card() else {
        output::note(&inspect_text::without_card(&inspected.retrieval, &access));
        return ExitCode::from(UNOBTAINED);
    };
    if is_lost {
        return ExitCode::from(UNOBTAINED);
    }
    let line = arguments.fail_on.severity();
    ExitCode::from(u8::from(card.findings.iter().any(|finding| finding.severity >= line)))
}
