//! The extensions of a bootstrap that Spillgate filters need.

use alloc::{string::String, vec::Vec};

use super::{
    elements::elements,
    steering::{text, vm_id},
};
use crate::{
    envoy::{
        common::name_of,
        plugin::{
            configuration_text, configuration_tree, configuration_value, is_dynamic_module,
            is_named_ours, module_name, rejection,
        },
    },
    filter::read_poller,
    proto::{Message, Report, field_of},
};

/// The type of a Wasm plugin that runs outside of requests.
const WASM_SERVICE: &str = "wasm.v3.WasmService";
/// How findings name the plugin that polls hosts and health for all workers.
pub const POLLER: &str = "Spillgate poller";
/// The type of an extension in a dynamic module.
const MODULE_EXTENSION: &str = "dynamic_modules.v3.DynamicModuleBootstrapExtension";

/// An extension of the bootstrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BootstrapExtensionFacts {
    /// A poller of Wasm filters.
    Poller {
        /// The virtual machine (`vm_config.vm_id`): filters in another one do not see its polls.
        vm_id: String,
        /// The clusters that it polls (`poll[].targets`).
        targets: Vec<String>,
    },
    /// The dynamic module in this file.
    Module(String),
}

impl BootstrapExtensionFacts {
    /// Those of a bootstrap.
    pub(in crate::envoy) fn of(bootstrap: &Message<'_, '_>, report: &mut Report) -> Vec<Self> {
        let field = "bootstrap_extensions";
        let all = elements(bootstrap.get(field)).iter().enumerate();
        all.filter_map(|(at, one)| {
            let config = field_of(one, "typed_config")?;
            let kind = name_of(config, "@type")?;
            if kind.ends_with(MODULE_EXTENSION) && is_dynamic_module(config) {
                return Some(Self::Module(module_name(config)?.into()));
            }
            let plugin = field_of(config, "config").filter(|_| kind.ends_with(WASM_SERVICE))?;
            let configuration = field_of(plugin, "configuration")?;
            if is_named_ours(plugin)
                && let Err(faults) = read_poller(&configuration_text(configuration))
            {
                let path = bootstrap.path.field(field).index(at).field("typed_config");
                let path = path.field("config").field("configuration");
                let position = configuration_value(configuration).position;
                report.push(rejection(POLLER, &faults).at(path.text(), position));
            }
            let polls = configuration_tree(configuration).ok()?;
            let polls = elements(field_of(polls.roots.first()?, "poll")).iter();
            let targets = polls.flat_map(|poll| elements(field_of(poll, "targets")));
            Some(Self::Poller {
                vm_id: vm_id(plugin),
                targets: targets.filter_map(text).map(String::from).collect(),
            })
        })
        .collect()
    }
}
