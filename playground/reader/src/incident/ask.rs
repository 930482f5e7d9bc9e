//! From a question to a cluster with its settings, and a script.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_codec::import::{IncidentFault, IncidentQuestion};
use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ReadOptions, read_sources},
    node::decode,
};
use spillgate_core::{
    duration::DurationText,
    model::{Metadata, Model},
};
use spillgate_incident::{
    HostBehavior, HostEvent, IncidentHealth, IncidentScript, IncidentSetup, RequestLoad,
    SettingChange,
    envoy::{ConfigOrigin, RoutingPriority, health_of, route_of, unknown_health},
    example_check,
};
use spillgate_sim::{SpecFault, spec::Piece};

use super::other;
use crate::{files::files, regex, remedy::for_page};

/// What a question is about.
pub(super) struct AskedIncident {
    pub(super) setup: IncidentSetup,
    pub(super) script: IncidentScript,
    /// The configuration, if the text is one of Envoy.
    pub(super) config: Option<EnvoyConfig>,
    /// The names of the changed settings.
    pub(super) changed: Vec<String>,
    /// Whether the health check is an example.
    pub(super) is_example: bool,
    /// What is not known.
    pub(super) doubts: Vec<String>,
}

/// Reads a question.
pub(super) fn read(
    text: &[u8],
    question: &IncidentQuestion,
) -> Result<AskedIncident, Vec<IncidentFault>> {
    let mut faults = Vec::new();
    let script = script(question, &mut faults);
    let changes = changes(question, &mut faults);
    let model = match Model::new(question.clusters.clone()) {
        Ok(model) => model,
        Err(errors) => {
            faults.extend(errors.iter().map(|error| other(format!("{error}"))));
            return Err(faults);
        }
    };
    let config = config_of(text);
    let mut doubts = Vec::new();
    let route = config
        .as_ref()
        .map(|config| route_of(config, &question.root, ConfigOrigin::Envoy, &mut doubts));
    let priority = route.as_ref().map(|route| route.priority);
    let priority = priority.unwrap_or(Some(RoutingPriority::Default));
    let health = health(&model, (config.as_ref(), priority), &mut doubts);
    let is_known = health.iter().any(|(_, settings)| settings.is_some());
    let health = health.into_iter();
    let health = health.map(|(name, settings)| (name, settings.unwrap_or_default()));
    let criteria = route.as_ref().map(|route| route.criteria.clone());
    let criteria = criteria.unwrap_or(Metadata::EMPTY);
    let setup = IncidentSetup::new(model, &question.root, criteria, health.collect());
    let Some(mut setup) = setup.filter(|setup| !setup.scene().hosts().is_empty()) else {
        faults.push(other(format!("{} has no hosts", question.root)));
        return Err(faults);
    };
    if let (Some(config), Some(route)) = (&config, route) {
        let names = question
            .clusters
            .iter()
            .map(|cluster| cluster.name.as_str());
        let limits = route.limits_over_time(config, &names.collect::<Vec<_>>());
        doubts.extend(limits.iter().map(limit_text));
        setup = setup
            .with_route(route.retry, route.timeouts)
            .with_retry_limits(route.retry_limits)
            .with_hash(route.has_hash)
            .with_sessions(route.sessions);
    }
    let is_example = !is_known && !changed(&question.changes).any(|name| name == "health_checks");
    if is_example {
        let example = SettingChange::parse("health_checks=on");
        for change in example.iter() {
            change.apply(&mut setup);
        }
        doubts.clear();
        doubts.push(example_doubt(text));
    }
    for (index, change) in changes {
        if !change.apply(&mut setup) {
            faults.push(IncidentFault {
                change: Some(index),
                ..other("the cluster has no such setting: switch its message on first".into())
            });
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    doubts.extend(setup.doubts(&script));
    Ok(AskedIncident {
        setup,
        script,
        config,
        changed: changed(&question.changes).map(String::from).collect(),
        is_example,
        doubts,
    })
}

/// The fault of the text of an event.
pub(super) fn of_event(event: usize, fault: &SpecFault) -> IncidentFault {
    IncidentFault {
        event: Some(event),
        ..other(fault_text(fault))
    }
}

fn fault_text(fault: &SpecFault) -> String {
    format!(
        "{}: found {}, expected {}",
        fault.message, fault.found, fault.expected
    )
}

fn script(question: &IncidentQuestion, faults: &mut Vec<IncidentFault>) -> IncidentScript {
    let mut events = Vec::new();
    for (index, (kind, text)) in question.events.iter().enumerate() {
        let Some(behavior) = HostBehavior::named(kind) else {
            faults.push(IncidentFault {
                event: Some(index),
                ..other(format!("unknown kind of event: {kind}"))
            });
            continue;
        };
        match HostEvent::parse(behavior, text) {
            Ok(event) => events.push(event),
            Err(found) => faults.extend(found.iter().map(|fault| of_event(index, fault))),
        }
    }
    let stated = |millis: u64| Some(millis).filter(|millis| *millis > 0);
    let script = IncidentScript {
        events,
        load: RequestLoad::constant(question.rps),
        service_time: stated(question.service_time_millis).map(Duration::from_millis),
        sessions: question.sessions,
        until: stated(question.until_millis).map(Duration::from_millis),
    };
    // With another fault, events can be missing, and so can their places.
    if faults.is_empty() {
        check_starts(&script, faults);
    }
    script
}

/// As in the command, an event must start before the end of the simulated time.
fn check_starts(script: &IncidentScript, faults: &mut Vec<IncidentFault>) {
    for (index, event) in script.events.iter().enumerate() {
        let span = format!("{}", event.span);
        let fault = script.late_start(event, Piece::whole(&span));
        faults.extend(fault.map(|fault| of_event(index, &fault)));
    }
}

fn changes(
    question: &IncidentQuestion,
    faults: &mut Vec<IncidentFault>,
) -> Vec<(usize, SettingChange)> {
    let mut changes = Vec::new();
    for (index, text) in question.changes.iter().enumerate() {
        match SettingChange::parse(text) {
            Ok(change) => changes.push((index, change)),
            Err(found) => faults.extend(found.iter().map(|fault| IncidentFault {
                change: Some(index),
                ..other(fault_text(fault))
            })),
        }
    }
    changes
}

/// The names of changed settings.
fn changed(changes: &[String]) -> impl Iterator<Item = &str> {
    let names = changes.iter().filter_map(|text| text.split_once('='));
    names.map(|(name, _)| name.trim())
}

/// The configuration of Envoy in a text. Expressions are not compiled: no request is routed here.
fn config_of(text: &[u8]) -> Option<EnvoyConfig> {
    let text = decode(text).ok()?;
    let options = ReadOptions {
        regex: Some(regex::keep),
        for_grpc: false,
    };
    read_sources(&files(text), &options).ok()
}

/// The settings of each cluster with hosts, by name; `None` where the input has only hosts.
fn health(
    model: &Model,
    (config, priority): (Option<&EnvoyConfig>, Option<RoutingPriority>),
    doubts: &mut Vec<String>,
) -> Vec<(String, Option<IncidentHealth>)> {
    let mut all = Vec::new();
    let clusters = model.clusters().iter();
    for cluster in clusters.filter(|cluster| cluster.members().is_empty()) {
        let name = &cluster.name;
        let marks = config.and_then(|config| config.marks.cluster(name));
        let settings = marks.and_then(|marks| Some((marks.health.as_deref()?, marks)));
        if settings.is_none() {
            doubts.push(unknown_health(name));
        }
        let settings = settings.map(|(settings, marks)| {
            let settings = (settings, &marks.circuit_breakers);
            health_of(name, settings, priority, doubts)
        });
        all.push((name.clone(), settings));
    }
    all
}

/// A setting that simulations do not model, with its line.
fn limit_text(limit: &Diagnostic) -> String {
    let place = limit.position.map(|at| format!(" (line {})", at.line));
    format!("{}{}", for_page(&limit.message), place.unwrap_or_default())
}

fn example_doubt(text: &[u8]) -> String {
    let why = if text.is_empty() {
        "there is no imported configuration with health checks here, such as after a link, which has only hosts"
    } else {
        "the imported text has no health checks and no outlier detection of these clusters that this screen reads"
    };
    let check = example_check();
    format!(
        "{why}: the answer is about an example, a check every {} with a timeout of {}; {} failures in a row make a host unhealthy, {} successes healthy",
        DurationText(check.interval),
        DurationText(check.timeout),
        check.unhealthy_threshold,
        check.healthy_threshold
    )
}
