//! A generated configuration after the changes.

use serde_json::{Value, json};

use super::{
    changes::GeneratedChanges,
    generated::{manager_mut, name},
    merge::merge,
};
use crate::plan::{
    AdoptForm, module,
    stats::{MODULE, WASM},
    wasm::{self, CLUSTER_HEADER, HOST_HEADER},
};

impl GeneratedChanges {
    /// The generated bootstrap with the changes.
    #[must_use]
    pub fn steered(&self, bootstrap: &Value) -> Value {
        let mut steered = bootstrap.clone();
        merge(&mut steered, &self.of_bootstrap());
        if matches!(self.form, AdoptForm::Wasm(_)) {
            merge(&mut steered, &json!({"admin": {"address": self.admin}}));
        }
        let clusters = steered.pointer_mut("/static_resources/clusters");
        if let Some(clusters) = clusters.and_then(Value::as_array_mut) {
            for cluster in clusters.iter_mut() {
                let own = name(cluster).to_owned();
                let changes = self.clusters.iter();
                for change in changes.filter(|change| change.name == own) {
                    merge(cluster, &change.value);
                }
            }
            clusters.extend(self.admin_cluster());
        }
        let listener = steered
            .pointer_mut("/static_resources/listeners")
            .and_then(|listeners| listeners.get_mut(self.listener));
        if let Some(manager) = listener.and_then(manager_mut) {
            self.change_manager(manager);
        }
        steered
    }

    /// The merge into the bootstrap: labels of metrics, and for the module its extension.
    pub(super) fn of_bootstrap(&self) -> Value {
        match &self.form {
            AdoptForm::Wasm(_) => json!({"stats_config": {"stats_tags": WASM.all_tags()}}),
            AdoptForm::Module(name) => json!({
                "bootstrap_extensions": [module::bootstrap_extension(name)],
                "stats_config": {"stats_tags": MODULE.all_tags()},
            }),
        }
    }

    /// The cluster of the admin interface, which the Wasm form reads.
    pub(super) fn admin_cluster(&self) -> Option<Value> {
        match self.form {
            AdoptForm::Wasm(_) => Some(wasm::admin_cluster(&self.admin)),
            AdoptForm::Module(_) => None,
        }
    }

    /// The merge into the connection manager, apart from filters and routes.
    pub(super) fn of_manager(&self) -> Option<Value> {
        match self.form {
            AdoptForm::Wasm(_) => {
                Some(json!({"early_header_mutation_extensions": [wasm::early_mutation()]}))
            }
            AdoptForm::Module(_) => None,
        }
    }

    /// The filter that moves the host list into metadata. It removes the header of the cluster, too, unless
    /// routes follow it.
    pub(super) fn list_filter(&self) -> Value {
        if self.chooses_cluster() {
            wasm::list_to_metadata(&[("host", HOST_HEADER)])
        } else {
            wasm::list_to_metadata(&[("host", HOST_HEADER), ("cluster", CLUSTER_HEADER)])
        }
    }

    /// The filters before the router.
    fn filters(&self) -> Vec<Value> {
        match &self.form {
            AdoptForm::Wasm(file) => {
                let [filter, _] = wasm::filters(&self.config, file);
                vec![filter, self.list_filter()]
            }
            AdoptForm::Module(name) => vec![module::filter(&self.config, name)],
        }
    }

    fn change_manager(&self, manager: &mut Value) {
        if let Some(patch) = self.of_manager() {
            merge(manager, &patch);
        }
        let filters = manager
            .get_mut("http_filters")
            .and_then(Value::as_array_mut);
        if let Some(filters) = filters {
            let router = filters.len().saturating_sub(1);
            filters.splice(router..router, self.filters());
        }
        let hosts = manager.pointer_mut("/route_config/virtual_hosts");
        for host in hosts.and_then(Value::as_array_mut).into_iter().flatten() {
            let own = name(host).to_owned();
            let routes = host.get_mut("routes").and_then(Value::as_array_mut);
            for route in routes.into_iter().flatten() {
                let route_name = name(route).to_owned();
                let is_for = |route: &str| route == route_name;
                let changes = self.routes.iter().filter(|change| {
                    change.listener == self.listener
                        && change.host == own
                        && change.route.as_deref().is_none_or(is_for)
                });
                if route.get("route").is_some() {
                    changes.for_each(|change| merge(route, &change.value));
                }
            }
        }
    }
}
