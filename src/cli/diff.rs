//! `cardscope diff`: obtains two cards and prints what changed from one to the other.

use std::process::ExitCode;

use super::access::Access;
use super::arguments::{DiffArguments, DiffFormat};
use super::inspected::Inspected;
use super::output::{self, Style, Written};
use super::{UNOBTAINED, diff_json, diff_text, inspect_text};
use crate::card::address::mask_secrets;
use crate::card::diff::CardDiff;
use crate::card::diff::json_patch::JsonPatch;
use crate::card::diff::markdown::markdown;

pub(super) async fn run(arguments: DiffArguments) -> ExitCode {
    let (older, newer) = (&arguments.older, &arguments.newer);
    if let Some(problem) = [older, newer].into_iter().find_map(|address| kept_version(address)) {
        return output::fail(&problem);
    }
    let access = match Access::for_both(older, newer, &arguments.ask) {
        Ok(access) => access,
        Err(problem) => return output::fail(&problem),
    };
    let before = Inspected::obtain(&access, older).await;
    let after = Inspected::obtain(&access, newer).await;
    let (Some(old), Some(new)) = (before.card(), after.card()) else {
        for (which, side) in [("OLDER", &before), ("NEWER", &after)] {
            if side.card().is_none() {
                output::note(&format!(
                    "{which}, {}:\n{}",
                    mask_secrets(&side.retrieval.address),
                    inspect_text::without_card(&side.retrieval)
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

/// Why an address that names a kept version leads nowhere.
fn kept_version(address: &str) -> Option<String> {
    let (agent, version) = address.rsplit_once('@')?;
    let is_number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    // In `https://name@1/` and for a file of that name, the sign means something else.
    let names_one = (is_number || matches!(version, "latest" | "previous"))
        && !agent.is_empty()
        && !agent.ends_with(['/', ':'])
        && !std::path::Path::new(address).exists();
    let shown = mask_secrets(address);
    names_one.then(|| format!("{shown} names a kept version, and this version of the program keeps none."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_versions_are_told_from_addresses() {
        for address in ["agent.example@latest", "https://agent.example/a@previous", "agent.example@12"] {
            assert!(kept_version(address).is_some(), "{address}");
        }
        for address in
            ["agent.example", "https://me@agent.example/", "card@home.json", "https://agent.example/@1", "@latest"]
        {
            assert!(kept_version(address).is_none(), "{address}");
        }
    }
}
