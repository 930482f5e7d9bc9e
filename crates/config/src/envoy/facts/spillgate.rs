//! What Spillgate filters expect of the configuration around them.

use alloc::{string::String, vec::Vec};

use super::{
    FieldPlace, SteeringFacts,
    steering::{is_true, text},
};
use crate::{
    envoy::common::name_of,
    form::FilterForm,
    node::{Node, NodeValue},
    output::{OutputMode, read_output},
    proto::{Any, Message, Path, Report, Schema, field_of},
};

/// The facts of a Spillgate filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpillgateFacts {
    /// The form in which Envoy runs it.
    pub form: FilterForm,
    /// The headers that it drops from client requests, lowercase.
    pub dropped: Vec<String>,
    /// The names of its clusters.
    pub clusters: Vec<String>,
    /// What restricts the hosts of a request, if anything does.
    pub restriction: Option<HostRestriction>,
    /// How Envoy receives the hosts.
    pub delivery: HostDelivery,
    /// What a request needs to stay out of the last step of its chain, if that step has all hosts.
    pub open_chain: Option<OpenChain>,
    /// Whether it refuses a session instead of moving it (`affinity.on_lost` with a status).
    pub refuses_lost: bool,
    /// The token keys in the text of the configuration, although `affinity.keys_from_env` names a
    /// variable: its value in `vm_config.environment_variables.key_values`.
    pub dumped_keys: Option<FieldPlace>,
    /// What it needs of the configuration around it.
    pub steering: SteeringFacts,
}

/// What restricts the hosts of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostRestriction {
    /// `subset_chain`.
    Chain,
    /// `criteria` or `metadata_match`.
    Criteria,
    /// `affinity`.
    Sessions,
}

/// A chain that ends with `any`, after steps that all need a request header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenChain {
    /// The key that every earlier step has.
    pub key: String,
    /// The header that alone gives its value, lowercase.
    pub header: String,
    /// Whether requests are to be refused rather than reach a wrong host (`on_stale`, `on_unknown`).
    pub refuses: bool,
}

/// How Envoy receives the hosts of a decision (`output.mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostDelivery {
    /// A list for `override_host` with at most this many hosts.
    List(u64),
    /// One host for `stateful_session`.
    Session,
    /// A subset, of which Envoy chooses the host.
    Subset,
}

/// The fields that lint compares with Envoy's settings.
static OUTLINE: Schema = Schema::new(
    "the filter's configuration",
    "clusters output reserved_headers subset_chain criteria metadata_match affinity health \
     target targets weighted route_settings",
);

impl SpillgateFacts {
    /// Reads the configuration of a filter. Its own reader reports the faults.
    pub(in crate::envoy) fn read(
        root: &Node<'_>,
        form: FilterForm,
        filter: &Any<'_, '_>,
    ) -> Option<Self> {
        let unreported = &mut Report::default();
        let message = Message::open(root, Path::root(), &OUTLINE, unreported)?;
        let output = read_output(&message, unreported);
        let mut dropped = Vec::from([output.host_header.clone(), output.cluster_header.clone()]);
        for node in message.strings("reserved_headers", unreported) {
            if let NodeValue::String(name) = &node.value {
                dropped.push(name.to_ascii_lowercase());
            }
        }
        let clusters = message
            .list("clusters", unreported)
            .filter_map(|(_, node)| name_of(node, "name").map(String::from));
        let affinity = message.get("affinity");
        let on_lost = affinity.and_then(|affinity| field_of(affinity, "on_lost"));
        Some(Self {
            form,
            dropped,
            clusters: clusters.collect(),
            restriction: restriction(&message, unreported),
            open_chain: OpenChain::of(&message, unreported),
            delivery: match output.mode {
                OutputMode::OverrideHost => HostDelivery::List(output.candidates as u64),
                OutputMode::StatefulSession => HostDelivery::Session,
                OutputMode::SubsetHeaders => HostDelivery::Subset,
            },
            refuses_lost: on_lost.is_some_and(|lost| field_of(lost, "status").is_some()),
            dumped_keys: affinity.and_then(|affinity| dumped_keys(affinity, filter)),
            steering: SteeringFacts::of(&message, form, filter, output),
        })
    }
}

impl OpenChain {
    fn of(message: &Message<'_, '_>, unreported: &mut Report) -> Option<Self> {
        let mut chain: Vec<_> = message.list("subset_chain", unreported).collect();
        let (_, last) = chain.pop()?;
        is_true(field_of(last, "any")?).then_some(())?;
        let keys = |step| {
            let keys = field_of(step, "keys").map(|keys| &keys.value);
            match keys {
                Some(NodeValue::List(keys)) => keys.as_slice(),
                _ => &[],
            }
        };
        let (_, first) = chain.first()?;
        let mut keys_of_all = keys(*first).iter().filter_map(text);
        let criteria: Vec<_> = message.list("criteria", unreported).collect();
        // The route, or all requests, may have the key.
        let sets_others = |(_, node): &(_, &Node<'_>)| field_of(node, "route_metadata").is_some();
        if message.has("metadata_match") || criteria.iter().any(sets_others) {
            return None;
        }
        let (key, header) = keys_of_all.find_map(|key| {
            let mut steps = chain.iter();
            let in_all =
                steps.all(|(_, step)| keys(*step).iter().filter_map(text).any(|one| one == key));
            let own = |(_, node): &&(_, &Node<'_>)| name_of(node, "key") == Some(key);
            let mut sources = criteria
                .iter()
                .filter(own)
                .map(|(_, node)| name_of(node, "header"));
            let header = sources.next()??;
            (in_all && sources.all(|source| source == Some(header))).then_some((key, header))
        })?;
        let health = message.get("health");
        let refuses = |field| health.and_then(|health| name_of(health, field)) == Some("refuse");
        Some(Self {
            key: String::from(key),
            header: header.to_ascii_lowercase(),
            refuses: refuses("on_stale") || refuses("on_unknown"),
        })
    }
}

/// The value of the variable with the token keys, if the plugin's VM gets it from the configuration.
fn dumped_keys(affinity: &Node<'_>, filter: &Any<'_, '_>) -> Option<FieldPlace> {
    let name = name_of(affinity, "keys_from_env")?;
    let (mut node, mut path) = (filter.node, filter.path.clone());
    for field in ["config", "vm_config", "environment_variables", "key_values"] {
        node = field_of(node, field)?;
        path = path.field(field);
    }
    let NodeValue::Map(values) = &node.value else {
        return None;
    };
    let value = values.iter().find(|value| value.key.name == name)?;
    let path = path.field(String::from(name));
    Some(FieldPlace::new(&path, value.node.position))
}

/// The narrowest restriction.
fn restriction(message: &Message<'_, '_>, unreported: &mut Report) -> Option<HostRestriction> {
    let mut has = |field| message.list(field, unreported).next().is_some();
    if has("subset_chain") {
        Some(HostRestriction::Chain)
    } else if has("criteria") || message.has("metadata_match") {
        Some(HostRestriction::Criteria)
    } else {
        message.has("affinity").then_some(HostRestriction::Sessions)
    }
}
