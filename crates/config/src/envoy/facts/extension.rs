//! The extensions of a bootstrap that Spillgate filters need.

use alloc::{string::String, vec::Vec};

use super::{
    elements::elements,
    steering::{text, vm_id},
};
use crate::{
    envoy::{
        common::name_of,
        plugin::{configuration_tree, is_dynamic_module, module_name},
    },
    proto::{Message, field_of},
};

/// The type of a Wasm plugin that runs outside of requests.
const WASM_SERVICE: &str = "wasm.v3.WasmService";
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
    pub(in crate::envoy) fn of(bootstrap: &Message<'_, '_>) -> Vec<Self> {
        let all = elements(bootstrap.get("bootstrap_extensions")).iter();
        all.filter_map(|one| {
            let config = field_of(one, "typed_config")?;
            let kind = name_of(config, "@type")?;
            if kind.ends_with(MODULE_EXTENSION) && is_dynamic_module(config) {
                return Some(Self::Module(module_name(config)?.into()));
            }
            let plugin = field_of(config, "config").filter(|_| kind.ends_with(WASM_SERVICE))?;
            let polls = configuration_tree(field_of(plugin, "configuration")?).ok()?;
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
