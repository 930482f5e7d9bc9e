//! Route splits.

use spillgate_mesh::kuma::{
    KumaBackendRef, KumaDestination, KumaDestinationKind, KumaProxy, KumaRoute, KumaRouteKind,
    KumaRouteRule, KumaRouteTo, route_splits,
};

use crate::merging::{meta, target};

fn route(name: &str, kind: KumaRouteKind, top: Option<&str>, matches: &[&str]) -> KumaRoute {
    let rule = |matches: &&str| KumaRouteRule {
        matches: (*matches).into(),
        backend_refs: vec![KumaBackendRef {
            target_ref: target("MeshService", name),
            ..KumaBackendRef::default()
        }],
        ..KumaRouteRule::default()
    };
    KumaRoute {
        meta: meta(name, &[]),
        kind,
        target_ref: top.map(|kind| target(kind, "")),
        to: vec![KumaRouteTo {
            target_ref: target("MeshService", "backend"),
            rules: matches.iter().map(rule).collect(),
            ..KumaRouteTo::default()
        }],
    }
}

fn found(routes: &[KumaRoute]) -> Vec<(usize, usize)> {
    let destination = KumaDestination {
        kind: KumaDestinationKind::ServiceTag,
        meta: meta("backend", &[]),
        ..KumaDestination::default()
    };
    let splits = route_splits(routes, &KumaProxy::new("zone-1"), &destination);
    splits
        .iter()
        .map(|split| (split.route, split.rule))
        .collect()
}

#[test]
fn stronger_routes_come_first_and_hide_equal_matches() {
    let http = KumaRouteKind::Http;
    let routes = [
        route("a", http, None, &["/", "/v1"]),
        route("b", http, Some("Dataplane"), &["/"]),
        route("c", http, Some("Mesh"), &["/v1", "/v2"]),
    ];
    assert_eq!(found(&routes), [(1, 0), (0, 1), (2, 1)]);
}

#[test]
fn http_routes_hide_tcp_routes() {
    let tcp = route("a", KumaRouteKind::Tcp, None, &[""]);
    let http = route("b", KumaRouteKind::Http, None, &["/"]);
    assert_eq!(found(&[tcp.clone(), http]), [(1, 0)]);
    assert_eq!(found(&[tcp]), [(0, 0)]);
}

#[test]
fn routes_of_other_meshes_and_destinations_do_not_apply() {
    let mut other_mesh = route("a", KumaRouteKind::Http, None, &["/"]);
    other_mesh.meta.mesh = "other".into();
    let mut other_destination = route("b", KumaRouteKind::Http, None, &["/"]);
    other_destination.to[0].target_ref = target("MeshService", "other");
    assert!(found(&[other_mesh, other_destination]).is_empty());
}
