//! Requests of the Trace screen for the shipped filter.

use spillgate_codec::import::scenarios_from_bytes;
use spillgate_core::proto::read_struct;
use spillgate_export::{ExportSource, shipped_run};
use spillgate_scenario::{EditedScenario, PageMessage, ShippedRequest, ShippedRun};

use crate::files::sentences;

/// The run of a request to the shown cluster of the first scenario.
pub(crate) fn run(scenarios: &[u8], request: Vec<String>, criteria: &[u8]) -> ShippedRun {
    let scenarios: Option<Vec<EditedScenario>> = scenarios_from_bytes(scenarios);
    let scenario = scenarios.and_then(|scenarios| scenarios.into_iter().next());
    let (Some(scenario), Some(criteria)) = (scenario, read_struct(criteria)) else {
        return ShippedRun::Refused(PageMessage::UnknownScenario.to_string());
    };
    let model = scenario.model();
    let source = ExportSource {
        target: Some(scenario.name(scenario.root())),
        ..ExportSource::of(model)
    };
    let request = ShippedRequest::from_texts(request);
    match shipped_run(&source, &request, &criteria) {
        Ok((texts, warnings)) => ShippedRun::Ready {
            omitted: sentences(&warnings),
            texts,
        },
        Err(faults) => ShippedRun::Refused(sentences(&faults)),
    }
}
