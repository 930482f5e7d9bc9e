//! Reads a scenario file, with the clusters of the playground and within its limits.

use alloc::{format, string::String, vec::Vec};

use spillgate_codec::import::{ImportFault, ImportField, TimelineQuestion};
use spillgate_config::{Diagnostic, envoy::Format, node::decode};
use spillgate_core::model::Model;
use spillgate_sim::{
    scenario::{self, ScenarioFile},
    world::Plan,
};

use crate::report;

/// The name of the playground's clusters in the field `config`.
const PAGE: &str = "page";

/// The largest run, so that an answer takes about a second.
const MOST_STEPS: u32 = 100_000;
const MOST_CLIENTS: usize = 100_000;
const MOST_GATEWAYS: usize = 16;
/// The picture has a row for each host, or for several.
const MOST_HOSTS: usize = 2_000;

/// A scenario file after reading.
pub(super) struct ReadFile {
    /// The scenario; `None` if the text has errors.
    pub(super) file: Option<ScenarioFile>,
    /// Whether it has the clusters of the playground.
    pub(super) of_page: bool,
    /// The faults of the text.
    pub(super) faults: Vec<ImportFault>,
}

/// Reads a scenario file.
pub(super) fn read(text: &[u8], question: &TimelineQuestion) -> ReadFile {
    let mut of_config = Vec::new();
    let mut of_page = false;
    let mut load = |name: &str| match name {
        PAGE => {
            of_page = true;
            Model::new(question.clusters.clone())
                .map_err(|errors| {
                    let faults = errors.iter().map(|error| {
                        let fault = format!("this page's clusters: {error}");
                        Diagnostic::error("simulate/layout", fault)
                    });
                    of_config.extend(faults);
                })
                .ok()
        }
        other => {
            let fault = Diagnostic::error("page/no-files", "the playground reads no files")
                .found(other)
                .expected("config: page (the clusters of this page), or clusters");
            of_config.push(fault);
            None
        }
    };
    let read = decode(text)
        .map_err(|fault| Vec::from([fault]))
        .and_then(|text| scenario::read(text, Format::guess("", text), &mut load));
    let (file, mut faults) = match read {
        Ok(file) => {
            let (excess, warnings) = (excess(&file.plan), file.warnings.clone());
            let fits = excess.is_empty();
            (fits.then_some(file), [excess, warnings].concat())
        }
        Err(faults) => (None, faults),
    };
    faults.extend(of_config);
    let faults = faults
        .into_iter()
        .map(|fault| report::diagnostic(fault, ImportField::Config));
    ReadFile {
        file,
        of_page,
        faults: faults.collect(),
    }
}

/// The settings above the limits of the playground, as errors.
fn excess(plan: &Plan) -> Vec<Diagnostic> {
    let (steps, fixed) = match plan {
        Plan::Random { steps, .. } => (*steps, None),
        Plan::Fixed(scenario) => (scenario.steps, Some(scenario)),
    };
    let mut values = Vec::from([("steps", steps as usize, MOST_STEPS as usize)]);
    if let Some(scenario) = fixed {
        values.extend([
            ("clients", scenario.clients, MOST_CLIENTS),
            ("gateways", scenario.gateways, MOST_GATEWAYS),
            ("hosts", scenario.layout.host_count(), MOST_HOSTS),
        ]);
    }
    let above = values.into_iter().filter(|(_, value, most)| value > most);
    let fault = |(name, value, most): (&str, usize, usize)| {
        let what: String = format!("too many {name} for the playground; use spillgate simulate");
        Diagnostic::error("page/too-large", what)
            .found(format!("{value}"))
            .expected(format!("at most {most}"))
    };
    above.map(fault).collect()
}
