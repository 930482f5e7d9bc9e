//! The command with the same result.

use spillgate_core::model::Locality;
use spillgate_sim::fleet::LostCallers;

use super::{CallerZone, FleetInput, FleetStage, ZoneCallers, stage::short_name};
use crate::{
    state::{CommandInput, unchanged_import},
    view::screens::shell::CommandLine,
};

/// The command line for a shell; `None` if no command has the result.
///
/// Whether zone-aware routing counts callers is a setting of the configuration, and a link has no local cluster. A mesh is
/// evaluated from its documents.
#[must_use]
pub fn fleet_command(
    stage: &FleetStage,
    input: &FleetInput,
    command: &CommandInput,
) -> Option<String> {
    let has_local = unchanged_import(&stage.scenario).is_some() && stage.names_local_cluster;
    if stage.is_mesh || (stage.has_zone_aware && stage.counts_callers(input) != has_local) {
        return None;
    }
    let known = localities(stage);
    let mut zones = Vec::new();
    for zone in &stage.zones {
        zones.push((argument(zone, &known)?, input.zone(&zone.key)));
    }
    let callers = zones
        .iter()
        .map(|(zone, of)| format!("{zone}={}", of.callers));
    let callers: Vec<String> = callers.collect();
    let mut line = CommandLine::new("fleet", command, &stage.scenario);
    line = line.with_names("--callers", &callers.join(","));
    let rps = amounts(&zones, |of| Some(of.rps.unwrap_or(0.0)));
    line = line.with_names("--rps", &rps);
    let bytes = amounts(&zones, |of| of.bytes);
    if !bytes.is_empty() {
        line = line.with_names("--bytes", &bytes);
    }
    if let Some(capacity) = input.capacity {
        line = line.with("--capacity", &format!("{capacity}rps"));
    }
    if let Some(price) = input.price {
        line = line.with("--cost", &format!("cross-zone={price}"));
    }
    if input.lost_callers != LostCallers::Stay {
        line = line.with("--lost-callers", input.lost_callers.name());
    }
    Some(line.finish())
}

/// `10` if all zones have the same amount, otherwise `a=10,b=5`; empty without amounts.
fn amounts(zones: &[(String, ZoneCallers)], of: impl Fn(&ZoneCallers) -> Option<f64>) -> String {
    let all: Vec<Option<f64>> = zones.iter().map(|(_, callers)| of(callers)).collect();
    if let Some(Some(first)) = all.first()
        && all.iter().all(|amount| *amount == Some(*first))
    {
        return first.to_string();
    }
    let known = zones.iter().zip(&all);
    let known = known.filter_map(|((zone, _), amount)| Some(format!("{zone}={}", (*amount)?)));
    known.collect::<Vec<_>>().join(",")
}

/// The localities of all clusters: the command knows those of the local cluster, too.
fn localities(stage: &FleetStage) -> Vec<Locality> {
    let clusters = stage.scenario.clusters().iter();
    let priorities = clusters.flat_map(|cluster| cluster.priorities());
    let all = priorities.flat_map(|priority| &priority.localities);
    let mut found: Vec<Locality> = all.map(|of| of.locality.clone()).collect();
    found.sort();
    found.dedup();
    found
}

/// A zone in an option; `None` if its name has characters with a meaning there.
fn argument(zone: &CallerZone, known: &[Locality]) -> Option<String> {
    let of = &zone.locality;
    let names = [&of.region, &of.zone, &of.sub_zone];
    let has_mark = |name: &&String| name.contains([',', '=', '/']) || name.trim() != *name;
    if names.iter().any(has_mark) {
        return None;
    }
    Some(if of.zone.is_empty() {
        names.map(String::as_str).join("/")
    } else {
        short_name(of, known)
    })
}
