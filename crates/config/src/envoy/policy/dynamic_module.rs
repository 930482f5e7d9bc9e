//! The load-balancing policy of the dynamic module.

use alloc::vec::Vec;

use spillgate_core::{model::OverrideHostSource, route::CHOSEN_HOST};

use super::read_policy::ReadPolicy;
use crate::{
    envoy::plugin::{configuration_text, is_dynamic_module, rejection},
    proto::{Any, Report, field_of},
    undecided::read_policy,
};

/// Reads `DynamicModulesLoadBalancerConfig`; `None` for another module.
pub(super) fn read_dynamic_module(any: &Any<'_, '_>, report: &mut Report) -> Option<ReadPolicy> {
    if !is_dynamic_module(any.node) {
        return None;
    }
    let config = field_of(any.node, "lb_policy_config");
    let text = config.map(configuration_text).unwrap_or_default();
    let undecided = read_policy(&text).unwrap_or_else(|faults| {
        let position = config.map_or(any.node.position, |config| config.position);
        let path = any.path.field("lb_policy_config");
        report.push(rejection("policy of the dynamic module", &faults).at(path.text(), position));
        Default::default()
    });
    Some(ReadPolicy {
        override_hosts: Vec::from([OverrideHostSource::Header(CHOSEN_HOST.into())]),
        undecided: Some(undecided),
        ..ReadPolicy::default()
    })
}
