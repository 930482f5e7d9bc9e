//! The command with the same decision.

use spillgate_core::model::{Policy, Value};
use spillgate_playground::state::{
    CommandInput, PageScenario,
    link::{Disclosure, SharedScenario},
};

use super::{SessionKind, TraceInput, TraceStage};
use crate::shell::quoted;

/// The command line for a shell.
///
/// # Errors
/// The part of the request that `spillgate explain` has no option for, as a sentence.
pub fn command(
    input: &CommandInput,
    scenario: &PageScenario,
    stage: &TraceStage,
    request: &TraceInput,
) -> Result<String, &'static str> {
    // A link can have generated names, which the other arguments must use too.
    let names = input.names.unwrap_or(Disclosure::Addresses);
    let shared = SharedScenario::new(scenario, names);
    let mut line = input.line("explain");
    let mut add = |option: &str, value: &str| {
        line.push(' ');
        line.push_str(option);
        line.push(' ');
        line.push_str(&quoted(value));
    };
    add("--cluster", shared.scenario.name(scenario.root()));
    if request.seed > 0 {
        add("--seed", &request.seed.to_string());
    }
    if !request.key.is_empty() {
        add("--hash-key", &request.key);
    }
    let criteria = criteria(stage, request)?;
    if !criteria.is_empty() {
        add("--criteria", &criteria);
    }
    let active = request.active.split([' ', ',']);
    for entry in active.filter(|entry| !entry.is_empty()) {
        add("--active", &shared.text(entry));
    }
    match request.session {
        SessionKind::Spillgate => {
            return Err(
                "A session of the Spillgate filter needs its configuration and keys, which this page does not have.",
            );
        }
        SessionKind::Envoy | SessionKind::EnvoyStrict if !request.session_host.is_empty() => {
            add("--session-host", &shared.text(&request.session_host));
            if request.session == SessionKind::EnvoyStrict {
                line.push_str(" --strict-session");
            }
        }
        SessionKind::Without | SessionKind::Envoy | SessionKind::EnvoyStrict => {}
    }
    Ok(line)
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
