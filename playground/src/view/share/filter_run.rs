//! What the shipped filter runs for the Trace screen: its configuration is a file of the scenario.

use std::{cell::RefCell, rc::Rc};

use spillgate_core::model::Metadata;
use spillgate_export::{ExportSource, ShippedConfig, ShippedNeeds};
use spillgate_scenario::{EditedScenario, PageMessage, ShippedRequest};

use super::files::sentences;
use crate::lazy::{NotLoaded, lazy};

/// A run of the shipped filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterRun {
    /// What the configuration omits, as sentences; empty if it is complete.
    pub(crate) omitted: String,
    /// What `www/filter.js` reads, see [`ShippedConfig::run`].
    pub(crate) texts: Vec<String>,
}

type Write = fn(&Rc<EditedScenario>, &ShippedRequest, &Metadata) -> Result<FilterRun, String>;

/// The configuration for a scenario, or the reasons against it, as sentences.
struct WrittenConfig {
    scenario: Rc<EditedScenario>,
    needs: ShippedNeeds,
    config: Result<ShippedConfig, String>,
}

thread_local! {
    /// The latest configuration: it takes about 0.3 s for 20,000 hosts, and most changes concern only the request.
    static LATEST: RefCell<Option<WrittenConfig>> = const { RefCell::new(None) };
}

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
    scenario: &Rc<EditedScenario>,
    request: &ShippedRequest,
    criteria: &Metadata,
) -> Result<FilterRun, String> {
    let needs = ShippedNeeds::of(request);
    LATEST.with_borrow_mut(|latest| {
        let kept = latest
            .take()
            .filter(|kept| Rc::ptr_eq(&kept.scenario, scenario) && kept.needs == needs);
        let written = latest.insert(kept.unwrap_or_else(|| WrittenConfig {
            scenario: Rc::clone(scenario),
            needs,
            config: configuration(scenario, needs),
        }));
        let config = written.config.as_ref().map_err(Clone::clone)?;
        Ok(FilterRun {
            omitted: sentences(&config.warnings),
            texts: config.run(request, criteria),
        })
    })
}

fn configuration(scenario: &EditedScenario, needs: ShippedNeeds) -> Result<ShippedConfig, String> {
    let source = ExportSource {
        target: Some(scenario.name(scenario.root())),
        ..ExportSource::of(scenario.model())
    };
    ShippedConfig::new(&source, needs).map_err(|faults| {
        let reason = sentences(&faults);
        format!("The filter does not support this scenario: {reason}")
    })
}
