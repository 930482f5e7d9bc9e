//! Token keys that others can read.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::FilterKind;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// `affinity.keys_from_env` names a variable, and `vm_config.environment_variables.key_values` has
/// its value.
///
/// `/config_dump` shows the keys. Its readers can forge session tokens.
pub(crate) static IN_DUMP: Rule = Rule {
    id: "session-keys-in-dump",
    severity: Severity::Warning,
    summary: "session keys in key_values, which /config_dump shows",
    check: in_dump,
};

/// Finds keys in `key_values`.
fn in_dump(context: &Context<'_>, sink: &mut Sink) {
    let listeners = context
        .config
        .listeners
        .iter()
        .filter_map(|listener| listener.facts.as_ref());
    for filter in listeners.flat_map(|listener| &listener.filters) {
        let FilterKind::Spillgate(ours) = &filter.kind else {
            continue;
        };
        // Listeners can share a filter from ECDS.
        let Some(place) = ours
            .dumped_keys
            .as_ref()
            .filter(|place| !sink.has(&place.path))
        else {
            continue;
        };
        let cause = format!(
            "the VM of filter {} gets the session keys from key_values",
            quoted(&filter.name)
        );
        let effect =
            "/config_dump and the configuration show the keys: readers can forge session tokens";
        let fix = "list the variable in host_env_keys, and set it in the environment of Envoy";
        sink.add(place, cause, effect, fix);
    }
}
