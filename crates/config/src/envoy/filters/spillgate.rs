//! A Spillgate filter in a chain: the configuration of its plugin.

use alloc::{string::String, vec::Vec};

use crate::{
    Diagnostic, Position,
    envoy::{
        AdminAccess,
        plugin::{
            configuration_tree, configuration_value, is_dynamic_module, is_named_ours, module_name,
        },
    },
    form::FilterForm,
    node::{Document, Node},
    proto::{Any, field_of},
};

/// The type of Wasm filters, after the prefix of HTTP filters.
pub(crate) const WASM_TYPE: &str = "wasm.v3.Wasm";
/// The type of filters in dynamic modules, after the prefix of HTTP filters.
pub(crate) const DYNAMIC_MODULE_TYPE: &str = "dynamic_modules.v3.DynamicModuleFilter";

/// A Spillgate filter of a listener. [`steered`](crate::steered) reads its configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpillgateFilter {
    /// Its name in the chain.
    pub name: String,
    /// The form in which Envoy runs it.
    pub form: FilterForm,
    /// Whether ECDS delivers it: while it rejects this configuration, a previous one serves.
    pub discovered: bool,
    /// Whether a dump shows this configuration although the filter rejected it.
    pub(crate) rejected: bool,
    /// Its configuration, with its positions in the input; of a text that is not JSON, the error.
    pub config: Result<Document<'static>, Diagnostic>,
    /// The path of the configuration in the text.
    pub path: String,
    /// Where the configuration begins in the text.
    pub position: Position,
    /// The file of the dynamic module.
    pub(crate) module: Option<String>,
    /// The clusters with the policy of the same file: the dynamic module knows the hosts of no other clusters.
    /// `None` if the input has no clusters.
    pub(crate) published: Option<Vec<String>>,
    /// Whether its polls reach the admin interface.
    pub(crate) access: AdminAccess,
}

impl SpillgateFilter {
    /// A fault of its configuration with the path inside of that.
    pub(crate) fn inside(&self, fault: &Diagnostic) -> Diagnostic {
        let below = fault.path.strip_prefix(self.path.as_str());
        let below = below.map(|below| below.trim_start_matches('.'));
        Diagnostic {
            path: String::from(below.unwrap_or(&fault.path)),
            ..fault.clone()
        }
    }
}

/// The configuration of a Wasm filter or of a filter in a dynamic module, if it is a Spillgate filter.
pub(super) fn read_spillgate(any: &Any<'_, '_>, form: FilterForm) -> Option<SpillgateFilter> {
    let (configuration, path) = match form {
        FilterForm::Wasm => {
            let plugin = field_of(any.node, "config")?;
            let path = any.path.field("config").field("configuration");
            (field_of(plugin, "configuration")?, path)
        }
        FilterForm::DynamicModule if is_dynamic_module(any.node) => {
            let field = "filter_config";
            (field_of(any.node, field)?, any.path.field(field))
        }
        FilterForm::DynamicModule => return None,
    };
    let config = configuration_tree(configuration);
    let is_ours = match (form, &config) {
        (FilterForm::DynamicModule, _) => true,
        // A misspelled field can hide what the configuration is about.
        (FilterForm::Wasm, Ok(document)) => {
            document.roots.first().is_some_and(is_ours) || is_named(any)
        }
        (FilterForm::Wasm, Err(_)) => is_named(any),
    };
    is_ours.then(|| SpillgateFilter {
        name: String::new(),
        form,
        discovered: false,
        rejected: false,
        config,
        path: path.text(),
        position: configuration_value(configuration).position,
        module: module_name(any.node).map(String::from),
        published: None,
        access: AdminAccess::default(),
    })
}

/// Whether the name of a plugin is Spillgate's, if its configuration does not tell.
fn is_named(any: &Any<'_, '_>) -> bool {
    field_of(any.node, "config").is_some_and(is_named_ours)
}

/// Whether a plugin's configuration is Spillgate's: other plugins have no target and no clusters or
/// output headers.
fn is_ours(configuration: &Node<'_>) -> bool {
    let has = |name| configuration.get(name).is_some();
    (has("target") || has("targets") || has("weighted")) && (has("clusters") || has("output"))
}
