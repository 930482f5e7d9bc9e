//! The command with the same decision.

use crate::state::CommandInput;
use spillgate_codec::import::{RouteAnswer, RouteFieldKind};
use spillgate_core::model::{Policy, Value};
use spillgate_scenario::{EditedScenario, link::Disclosure};

use super::{SessionKind, TraceInput, TraceStage};
use crate::view::screens::shell::CommandLine;

/// The command line for a shell.
///
/// # Errors
/// The part of the request that `spillgate explain` has no option for, as a sentence.
pub fn command(
    input: &CommandInput,
    scenario: &EditedScenario,
    stage: &TraceStage,
    (request, routed): (&TraceInput, Option<&RouteAnswer>),
) -> Result<String, &'static str> {
    if let Some(answer) = routed {
        return routed_command(input, scenario, request, answer);
    }
    let mut line = CommandLine::new("explain", input, scenario);
    if request.seed > 0 {
        line = line.with("--seed", &request.seed.to_string());
    }
    if !request.key.is_empty() {
        line = line.with("--hash-key", &request.key);
    }
    let criteria = criteria(stage, request)?;
    if !criteria.is_empty() {
        line = line.with("--criteria", &criteria);
    }
    let active = request.active.split([' ', ',']);
    for entry in active.filter(|entry| !entry.is_empty()) {
        line = line.with_names("--active", entry);
    }
    match request.session {
        SessionKind::Spillgate => {
            return Err(
                "A session of the Spillgate filter needs its configuration and keys, which this page does not have.",
            );
        }
        SessionKind::Envoy | SessionKind::EnvoyStrict if !request.session_host.is_empty() => {
            line = line.with_names("--session-host", &request.session_host);
            if request.session == SessionKind::EnvoyStrict {
                line = line.with_switch("--strict-session");
            }
        }
        SessionKind::Without | SessionKind::Envoy | SessionKind::EnvoyStrict => {}
    }
    Ok(line.finish())
}

/// The command for a request to the routes of an unchanged import.
fn routed_command(
    input: &CommandInput,
    scenario: &EditedScenario,
    request: &TraceInput,
    answer: &RouteAnswer,
) -> Result<String, &'static str> {
    if input.names.is_some() {
        return Err("An edited import is a link, and links have no routes.");
    }
    if request.session != SessionKind::Without {
        return Err(
            "spillgate explain reads the session of a routed request from its cookie or header.",
        );
    }
    let mut line = CommandLine::without_cluster("explain", input, scenario)
        .with("--host", &answer.host)
        .with("--path", &answer.path);
    if answer.listeners.len() > 1
        && let Some(name) = answer.listeners.get(request.listener)
    {
        // The list also has the address.
        let name = name
            .split_once(" (")
            .map_or(name.as_str(), |(name, _)| name);
        line = line.with("--listener", name);
    }
    if !request.method.is_empty() {
        line = line.with("--method", &request.method);
    }
    for sent in &request.sent {
        let header = match sent.kind {
            RouteFieldKind::Cookie => format!("cookie: {}={}", sent.name, sent.value),
            _ => format!("{}: {}", sent.name, sent.value),
        };
        line = line.with("--header", &header);
    }
    if !request.source.is_empty() {
        line = line.with("--source", &request.source);
    }
    if request.seed > 0 {
        line = line.with("--seed", &request.seed.to_string());
    }
    let active = request.active.split([' ', ',']);
    for entry in active.filter(|entry| !entry.is_empty()) {
        line = line.with_names("--active", entry);
    }
    Ok(line.finish())
}

/// A note about the command if generated addresses change its decision; `None` if they do not.
#[must_use]
pub fn address_note(input: &CommandInput, stage: &TraceStage) -> Option<&'static str> {
    let generated = input
        .names
        .is_some_and(|names| names != Disclosure::Addresses);
    let owners = stage.snapshot.owners(stage.cluster);
    let mut plain = owners.filter_map(|id| stage.snapshot.plain(id));
    let hashes = plain.any(|plain| {
        matches!(
            plain.settings.policy,
            Policy::RingHash(_) | Policy::Maglev(_) | Policy::Rendezvous
        )
    });
    (generated && hashes).then_some(
        "The link has generated addresses, and this policy hashes addresses, so the command can choose another host. The Share dialog has a switch that includes the addresses.",
    )
}

/// The criteria as `--criteria` reads them. Values have the type of the hosts' values.
fn criteria(stage: &TraceStage, request: &TraceInput) -> Result<String, &'static str> {
    let mut text = String::new();
    for (key, label) in &request.criteria {
        let mut fields = stage.fields.iter();
        let Some(field) = fields.find(|field| field.key == *key) else {
            continue;
        };
        let value = match field.value(label) {
            Some(Value::Text(value)) => value.to_string(),
            Some(other) => other.to_string(),
            None => continue,
        };
        if [key, &value]
            .into_iter()
            .any(|word| word.contains([',', '=']))
        {
            return Err(
                "--criteria of spillgate explain does not support values with a comma or an equals sign.",
            );
        }
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&format!("{key}={value}"));
    }
    Ok(text)
}
