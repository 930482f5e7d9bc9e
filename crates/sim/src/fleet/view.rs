//! The configuration of a proxy as the callers of one class see it.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::model::{
    Cluster, ClusterKind, Endpoint, LocalInfo, Model, PlainCluster, Policy, Priority,
};

use super::{CallerClass, LocalClusterHosts};

/// The model of all callers with a configuration: with the local cluster of the fleet.
pub(super) fn with_local_cluster(
    model: &Model,
    classes: &[CallerClass],
    local: LocalClusterHosts,
) -> Model {
    let replaced = match local {
        LocalClusterHosts::AsConfigured => None,
        LocalClusterHosts::Callers => of_callers(model, classes),
    };
    let Some(cluster) = replaced else {
        return model.clone();
    };
    let own = LocalInfo {
        cluster: Some(cluster.name.clone()),
        ..model.local().clone()
    };
    let clusters = model.clusters().iter().cloned();
    let clusters: Vec<Arc<Cluster>> = clusters.chain([Arc::new(cluster)]).collect();
    // The name is new, and its localities are its own.
    let Ok(with) = Model::shared(clusters) else {
        return model.clone();
    };
    with.with_chain(model.chain().clone()).with_local(own)
}

/// The model of a caller: that of all callers, with its own locality. The clusters are shared.
pub(super) fn view(model: &Model, class: &CallerClass) -> Model {
    model.clone().with_local(LocalInfo {
        locality: Some(class.locality.clone()),
        cluster: model.local().cluster.clone(),
    })
}

/// The local cluster with one host for each caller: a further cluster, because the configured one can get
/// requests, too. `None` without a local cluster.
fn of_callers(model: &Model, classes: &[CallerClass]) -> Option<Cluster> {
    let configured = model.cluster(model.local().cluster.as_deref()?)?;
    let ClusterKind::Plain(plain) = &configured.kind else {
        return None;
    };
    let mut priority = Priority::default();
    for class in classes {
        let locality = priority.locality_index(class.locality.clone());
        let hosts = (0..class.callers).map(|_| Endpoint {
            locality,
            ..Endpoint::default()
        });
        priority.endpoints.extend(hosts);
    }
    let settings = PlainCluster {
        // Zone-aware routing counts its hosts, so nothing chooses among them.
        policy: Policy::RoundRobin,
        subsets: None,
        priorities: [priority].into(),
        ..plain.clone()
    };
    Some(Cluster::plain(
        unused_name(model, &configured.name),
        settings,
    ))
}

fn unused_name(model: &Model, local: &str) -> String {
    let mut name = format!("{local} of callers");
    while model.cluster(&name).is_some() {
        name.push('\'');
    }
    name
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::Locality;

    use super::*;

    #[test]
    fn the_configured_local_cluster_keeps_its_hosts() {
        let cluster = |name: &str| {
            let hosts = Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")]);
            Cluster::plain(
                name,
                PlainCluster {
                    priorities: vec![hosts],
                    ..PlainCluster::default()
                },
            )
        };
        let local = LocalInfo {
            locality: None,
            cluster: Some("own".into()),
        };
        let model = Model::new(vec![cluster("own"), cluster("own of callers")]);
        let model = model.unwrap().with_local(local);
        let class = |zone: &str, callers| CallerClass {
            config: 0,
            locality: Locality {
                zone: zone.into(),
                ..Locality::default()
            },
            callers,
            rps: 1.0,
            bytes: None,
        };
        let classes = [class("a", 2), class("b", 1)];
        let with = |local| with_local_cluster(&model, &classes, local);
        let of_all = with(LocalClusterHosts::Callers);
        let seen = view(&of_all, &classes[1]);
        assert_eq!(seen.clusters().len(), 3);
        let own = seen.cluster(seen.local().cluster.as_deref().unwrap());
        assert_eq!(own.unwrap().priorities()[0].endpoints.len(), 3);
        assert_eq!(seen.local().locality, Some(classes[1].locality.clone()));
        let shared = seen.clusters().iter().zip(of_all.clusters());
        assert!({ shared }.all(|(one, other)| Arc::ptr_eq(one, other)));
        let kept = view(&with(LocalClusterHosts::AsConfigured), &classes[0]);
        assert_eq!(kept.local().cluster.as_deref(), Some("own"));
    }
}
