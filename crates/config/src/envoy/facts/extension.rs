//! The extensions of a bootstrap that Spillgate filters need.

use alloc::{string::String, vec::Vec};

use super::{
    FieldPlace,
    elements::elements,
    steering::{text, vm_id},
};
use crate::{
    envoy::{
        common::name_of,
        plugin::{
            configuration_text, configuration_tree, configuration_value, is_dynamic_module,
            is_named_ours, module_name,
        },
    },
    proto::{Message, field_of},
};

/// The type of a Wasm plugin that runs outside of requests.
const WASM_SERVICE: &str = "wasm.v3.WasmService";
/// The type of an extension in a dynamic module.
const MODULE_EXTENSION: &str = "dynamic_modules.v3.DynamicModuleBootstrapExtension";

/// The configuration of a poller whose name is Spillgate's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPoller {
    /// As Envoy passes it to the plugin.
    pub text: String,
    /// Its place.
    pub place: FieldPlace,
}

/// An extension of the bootstrap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BootstrapExtensionFacts {
    /// A poller of Wasm filters.
    Poller {
        /// Its configuration, if its name is Spillgate's.
        own: Option<OwnPoller>,
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
            let path = bootstrap.path.field(field).index(at).field("typed_config");
            let path = path.field("config").field("configuration");
            let position = configuration_value(configuration).position;
            let own = is_named_ours(plugin).then(|| OwnPoller {
                text: configuration_text(configuration).into(),
                place: FieldPlace::new(&path, position),
            });
            let polls = configuration_tree(configuration).ok()?;
            let polls = elements(field_of(polls.roots.first()?, "poll")).iter();
            let targets = polls.flat_map(|poll| elements(field_of(poll, "targets")));
            Some(Self::Poller {
                vm_id: vm_id(plugin),
                own,
                targets: targets.filter_map(text).map(String::from).collect(),
            })
        })
        .collect()
    }
}
