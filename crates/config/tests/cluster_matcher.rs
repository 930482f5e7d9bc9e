//! The cluster specifier with a matcher; the clusters are those that Envoy 1.40 chose.

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, read_with},
    write::envoy_yaml,
};
use spillgate_core::route::{RouteAction, RouteTarget};

use super::routes::{WITH_REGEX, outcome, routes_text};

const TYPE: &str = "type.googleapis.com/envoy.";
const SPECIFIER: &str = "extensions.router.cluster_specifiers.matcher.v3.";

fn input(name: &str) -> String {
    typed(
        "type.matcher.v3.HttpRequestHeaderMatchInput",
        &format!("header_name: {name}"),
    )
}

fn typed(kind: &str, fields: &str) -> String {
    format!("{{name: x, typed_config: {{\"@type\": {TYPE}{kind}, {fields}}}}}")
}

fn to(cluster: &str) -> String {
    let action = typed(
        &format!("{SPECIFIER}ClusterAction"),
        &format!("cluster: {cluster}"),
    );
    format!("{{action: {action}}}")
}

fn single(header: &str, value: &str) -> String {
    let input = input(header);
    format!("{{single_predicate: {{input: {input}, value_match: {{{value}}}}}}}")
}

fn when(predicate: &str, then: &str) -> String {
    format!("{{predicate: {predicate}, on_match: {then}}}")
}

fn list(matchers: &[String]) -> String {
    format!("matcher_list: {{matchers: [{}]}}", matchers.join(", "))
}

fn route_text(matcher: &str, more: &str) -> String {
    let kind = format!("{SPECIFIER}MatcherClusterSpecifier");
    let plugin = typed(&kind, &format!("cluster_matcher: {{{matcher}}}"));
    let route = format!(
        "    - {{match: {{prefix: /}}, route: {{{more}inline_cluster_specifier_plugin: {{extension: {plugin}}}}}}}\n"
    );
    routes_text(&route, "")
}

fn read(matcher: &str, more: &str) -> Result<EnvoyConfig, Vec<Diagnostic>> {
    read_with(&route_text(matcher, more), Format::Yaml, &WITH_REGEX)
}

/// The clusters of requests with these headers; also after the configuration was written and read.
fn clusters(matcher: &str, requests: &[&[(&str, &str)]]) -> Vec<String> {
    let config = read(matcher, "").unwrap();
    let found: Vec<_> = requests
        .iter()
        .map(|of| outcome(&config, "/", of))
        .collect();
    let written = envoy_yaml(&config.model, &config.listeners).unwrap();
    let again = read_with(&written.text, Format::Yaml, &WITH_REGEX).unwrap();
    let repeated: Vec<_> = requests.iter().map(|of| outcome(&again, "/", of)).collect();
    assert_eq!(found, repeated, "{}", written.text);
    found
}

/// The first fault or warning about the route.
fn finding(matcher: &str, more: &str) -> String {
    let mut found = read(matcher, more).map_or_else(|faults| faults, |config| config.warnings);
    found.retain(|finding| finding.code != "config/no-endpoints");
    let found = found.first().map(|first| first.message.clone());
    found.unwrap_or_default()
}

#[test]
fn the_first_matching_condition_chooses_the_cluster() {
    let matcher = list(&[
        when(&single("x-h", "exact: a"), &to("a")),
        when(&single("X-H", "prefix: B, ignore_case: true"), &to("b")),
        when(
            &format!(
                "{{and_matcher: {{predicate: [{}, {}]}}}}",
                single("x-h", "contains: c"),
                single("x-g", "suffix: z")
            ),
            &to("c"),
        ),
        when(
            &format!(
                "{{or_matcher: {{predicate: [{}, {}]}}}}",
                single("x-h", "exact: 'a,b'"),
                single("x-f", "safe_regex: {google_re2: {}, regex: f}")
            ),
            &to("or"),
        ),
    ]);
    let found = clusters(
        &matcher,
        &[
            &[("x-h", "a")],
            &[("x-h", "bb")],
            &[("x-h", "ca"), ("x-g", "zz")],
            &[("x-h", "ca")],
            &[("x-h", "a"), ("x-h", "b")],
            &[("x-h", "b"), ("x-h", "a")],
            &[("x-f", "f")],
            &[],
        ],
    );
    assert_eq!(found, ["a", "b", "c", "", "or", "b", "or", ""]);
}

#[test]
fn a_missing_header_meets_only_inverted_conditions() {
    let not = format!("{{not_matcher: {}}}", single("x-h", "exact: a"));
    let matcher = list(&[
        when(&single("x-h", "exact: ''"), &to("empty")),
        when(&not, &to("a")),
    ]);
    let matcher = format!("{matcher}, on_no_match: {}", to("d"));
    let requests: [&[(&str, &str)]; 3] = [&[], &[("x-h", "")], &[("x-h", "a")]];
    assert_eq!(clusters(&matcher, &requests), ["a", "empty", "d"]);
}

#[test]
fn trees_compare_whole_values_or_prefer_the_longest_prefix() {
    let inner = list(&[when(&single("x-g", "exact: a"), &to("c"))]);
    let tree = |map: &str, entries: &str| {
        let input = input("x-h");
        format!(
            "matcher_tree: {{input: {input}, {map}: {{map: {{{entries}}}}}}}, on_no_match: {}",
            to("d")
        )
    };
    let exact = tree(
        "exact_match_map",
        &format!("a: {}, nn: {{matcher: {{{inner}}}}}", to("a")),
    );
    let requests: [&[(&str, &str)]; 5] = [
        &[],
        &[("x-h", "a")],
        &[("x-h", "A")],
        &[("x-h", "nn")],
        &[("x-h", "nn"), ("x-g", "a")],
    ];
    assert_eq!(clusters(&exact, &requests), ["d", "a", "d", "d", "c"]);

    let entries = format!(
        "a: {}, abc: {{matcher: {{{inner}}}}}, ab: {}",
        to("a"),
        to("b")
    );
    let requests: [&[(&str, &str)]; 6] = [
        &[],
        &[("x-h", "ax")],
        &[("x-h", "abx")],
        &[("x-h", "abc")],
        &[("x-h", "abc"), ("x-g", "a")],
        &[("x-h", "b")],
    ];
    let found = clusters(&tree("prefix_match_map", &entries), &requests);
    assert_eq!(found, ["d", "a", "b", "b", "c", "d"]);
}

#[test]
fn an_outer_matcher_goes_on_after_an_inner_one_without_a_match() {
    let inner = list(&[when(&single("x-g", "exact: a"), &to("a"))]);
    let matcher = list(&[
        when(
            &single("x-h", "prefix: a"),
            &format!("{{matcher: {{{inner}}}}}"),
        ),
        when(&single("x-h", "prefix: ab"), &to("b")),
    ]);
    let matcher = format!("{matcher}, on_no_match: {}", to("d"));
    let requests: [&[(&str, &str)]; 3] = [
        &[("x-h", "a")],
        &[("x-h", "ab")],
        &[("x-h", "ab"), ("x-g", "a")],
    ];
    assert_eq!(clusters(&matcher, &requests), ["d", "b", "a"]);
}

#[test]
fn pseudo_headers_and_the_host_are_inputs() {
    let matcher = list(&[
        when(&single("host", "exact: other"), &to("other")),
        when(&single("host", "exact: example.org"), &to("host")),
    ]);
    assert_eq!(clusters(&matcher, &[&[]]), ["host"]);
}

#[test]
fn parts_of_a_matcher_that_are_not_modeled_are_named() {
    let query = typed(
        "type.matcher.v3.HttpRequestQueryParamMatchInput",
        "query_param: q",
    );
    let by_query = format!("{{single_predicate: {{input: {query}, value_match: {{exact: a}}}}}}");
    let input = input("x-h");
    let custom = typed(
        "extensions.matching.input_matchers.ip.v3.Ip",
        "stat_prefix: s",
    );
    let by_ip = format!("{{single_predicate: {{input: {input}, custom_match: {custom}}}}}");
    let tree = format!("matcher_tree: {{input: {input}, custom_match: {custom}}}");
    let keep = to("a").replace("{action", "{keep_matching: true, action");
    for (matcher, part, what) in [
        (
            list(&[when(&by_query, &to("a"))]),
            "input",
            "with this input",
        ),
        (
            list(&[when(&by_ip, &to("a"))]),
            "custom_match",
            "with custom_match",
        ),
        (tree, "custom_match", "with custom_match"),
        (
            format!("on_no_match: {keep}"),
            "keep_matching",
            "with keep_matching",
        ),
    ] {
        let config = read(&matcher, "").unwrap();
        assert_eq!(outcome(&config, "/", &[]), format!("unknown: {part}"));
        let expected = format!(
            "a cluster matcher {what} is not modeled; requests that reach it have an unknown result"
        );
        assert_eq!(finding(&matcher, ""), expected);
    }
}

#[test]
fn an_unknown_cluster_is_a_warning_and_a_refreshing_retry_a_limit() {
    let matcher = format!("on_no_match: {}", to("a"));
    assert_eq!(finding(&matcher, ""), "");
    let refresh = "retry_policy: {retry_on: 5xx, refresh_cluster_on_retry: true}, ";
    assert_eq!(
        finding(&matcher, refresh),
        "refresh_cluster_on_retry is not modeled here; a retry matches the headers that filters \
         and the route have changed"
    );
    let unknown = format!("on_no_match: {}", to("zz"));
    let config = read(&unknown, "").unwrap();
    assert_eq!(finding(&unknown, ""), "unknown cluster");
    assert_eq!(outcome(&config, "/", &[]), "zz");
    let routes = &config.listeners[0].routes.virtual_hosts[0].routes;
    assert_eq!(routes[0].clusters().collect::<Vec<_>>(), ["zz"]);
    let RouteAction::Forward(forward) = &routes[0].action else {
        panic!("the route forwards");
    };
    assert!(matches!(forward.target, RouteTarget::Matched(_)));
}

#[test]
fn a_matcher_that_envoy_refuses_is_an_error() {
    let input = input("x");
    let when_x = |predicate: &str| list(&[when(predicate, &to("a"))]);
    let one = single("x", "exact: a");
    let string = format!(
        "{{action: {{name: x, typed_config: {{\"@type\": {TYPE}config.route.v3.Route}}}}}}"
    );
    for (matcher, message) in [
        (
            "matcher_list: {matchers: []}".into(),
            "required field is missing",
        ),
        (format!("on_no_match: {}", to("''")), "empty value"),
        (
            when_x(&single("x", "safe_regex: {regex: a}")),
            "safe_regex without google_re2",
        ),
        (when_x("{}"), "required field is missing"),
        (when_x(&single("x", "")), "empty string_match"),
        (
            when_x(&format!("{{single_predicate: {{input: {input}}}}}")),
            "required field is missing",
        ),
        (
            when_x("{single_predicate: {value_match: {exact: a}}}"),
            "required field is missing",
        ),
        (
            when_x(&format!("{{or_matcher: {{predicate: [{one}]}}}}")),
            "too few conditions",
        ),
        (
            list(&[format!("{{predicate: {one}}}")]),
            "required field is missing",
        ),
        (
            format!("matcher_tree: {{input: {input}, exact_match_map: {{map: {{}}}}}}"),
            "required field is missing",
        ),
        (
            format!("matcher_tree: {{input: {input}}}"),
            "required field is missing",
        ),
        (
            format!("on_no_match: {string}"),
            "not an action of a cluster matcher",
        ),
        (
            "on_no_match: {action: {name: x}}".into(),
            "required field is missing",
        ),
    ] {
        let faults = read(&matcher, "").unwrap_err();
        let fault = &faults[0];
        let found = fault.message.as_str();
        assert!(found.contains(message), "{matcher}: {fault:?}");
    }
}
