//! `cardscope diff`: obtains two cards and prints what changed from one to the other.

use std::path::Path;
use std::process::ExitCode;

use super::access::Access;
use super::arguments::{DiffArguments, DiffFormat};
use super::inspected::Inspected;
use super::kept::{Kept, shown};
use super::output::{self, Style, Written};
use super::{UNOBTAINED, diff_json, diff_text, inspect_text};
use crate::card::diff::CardDiff;
use crate::card::diff::json_patch::JsonPatch;
use crate::card::diff::markdown::markdown;

pub(super) async fn run(arguments: DiffArguments, data_folder: Option<&Path>) -> ExitCode {
    let (older, newer) = (&arguments.older, &arguments.newer);
    let access = match Access::for_both(older, newer, &arguments.ask).await {
        Ok(access) => access,
        Err(problem) => return output::fail(&problem),
    };
    let mut kept = Kept::open(data_folder, &arguments.ask);
    // In this order: `ADDRESS@latest ADDRESS` is what was kept until now, and what is there now.
    let (before, after) = match both(&mut kept, &access, older, newer).await {
        Ok(both) => both,
        Err(problem) => return output::fail(&problem),
    };
    let (Some(old), Some(new)) = (before.card(), after.card()) else {
        for (which, side) in [("OLDER", &before), ("NEWER", &after)] {
            if side.card().is_none() {
                output::note(&format!(
                    "{which}, {}:\n{}",
                    shown(&side.retrieval.address),
                    inspect_text::without_card(&side.retrieval, &access)
                ));
            }
        }
        return ExitCode::from(UNOBTAINED);
    };
    let diff = CardDiff::of(old, new);
    let format = if arguments.json { DiffFormat::Json } else { arguments.format };
    let text = match format {
        DiffFormat::Text => diff_text::text(&diff, old, new, Style::of_stdout()),
        DiffFormat::Markdown => markdown(&diff, old, new).trim_end().to_owned(),
        DiffFormat::Json => match diff_json::document(&diff, (&before, old), (&after, new)) {
            Ok(json) => json,
            Err(error) => return output::fail(&format!("The result could not be written as JSON: {error}.")),
        },
        DiffFormat::JsonPatch => match JsonPatch::between(&old.document, &new.document) {
            Some(patch) => patch.to_json(),
            None => return output::fail("A JSON Patch is between two JSON documents, and one of these is not JSON."),
        },
    };
    if output::line(&text) == Written::Failed {
        return ExitCode::from(UNOBTAINED);
    }
    let line = arguments.fail_on.map(super::arguments::FailOnChange::level);
    ExitCode::from(u8::from(line.is_some_and(|line| diff.level() >= Some(line))))
}

async fn both(kept: &mut Kept, access: &Access, older: &str, newer: &str) -> Result<(Inspected, Inspected), String> {
    Ok((kept.obtain(access, older).await?, kept.obtain(access, newer).await?))
}
