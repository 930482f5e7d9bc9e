//! The screen shows the report of the comparison, for random pairs of scenarios.

use std::{collections::BTreeMap, rc::Rc};

use spillgate_codec::import::ComparisonAnswer;
use spillgate_core::model::{Cluster, ClusterKind, Endpoint};
use spillgate_diff::{
    ClusterVerdict, DiffReport, DiffSide, TrafficOwner, cluster_effect, cluster_rows, diff,
};
use spillgate_scenario::{
    EditedScenario, ImportTexts, PriorityReport, import_result,
    link::{Disclosure, SharedPair, old_side, read, read_view},
    preset, select,
};
use spillgate_testkit::{
    amount, figure,
    models::{Dice, Extent, model},
};

use super::*;
use crate::state::{Action, CompareChange, ComparedSide, Screen, Store, import_text::import_of};

const SEED: u64 = 40;

/// The report of `spillgate diff`.
fn report(old: &EditedScenario, new: &EditedScenario) -> DiffReport {
    let unknown = BTreeMap::new();
    let side = |of| DiffSide {
        model: EditedScenario::model(of),
        listeners: &[],
        unknown: &unknown,
        resolved: None,
    };
    diff(&side(old), &side(new))
}

/// The same clusters with random changes: hosts that fail, come or go, other thresholds, fewer clusters.
fn changed(scenario: &EditedScenario, dice: &mut Dice) -> Option<EditedScenario> {
    let clusters = scenario.clusters().iter();
    let mut clusters: Vec<Cluster> = clusters.map(|of| (**of).clone()).collect();
    if dice.chance(20) {
        let at = dice.below(clusters.len());
        clusters[at].name.push_str("-renamed");
    }
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        if dice.chance(15) {
            plain.panic_threshold = dice.panic_threshold();
        }
        for (number, priority) in plain.priorities.iter_mut().enumerate() {
            for host in &mut priority.endpoints {
                if dice.chance(15) {
                    host.health = host.health.failed();
                }
            }
            if dice.chance(15) {
                priority.endpoints.pop();
            }
            if dice.chance(15) && !priority.localities.is_empty() {
                let address = format!("10.9.{number}.{}:80", priority.endpoints.len());
                priority.endpoints.push(Endpoint::new(address));
            }
        }
    }
    EditedScenario::new(clusters, scenario.root()).ok()
}

fn pairs() -> impl Iterator<Item = (u64, Rc<EditedScenario>, Rc<EditedScenario>)> {
    (0..amount(100, 2_000) as u64).filter_map(|number| {
        let mut dice = Dice::of(SEED, number);
        let model = model(&mut dice, Extent::few(6));
        let roots = 0..model.clusters().len();
        let mut opened =
            roots.filter_map(|root| EditedScenario::new(model.clusters().to_vec(), root).ok());
        let old = opened.next()?;
        let new = changed(&old, &mut dice)?;
        Some((number, Rc::new(old), Rc::new(new)))
    })
}

#[test]
fn the_screen_shows_the_report() {
    let (mut compared, mut moving) = (0, 0);
    for (number, old, new) in pairs() {
        let side = ComparedSide::kept(Rc::clone(&old));
        let shown = ScenarioComparison::new(&side, &new);
        let expected = report(&old, &new);
        assert_eq!(*shown.report, expected, "pair {number}");
        let (listed, all) = matching(&shown, "");
        let names: Vec<&String> = listed.iter().map(|one| &one.name).collect();
        let differing = expected.clusters.iter().map(|of| &of.name);
        let expected_names = differing.chain(&expected.equal_clusters);
        assert_eq!(
            names,
            expected_names.clone().take(LISTED).collect::<Vec<_>>()
        );
        assert_eq!(all, expected_names.count());
        for of in &expected.clusters {
            let context = format!("pair {number}, cluster {}", of.name);
            let cluster = ComparedCluster::new(&shown, &of.name);
            assert_eq!(cluster.effect, cluster_effect(of), "{context}");
            assert_eq!(cluster.rows, cluster_rows(of), "{context}");
            assert_eq!(
                cluster.before.is_none(),
                of.status == ClusterVerdict::Added
                    || of_original(&old, of.renamed_from.as_ref().unwrap_or(&of.name)),
                "{context}"
            );
            check_traffic(
                &cluster,
                of.requests.first().map_or(0.0, |kind| kind.moved),
                &context,
            );
            compared += 1;
            moving += usize::from(of.requests.iter().any(|kind| kind.moved > 0.0));
        }
        for name in &expected.equal_clusters {
            let cluster = ComparedCluster::new(&shown, name);
            assert!(
                cluster.is_equal && cluster.rows.is_empty(),
                "pair {number}, {name}"
            );
            check_traffic(&cluster, 0.0, name);
        }
    }
    assert!(moving > 30, "{moving}");
    figure(format!(
        "{compared} clusters that differ, {moving} with moved requests: shown as compared"
    ));
}

/// Whether requests to a cluster name their hosts, so that it has no shares.
fn of_original(scenario: &EditedScenario, name: &str) -> bool {
    let mut clusters = scenario.clusters().iter();
    clusters.any(|of| of.name == name && matches!(of.kind, ClusterKind::OriginalDst(_)))
}

/// The ribbons end at the shares of the pictures and have the moved requests of the report.
fn check_traffic(cluster: &ComparedCluster, moved: f64, context: &str) {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    for (owner, change) in &cluster.traffic {
        assert!(
            near(change.moved(), moved),
            "{moved} of {context}: {change:?}"
        );
        let picture = ribbon_picture(change);
        let ribbons = picture.ribbons.iter();
        let all: f64 = ribbons.clone().map(|ribbon| ribbon.share).sum();
        assert!(near(all, 100.0), "{all} of {context}");
        let moving: f64 = ribbons
            .filter(|ribbon| ribbon.moves)
            .map(|of| of.share)
            .sum();
        assert!(near(moving, moved), "{moving} of {context}");
        if *owner == TrafficOwner::Priority {
            for (side, bars) in [
                (&cluster.before, &change.before),
                (&cluster.after, &change.after),
            ] {
                let outcome = &side.as_ref().unwrap().outcome;
                for row in outcome.priorities().iter().filter(|row| !row.repeated) {
                    let of_row = bars.iter().find(|bar| bar.name.as_ref() == Some(&row.name));
                    let share = of_row.map_or(0.0, |bar| bar.share);
                    assert!(
                        near(share, PriorityReport::share(row)),
                        "{} of {context}",
                        row.name
                    );
                }
            }
        }
    }
}

#[test]
fn a_link_has_the_verdicts_of_its_sides() {
    let mut kept = 0;
    for (number, old, new) in pairs() {
        let side = ComparedSide::kept(Rc::clone(&old));
        if !side.left_out(&new).is_empty() {
            continue;
        }
        let own = report(&old, &new);
        for disclosure in [Disclosure::Names, Disclosure::Shape] {
            let shared = SharedPair::new(&old, &new, disclosure);
            let linked = report(&shared.old, &shared.new.scenario);
            assert_eq!(
                linked.equal_clusters.len(),
                own.equal_clusters.len(),
                "pair {number}"
            );
            let statuses = |of: &DiffReport| {
                let mut found: Vec<ClusterVerdict> =
                    of.clusters.iter().map(|cluster| cluster.status).collect();
                found.sort();
                found
            };
            assert_eq!(statuses(&linked), statuses(&own), "pair {number}");
        }
        kept += 1;
    }
    figure(format!(
        "{kept} pairs without names and addresses: the same verdicts"
    ));
}

#[test]
fn kept_sides_edits_and_exchanged_sides() {
    let shop = Rc::new(preset("shop").unwrap());
    let store = Store::open("").after(Action::Open(Rc::clone(&shop), 0.0));
    let store = store.after(Action::Show(Screen::Compare));
    let compared = store.compared();
    assert!(
        Rc::ptr_eq(&compared.scenario, store.scenario()),
        "nothing is edited"
    );
    let first = spillgate_scenario::PriorityAt {
        cluster: store.scenario().shown()[0],
        priority: 0,
    };
    let edit = spillgate_scenario::ScenarioEdit::Health {
        priority: first,
        hosts: vec![0, 1, 2],
        health: spillgate_scenario::HealthChoice::Unhealthy,
    };
    let edited = store.after(Action::Edit(edit, 1.0));
    assert!(
        Rc::ptr_eq(&edited.compared().scenario, &shop),
        "the edits are compared"
    );
    // A link of this screen has both sides.
    let fragment = edited.fragment(Disclosure::Addresses);
    let old = old_side::<Option<Rc<_>>>(&read_view(&fragment).unwrap())
        .unwrap()
        .unwrap();
    assert_eq!(old.scenario, *shop);
    assert_eq!(
        read::<Option<Rc<_>>>(&fragment).unwrap(),
        **edited.scenario()
    );
    let opened = Store::open(&fragment);
    assert_eq!(*opened.compared().scenario, *shop);
    assert_eq!(opened.view.screen, Screen::Compare);
    // Another screen has only the scenario.
    let build = edited.after(Action::Show(Screen::Build));
    let fragment = build.fragment(Disclosure::Addresses);
    assert_eq!(old_side::<()>(&read_view(&fragment).unwrap()), Ok(None));
    // A kept side stays when another scenario is opened.
    let kept = edited.after(Action::Compare(CompareChange::Keep, 2.0));
    let other = kept.after(Action::Preset("aggregate".into(), 3.0));
    assert!(Rc::ptr_eq(&other.compared().scenario, edited.scenario()));
    let swapped = other.after(Action::Compare(CompareChange::Swap, 4.0));
    assert!(Rc::ptr_eq(swapped.scenario(), edited.scenario()));
    assert!(Rc::ptr_eq(&swapped.compared().scenario, other.scenario()));
    let undone = swapped.after(Action::Undo);
    assert!(Rc::ptr_eq(undone.scenario(), other.scenario()));
    assert!(Rc::ptr_eq(&undone.compared().scenario, edited.scenario()));
    let forgotten = other.after(Action::Compare(CompareChange::Forget, 5.0));
    assert!(Rc::ptr_eq(&forgotten.compared().scenario, other.scenario()));
}

#[test]
fn unknown_hosts_have_no_shares_on_either_side() {
    let import = |policy: &str| {
        let text = format!(
            "- {{name: eds, type: EDS, lb_policy: {policy}}}\n\
             - {{name: same, type: EDS}}\n\
             - {{name: names, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED}}\n"
        );
        let imported = import_of(&text, "").imported.unwrap();
        let scenario: EditedScenario = select(&imported, 0).unwrap();
        Rc::new(scenario)
    };
    let (old, new) = (import("RANDOM"), import("MAGLEV"));
    let comparison = ScenarioComparison::new(&ComparedSide::kept(old), &new);
    for name in ["eds", "same"] {
        let of = ComparedCluster::new(&comparison, name);
        assert!(of.before.is_none() && of.after.is_none(), "{name}");
        assert_eq!(of.unknown, [Some(name.into()), Some(name.into())]);
        let shares = of.rows.iter().find(|row| row.text.contains('%'));
        assert!(of.traffic.is_empty() && shares.is_none(), "{shares:?}");
    }
    let named = ComparedCluster::new(&comparison, "names");
    assert_eq!(named.unknown, [None, None]);
}

/// A limit has one text whatever its value.
#[test]
fn equal_clusters_with_a_setting_that_is_not_modeled_are_no_proof() {
    let import = |header: &str| {
        let text = format!(
            "static_resources:\n  clusters:\n  - name: shop\n    typed_extension_protocol_options:\n      \
             envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n        \
             \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n        \
             explicit_http_config: {{http_protocol_options: {{}}}}\n        \
             hash_policy: [{{header: {{header_name: {header}}}}}]\n    \
             load_assignment: {{cluster_name: shop, endpoints: [{{lb_endpoints: [{{endpoint: {{address: \
             {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}]}}\n"
        );
        let imported = import_of(&text, "").imported.unwrap();
        let scenario: EditedScenario = select(&imported, 0).unwrap();
        Rc::new(scenario)
    };
    let proves = |old: &str, new: &str| {
        let old = ComparedSide::kept(import(old));
        ScenarioComparison::new(&old, &import(new)).is_proof()
    };
    assert!(proves("x-user", "x-user"));
    assert!(!proves("x-user", "x-tenant"));
}

/// Both imports, with what is known about their routes.
fn imported(old: &str, new: &str) -> ScenarioComparison {
    let side = |text: &str| {
        let imported = import_of(text, "").imported.unwrap();
        let scenario: EditedScenario = select(&imported, 0).unwrap();
        Rc::new(scenario)
    };
    let (old, new) = (side(old), side(new));
    let routes = match imported_configs(&old, &new) {
        Some((old, new)) => {
            let answer = spillgate_reader::comparison_answer(old.as_bytes(), new.as_bytes());
            RouteComparison::of(Rc::new(ComparisonAnswer::from_bytes(&answer).unwrap()))
        }
        None => RouteComparison::Without,
    };
    ScenarioComparison::new(&ComparedSide::kept(old), &new).with_routes(routes)
}

/// A bootstrap with a route to a cluster, and a name of the server.
fn routed(cluster: &str, name: &str) -> String {
    format!(
        "static_resources:
  listeners:
  - name: web
    address: {{socket_address: {{address: 127.0.0.1, port_value: 8080}}}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: web
          server_name: {name}
          http_filters:
          - name: router
            typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts:
            - name: shop
              domains: [\"*\"]
              routes: [{{match: {{prefix: /}}, route: {{cluster: {cluster}}}}}]
  clusters:
  - name: shop
    load_assignment: {{cluster_name: shop, endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}]}}
  - name: other
"
    )
}

#[test]
fn routes_of_two_imports_are_compared() {
    let compared = imported;
    let plain = routed("shop", "a");
    let changed = compared(&plain, &routed("other", "a"));
    assert_eq!(
        headline_text(&changed),
        "1 route changes; proved equal: 2\u{a0}clusters and 0\u{a0}listeners."
    );
    let answer = changed.routes.answer().unwrap();
    assert_eq!(
        answer.routes[0].heading,
        "route * /*: cluster shop -> cluster other"
    );
    assert_eq!(answer.routes[0].rows[0].0, "503");
    let named = compared(&plain, &routed("shop", "b"));
    assert_eq!(
        headline_text(&named),
        "Every request gets the same route and host (proved for 2\u{a0}clusters and 1\u{a0}listener)."
    );
    assert_eq!(
        named.routes.answer().unwrap().not_compared,
        ["server_name of HttpConnectionManager"]
    );
    assert_eq!(compared(&plain, &plain).routes, RouteComparison::Without);
    let broken = changed.with_routes(RouteComparison::Failed("no memory".into()));
    assert!(!broken.is_proof());
    assert_eq!(
        doubts(&broken),
        ["Routes and other settings are not compared: no memory."]
    );
}

/// A bootstrap whose requests have a subset criterion and a session, and whose cluster has these hosts: the last byte of
/// the address, and the stage.
fn staged(hosts: &[(u8, &str)]) -> String {
    let hosts = hosts.iter().map(|(number, stage)| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}, \
             metadata: {{filter_metadata: {{envoy.lb: {{stage: {stage}}}}}}}}}"
        )
    });
    let hosts: Vec<String> = hosts.collect();
    let route = "{cluster: shop, metadata_match: {filter_metadata: {envoy.lb: {stage: prod}}}}";
    let session = "- name: envoy.filters.http.stateful_session
            typed_config:
              \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession
              session_state:
                name: envoy.http.stateful_session.cookie
                typed_config:
                  \"@type\": type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState
                  cookie: {name: sid, path: /}
          - name: router";
    let cluster = format!(
        "load_assignment: {{cluster_name: shop, endpoints: [{{lb_endpoints: [{}]}}]}}
    lb_subset_config: {{fallback_policy: NO_FALLBACK, subset_selectors: [{{keys: [stage]}}]}}
  - name: other",
        hosts.join(", ")
    );
    let text = routed("shop", "a").replace("{cluster: shop}", route);
    let text = text.replacen("- name: router", session, 1);
    let (before, _) = text.split_once("load_assignment").unwrap();
    format!("{before}{cluster}\n")
}

#[test]
fn requests_of_imported_routes_have_criteria_and_sessions() {
    let all = staged(&[(1, "prod"), (2, "prod"), (3, "test")]);
    let without = |host: usize| {
        let mut hosts = vec![(1, "prod"), (2, "prod"), (3, "test")];
        hosts.remove(host);
        imported(&all, &staged(&hosts))
    };
    let texts = |comparison: &ScenarioComparison| {
        let rows = ComparedCluster::new(comparison, "shop").rows;
        let rows = rows
            .into_iter()
            .map(|row| format!("{} {}", row.name, row.text));
        rows.collect::<Vec<_>>()
    };
    let lost = texts(&without(0));
    let sessions = "sessions 50 % are lost: their hosts are gone or unusable";
    assert!(lost.iter().any(|row| row == sessions), "{lost:?}");
    // No request of the routes reaches a host of the other stage.
    let other = without(2);
    assert_eq!(texts(&other), ["hosts removed 10.0.0.3:80"]);
    // The clusters alone have requests without criteria.
    let alone = texts(&other.with_routes(RouteComparison::Without));
    assert_eq!(alone, texts(&other), "{alone:?}");
}

#[test]
fn lint_findings_of_two_imports_are_compared() {
    // Sessions ignore subsets, which matters if hosts have another stage.
    let one = staged(&[(1, "prod"), (2, "prod")]);
    let two = staged(&[(1, "prod"), (2, "test")]);
    let changes = |old: &str, new: &str| {
        let comparison = imported(old, new);
        finding_changes(&comparison.old, &comparison.new).unwrap()
    };
    assert!(changes(&two, &two).is_empty());
    let found = changes(&one, &two);
    let text = "affinity-crosses-subset: route \"/\" has stateful sessions, which ignore the subsets of cluster \"shop\"";
    assert_eq!((found.new, found.gone), (vec![text.to_owned()], Vec::new()));
    assert_eq!(changes(&two, &one).gone, [text]);
    let plain = Rc::new(preset("shop").unwrap());
    assert_eq!(finding_changes(&plain, &plain), None);
    // A mesh is read without lint.
    const MESH: &str = concat!(
        include_str!("../../../../../docs/mesh/examples/ordered-zones.yaml"),
        "\n---\n",
        include_str!("../../../../../docs/mesh/examples/three-zones.yaml"),
    );
    let texts = ImportTexts {
        config: MESH.into(),
        clusters: String::new(),
    };
    let answer = spillgate_reader::mesh_answer(MESH.as_bytes(), b"");
    let mesh = import_result(texts, &answer).imported.unwrap();
    let mesh: EditedScenario = select(&mesh, 0).unwrap();
    assert!(mesh.origin.is_some());
    assert_eq!(finding_changes(&mesh, &mesh), None);
}
