//! Requests of the Trace screen for the shipped filter.

use spillgate_codec::import::scenarios_from_bytes;
use spillgate_config::Diagnostic;
use spillgate_core::proto::read_struct;
use spillgate_export::{ExportSource, shipped_run};
use spillgate_scenario::{EditedScenario, PageMessage, ShippedRequest, ShippedRun};

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

/// Messages of the writer as sentences: without codes, because the page shows no others.
fn sentences(diagnostics: &[Diagnostic]) -> String {
    let sentence = |diagnostic: &Diagnostic| match &diagnostic.found {
        Some(found) => format!("{} ({found}).", diagnostic.message),
        None => format!("{}.", diagnostic.message),
    };
    let sentences: Vec<String> = diagnostics.iter().map(sentence).collect();
    sentences.join(" ")
}
