//! The load-balancing policy of a cluster: its place, its settings and nested policies.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, SubsetFacts, subsets, view::View};
use crate::node::{Writer, write};

/// A policy with nested policies.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyFacts {
    /// Place of the policy: `lb_policy`, or the config of the innermost typed policy.
    pub place: FieldPlace,
    /// Whether it is in `load_balancing_policy`.
    pub typed: bool,
    /// The message with its settings, such as `maglev_lb_config`, if present.
    pub settings: FieldPlace,
    /// The sources of override hosts, in order.
    pub overrides: Vec<OverrideSource>,
    /// The `fallback_policy` of override hosts.
    pub fallback: Option<FieldPlace>,
    /// `lb_subset_config`; possibly next to a typed policy, which Envoy rejects.
    pub classic_subsets: Option<SubsetFacts>,
    /// The typed subset policy.
    pub typed_subsets: Option<SubsetFacts>,
    /// If both are present: the typed policy that is equivalent to the two, as JSON.
    pub stacked: Option<String>,
    /// The zone-aware settings.
    pub zone_aware: Option<FieldPlace>,
    /// The setting that enables locality weights.
    pub locality_weighted: Option<FieldPlace>,
}

/// A source of override hosts (`OverrideHost.OverrideHostSource`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideSource {
    /// Its place.
    pub place: FieldPlace,
    /// What it reads.
    pub value: OverrideValue,
}

/// What an override host source reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverrideValue {
    /// A request header, lowercase.
    Header(String),
    /// Dynamic metadata: the namespace and the keys in it.
    Metadata {
        /// The namespace.
        namespace: String,
        /// The path of keys in it.
        keys: Vec<String>,
    },
}

const TYPED: &str = "load_balancing_policy";
const PREFIX: &str = "envoy.extensions.load_balancing_policies.";
const ZONE: &str = "zone_aware_lb_config";
const WEIGHTED: &str = "locality_weighted_lb_config";

/// The settings messages of the classic policies.
const SETTINGS: [&str; 4] = [
    "maglev_lb_config",
    "ring_hash_lb_config",
    "round_robin_lb_config",
    "least_request_lb_config",
];

impl PolicyFacts {
    /// No facts; `place` is the enclosing message.
    pub(super) fn none(place: FieldPlace) -> Self {
        Self {
            settings: place.clone(),
            place,
            typed: false,
            overrides: Vec::new(),
            fallback: None,
            classic_subsets: None,
            typed_subsets: None,
            stacked: None,
            zone_aware: None,
            locality_weighted: None,
        }
    }

    /// The subset settings in effect.
    #[must_use]
    pub const fn subsets(&self) -> Option<&SubsetFacts> {
        match self.typed {
            true => self.typed_subsets.as_ref(),
            false => self.classic_subsets.as_ref(),
        }
    }
}

/// Reads a cluster's policy.
pub(super) fn read(cluster: &View<'_, '_>) -> PolicyFacts {
    let mut facts = PolicyFacts::none(cluster.place());
    facts.classic_subsets = cluster
        .get("lb_subset_config")
        .map(|view| subsets::read(&view));
    if let Some(policy) = cluster.get(TYPED) {
        facts.typed = true;
        facts.stacked = cluster
            .get("lb_subset_config")
            .map(|classic| stacked(&classic, &policy));
        facts.place = policy.place();
        read_typed(&policy, &mut facts);
        return facts;
    }
    facts.place = match cluster.get("lb_policy") {
        Some(policy) => policy.place(),
        None => cluster.place().field("lb_policy"),
    };
    let mut settings = SETTINGS.iter().filter_map(|field| cluster.get(field));
    facts.settings = settings.next().map_or(cluster.place(), |view| view.place());
    if let Some(common) = cluster.get("common_lb_config") {
        read_localities(&common, &mut facts);
    }
    facts
}

fn read_localities(view: &View<'_, '_>, facts: &mut PolicyFacts) {
    facts.zone_aware = view.get(ZONE).map(|view| view.place());
    facts.locality_weighted = view.get(WEIGHTED).map(|view| view.place());
}

/// The policy that Envoy uses from a list, the first known one: its name and config.
fn taken<'n, 'a>(message: &View<'n, 'a>) -> Option<(&'n str, View<'n, 'a>)> {
    let policies = message.list("policies").into_iter();
    let mut known = policies.filter_map(|policy| {
        let (name, config) = policy.get("typed_extension_config")?.any("typed_config")?;
        Some((name.strip_prefix(PREFIX)?, config))
    });
    known.next()
}

/// The classic subset settings as a typed policy around another one.
fn stacked(classic: &View<'_, '_>, policy: &View<'_, '_>) -> String {
    let mut writer = Writer::new();
    writer.begin_object();
    writer.key("policies");
    writer.begin_list();
    writer.begin_object();
    writer.key("typed_extension_config");
    writer.begin_object();
    writer.key("name");
    writer.string("envoy.load_balancing_policies.subset");
    writer.key("typed_config");
    writer.begin_object();
    writer.key("@type");
    writer.string("type.googleapis.com/envoy.extensions.load_balancing_policies.subset.v3.Subset");
    for (name, value) in classic.entries() {
        writer.key(name);
        write(value.node, &mut writer, &|_| true);
    }
    writer.key("subset_lb_policy");
    write(policy.node, &mut writer, &|_| true);
    for _ in 0..3 {
        writer.end_object();
    }
    writer.end_list();
    writer.end_object();
    writer.finish()
}

/// Reads a policy with nested policies.
fn read_typed(message: &View<'_, '_>, facts: &mut PolicyFacts) {
    let Some((name, config)) = taken(message) else {
        return;
    };
    let inner = match name {
        "override_host.v3.OverrideHost" => {
            let sources = config.list("override_host_sources");
            facts.overrides.extend(sources.iter().filter_map(source));
            facts.fallback = config.get("fallback_policy").map(|view| view.place());
            "fallback_policy"
        }
        "subset.v3.Subset" => {
            facts.typed_subsets = Some(subsets::read(&config));
            "subset_lb_policy"
        }
        "wrr_locality.v3.WrrLocality" => {
            facts.locality_weighted = Some(config.place());
            "endpoint_picking_policy"
        }
        _ => {
            facts.place = config.place();
            facts.settings = config.place();
            read_localities(&config.get("locality_lb_config").unwrap_or(config), facts);
            return;
        }
    };
    if let Some(inner) = config.get(inner) {
        read_typed(&inner, facts);
    }
}

/// The subset settings in effect, classic or typed.
pub(super) fn subsets_in_force<'n, 'a>(cluster: &View<'n, 'a>) -> Option<View<'n, 'a>> {
    let Some(policy) = cluster.get(TYPED) else {
        return cluster.get("lb_subset_config");
    };
    let mut message = policy;
    loop {
        let (name, config) = taken(&message)?;
        message = match name {
            "override_host.v3.OverrideHost" => config.get("fallback_policy")?,
            "subset.v3.Subset" => return Some(config),
            _ => return None,
        };
    }
}

fn source(view: &View<'_, '_>) -> Option<OverrideSource> {
    let value = match view.text("header") {
        Some(header) => OverrideValue::Header(header.to_ascii_lowercase()),
        None => {
            let metadata = view.get("metadata")?;
            let path = metadata.list("path");
            let keys = path.iter().filter_map(|segment| segment.text("key"));
            OverrideValue::Metadata {
                namespace: metadata.text("key")?.into(),
                keys: keys.map(Into::into).collect(),
            }
        }
    };
    let place = view.place();
    Some(OverrideSource { place, value })
}
