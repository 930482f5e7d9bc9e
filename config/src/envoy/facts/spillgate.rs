//! Spillgate filters, recognized by their configuration.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, view::View};
use crate::{
    envoy::plugin::is_native_module,
    form::FilterForm,
    node::{self, Document},
    proto::Path,
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
    /// Whether it refuses a session instead of moving it (`affinity.on_lost` with a status).
    pub refuses_lost: bool,
    /// The token keys in the text of the configuration, although `affinity.keys_from_env` names a
    /// variable: its value in `vm_config.environment_variables.key_values`.
    pub dumped_keys: Option<FieldPlace>,
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

impl Default for HostDelivery {
    fn default() -> Self {
        Self::List(CANDIDATES)
    }
}

/// Default of `output.candidates`.
const CANDIDATES: u64 = 3;

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// Reads the message of an HTTP filter in a form; `None` for another filter.
pub(super) fn read(filter: &View<'_, '_>, form: FilterForm) -> Option<SpillgateFacts> {
    let plugin = match form {
        FilterForm::Wasm => filter.get("config")?,
        FilterForm::Native if is_native_module(filter.node) => {
            View::new(filter.node, filter.path.clone())
        }
        FilterForm::Native => return None,
    };
    let (type_name, configuration) = plugin.any(match form {
        FilterForm::Wasm => "configuration",
        FilterForm::Native => "filter_config",
    })?;
    if type_name != STRING_VALUE {
        let inner = configuration.get("value").unwrap_or(configuration);
        return of_configuration(&inner, &plugin, form);
    }
    let document: Document<'_> = node::read_json(configuration.text("value")?).ok()?;
    let root = document.roots.first()?;
    of_configuration(&View::new(root, Path::root()), &plugin, form)
}

fn of_configuration(
    view: &View<'_, '_>,
    plugin: &View<'_, '_>,
    form: FilterForm,
) -> Option<SpillgateFacts> {
    let targets = ["target", "targets", "weighted"];
    targets.iter().find_map(|field| view.get(field))?;
    let output = view.get("output");
    view.get("clusters").or(output.clone())?;
    let name = |field, default: &str| {
        let stated = output.as_ref().and_then(|output| output.text(field));
        stated.unwrap_or(default).to_ascii_lowercase()
    };
    let mut dropped = Vec::from([
        name("host_header", "x-spillgate-host"),
        name("cluster_header", "x-spillgate-cluster"),
    ]);
    let reserved = view.texts("reserved_headers").into_iter();
    dropped.extend(reserved.map(|name| name.to_ascii_lowercase()));
    let clusters = view.list("clusters").into_iter();
    let mode = output.as_ref().and_then(|output| output.text("mode"));
    let candidates = output
        .as_ref()
        .and_then(|output| output.number("candidates"));
    let on_lost = view.at(&["affinity", "on_lost", "status"]);
    Some(SpillgateFacts {
        form,
        dropped,
        clusters: clusters
            .filter_map(|one| one.text("name").map(Into::into))
            .collect(),
        restriction: restriction(view),
        delivery: match mode {
            Some("stateful_session") => HostDelivery::Session,
            Some("subset_headers") => HostDelivery::Subset,
            _ => HostDelivery::List(candidates.unwrap_or(CANDIDATES)),
        },
        refuses_lost: on_lost.is_some(),
        dumped_keys: dumped_keys(view, plugin),
    })
}

/// The value of the variable with the token keys, if the plugin's VM gets it from the configuration.
fn dumped_keys(view: &View<'_, '_>, plugin: &View<'_, '_>) -> Option<FieldPlace> {
    let affinity = view.get("affinity")?;
    let name = affinity.text("keys_from_env")?;
    let values = plugin.at(&["vm_config", "environment_variables", "key_values"])?;
    let mut values = values.entries().into_iter();
    let (_, value) = values.find(|(key, _)| *key == name)?;
    Some(value.place())
}

/// The narrowest restriction.
fn restriction(view: &View<'_, '_>) -> Option<HostRestriction> {
    let has = |field| view.get(field).is_some() && !view.list(field).is_empty();
    if has("subset_chain") {
        Some(HostRestriction::Chain)
    } else if has("criteria") || view.get("metadata_match").is_some() {
        Some(HostRestriction::Criteria)
    } else {
        view.get("affinity").map(|_| HostRestriction::Sessions)
    }
}
