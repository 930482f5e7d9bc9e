//! Invalid Envoy configurations and their messages.

use proptest::prelude::*;
use spillgate_config::envoy::{Format, read};

/// The rendered faults, or else the warnings.
fn findings(yaml: &str) -> Vec<String> {
    let found = match read(yaml, Format::Yaml) {
        Ok(config) => config.warnings,
        Err(faults) => faults,
    };
    found.iter().map(|fault| fault.render("a")).collect()
}

fn one(yaml: &str) -> String {
    let found = findings(yaml);
    assert_eq!(found.len(), 1, "{yaml}: {found:#?}");
    found[0].clone()
}

const HOST: &str = "{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}";

/// A cluster with one host; `more` is added to its fields, `endpoint` to the endpoint.
fn cluster(more: &str) -> String {
    format!(
        "name: c\nload_assignment: {{cluster_name: c, endpoints: [{{lb_endpoints: [{HOST}]}}]}}\n{more}\n"
    )
}

#[test]
fn faults_of_a_cluster() {
    for (more, expected) in [
        (
            "lb_polici: MAGLEV",
            "a:3:1: config/unknown-field: lb_polici: unknown field in Cluster (did you mean lb_policy?)",
        ),
        (
            "lb_policy: MAGLEF",
            "a:3:12: config/unknown-value: lb_policy: unknown value; found \"MAGLEF\", expected one of ROUND_ROBIN, LEAST_REQUEST, RING_HASH, RANDOM, MAGLEV, CLUSTER_PROVIDED, LOAD_BALANCING_POLICY_CONFIG (did you mean MAGLEV?)",
        ),
        (
            "lb_policy: CLUSTER_PROVIDED",
            "a:3:12: config/lb-policy: lb_policy: this cluster type does not support CLUSTER_PROVIDED; found \"CLUSTER_PROVIDED\"",
        ),
        (
            "lb_policy: LOAD_BALANCING_POLICY_CONFIG",
            "a:3:12: config/lb-policy: lb_policy: load_balancing_policy is missing; found \"LOAD_BALANCING_POLICY_CONFIG\"",
        ),
        (
            "load_balancing_policy: {policies: []}",
            "a:3:35: config/missing: load_balancing_policy.policies: policy list is empty; found a list of 0",
        ),
        (
            "lb_policy: MAGLEV\nmaglev_lb_config: {table_size: 100}",
            "a:4:32: config/table-size: maglev_lb_config.table_size: table_size is not prime; found 100, expected a prime number, such as 65537",
        ),
        (
            "lb_policy: MAGLEV\nmaglev_lb_config: {table_size: 5000077}",
            "a:4:32: config/table-size: maglev_lb_config.table_size: table_size is too large; found 5000077, expected a prime number, at most 5000011",
        ),
        (
            "lb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 100, maximum_ring_size: 10}",
            "a:4:42: config/ring-size: ring_hash_lb_config.minimum_ring_size: minimum_ring_size exceeds maximum_ring_size; found 100, expected at most 10",
        ),
        (
            "lb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 9000000}",
            "a:4:42: config/ring-size: ring_hash_lb_config.minimum_ring_size: ring is too large; found 9000000, expected at most 8388608",
        ),
        (
            "ring_hash_lb_config: {}\nmaglev_lb_config: {}",
            "a:4:19: config/one-of: maglev_lb_config: ring_hash_lb_config and maglev_lb_config are mutually exclusive",
        ),
        (
            "common_lb_config: {healthy_panic_threshold: 50}",
            "a:3:45: config/type: common_lb_config.healthy_panic_threshold: wrong type; found 50, expected an object (Percent, such as {value: 50})",
        ),
        (
            "common_lb_config: {healthy_panic_threshold: {value: 101}}",
            "a:3:53: config/value: common_lb_config.healthy_panic_threshold.value: out of range; found 101, expected a number from 0 to 100",
        ),
        (
            "common_lb_config: {healthy_panic_threshold: {value: NaN}}",
            "a:3:53: config/type: common_lb_config.healthy_panic_threshold.value: not a number; found \"NaN\", expected a number from 0 to 100",
        ),
        (
            "lb_policy: MAGLEV\ncommon_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: true}}",
            "a:4:50: config/hash-hostname: common_lb_config.consistent_hashing_lb_config: use_hostname_for_hashing requires a cluster of type STRICT_DNS",
        ),
        (
            "type: STATIC\ncluster_type: {name: envoy.cluster.static}",
            "a:4:15: config/one-of: cluster_type: type and cluster_type are mutually exclusive",
        ),
        (
            "<<: {a: b}",
            "a:3:1: config/unknown-field: <<: Envoy does not support merge keys (<<)",
        ),
        (
            "type: EDS\ntype: STATIC",
            "a:4:1: config/repeated-key: duplicate key \"type\", first defined at line 3; using the last one",
        ),
        (
            "name: 5",
            "a:3:7: config/type: name: wrong type (put it in quotes); found 5, expected a string",
        ),
    ] {
        let found = findings(&cluster(more));
        // The last row also has a duplicate key.
        let found: Vec<_> = found
            .iter()
            .filter(|f| !f.contains("repeated-key") || expected.contains("repeated-key"))
            .collect();
        assert_eq!(found, [expected], "{more}");
    }
}

#[test]
fn faults_of_endpoints() {
    let endpoints =
        |list: &str| format!("name: c\nload_assignment:\n  cluster_name: c\n  endpoints: {list}\n");
    for (list, expected) in [
        (format!("[{{lb_endpoints: [{}, load_balancing_weight: 0}}]}}]", &HOST[..HOST.len() - 1]), "a:4:131: config/value: load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight: out of range; found 0, expected an integer from 1 to 4294967295"),
        (format!("[{{lb_endpoints: [{}, load_balancing_weight: 4294967296}}]}}]", &HOST[..HOST.len() - 1]), "a:4:131: config/value: load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight: out of range; found \"4294967296\", expected an integer from 1 to 4294967295"),
        (format!("[{{priority: 129, lb_endpoints: [{HOST}]}}]"), "a:4:26: config/value: load_assignment.endpoints[0].priority: out of range; found 129, expected an integer from 0 to 128"),
        ("[{lb_endpoints: [{endpoint: {address: {socket_address: {address: example.org, port_value: 80}}}}]}]".into(), "a:4:79: config/address: load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address.address: not an IP address; found \"example.org\", expected an IP address (DNS names require type STRICT_DNS or LOGICAL_DNS)"),
        ("[{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 70000}}}}]}]".into(), "a:4:101: config/value: load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address.port_value: out of range; found 70000, expected a port from 0 to 65535"),
        ("[{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1}}}}]}]".into(), "a:4:69: config/missing: load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address.port_value: address without a port; expected a port from 0 to 65535"),
        ("[{lb_endpoints: [{health_status: BROKEN, endpoint: {address: {pipe: {path: /a}}}}]}]".into(), "config/unknown-value"),
        ("[{lb_endpoints: [5]}]".into(), "a:4:31: config/type: load_assignment.endpoints[0].lb_endpoints[0]: wrong type; found 5, expected an object (LbEndpoint)"),
        ("[]".into(), "a:1:1: config/no-endpoints: cluster \"c\" has no endpoints; its requests get 503"),
    ] {
        let found = findings(&endpoints(&list));
        assert!(found[0].contains(expected), "{list}: {found:#?}");
    }
}

/// Two endpoints with the maximum weight, each in its own locality.
fn heavy(policy: &str) -> String {
    let [a, b] = ["a", "b"].map(|name| {
        format!(
            "{{locality: {{zone: {name}}}, load_balancing_weight: 1, lb_endpoints: [{{endpoint: {{address: {{pipe: {{path: /{name}}}}}}}, load_balancing_weight: 4294967295}}]}}"
        )
    });
    format!(
        "name: c\nlb_policy: {policy}\nload_assignment: {{cluster_name: c, endpoints: [{a}, {b}]}}\n"
    )
}

#[test]
fn large_weight_sums_get_a_warning_and_hash_policies_reject_them() {
    for (policy, refused) in [("RANDOM", false), ("RING_HASH", true), ("MAGLEV", true)] {
        let text = heavy(policy);
        let found = one(&text);
        assert!(found.contains("config/weight-sum"), "{found}");
        assert!(found.contains("found 8589934590"), "{found}");
        assert_eq!(read(&text, Format::Yaml).is_err(), refused, "{policy}");
    }
}

#[test]
fn faults_between_clusters() {
    let aggregate = |name: &str, members: &str| {
        format!(
            "- name: {name}\n  lb_policy: CLUSTER_PROVIDED\n  cluster_type: {{name: envoy.clusters.aggregate, typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: {members}}}}}\n"
        )
    };
    let base = format!(
        "- {{name: base, load_assignment: {{cluster_name: base, endpoints: [{{lb_endpoints: [{HOST}]}}]}}}}\n"
    );

    let found = one(&format!("{base}{}", aggregate("a", "[base, bas]")));
    assert!(found.starts_with("a:4:"), "{found}");
    assert!(found.ends_with("config/unknown-cluster: [1].cluster_type.typed_config.clusters: unknown cluster; Envoy silently skips this member; found \"bas\" (did you mean base?)"), "{found}");

    let found = findings(&format!(
        "{}{}",
        aggregate("a", "[b]"),
        aggregate("b", "[a]")
    ));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("clusters form a cycle: a -> b -> a"),
        "{found:#?}"
    );

    let found = one(&format!("{base}{base}"));
    assert_eq!(
        found,
        "a:2:3: config/duplicate-cluster: [1]: duplicate cluster name \"base\""
    );

    let found = one(&aggregate("a", "[]"));
    assert!(found.contains("aggregate without members"), "{found}");

    let found = one(&format!(
        "{base}{}",
        aggregate("a", "[base]").replace("CLUSTER_PROVIDED", "RANDOM")
    ));
    assert!(
        found.contains(
            "this cluster type requires CLUSTER_PROVIDED; found \"RANDOM\", expected CLUSTER_PROVIDED"
        ),
        "{found}"
    );
}

#[test]
fn faults_of_routes() {
    let routes = |routes: &str| {
        format!(
            "- name: shop\n  load_assignment: {{cluster_name: shop, endpoints: [{{lb_endpoints: [{HOST}]}}]}}\n- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes:\n    {routes}\n"
        )
    };
    for (route, expected) in [
        (
            "- {match: {prefix: /}, route: {cluster: shp}}",
            "a:8:45: config/unknown-cluster: [1].virtual_hosts[0].routes[0].route.cluster: unknown cluster; found \"shp\" (did you mean shop?)",
        ),
        (
            "- {route: {cluster: shop}}",
            "routes[0].match: route without a match",
        ),
        (
            "- {match: {}, route: {cluster: shop}}",
            "match without a path",
        ),
        (
            "- {match: {prefix: /, path: /}, route: {cluster: shop}}",
            "prefix and path are mutually exclusive",
        ),
        ("- {match: {prefix: /}}", "route without an action"),
        (
            "- {match: {prefix: /}, direct_response: {status: 700}}",
            "invalid response status; found 700, expected an integer from 200 to 599",
        ),
        (
            "- {match: {path_separated_prefix: /a/}, route: {cluster: shop}}",
            "not a path-separated prefix; found \"/a/\"",
        ),
        (
            "- {match: {prefix: /}, route: {cluster: shop, hash_policy: [{}]}}",
            "empty hash policy",
        ),
        (
            "- {match: {prefix: /}, route: {cluster: shop, hash_policy: [{header: {header_name: a, regex_rewrite: {pattern: {regex: x}}}}]}}",
            "config/hash-policy-not-modeled",
        ),
        (
            "- {match: {prefix: /}, route: {inline_cluster_specifier_plugin: {}}}",
            "a route with inline_cluster_specifier_plugin is not modeled; requests that reach it have an unknown result",
        ),
        (
            "- {match: {prefix: /, headers: [{name: a, safe_regex_match: {regex: x}}]}, route: {cluster: shop}}",
            "a match with safe_regex_match is not modeled; requests that reach it have an unknown result",
        ),
        (
            "- {match: {prefix: /, headers: [{exact_match: a}]}, route: {cluster: shop}}",
            "headers[0].name: required field is missing",
        ),
        (
            "- {match: {prefix: /, headers: [{name: a, string_match: {prefix: ''}}]}, route: {cluster: shop}}",
            "empty value",
        ),
    ] {
        let found = one(&routes(route));
        assert!(found.contains(expected), "{route}: {found}");
    }
}

/// No cluster could use it, so it would be dropped silently.
#[test]
fn an_assignment_without_the_name_of_its_cluster_is_reported() {
    let cluster = "name: a\ntype: EDS\neds_cluster_config: {eds_config: {ads: {}}}\n---\n";
    let kind = "'@type': type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment\n";
    for (name, expected) in [
        ("", "cluster_name: required field is missing"),
        ("cluster_name: ''\n", "cluster_name: empty value"),
    ] {
        let found = one(&format!("{cluster}{kind}{name}endpoints: []\n"));
        assert!(found.contains(expected), "{name}: {found}");
    }
}

#[test]
fn every_fault_at_once_in_text_order() {
    let text = "\
static_resources:
  clusters:
  - nam: a
  - name: b
    type: NOPE
    lb_policy: MAGLEV
    maglev_lb_config: {table_size: 4}
    common_lb_config: {healthy_panic_threshold: {value: -1}}
  - name: b
    load_assignment:
      cluster_name: b
      policy: {overprovisioning_factor: 0, weighted_priority_health: 1}
      endpoints: [{priority: 200, lb_endpoints: [{load_balancing_weight: 0}]}]
";
    let found = findings(text);
    let places: Vec<_> = found
        .iter()
        .map(|f| f.split(": ").take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        places,
        [
            "a:3:5 config/unknown-field",
            "a:3:5 config/missing",
            "a:5:11 config/unknown-value",
            "a:7:36 config/table-size",
            "a:8:57 config/value",
            "a:9:5 config/duplicate-cluster",
            "a:12:41 config/value",
            "a:12:70 config/type",
            "a:13:30 config/value",
            "a:13:50 config/missing",
            "a:13:74 config/value",
        ],
        "{found:#?}"
    );
}

#[test]
fn the_number_of_faults_is_limited() {
    let text = format!("[{}]", vec!["{\"nam\": 1}"; 3000].join(","));
    let faults = read(&text, Format::Json).unwrap_err();
    assert_eq!(faults.len(), 1001);
    assert_eq!(faults[1000].code, "config/more");
}

#[test]
fn texts_without_a_configuration() {
    for (text, code) in [
        ("", "config/empty"),
        ("# only a comment\n", "config/empty"),
        ("just words\n", "config/type"),
        ("- 1\n", "config/type"),
    ] {
        assert!(one(text).contains(code), "{text}");
    }
}

const SHOP: &str = include_str!("fixtures/shop.yaml");
const SETTINGS: &str = include_str!("fixtures/settings.yaml");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn truncated_configurations_never_panic(end in 0..SHOP.len()) {
        let _ = read(&SHOP[..end], Format::Yaml);
    }

    #[test]
    fn a_configuration_with_a_changed_byte_never_panics(at in 0..SHOP.len(), with in "[\\[\\]{}:,&*!|>'\"%@`#0a \n\t-]{0,3}") {
        let text = format!("{}{with}{}", &SHOP[..at], &SHOP[at + 1..]);
        let _ = read(&text, Format::Yaml);
        let _ = read(&text, Format::Json);
    }

    #[test]
    fn settings_with_a_changed_byte_never_panic(at in 0..SETTINGS.len(), with in "[\\[\\]{}:,*-9a \n]{0,3}") {
        let text = format!("{}{with}{}", &SETTINGS[..at], &SETTINGS[at + 1..]);
        let _ = read(&text, Format::Yaml);
    }

    #[test]
    fn no_text_panics(text in "[\\[\\]{}:,&*!|>'\"%@`#?~<0-9a-c \n\t.-]{0,40}") {
        let _ = read(&text, Format::Yaml);
        let _ = read(&text, Format::Json);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(text) = spillgate_config::node::decode(&bytes) {
            let _ = read(text, Format::Yaml);
            let _ = read(text, Format::Json);
        }
    }
}
