//! The load-balancing policy of a cluster: its place, its settings and nested policies.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::OverrideHostSource;

use super::{FieldPlace, SubsetFacts};
use crate::node::{Node, NodeValue, Writer, write};

/// A policy with nested policies.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The file of the dynamic module, if the policy is the module's.
    pub module: Option<String>,
}

/// A source of override hosts (`OverrideHost.OverrideHostSource`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideSource {
    /// Its place.
    pub place: FieldPlace,
    /// What it reads.
    pub value: OverrideHostSource,
}

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
            module: None,
        }
    }

    /// Adds subset settings: those of a typed policy once that is being read.
    pub(in crate::envoy) fn add_subsets(&mut self, subsets: SubsetFacts) {
        if self.typed {
            self.typed_subsets = Some(subsets)
        } else {
            self.classic_subsets = Some(subsets)
        }
    }

    /// The subset settings in effect.
    #[must_use]
    pub const fn subsets(&self) -> Option<&SubsetFacts> {
        if self.typed {
            self.typed_subsets.as_ref()
        } else {
            self.classic_subsets.as_ref()
        }
    }
}

/// The classic subset settings as a typed policy around another one.
pub(in crate::envoy) fn stacked(classic: &Node<'_>, policy: &Node<'_>) -> String {
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
    if let NodeValue::Map(entries) = &classic.value {
        for entry in entries {
            writer.key(&entry.key.name);
            write(&entry.node, &mut writer, &|_| true);
        }
    }
    writer.key("subset_lb_policy");
    write(policy, &mut writer, &|_| true);
    for _ in 0..3 {
        writer.end_object();
    }
    writer.end_list();
    writer.end_object();
    writer.finish()
}
