//! What the shipped filter runs for the Trace screen: its configuration is a file of the scenario.

use std::rc::Rc;

use spillgate_core::model::Metadata;
use spillgate_export::{ExportSource, shipped_run};
use spillgate_scenario::{EditedScenario, PageMessage, ShippedRequest};

use super::files::sentences;
use crate::lazy::{NotLoaded, lazy};

/// A run of the shipped filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterRun {
    /// What the configuration omits, as sentences; empty if it is complete.
    pub(crate) omitted: String,
    /// What `www/filter.js` reads, see [`shipped_run`].
    pub(crate) texts: Vec<String>,
}

type Write = fn(&EditedScenario, &ShippedRequest, &Metadata) -> Result<FilterRun, String>;

lazy! {
    fn load_writer as run_writer in files -> Write { run }
}

/// Writes a run of requests with these subset criteria to the shown cluster, and reports it, or as sentences
/// why the filter cannot run them.
pub(crate) fn write_run(
    scenario: Rc<EditedScenario>,
    request: ShippedRequest,
    criteria: Metadata,
    done: impl FnOnce(Result<FilterRun, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        done(match load_writer().await {
            Ok(write) => write(&scenario, &request, &criteria),
            Err(NotLoaded) => Err(PageMessage::FilesFailed.to_string()),
        });
    });
}

pub(super) fn run(
    scenario: &EditedScenario,
    request: &ShippedRequest,
    criteria: &Metadata,
) -> Result<FilterRun, String> {
    let source = ExportSource {
        target: Some(scenario.name(scenario.root())),
        ..ExportSource::of(scenario.model())
    };
    match shipped_run(&source, request, criteria) {
        Ok((texts, warnings)) => Ok(FilterRun {
            omitted: sentences(&warnings),
            texts,
        }),
        Err(faults) => {
            let reason = sentences(&faults);
            Err(format!(
                "The filter does not support this scenario: {reason}"
            ))
        }
    }
}
