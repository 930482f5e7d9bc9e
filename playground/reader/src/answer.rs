//! The answer to two texts.

use alloc::vec::Vec;

use spillgate_codec::import::{ImportAnswer, ImportFault, ImportField, ImportLimit};
use spillgate_config::{
    Affects, Diagnostic,
    envoy::{Marks, SourceText},
    question::ScenarioQuestion,
    steered::effective_model,
};

use spillgate_core::{model::Model, order::sorted};

use crate::{
    files::files, places, position::position, reading::Reading, remedy::for_page, report, verdicts,
};

/// Reads a configuration and the output of Envoy's `/clusters`, which may be empty and sets hosts and
/// health. The bytes are an [`ImportAnswer`].
#[must_use]
pub fn answer(text: &[u8], clusters: &[u8]) -> Vec<u8> {
    let reading = Reading::of(text, clusters);
    let config_text = reading.text;
    let limits = reading.of_config.iter().chain(&reading.of_clusters);
    let limits: Vec<Diagnostic> = limits.filter(|found| found.is_limit()).cloned().collect();
    let mut faults: Vec<_> = reading
        .of_config
        .into_iter()
        .map(|diagnostic| report::diagnostic(diagnostic, ImportField::Config))
        .chain(reading.findings.into_iter().map(report::finding))
        .collect();
    if let Some(text) = config_text {
        let map = SourceText::map(&files(text));
        for fault in &mut faults {
            report::name_file(fault, &map);
        }
    }
    let place = |fault: &ImportFault| (fault.position.is_none(), fault.position);
    let mut faults = sorted(faults, |a, b| place(a).cmp(&place(b)));
    let of_clusters = reading.of_clusters.into_iter();
    faults.extend(
        of_clusters.map(|diagnostic| report::diagnostic(diagnostic, ImportField::Clusters)),
    );
    let config = reading.config;
    let served = config.as_ref().and_then(effective_model);
    if let Some(served) = &served {
        let warnings = served.warnings.iter().cloned();
        faults.extend(warnings.map(|found| report::diagnostic(found, ImportField::Config)));
    }
    let is_served = served.as_ref().is_some_and(|served| served.steered);
    let model = served.map(|served| served.model);
    let model = model
        .as_ref()
        .or(config.as_ref().map(|config| &config.model));
    let question = config_text.and_then(question).unwrap_or_default();
    let root = model
        .zip(question.cluster.as_deref())
        .and_then(|(model, name)| place_of(model, name));
    let unknown_hosts = match (&config, model) {
        (Some(config), Some(model)) if !is_served => unknown_hosts(model, &config.marks),
        _ => Vec::new(),
    };
    let answer = ImportAnswer {
        root,
        limits: model.map_or_else(Vec::new, |model| limits_of(model, &limits)),
        verdicts: model.map_or_else(Vec::new, |model| {
            verdicts::of(model.clusters(), &unknown_hosts)
        }),
        unknown_hosts,
        view: question.page_view(),
        places: config
            .as_ref()
            .zip(model)
            .map_or_else(Vec::new, |(config, model)| places::of(model, &config.marks)),
        clusters: model.map(|model| model.clusters().to_vec()),
        ..ImportAnswer::default()
    };
    answer.with_faults(faults).to_bytes()
}

/// The limits that concern shares of clusters; those of listeners and routes do not.
fn limits_of(model: &Model, limits: &[Diagnostic]) -> Vec<ImportLimit> {
    let limit = |limit: &Diagnostic| {
        let cluster = match &limit.affects {
            Affects::Everything => None,
            Affects::Cluster(name) => Some(place_of(model, name)?),
            Affects::Listener(_) | Affects::HandOff(_) | Affects::Route { .. } => return None,
        };
        Some(ImportLimit {
            cluster,
            effect: for_page(&limit.message),
            position: limit.position.map(position),
        })
    };
    limits.iter().filter_map(limit).collect()
}

/// The clusters whose hosts are not known.
fn unknown_hosts(model: &Model, marks: &Marks) -> Vec<usize> {
    let clusters = model.clusters().iter().enumerate();
    let unknown = clusters.filter(|(_, cluster)| !marks.knows_hosts(&cluster.name));
    unknown.map(|(at, _)| at).collect()
}

fn place_of(model: &Model, name: &str) -> Option<usize> {
    model
        .clusters()
        .iter()
        .position(|cluster| cluster.name == name)
}

/// The question of a text. A text without these words has none, and is not read again.
fn question(text: &str) -> Option<ScenarioQuestion> {
    let mut words = ["spillgate", "events", "steps", "clients", "target"].into_iter();
    let may_ask = words.any(|word| text.contains(word));
    may_ask.then(|| ScenarioQuestion::of_import(text))?
}
