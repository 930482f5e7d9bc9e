//! Differences of routes.

use spillgate_diff::{DiffReport, RoutesStatus};

use super::common;

/// The differences between these routes of one virtual host.
fn routes(old: &str, new: &str) -> DiffReport {
    let cluster =
        |name| format!("{{name: {name}, type: STATIC, load_assignment: {{cluster_name: {name}}}}}");
    let clusters = [cluster("a"), cluster("b")].join(", ");
    let domains = r#"shop.example, "*.shop.example""#;
    let [old, new] = [old, new].map(|routes| common::config(&clusters, domains, routes));
    common::compare(&old, &new)
}

/// The texts of the first difference: condition, outcome before and after, path of the example.
fn first(old: &str, new: &str) -> [String; 4] {
    let report = routes(old, new);
    let route = report.routes.first().expect("a difference");
    assert_eq!(route.status, RoutesStatus::Changed, "{route:?}");
    let path = route
        .example
        .iter()
        .find(|(name, _)| name == ":path")
        .unwrap()
        .1
        .clone();
    [
        route.matches.clone(),
        route.before.clone(),
        route.after.clone(),
        path,
    ]
}

const A: &str = "{match: {prefix: /}, route: {cluster: a}}";
const B: &str = "{match: {prefix: /}, route: {cluster: b}}";

#[test]
fn a_first_match_that_changes_has_an_example_request() {
    assert_eq!(
        first(A, B),
        ["*.shop.example /*", "cluster a", "cluster b", "/"]
    );
    let api = r#"{match: {safe_regex: {regex: "/v[0-9]+/(cart|item)"}}, route: {cluster: b}}"#;
    assert_eq!(
        first(A, &format!("{api}, {A}")),
        [
            "*.shop.example ~/v[0-9]+/(cart|item)",
            "cluster a",
            "cluster b",
            "/v0/cart"
        ]
    );
    // A wider route in front hides the narrow one.
    let cart = "{match: {prefix: /cart}, route: {cluster: b}}";
    assert_eq!(
        first(&format!("{cart}, {A}"), &format!("{A}, {cart}")),
        ["*.shop.example /cart*", "cluster b", "cluster a", "/cart"]
    );
}

#[test]
fn conditions_on_headers_queries_and_cookies_get_their_examples() {
    for condition in [
        "headers: [{name: x-v, string_match: {exact: two}}]",
        "headers: [{name: x-v, present_match: true}]",
        "headers: [{name: x-v, range_match: {start: 3, end: 5}}]",
        r#"headers: [{name: x-v, string_match: {safe_regex: {regex: "b+[0-9]{3}"}}}]"#,
        "headers: [{name: ':method', string_match: {exact: POST}}]",
        "query_parameters: [{name: q, string_match: {prefix: x}}]",
        "grpc: {}",
    ] {
        let route = |cluster| {
            format!("{{match: {{prefix: /, {condition}}}, route: {{cluster: {cluster}}}}}, {A}")
        };
        let [_, before, after, _] = first(&route("a"), &route("b"));
        assert_eq!(
            (before.as_str(), after.as_str()),
            ("cluster a", "cluster b"),
            "{condition}"
        );
    }
}

#[test]
fn an_order_that_no_request_can_see_is_proved_equal() {
    let one = "{match: {path: /one}, route: {cluster: a}}";
    let two = "{match: {prefix: /two}, route: {cluster: b}}";
    let get = "{match: {prefix: /, headers: [{name: ':method', string_match: {exact: GET}}]}, route: {cluster: a}}";
    let put = "{match: {prefix: /, headers: [{name: ':method', string_match: {exact: PUT}}]}, route: {cluster: b}}";
    for (old, new) in [
        (format!("{one}, {two}, {A}"), format!("{two}, {one}, {A}")),
        (format!("{get}, {put}"), format!("{put}, {get}")),
    ] {
        let report = routes(&old, &new);
        assert!(report.is_equal(), "{:?}", report.routes);
        assert_eq!(report.equal_listeners, 1);
    }
}

#[test]
fn settings_of_a_route_that_no_target_shows_are_named() {
    let hashed =
        "{match: {prefix: /}, route: {cluster: a, hash_policy: [{header: {header_name: x}}]}}";
    assert_eq!(first(A, hashed)[2], "cluster a, but other hash policies");
    let retried =
        "{match: {prefix: /}, route: {cluster: a, retry_policy: {retry_on: 5xx, num_retries: 3}}}";
    assert_eq!(first(A, retried)[2], "cluster a, but another retry policy");
    let split = "{match: {prefix: /}, route: {weighted_clusters: {clusters: [{name: a, weight: 90}, {name: b, weight: 10}]}}}";
    assert_eq!(first(A, split)[2], "90 % cluster a, 10 % cluster b");
    let part = format!(
        "{{match: {{prefix: /, runtime_fraction: {{default_value: {{numerator: 25}}}}}}, route: {{cluster: b}}}}, {A}"
    );
    assert_eq!(first(A, &part)[2], "25 %: cluster b; 75 %: cluster a");
    let answer = "{match: {prefix: /}, direct_response: {status: 410}}";
    assert_eq!(first(A, answer)[2], "direct response 410");
    assert_eq!(
        first(A, "{match: {path: /only}, route: {cluster: a}}")[2],
        "no route (404)"
    );
}

/// A request that meets both conditions shows no difference; one at the edge of a condition does.
#[test]
fn conditions_of_another_kind_or_bound_have_an_example_at_their_edge() {
    let header = |of: &str| format!("prefix: /, headers: [{{name: x-v, {of}}}]");
    let text = |of: &str| header(&format!("string_match: {{{of}}}"));
    let query =
        |of: &str| format!("prefix: /, query_parameters: [{{name: q, string_match: {{{of}}}}}]");
    for (old, new) in [
        (
            "prefix: /api".to_owned(),
            "prefix: /api, case_sensitive: false".to_owned(),
        ),
        ("path: /api".to_owned(), "prefix: /api".to_owned()),
        (
            "prefix: /api".to_owned(),
            "path_separated_prefix: /api".to_owned(),
        ),
        ("prefix: /api/".to_owned(), "prefix: /api".to_owned()),
        (text("exact: v1"), text("prefix: v1")),
        (text("exact: v1"), text("suffix: v1")),
        (text("exact: v1"), text("exact: v1, ignore_case: true")),
        (text("prefix: v1"), text("contains: v1")),
        (text("exact: v1"), header("present_match: true")),
        (
            header("range_match: {start: 1, end: 9}"),
            header("range_match: {start: 1, end: 10}"),
        ),
        (
            header("range_match: {start: 1, end: 9}"),
            header("range_match: {start: 0, end: 9}"),
        ),
        (
            text("exact: v1"),
            header("string_match: {exact: v1}, invert_match: true"),
        ),
        (
            header("string_match: {exact: v1}, invert_match: true"),
            header(
                "string_match: {exact: v1}, invert_match: true, treat_missing_header_as_empty: true",
            ),
        ),
        (query("exact: a"), query("prefix: a")),
        (query("exact: a"), "prefix: /".to_owned()),
        ("prefix: /, grpc: {}".to_owned(), "prefix: /".to_owned()),
    ] {
        let route = |matches: &str| format!("{{match: {{{matches}}}, route: {{cluster: b}}}}, {A}");
        for (old, new) in [(&old, &new), (&new, &old)] {
            let [_, before, after, _] = first(&route(old), &route(new));
            let both = ["cluster a", "cluster b"];
            assert!(
                both.contains(&before.as_str()) && both.contains(&after.as_str()),
                "{old}, {new}"
            );
        }
    }
}

#[test]
fn a_header_that_names_the_cluster_has_an_example() {
    let of =
        |header: &str| format!("{{match: {{prefix: /}}, route: {{cluster_header: {header}}}}}");
    let [_, before, after, _] = first(&of("x-old"), &of("x-new"));
    assert_eq!(
        [before.as_str(), after.as_str()],
        ["cluster a", "no cluster (503)"]
    );
}

/// A route that nothing reaches makes no difference, and that is no proof.
#[test]
fn differences_without_an_example_stay_unproved() {
    let hidden =
        format!("{A}, {{match: {{safe_regex: {{regex: '/v.*'}}}}, route: {{cluster: b}}}}");
    let report = routes(A, &hidden);
    assert!(!report.is_equal());
    assert_eq!(report.routes.len(), 1);
    assert_eq!(report.routes[0].status, RoutesStatus::NoExample);
}

/// A new first route takes requests of one of many routes.
#[test]
fn one_of_many_routes_that_loses_its_requests_is_found() {
    let route =
        |number: usize| format!("{{match: {{prefix: /s{number}/}}, route: {{cluster: a}}}}");
    let routes_of = |numbers: &[usize]| {
        let texts: Vec<String> = numbers.iter().map(|number| route(*number)).collect();
        texts.join(", ")
    };
    let numbers: Vec<usize> = (0..300).collect();
    let old = routes_of(&numbers);
    let new = format!("{{match: {{path: /s150/x}}, route: {{cluster: b}}}}, {old}");
    let found = routes(&old, &new).routes;
    let texts: Vec<[&str; 3]> = found
        .iter()
        .map(|of| [of.matches.as_str(), of.before.as_str(), of.after.as_str()])
        .collect();
    assert_eq!(
        texts[0],
        ["*.shop.example /s150/*", "cluster a", "cluster b"]
    );
    assert!(
        texts
            .iter()
            .all(|[_, before, after]| [*before, *after] == ["cluster a", "cluster b"])
    );

    // A route that moves is the only one whose requests can differ, and they do not.
    let mut moved = numbers;
    moved.rotate_left(1);
    assert!(routes(&old, &routes_of(&moved)).routes.is_empty());
}

/// The model has only the status of an answer.
#[test]
fn another_target_or_body_is_not_proved_equal() {
    let route = |answer: &str| format!("{{match: {{prefix: /}}, {answer}}}");
    for (old, new, is_equal) in [
        (
            "redirect: {host_redirect: a}",
            "redirect: {host_redirect: b}",
            false,
        ),
        (
            "redirect: {host_redirect: a}",
            "redirect: {host_redirect: a, strip_query: false}",
            true,
        ),
        (
            "redirect: {host_redirect: a}",
            "redirect: {host_redirect: a, https_redirect: true}",
            false,
        ),
        (
            "direct_response: {status: 200, body: {inline_string: a}}",
            "direct_response: {status: 200, body: {inline_string: b}}",
            false,
        ),
    ] {
        let report = routes(&route(old), &route(new));
        assert_eq!(
            report.routes.is_empty(),
            is_equal,
            "{old}, {new}: {report:?}"
        );
        for of in &report.routes {
            assert_eq!(of.status, RoutesStatus::Changed, "{report:?}");
            let named = (of.before == "redirect 301", of.after.as_str());
            let redirect = (true, "redirect 301, but another target");
            let response = (false, "direct response 200, but another body");
            assert!(named == redirect || named == response, "{of:?}");
        }
        assert_eq!(report.equal_listeners, usize::from(is_equal));
    }
}

#[test]
fn weights_of_the_same_ratio_are_equal_unless_a_number_selects() {
    let route = |weights: [u32; 2], by: &str| {
        format!(
            "{{match: {{prefix: /}}, route: {{weighted_clusters: {{clusters: [{{name: a, weight: {}}}, {{name: b, weight: \
             {}}}]{by}}}}}}}",
            weights[0], weights[1]
        )
    };
    for (old, new, by, is_equal) in [
        ([50, 50], [1, 1], "", true),
        ([75, 25], [3, 1], "", true),
        ([0, 100], [0, 7], "", true),
        ([50, 50], [1, 2], "", false),
        ([50, 50], [1, 1], ", header_name: x-number", false),
    ] {
        let report = routes(&route(old, by), &route(new, by));
        assert_eq!(
            report.routes.is_empty(),
            is_equal,
            "{old:?} {new:?} {by}: {report:?}"
        );
    }
}
