//! Spillgate filters in an Envoy configuration: they are recognized in every form, and their
//! clusters get Envoy's hosts.

use serde_json::{Value, json};
use spillgate_config::{
    envoy::{EnvoyConfig, Format, read},
    filter::{FilterForm, TargetConfig},
    isolation::isolates,
    steered::{effective_model, envoy_model, model_in, steering_configs},
};
use spillgate_core::{
    model::{ClusterKind, MaglevConfig, Model, Policy},
    route::{CHOSEN_CLUSTER, Connection, HeaderList, RequestFilter, RouteOutcome, request_hash},
};

fn cluster(name: &str, hosts: &[(&str, &str)]) -> Value {
    let endpoints: Vec<Value> = hosts
        .iter()
        .map(|(ip, health)| {
            json!({
                "health_status": health,
                "endpoint": {"address": {"socket_address": {"address": ip, "port_value": 80}}},
            })
        })
        .collect();
    json!({
        "name": name, "type": "STATIC", "connect_timeout": "1s",
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": endpoints}]},
    })
}

fn plugin(health: &Value) -> Value {
    json!({
        "clusters": [
            {"name": "primary", "lb_policy": "MAGLEV"},
            {"name": "shop", "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
                "name": "envoy.clusters.aggregate", "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                    "clusters": ["primary"]}}},
        ],
        "target": "shop", "health": health,
    })
}

fn admin() -> Value {
    json!({"source": "admin", "cluster": "admin"})
}

fn as_text(plugin: &Value) -> Value {
    json!({"@type": "type.googleapis.com/google.protobuf.StringValue", "value": plugin.to_string()})
}

fn as_struct(plugin: &Value) -> Value {
    json!({"@type": "type.googleapis.com/google.protobuf.Struct", "value": plugin})
}

fn bootstrap(configuration: &Value, per_route: &Value) -> Value {
    json!({"admin": {}, "static_resources": {
        "clusters": [
            cluster("primary", &[("10.0.0.1", "HEALTHY"), ("10.0.0.2", "UNHEALTHY")]),
            cluster("admin", &[("127.0.0.1", "HEALTHY")]),
        ],
        "listeners": [{"name": "in", "filter_chains": [{"filters": [{
            "name": "hcm",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                "stat_prefix": "in",
                "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [
                    {"match": {"prefix": "/off"}, "route": {"cluster": "primary"},
                     "typed_per_filter_config": per_route},
                    {"match": {"prefix": "/"}, "route": {"cluster_header": "x-spillgate-cluster"}},
                ]}]},
                "http_filters": [{"name": "steer", "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
                    "config": {"configuration": configuration}}},
                    {"name": "router", "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}],
            },
        }]}]}],
    }})
}

fn config(configuration: &Value) -> EnvoyConfig {
    let off = json!({"steer": {
        "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true}});
    read(&bootstrap(configuration, &off).to_string(), Format::Json).unwrap()
}

fn hosts(config: &EnvoyConfig, envoy: &Model) -> Model {
    let read = steering_configs(&config.listeners[0]);
    model_in(read.configs[0].as_ref().unwrap(), envoy, &read.unknown[0])
}

fn addresses(model: &Model) -> Vec<&str> {
    let priorities = model.clusters()[0].priorities().iter();
    let endpoints = priorities.flat_map(|priority| &priority.endpoints);
    endpoints
        .map(|endpoint| endpoint.address.as_str())
        .collect()
}

#[test]
fn text_and_struct_configure_the_same_filter() {
    for configuration in [as_text(&plugin(&admin())), as_struct(&plugin(&admin()))] {
        let config = config(&configuration);
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
        let listener = &config.listeners[0];
        assert_eq!(listener.routes.filters, [RequestFilter::Spillgate(0)]);
        assert_eq!(listener.spillgate[0].name, "steer");
        let read = steering_configs(listener);
        let filter = read.configs[0].as_ref().unwrap();
        assert_eq!(filter.target, TargetConfig::Always("shop".into()));
        assert_eq!(filter.model.clusters().len(), 2);
    }
}

/// The same Envoy with the dynamic module; `policy` configures its load-balancing policy.
fn native(policy: &Value) -> EnvoyConfig {
    let module = |name: &str, fields: Value| {
        let mut message = json!({
            "@type": format!("type.googleapis.com/envoy.extensions.{name}"),
            "dynamic_module_config": {"name": "spillgate-0123abcd"},
        });
        let all = message.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        message
    };
    let mut bootstrap = bootstrap(&json!({}), &json!({}));
    let resources = &mut bootstrap["static_resources"];
    let manager = &mut resources["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"];
    let filter = plugin(&json!({"source": "static"}));
    manager["http_filters"][0]["typed_config"] = module(
        "filters.http.dynamic_modules.v3.DynamicModuleFilter",
        json!({"filter_name": "spillgate", "filter_config": as_struct(&filter)}),
    );
    let value =
        json!({"@type": "type.googleapis.com/google.protobuf.StringValue", "value": "fallback"});
    manager["route_config"]["virtual_hosts"][0]["routes"][1]["route"] = json!({
        "inline_cluster_specifier_plugin": {"extension": {"name": "s", "typed_config": module(
            "router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier",
            json!({"specifier_config": value}),
        )}},
    });
    resources["clusters"][0]["load_balancing_policy"] = json!({"policies": [{"typed_extension_config": {
        "name": "p", "typed_config": module(
            "load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig",
            json!({"lb_policy_name": "spillgate", "lb_policy_config": as_struct(policy)}),
        ),
    }}]});
    read(&bootstrap.to_string(), Format::Json).unwrap()
}

/// Whether Envoy's cluster has the policy of the filter's cluster, or no host without a list.
fn undecided(policy: &Value) -> (Policy, bool) {
    let config = native(policy);
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    let model = envoy_model(&config);
    let ClusterKind::Plain(plain) = &model.cluster("primary").unwrap().kind else {
        panic!("an aggregate");
    };
    let isolated = plain.subsets.as_ref().is_some_and(isolates);
    (plain.policy, isolated)
}

#[test]
fn the_dynamic_module_is_read_like_the_wasm_filter() {
    let config = native(&json!({}));
    let listener = &config.listeners[0];
    assert_eq!(listener.routes.filters, [RequestFilter::Spillgate(0)]);
    assert_eq!(listener.spillgate[0].form, FilterForm::DynamicModule);
    let route = &listener.routes.virtual_hosts[0].routes[1];
    assert_eq!(route.clusters().collect::<Vec<_>>(), ["fallback"]);
    // It has Envoy's hosts, although its configuration has none.
    let model = hosts(&config, &config.model);
    assert_eq!(addresses(&model), ["10.0.0.1:80", "10.0.0.2:80"]);
}

#[test]
fn the_cluster_specifier_follows_the_choice_and_no_header_of_a_client() {
    let config = native(&json!({}));
    let cluster = |name: &str, value: &str| {
        let headers = [(":authority", "a"), (":path", "/"), (name, value)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let list = HeaderList(&headers);
        let table = &config.listeners[0].routes;
        let received = table.receive(&list, Connection::default());
        let routed = table.route(&received);
        let RouteOutcome::Forward(routed) = routed else {
            panic!("not forwarded");
        };
        routed.choose(0).cluster.map(str::to_owned)
    };
    assert_eq!(cluster("x", "y").as_deref(), Some("fallback"));
    assert_eq!(
        cluster("x-spillgate-cluster", "primary").as_deref(),
        Some("fallback")
    );
    assert_eq!(
        cluster(CHOSEN_CLUSTER, "primary").as_deref(),
        Some("primary")
    );
}

#[test]
fn undecided_attempts_use_the_settings_of_the_filter_or_get_no_host() {
    let maglev = Policy::Maglev(MaglevConfig::default());
    assert_eq!(undecided(&json!({})), (maglev, false));
    assert_eq!(undecided(&json!({"undecided": "choose"})), (maglev, false));
    assert!(undecided(&json!({"undecided": "refuse"})).1);
}

/// The module's policy sees no hash of Envoy's route.
#[test]
fn undecided_attempts_hash_by_the_configuration_of_the_filter() {
    let config = native(&json!({"undecided": "choose"}));
    let model = envoy_model(&config);
    let ClusterKind::Plain(plain) = &model.cluster("primary").unwrap().kind else {
        panic!("an aggregate");
    };
    let headers = HeaderList(&[(":path", "/")]);
    let hash = request_hash(&plain.hash_policies, &headers, &Connection::default());
    // They replace those of the route, and yield no hash.
    assert!(
        !plain.hash_policies.is_empty() && hash.is_none(),
        "{hash:?}"
    );
}

#[test]
fn a_rejected_policy_is_a_warning() {
    let config = native(&json!({"undecided": "perhaps"}));
    let codes: Vec<_> = config.warnings.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["config/filter-rejected"]);
}

#[test]
fn a_route_switches_it_off() {
    let config = config(&as_text(&plugin(&admin())));
    let routes = &config.listeners[0].routes;
    let filters = |path: &str| {
        let headers = [(":authority", "a"), (":path", path)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let headers = HeaderList(&headers);
        let received = routes.receive(&headers, Connection::default());
        routes.spillgate_filters(&received).collect::<Vec<_>>()
    };
    assert_eq!(filters("/"), [0]);
    assert_eq!(filters("/off"), [0; 0]);
}

#[test]
fn clusters_have_envoys_hosts_with_the_admin_as_source() {
    let config = config(&as_struct(&plugin(&admin())));
    let model = hosts(&config, &config.model);
    assert_eq!(addresses(&model), ["10.0.0.1:80", "10.0.0.2:80"]);
    let priority = &model.clusters()[0].priorities()[0];
    assert_eq!(priority.endpoints[1].health.status.name(), "UNHEALTHY");

    let none = json!({"static_resources": {}});
    let none = read(&none.to_string(), Format::Json).unwrap();
    let model = hosts(&config, &none.model);
    assert_eq!(addresses(&model), [""; 0]);
}

#[test]
fn static_hosts_are_the_filters_own() {
    let mut plugin = plugin(&json!({"source": "static"}));
    plugin["clusters"][0] = cluster("primary", &[("10.9.9.9", "HEALTHY")]);
    let config = config(&as_text(&plugin));
    let model = hosts(&config, &config.model);
    assert_eq!(addresses(&model), ["10.9.9.9:80"]);
}

/// The configuration with an Envoy that is changed.
fn in_envoy(plugin: &Value, change: impl Fn(&mut Value)) -> EnvoyConfig {
    let mut bootstrap = bootstrap(&as_struct(plugin), &json!({}));
    change(&mut bootstrap);
    read(&bootstrap.to_string(), Format::Json).unwrap()
}

#[test]
fn hosts_stay_unknown_if_polls_cannot_reach_the_admin_interface() {
    type Change = fn(&mut Value);
    let unpolled: [(&str, Change); 3] = [
        ("there is no cluster \"admin\"", |envoy| {
            envoy["static_resources"]["clusters"]
                .as_array_mut()
                .unwrap()
                .pop();
        }),
        ("the bootstrap has no admin", |envoy| {
            envoy.as_object_mut().unwrap().remove("admin");
        }),
        ("allow_paths of admin omits /clusters", |envoy| {
            envoy["admin"] = json!({"allow_paths": [{"exact": "/clusters"}]});
        }),
    ];
    for (why, change) in unpolled {
        let config = in_envoy(&plugin(&admin()), change);
        let read = steering_configs(&config.listeners[0]);
        assert_eq!(read.unknown, [["primary"]], "{why}");
        let [warning] = read.warnings.as_slice() else {
            panic!("{:?}", read.warnings);
        };
        assert_eq!(warning.code, "config/polls-blocked");
        assert!(warning.message.contains(why), "{warning}");
        assert_eq!(addresses(&hosts(&config, &config.model)), [""; 0], "{why}");
    }
    let allowed =
        json!({"allow_paths": [{"safe_regex": {"regex": "/clusters.*"}}, {"prefix": "/clusters"}]});
    let config = in_envoy(&plugin(&admin()), |envoy| envoy["admin"] = allowed.clone());
    assert!(steering_configs(&config.listeners[0]).warnings.is_empty());
}

#[test]
fn hosts_of_the_filter_stay_as_configured_if_polls_fail() {
    let mut configured = plugin(&admin());
    configured["clusters"][0] = cluster("primary", &[("10.9.9.9", "HEALTHY")]);
    let config = in_envoy(&configured, |envoy| {
        envoy.as_object_mut().unwrap().remove("admin");
    });
    let read = steering_configs(&config.listeners[0]);
    assert!(read.unknown[0].is_empty());
    let warning = &read.warnings[0];
    assert!(
        warning
            .message
            .ends_with("hosts and health stay as configured"),
        "{warning}"
    );
    assert_eq!(addresses(&hosts(&config, &config.model)), ["10.9.9.9:80"]);
}

#[test]
fn rejected_configurations_get_a_warning_with_their_place() {
    let mut plugin = plugin(&admin());
    plugin["tick"] = json!("0s");
    for configuration in [as_text(&plugin), as_struct(&plugin)] {
        let config = config(&configuration);
        let read = steering_configs(&config.listeners[0]);
        assert!(read.configs[0].is_none());
        let [warning] = read.warnings.as_slice() else {
            panic!("{:?}", read.warnings);
        };
        assert_eq!(warning.code, "config/filter-rejected");
        assert!(
            warning.path.ends_with("typed_config.config.configuration"),
            "{warning}"
        );
        assert!(warning.message.contains("tick: out of range"), "{warning}");
    }
}

#[test]
fn a_fault_in_an_embedded_configuration_has_its_own_line() {
    let text = "static_resources:
  listeners:
  - name: in
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config: {virtual_hosts: []}
          http_filters:
          - name: steer
            typed_config:
              \"@type\": type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm
              config:
                configuration:
                  \"@type\": type.googleapis.com/google.protobuf.Struct
                  value:
                    target: shop
                    clusters: [{name: shop, load_assignment: {cluster_name: shop}}]
                    health: {source: admin, cluster: admin}
                    output:
                      candidates: none
                    tick: 0s
";
    let config = read(text, Format::Yaml).unwrap();
    let read = steering_configs(&config.listeners[0]);
    let warning = &read.warnings[0];
    let line = 1 + text
        .lines()
        .position(|line| line.contains("candidates"))
        .unwrap();
    let position = warning.position.unwrap();
    assert_eq!(
        (position.line as usize, position.column),
        (line, 35),
        "{warning}"
    );
    assert!(
        warning.message.contains(": output.candidates: "),
        "{warning}"
    );
}

#[test]
fn clusters_replace_those_of_the_same_names() {
    let config = config(&as_struct(&plugin(&admin())));
    let served = effective_model(&config).unwrap();
    let names: Vec<&str> = served
        .model
        .clusters()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["primary", "shop", "admin"]);
    assert!(served.warnings.is_empty());
}

#[test]
fn clusters_outside_the_filter_are_omitted_with_a_chain() {
    let mut plugin = plugin(&admin());
    plugin["subset_chain"] = json!([{"any": true}]);
    let mut bootstrap = bootstrap(&as_struct(&plugin), &json!({}));
    let other = cluster("other", &[("10.0.0.9", "HEALTHY")]);
    bootstrap["static_resources"]["clusters"]
        .as_array_mut()
        .unwrap()
        .push(other);
    let config = read(&bootstrap.to_string(), Format::Json).unwrap();
    let served = effective_model(&config).unwrap();
    assert!(served.model.cluster("other").is_none());
    assert_eq!(served.warnings[0].code, "config/not-steered");
}

#[test]
fn other_wasm_filters_are_not_modeled() {
    let config = config(&as_text(&json!({"rate": 3})));
    assert!(config.listeners[0].spillgate.is_empty());
    assert_eq!(config.warnings[0].code, "config/filter-not-modeled");
}
