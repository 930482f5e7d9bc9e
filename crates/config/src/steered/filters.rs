//! The configurations of the Spillgate filters of a listener.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{ChainHosts, ClusterKind};

use crate::{
    Diagnostic,
    envoy::{BlockedPolls, ListenerConfig, SpillgateFilter, has_hosts, plugin::rejection},
    filter::{
        self, FilterConfig, FilterForm, HealthSource, KeyLookup, UnknownHostsPolicy, VariableKeys,
    },
    node::quote,
    proto::Path,
};

/// The configurations of a listener's filters.
#[derive(Debug, Default)]
pub struct SteeringConfigs {
    /// By the number in [`RequestFilter::Spillgate`](spillgate_core::route::RequestFilter); `None`
    /// if the filter rejects its configuration.
    pub configs: Vec<Option<FilterConfig>>,
    /// By the same number: the clusters whose hosts the filter does not know.
    pub unknown: Vec<Vec<String>>,
    /// Warnings about rejected configurations, and about unknown hosts.
    pub warnings: Vec<Diagnostic>,
    /// Warnings about configurations without their sessions, whose keys are unknown.
    pub unknown_keys: Vec<Diagnostic>,
}

/// Reads the configurations of a listener's filters. Sessions are left out if their keys come from
/// an environment variable.
///
/// Without the feature `steering` only their hosts are read: clusters, chain and health source.
#[must_use]
pub fn steering_configs(listener: &ListenerConfig) -> SteeringConfigs {
    steering_configs_with(listener, &|_| VariableKeys::Unknown)
}

/// Reads the configurations of a listener's filters; `keys` finds the token keys of
/// `affinity.keys_from_env`.
#[must_use]
pub fn steering_configs_with(listener: &ListenerConfig, keys: KeyLookup<'_>) -> SteeringConfigs {
    let mut read = SteeringConfigs::default();
    for filter in &listener.spillgate {
        let mut config = if filter.rejected {
            // A warning of the reader says so.
            None
        } else {
            read_config(filter, keys)
                .map_err(|faults| read.warnings.push(rejected(filter, &faults)))
                .ok()
        };
        let warnings = config.iter().flat_map(|config| &config.warnings);
        let idle = warnings.filter(|warning| warning.code == "config/no-effect");
        read.warnings
            .extend(idle.map(|warning| without_effect(filter, warning)));
        let unknown = config
            .as_ref()
            .and_then(|config| config.unknown_keys.as_ref())
            .map(|name| unknown_keys(filter, name));
        read.unknown_keys.extend(unknown);
        let unknown = config.as_mut().map(|config| match filter.form {
            FilterForm::DynamicModule => unpublished(filter, config, &mut read.warnings),
            FilterForm::Wasm => unpolled(filter, config, &mut read.warnings),
        });
        let unknown = unknown.unwrap_or_default();
        read.unknown.push(unknown);
        read.configs.push(config);
    }
    read
}

fn read_config(
    filter: &SpillgateFilter,
    keys: KeyLookup<'_>,
) -> Result<FilterConfig, Vec<Diagnostic>> {
    let document = filter.config.as_ref();
    let document = document.map_err(|fault| Vec::from([fault.clone()]))?;
    let path = Path::root().field(filter.path.clone());
    filter::read_embedded(filter.form, document, path, keys)
}

/// Without its keys, a session cannot be simulated.
fn unknown_keys(filter: &SpillgateFilter, name: &str) -> Diagnostic {
    let message =
        format!("environment variable {name} is not set; session tokens are not opened or issued");
    Diagnostic::warning("config/unknown-keys", message)
        .at(filter.path.as_str(), filter.position)
        .expected("--keys FILE, or the variable with the token keys")
}

/// The clusters of a Wasm filter whose hosts it never learns, because its polls of the admin interface fail.
/// Those in its configuration stay as configured.
fn unpolled(
    filter: &SpillgateFilter,
    config: &mut FilterConfig,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let HealthSource::Admin(admin) = &config.health else {
        return Vec::new();
    };
    let mut has_subsets = false;
    let clusters = config.model.clusters().iter();
    let unknown = clusters.filter(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => {
            has_subsets |= plain.subsets.is_some();
            !has_hosts(&plain.priorities)
        }
        _ => false,
    });
    let unknown: Vec<String> = unknown.map(|cluster| cluster.name.clone()).collect();
    let mut steps = config.model.chain().iter();
    let selects = steps.any(|step| !matches!(step.hosts, ChainHosts::Any));
    let metadata = config.selects_hosts() && (selects || has_subsets) && !unknown.is_empty();
    let Some(blocked) = filter.access.blocked(&admin.cluster, metadata) else {
        return Vec::new();
    };
    let why = match blocked {
        BlockedPolls::NoCluster => format!("there is no cluster {}", quote(&admin.cluster)),
        BlockedPolls::NoAdmin => "the bootstrap has no admin".into(),
        BlockedPolls::NotAllowed(path) => format!("allow_paths of admin omits {path}"),
    };
    let effect = match config.on_unknown() {
        _ if unknown.is_empty() => "hosts and health stay as configured",
        UnknownHostsPolicy::Refuse => "while hosts are unknown, requests get 503",
        UnknownHostsPolicy::PassThrough => {
            "requests to unknown hosts pass through without a decision"
        }
    };
    let message =
        format!("the Spillgate filter cannot poll the admin interface, because {why}: {effect}");
    let warning = Diagnostic::warning("config/polls-blocked", message)
        .at(filter.path.as_str(), filter.position)
        .expected("the wiring that spillgate lint checks (steered-poll-blocked)");
    warnings.push(warning);
    if unknown.is_empty() {
        config.health = HealthSource::Static;
    }
    unknown
}

/// The clusters of a dynamic module's filter of which the module gets no hosts from Envoy.
fn unpublished(
    filter: &SpillgateFilter,
    config: &FilterConfig,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let Some(published) = &filter.published else {
        return Vec::new();
    };
    let clusters = config.model.clusters().iter();
    let plain = clusters.filter(|cluster| matches!(cluster.kind, ClusterKind::Plain(_)));
    let names = plain.map(|cluster| &cluster.name);
    let unknown = names.filter(|name| !published.contains(name));
    let unknown: Vec<String> = unknown.cloned().collect();
    if !unknown.is_empty() {
        warnings.push(without_hosts(filter, config, &unknown));
    }
    unknown
}

/// The handling of requests to clusters whose hosts the module does not know.
fn without_hosts(
    filter: &SpillgateFilter,
    config: &FilterConfig,
    unknown: &[String],
) -> Diagnostic {
    let effect = match config.on_unknown() {
        UnknownHostsPolicy::Refuse => "its requests get 503",
        UnknownHostsPolicy::PassThrough => "its requests pass through without a decision",
    };
    let names = unknown.join(", ");
    let message = format!("the dynamic module does not know the hosts of {names}: {effect}");
    Diagnostic::warning("config/hosts-not-published", message)
        .at(filter.path.as_str(), filter.position)
        .expected("clusters of Envoy with the policy of the module, in the same file")
}

/// A restriction of the filter that acts for some requests only.
fn without_effect(filter: &SpillgateFilter, warning: &Diagnostic) -> Diagnostic {
    Diagnostic {
        position: warning.position.or(Some(filter.position)),
        ..warning.clone()
    }
}

/// Envoy rejects the listener or the update, so the filter has no effect.
fn rejected(filter: &SpillgateFilter, faults: &[Diagnostic]) -> Diagnostic {
    let position = faults.first().and_then(|fault| fault.position);
    let faults: Vec<Diagnostic> = faults.iter().map(|fault| filter.inside(fault)).collect();
    let mut warning = rejection("Spillgate filter", &faults);
    if filter.discovered {
        warning.message += "; a previous configuration serves, which is not in the input";
    }
    warning
        .at(filter.path.as_str(), position.unwrap_or(filter.position))
        .expected("a configuration of the filter (spillgate explain-code config/filter-rejected)")
}
