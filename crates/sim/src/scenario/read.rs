//! Reads a scenario file.

use alloc::{boxed::Box, vec::Vec};

use crate::world::{Plan, Rates, WorldScenario};
use spillgate_core::{model::Model, order};

use super::{
    event::read_event,
    layout::read_layout,
    millis::{HOUR, millis},
    rates::read_rates,
    sessions::read_sessions,
};
use spillgate_config::{
    Diagnostic,
    envoy::{Format, SIMULATION},
    proto::{Message, Path, Report},
};

/// The fields that `drawn: true` excludes: the seed determines them.
const FIXED: [&str; 12] = [
    "config",
    "clusters",
    "target",
    "weighted",
    "criteria",
    "subset_chain",
    "absent",
    "clients",
    "gateways",
    "view_delay",
    "sessions",
    "events",
];

/// A scenario, and the seed of its first run.
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    /// The scenario of each seed.
    pub plan: Plan,
    /// The first seed (`seed`).
    pub seed: u64,
    /// Valid settings with unintended effects.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a scenario. `load` reads the file that `config` names; it reports the errors of that file
/// itself and returns `None`.
///
/// # Errors
/// All errors of the text, in text order; only the first one if it is a syntax error. The list is
/// empty if only the file that `config` names has errors.
pub fn read(
    text: &str,
    format: Format,
    load: &mut dyn FnMut(&str) -> Option<Model>,
) -> Result<ScenarioFile, Vec<Diagnostic>> {
    let document = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::default();
    report.doubt_all(document.warnings);
    if let Some(second) = document.roots.get(1) {
        let fault = Diagnostic::error("config/value", "more than one document");
        report.push(fault.at("", second.position).expected("one scenario"));
    }
    let root = document.roots.first();
    if root.is_none() {
        let fault = Diagnostic::error("config/missing", "empty scenario");
        report.push(fault.expected("config: a file, clusters: a list, or drawn: true"));
    }
    let message = root.and_then(|root| Message::open(root, Path::root(), &SIMULATION, &mut report));
    let read = message.and_then(|message| read_scenario(&message, load, &mut report));
    let warnings = report.finish()?;
    let (plan, seed) = read.ok_or_else(Vec::new)?;
    Ok(ScenarioFile {
        plan,
        seed,
        warnings,
    })
}

fn read_scenario(
    message: &Message<'_, '_>,
    load: &mut dyn FnMut(&str) -> Option<Model>,
    report: &mut Report,
) -> Option<(Plan, u64)> {
    let seed = message.wrapped_u64("seed", report).unwrap_or(1);
    let steps = message
        .u32_within("steps", 1..=10_000_000, report)
        .unwrap_or(200);
    if message.bool("drawn", report) == Some(true) {
        for field in FIXED.into_iter().filter(|field| message.has(field)) {
            let fault = "not allowed with drawn: true";
            report.push(message.error(field, "config/one-of", fault));
        }
        let rates = read_rates(message, Rates::EVERYTHING, report);
        return Some((Plan::Random { steps, rates }, seed));
    }
    let layout = read_layout(message, load, report);
    let gateways = message.u32_within("gateways", 1..=64, report).unwrap_or(1);
    let mut script = Vec::new();
    for (path, node) in message.list("events", report) {
        script.extend(read_event(node, path, layout.as_ref(), gateways, report));
    }
    Some((
        Plan::Fixed(Box::new(WorldScenario {
            clients: message
                .u32_within("clients", 1..=1_000_000, report)
                .unwrap_or(10) as usize,
            gateways: gateways as usize,
            view_delay: millis(message, "view_delay", 0..=HOUR, report).unwrap_or(0),
            every: millis(message, "every", 1..=HOUR, report).unwrap_or(100),
            steps,
            rates: read_rates(message, Rates::REQUESTS, report),
            script: order::sorted(script, |a, b| a.at.cmp(&b.at)),
            sessions: read_sessions(message, report),
            layout: layout?,
        })),
        seed,
    ))
}
