//! Every step of a decision points at its basis.

use spillgate_config::{
    Position,
    envoy::{ConfigPositions, EnvoyConfig, Format, read},
};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::Draw,
    route::{Connection, HeaderList, RouteOutcome},
    snapshot::{HostRef, Snapshot},
    trace::Step,
};

const CONFIG: &str = include_str!("fixtures/places.yaml");

/// Always the same number.
struct Fixed(u64);

impl Draw for Fixed {
    fn draw(&mut self) -> u64 {
        self.0
    }
}

/// The text at a place, to the end of its line.
fn at(position: Position) -> &'static str {
    let line = CONFIG.lines().nth(position.line as usize - 1).unwrap();
    let start = line.char_indices().nth(position.column as usize - 1);
    line.split_at(start.unwrap().0).1
}

/// The steps of a request, each with the text at its place.
fn steps(headers: &[(&str, &str)], draw: u64, tried: &[&str]) -> Vec<(&'static str, String)> {
    let EnvoyConfig {
        model,
        listeners,
        marks,
        ..
    } = read(CONFIG, Format::Yaml).unwrap();
    let snapshot = Snapshot::build(&model);
    let headers = HeaderList(headers);
    let received = listeners[0].routes.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = listeners[0].routes.route(&received) else {
        panic!("no route");
    };
    let destination = routed.choose(draw);
    let cluster = snapshot.cluster_id(destination.cluster.unwrap()).unwrap();
    let host = |address: &&str| {
        let priorities = &snapshot.plain(cluster).unwrap().priorities;
        let found = priorities
            .iter()
            .enumerate()
            .find_map(|(number, priority)| {
                let mut hosts = priority.configured.endpoints.iter();
                let host = hosts.position(|host| host.address == *address)?;
                Some(HostRef {
                    cluster,
                    priority: number,
                    host,
                })
            });
        found.unwrap()
    };
    let tried: Vec<HostRef> = tried.iter().map(host).collect();
    let router_headers = routed.headers(&destination);
    let request = Request {
        hash_policies: routed.hash_policies(),
        criteria: &destination.criteria,
        retry: routed.retry(),
        tried: &tried,
        ..Request::new(cluster, &router_headers)
    };
    let mut steps: Vec<Step> = Vec::new();
    let mut state = BalancerState::new(&snapshot, &mut Fixed(draw));
    decide(
        &snapshot,
        &mut state,
        &request,
        &mut Fixed(draw),
        &mut steps,
    );
    let places = ConfigPositions {
        model: &model,
        marks: &marks,
        route: listeners[0].marks.get(routed.route.id),
    };
    let place = |step: &Step| {
        let found = places.of(&snapshot, step.config);
        (step.kind().name(), found.map_or("nowhere", at).to_owned())
    };
    steps.iter().map(place).collect()
}

/// Compares kinds, and the beginnings of the texts at their places.
#[track_caller]
fn assert_steps(found: &[(&str, String)], expected: &[(&str, &str)]) {
    let fits = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.0 == expected.0 && found.1.starts_with(expected.1));
    assert!(fits, "{found:#?}");
}

const fn path(path: &str) -> [(&str, &str); 2] {
    [(":authority", "localhost"), (":path", path)]
}

#[test]
fn criteria_subsets_priorities_and_hosts() {
    assert_steps(
        &steps(&path("/staged"), 0, &[]),
        &[
            ("route", "match: {prefix: /staged}"),
            ("criteria", "{filter_metadata: {envoy.lb: {stage: prod}}}"),
            ("subset", "{keys: [stage]}"),
            ("priority", "150"),
            (
                "host",
                "endpoint: {address: {socket_address: {address: 10.0.0.1,",
            ),
        ],
    );
}

#[test]
fn a_fallback_points_at_the_subset_settings() {
    let found = steps(&path("/missing"), 0, &[]);
    assert_eq!(found.last().unwrap().0, "subset");
    assert!(
        found
            .last()
            .unwrap()
            .1
            .starts_with("fallback_policy: NO_FALLBACK"),
        "{found:#?}"
    );
}

#[test]
fn the_hash_of_the_route_or_of_the_balancer() {
    let mut headers = path("/keyed").to_vec();
    headers.push(("x-user", "u1"));
    assert_steps(
        &steps(&headers, 0, &[]),
        &[
            ("route", "[{header: {header_name: x-user}}]"),
            ("priority", "name: keyed"),
            (
                "host",
                "endpoint: {address: {socket_address: {address: 10.1.0.",
            ),
        ],
    );
    let mut headers = path("/own").to_vec();
    headers.push(("x-key", "k"));
    assert_steps(
        &steps(&headers, 0, &[]),
        &[
            ("route", "match: {prefix: /own}"),
            ("cluster", "[{header: {header_name: x-key}}]"),
            ("priority", "name: own"),
            (
                "host",
                "endpoint: {address: {socket_address: {address: 10.2.0.",
            ),
        ],
    );
}

#[test]
fn localities_members_and_panic_mode() {
    assert_steps(
        &steps(&path("/zones"), 0, &[]),
        &[
            ("route", "match: {prefix: /zones}"),
            ("cluster", "[zones]"),
            ("priority", "name: zones"),
            ("locality", "locality: {zone: a}"),
            (
                "host",
                "endpoint: {address: {socket_address: {address: 10.3.0.1,",
            ),
        ],
    );
    assert_steps(
        &steps(&path("/panic"), 0, &[]),
        &[
            ("route", "match: {prefix: /panic}"),
            ("priority", "{value: 70}"),
            (
                "host",
                "endpoint: {address: {socket_address: {address: 10.4.0.",
            ),
        ],
    );
}

#[test]
fn overload_and_retries() {
    assert_steps(
        &steps(&path("/dropped"), 0, &[]),
        &[
            ("route", "match: {prefix: /dropped}"),
            (
                "cluster",
                "{category: all, drop_percentage: {numerator: 100}}",
            ),
        ],
    );
    // The first choice is rejected, each time at its own place.
    let found = steps(&path("/retried"), 0, &["10.6.0.1:80"]);
    let host = "endpoint: {address: {socket_address: {address: 10.6.0.";
    assert_eq!(
        found.iter().map(|step| step.0).collect::<Vec<_>>(),
        ["route", "priority", "host", "retry", "priority", "host"]
    );
    assert!(found[2].1.starts_with(&format!("{host}1,")), "{found:#?}");
    assert!(found[3].1.starts_with("retry_on: 5xx"), "{found:#?}");
    assert!(found[5].1.starts_with(&format!("{host}2,")), "{found:#?}");
}

#[test]
fn weighted_clusters_give_criteria_of_their_own() {
    let found = steps(&path("/split"), 0, &[]);
    let criteria = found.iter().find(|step| step.0 == "criteria").unwrap();
    assert!(criteria.1.starts_with("clusters:"), "{found:#?}");
}

#[test]
fn steps_without_routes_point_at_the_cluster() {
    let EnvoyConfig { model, marks, .. } = read(CONFIG, Format::Yaml).unwrap();
    let snapshot = Snapshot::build(&model);
    let cluster = snapshot.cluster_id("keyed").unwrap();
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let mut steps: Vec<Step> = Vec::new();
    let mut state = BalancerState::new(&snapshot, &mut Fixed(0));
    let request = Request::new(cluster, &headers);
    decide(&snapshot, &mut state, &request, &mut Fixed(0), &mut steps);
    let places = ConfigPositions {
        model: &model,
        marks: &marks,
        route: None,
    };
    assert_eq!(
        at(places.of(&snapshot, steps[0].config).unwrap()),
        "name: keyed"
    );
}
