//! The changes of a generated configuration, resource by resource.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;

use super::{
    difference::difference,
    generated::{clusters, items, listeners, name, of_proxy, virtual_hosts},
};
use crate::{
    EditText,
    plan::{AdoptForm, AdoptOptions, Adopted, adopt, filter::ADMIN_CLUSTER},
};

/// A merge into the cluster of this name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClusterMerge {
    pub(super) name: String,
    pub(super) value: Value,
}

/// A merge into routes of a virtual host.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RouteMerge {
    /// The index of the listener.
    pub(super) listener: usize,
    /// The virtual host.
    pub(super) host: String,
    /// The name of the routes; `None` for all routes to clusters.
    pub(super) route: Option<String>,
    pub(super) value: Value,
}

/// The changes with which the filter steers a generated configuration.
#[derive(Debug)]
pub struct GeneratedChanges {
    /// The form of the filter.
    pub(super) form: AdoptForm,
    /// The configuration of the filter.
    pub(super) config: Value,
    pub(super) clusters: Vec<ClusterMerge>,
    pub(super) routes: Vec<RouteMerge>,
    /// The address of the proxy's admin interface.
    pub(super) admin: Value,
    /// The index of the listener that the filter steers.
    pub(super) listener: usize,
    /// The plan, and its result as a bootstrap.
    pub adopted: Adopted,
}

impl GeneratedChanges {
    /// Whether changes are for single routes by their names.
    #[must_use]
    pub fn names_routes(&self) -> bool {
        self.routes.iter().any(|route| route.route.is_some())
    }

    /// Whether the filter chooses the cluster of a route, which then follows a header.
    pub(super) fn chooses_cluster(&self) -> bool {
        self.routes
            .iter()
            .any(|route| route.value.pointer("/route/cluster_header").is_some())
    }
}

/// Plans the changes of a generated bootstrap, whose listeners have one connection manager each with its
/// own routes. `admin`: the port of the proxy's admin interface on 127.0.0.1.
///
/// # Errors
/// Everything that cannot be carried over, or that a merge cannot express, by its path in the bootstrap.
pub fn adopt_generated(
    bootstrap: &Value,
    admin: u16,
    options: &AdoptOptions,
) -> Result<GeneratedChanges, Vec<Diagnostic>> {
    let admin = json!({"socket_address": {"address": "127.0.0.1", "port_value": admin}});
    let before = of_proxy(bootstrap, &admin);
    let text = EditText::new(before.to_string()).map_err(|fault| vec![fault])?;
    let adopted = adopt(&[text], options).map_err(|faults| {
        let unplaced = faults.into_iter().map(|fault| Diagnostic {
            position: None,
            ..fault
        });
        unplaced.collect::<Vec<_>>()
    })?;
    let text = adopted.texts.first().cloned().unwrap_or_default();
    let after = EditText::new(text).map_err(|fault| vec![fault])?;
    let after = after.value();
    let (clusters, mut faults) = cluster_merges(&before, after, &adopted.clusters);
    let (routes, wrong) = route_merges(&before, after);
    faults.extend(wrong);
    if !faults.is_empty() {
        return Err(faults);
    }
    let changed = listeners(&before).iter().zip(listeners(after));
    let listener = changed
        .into_iter()
        .position(|(before, after)| before != after);
    let mut config = adopted.filter.clone().unwrap_or_default();
    if let (AdoptForm::Wasm(_), Some(fields)) = (&options.form, config.as_object_mut()) {
        // No object adds a poller, so workers poll. Each poll serves all workers.
        let health = json!({"source": "admin", "cluster": ADMIN_CLUSTER, "poller": "worker", "interval": "1s"});
        fields.insert("health".into(), health);
    }
    Ok(GeneratedChanges {
        form: options.form.clone(),
        config,
        clusters,
        routes,
        admin,
        listener: listener.unwrap_or(0),
        adopted,
    })
}

fn fault(path: String, what: &str) -> Diagnostic {
    Diagnostic::error("adopt/not-carried-over", what).at(path, None)
}

/// The merges of the clusters of the filter.
fn cluster_merges(
    before: &Value,
    after: &Value,
    names: &[String],
) -> (Vec<ClusterMerge>, Vec<Diagnostic>) {
    let (mut merges, mut faults) = (Vec::new(), Vec::new());
    for (at, cluster) in clusters(before).iter().enumerate() {
        let own = name(cluster);
        let new = clusters(after).iter().find(|new| name(new) == own);
        let Some(new) = new.filter(|_| names.iter().any(|name| name == own)) else {
            continue;
        };
        match difference(cluster, new) {
            Ok(value) => merges.extend(value.map(|value| ClusterMerge {
                name: own.to_owned(),
                value,
            })),
            Err(path) => {
                let what = "Envoy refuses this setting next to the filter's policy, and a patch cannot remove it";
                let fault = fault(format!("static_resources.clusters[{at}].{path}"), what);
                faults.push(fault.found(path));
            }
        }
    }
    (merges, faults)
}

/// The merges of the routes: one for a virtual host whose routes all change alike, or one for each name.
fn route_merges(before: &Value, after: &Value) -> (Vec<RouteMerge>, Vec<Diagnostic>) {
    let (mut merges, mut faults) = (Vec::new(), Vec::new());
    let chooses = chooses_cluster(after);
    for (listener, (old, new)) in listeners(before).iter().zip(listeners(after)).enumerate() {
        let hosts = virtual_hosts(old).iter().zip(virtual_hosts(new));
        for (at, (old, new)) in hosts.enumerate() {
            let path = format!("static_resources.listeners[{listener}].virtual_hosts[{at}]");
            match of_host((listener, chooses), old, new) {
                Ok(own) => merges.extend(own),
                Err((route, what)) => faults.push(fault(format!("{path}.routes[{route}]"), what)),
            }
        }
    }
    (merges, faults)
}

/// Whether a route follows the header of the cluster.
fn chooses_cluster(bootstrap: &Value) -> bool {
    let hosts = listeners(bootstrap).iter().flat_map(virtual_hosts);
    let mut routes = hosts.flat_map(|host| items(host, "routes"));
    routes.any(|route| route.pointer("/route/cluster_header").is_some())
}

/// A change without the removal of the cluster's header, if no route follows it: a filter removes it then.
fn needed(mut change: Value, chooses: bool) -> Option<Value> {
    if let (false, Some(fields)) = (chooses, change.as_object_mut()) {
        fields.shift_remove("request_headers_to_remove");
    }
    (change != json!({})).then_some(change)
}

/// The merges of the routes of a virtual host; or the index of a route, and what is wrong with it.
fn of_host(
    (listener, chooses): (usize, bool),
    before: &Value,
    after: &Value,
) -> Result<Vec<RouteMerge>, (usize, &'static str)> {
    let mut changes: Vec<(usize, &str, Option<Value>)> = Vec::new();
    let routes = items(before, "routes").iter().zip(items(after, "routes"));
    for (at, (old, new)) in routes.enumerate() {
        if old.get("route").is_some() {
            let value = difference(old, new);
            let value =
                value.map_err(|_| (at, "a patch cannot express the change of this route"))?;
            let value = value.and_then(|value| needed(value, chooses));
            changes.push((at, name(old), value));
        }
    }
    let merge = |route: Option<&str>, value: &Value| RouteMerge {
        listener,
        host: name(before).to_owned(),
        route: route.map(str::to_owned),
        value: value.clone(),
    };
    let Some((_, _, first)) = changes.first() else {
        return Ok(Vec::new());
    };
    if changes.iter().all(|(_, _, value)| value == first) {
        return Ok(first.iter().map(|value| merge(None, value)).collect());
    }
    let mut merges: Vec<RouteMerge> = Vec::new();
    for (at, own, value) in &changes {
        let is_alone = changes
            .iter()
            .all(|(_, other, change)| other != own || change == value);
        let Some(value) = value else {
            continue;
        };
        if own.is_empty() || !is_alone {
            let what =
                "the routes of this host change differently, so each needs a name of its own";
            return Err((*at, what));
        }
        if !merges
            .iter()
            .any(|merge| merge.route.as_deref() == Some(*own))
        {
            merges.push(merge(Some(own), value));
        }
    }
    Ok(merges)
}
