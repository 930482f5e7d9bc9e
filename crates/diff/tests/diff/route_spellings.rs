//! Routes that are written in another way and do the same.

use spillgate_diff::DiffReport;

use super::common;

fn routes(old: &str, new: &str) -> DiffReport {
    let cluster =
        |name| format!("{{name: {name}, type: STATIC, load_assignment: {{cluster_name: {name}}}}}");
    let clusters = [cluster("a"), cluster("b")].join(", ");
    let [old, new] = [old, new].map(|routes| common::config(&clusters, r#""*""#, routes));
    common::compare(&old, &new)
}

const A: &str = "{match: {prefix: /}, route: {cluster: a}}";

fn assert_equal(old: &str, new: &str, is_equal: bool) {
    let report = routes(old, new);
    assert_eq!(
        report.is_equal(),
        is_equal,
        "{old}\n{new}\n{:?}",
        report.routes
    );
    assert_eq!(report.equal_listeners, usize::from(is_equal));
}

#[test]
fn a_name_matters_only_where_a_header_has_it() {
    let named = |name: &str, header: &str| {
        format!(
            "{{name: {name}, match: {{prefix: /}}, route: {{cluster: a}}, request_headers_to_add: [{{header: {{key: x, value: \
             \"{header}\"}}}}]}}"
        )
    };
    assert_equal(&named("one", "text"), &named("two", "text"), true);
    assert_equal(
        &named("one", "%ROUTE_NAME%"),
        &named("two", "%ROUTE_NAME%"),
        false,
    );
}

#[test]
fn conditions_that_the_same_requests_meet_are_equal() {
    let route = |condition: &str| format!("{{match: {{{condition}}}, route: {{cluster: a}}}}");
    let x = "{name: x, string_match: {exact: v}}";
    let z = "{name: z, present_match: true}";
    for (old, new, is_equal) in [
        (format!("prefix: /, headers: [{x}, {z}]"), format!("prefix: /, headers: [{z}, {x}]"), true),
        (format!("prefix: /, headers: [{x}, {z}]"), format!("prefix: /, headers: [{z}]"), false),
        (
            format!("prefix: /, headers: [{z}]"),
            "prefix: /, headers: [{name: z, present_match: false, invert_match: true}]".into(),
            true,
        ),
        ("path: /a.b".into(), r#"safe_regex: {regex: "/a\\.b"}"#.into(), true),
        ("path: /a.b".into(), r#"safe_regex: {regex: "/a.b"}"#.into(), false),
        (
            "prefix: /, runtime_fraction: {default_value: {numerator: 100}}".into(),
            "prefix: /".into(),
            true,
        ),
        (
            "prefix: /, runtime_fraction: {default_value: {numerator: 10}}".into(),
            "prefix: /, runtime_fraction: {default_value: {numerator: 1000, denominator: TEN_THOUSAND}}".into(),
            true,
        ),
        (
            "prefix: /, runtime_fraction: {default_value: {numerator: 10}}".into(),
            "prefix: /, runtime_fraction: {default_value: {numerator: 10, denominator: TEN_THOUSAND}}".into(),
            false,
        ),
    ] {
        assert_equal(&route(&old), &route(&new), is_equal);
    }
}

#[test]
fn routes_that_no_request_notices_are_equal() {
    let get = "headers: [{name: ':method', string_match: {exact: GET}}]";
    for (new, is_equal) in [
        // Hidden by the first one.
        (
            format!("{A}, {{match: {{prefix: /cart}}, route: {{cluster: b}}}}"),
            true,
        ),
        (format!("{A}, {A}"), true),
        (
            format!("{A}, {{match: {{safe_regex: {{regex: '/v.*'}}}}, route: {{cluster: b}}}}"),
            false,
        ),
        // The next one does the same.
        (
            format!("{{match: {{prefix: /cart}}, route: {{cluster: a}}}}, {A}"),
            true,
        ),
        (
            format!("{{match: {{prefix: /, {get}}}, route: {{cluster: a}}}}, {A}"),
            true,
        ),
        (
            String::from(
                "{match: {prefix: /cart}, route: {cluster: a, prefix_rewrite: /}}, \
                 {match: {prefix: /}, route: {cluster: a, prefix_rewrite: /}}",
            ),
            false,
        ),
        // Some of its requests meet another route before that.
        (
            format!(
                "{{match: {{prefix: /cart}}, route: {{cluster: a}}}}, {{match: {{prefix: /, {get}}}, route: {{cluster: b}}}}, {A}"
            ),
            false,
        ),
    ] {
        assert_equal(A, &new, is_equal);
    }
}

#[test]
fn targets_that_get_the_same_requests_are_equal() {
    let split = |clusters: &str| {
        format!(
            "{{match: {{prefix: /}}, route: {{weighted_clusters: {{clusters: [{clusters}]}}}}}}"
        )
    };
    assert_equal(A, &split("{name: a, weight: 7}"), true);
    assert_equal(
        A,
        &split("{name: a, weight: 7}, {name: b, weight: 0}"),
        true,
    );
    assert_equal(
        A,
        &split("{name: a, weight: 7}, {name: b, weight: 1}"),
        false,
    );
    let (one, two) = ("{name: a, weight: 7}", "{name: b, weight: 3}");
    assert_equal(
        &split(&format!("{one}, {two}")),
        &split(&format!("{two}, {one}")),
        true,
    );
    let retry = |on: &str| {
        format!(
            "{{match: {{prefix: /}}, route: {{cluster: a, retry_policy: {{retry_on: '{on}'}}}}}}"
        )
    };
    assert_equal(&retry("5xx,reset"), &retry("reset, 5xx"), true);
    assert_equal(&retry("5xx,reset"), &retry("5xx"), false);
}
