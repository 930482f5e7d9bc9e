//! Clusters that the Spillgate filter steers, close to a fault.

use serde_json::{Value, json};

use crate::common::{file, lint_json, lint_text, rules, vectors};
use spillgate_config::envoy::Format;
use spillgate_lint::Severity;

const FALLBACK: &str = "steered-fallback-too-wide";
const RETRIES: &str = "steered-retries-exceed-list";
const OPEN: &str = "steered-chain-open";

/// The rules that report the vector of a rule after a change.
fn found(rule: &str, change: impl FnOnce(&mut Site)) -> Vec<&'static str> {
    let vector = vectors().into_iter().find(|vector| {
        let first = vector.name.starts_with(rule);
        first && vector.rule == rule
    });
    let mut site = Site(vector.unwrap().json().unwrap());
    change(&mut site);
    rules(&lint_json(&site.0))
}

fn flagged(rule: &str, change: impl FnOnce(&mut Site)) -> bool {
    found(rule, change).contains(&rule)
}

/// A configuration with the filter.
struct Site(Value);

impl Site {
    fn manager(&mut self) -> &mut Value {
        let manager = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
        self.0.pointer_mut(manager).unwrap()
    }

    fn host(&mut self) -> &mut Value {
        &mut self.manager()["route_config"]["virtual_hosts"][0]
    }

    fn route(&mut self) -> &mut Value {
        &mut self.host()["routes"][0]["route"]
    }

    /// The configuration of the filter.
    fn filter(&mut self) -> &mut Value {
        let value = "/http_filters/0/typed_config/config/configuration/value";
        self.manager().pointer_mut(value).unwrap()
    }

    fn without(&mut self, fields: &[&str]) -> &mut Value {
        let filter = self.filter().as_object_mut().unwrap();
        for field in fields {
            filter.remove(*field).unwrap();
        }
        self.filter()
    }

    fn cluster(&mut self) -> &mut Value {
        &mut self.0["static_resources"]["clusters"][0]
    }

    fn fallback(&mut self) -> &mut Value {
        let fallback =
            "/load_balancing_policy/policies/0/typed_extension_config/typed_config/fallback_policy";
        self.cluster().pointer_mut(fallback).unwrap()
    }

    fn subsets(&mut self) -> &mut Value {
        let subsets = "/policies/0/typed_extension_config/typed_config";
        self.fallback().pointer_mut(subsets).unwrap()
    }
}

impl Site {
    /// The same with the dynamic module.
    fn with_module(&mut self, policy: &Value) {
        let typed = |name: &str, fields: Value| {
            let mut message = json!({
                "@type": format!("type.googleapis.com/envoy.extensions.{name}"),
                "dynamic_module_config": {"name": "spillgate"},
            });
            message
                .as_object_mut()
                .unwrap()
                .extend(fields.as_object().unwrap().clone());
            message
        };
        let structure = |value: &Value| json!({"@type": "type.googleapis.com/google.protobuf.Struct", "value": value});
        let filter = match self.filter() {
            Value::String(text) => serde_json::from_str(text).unwrap(),
            value => value.clone(),
        };
        self.manager()["http_filters"][0]["typed_config"] = typed(
            "filters.http.dynamic_modules.v3.DynamicModuleFilter",
            json!({"filter_config": structure(&filter)}),
        );
        *self.fallback() = json!({"policies": [{"typed_extension_config": {
            "name": "spillgate",
            "typed_config": typed(
                "load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig",
                json!({"lb_policy_config": structure(policy)}),
            ),
        }}]});
    }
}

const CHAIN: [&str; 2] = ["criteria", "subset_chain"];

#[test]
fn only_restricted_hosts_need_isolation() {
    assert!(flagged(FALLBACK, |_| {}));
    assert!(flagged(FALLBACK, |site| {
        site.without(&["subset_chain"]);
    }));
    assert!(!flagged(FALLBACK, |site| {
        site.without(&CHAIN);
    }));
    let affinity = json!({"cookie": {}, "keys": [{"id": 1, "secret": "x"}]});
    assert!(flagged(FALLBACK, |site| {
        site.without(&CHAIN)["affinity"] = affinity.clone();
    }));
    assert!(flagged(FALLBACK, |site| {
        let match_ = json!({"filter_metadata": {"envoy.lb": {"stage": "prod"}}});
        site.without(&CHAIN)["metadata_match"] = match_;
    }));
    // Envoy chooses the host of a subset.
    assert!(!flagged(FALLBACK, |site| {
        site.filter()["output"] =
            json!({"mode": "subset_headers", "subset_headers": {"stage": "x"}});
    }));
    // A weighted target is a target too.
    assert!(flagged(FALLBACK, |site| {
        site.without(&["target"])["weighted"] = json!([{"cluster": "c", "weight": 1}]);
    }));
}

#[test]
fn the_dynamic_module_isolates_unless_it_is_to_choose() {
    let unfit = |policy: Value| flagged(FALLBACK, |site| site.with_module(&policy));
    assert!(!unfit(json!({})));
    assert!(!unfit(json!({"undecided": "refuse"})));
    assert!(unfit(json!({"undecided": "choose"})));
    // Without criteria, any host may serve.
    assert!(!flagged(FALLBACK, |site| {
        site.without(&CHAIN);
        site.with_module(&json!({}));
    }));
}

#[test]
fn only_clusters_of_the_filter_need_isolation() {
    assert!(!flagged(FALLBACK, |site| {
        site.filter()["clusters"] = json!([{"name": "other"}]);
    }));
    // The cluster header can name it.
    assert!(flagged(FALLBACK, |site| {
        *site.route() = json!({"cluster_header": "x-spillgate-cluster"});
    }));
    assert!(!flagged(FALLBACK, |site| {
        let config = "type.googleapis.com/envoy.config.route.v3.FilterConfig";
        site.host()["routes"][0]["typed_per_filter_config"] =
            json!({"spillgate": {"@type": config, "disabled": true}});
    }));
}

#[test]
fn a_subset_policy_isolates_unless_it_falls_back() {
    // The vector of the other rule is isolated.
    let unfit =
        |change: fn(&mut Value)| found(RETRIES, |site| change(site.subsets())).contains(&FALLBACK);
    assert!(!unfit(|_| {}));
    assert!(unfit(
        |subsets| subsets["fallback_policy"] = json!("ANY_ENDPOINT")
    ));
    assert!(unfit(|subsets| subsets["panic_mode_any"] = json!(true)));
    assert!(unfit(|subsets| {
        subsets["subset_selectors"][0]["fallback_policy"] = json!("ANY_ENDPOINT");
    }));
    // The same subsets as in the filter are no wider than the list.
    assert!(!unfit(|subsets| {
        subsets["subset_selectors"][0]["keys"] = json!(["stage"]);
    }));
}

#[test]
fn the_subset_policy_of_an_isolated_cluster_is_no_mistake() {
    let only_retries = found(RETRIES, |_| {});
    assert_eq!(only_retries, [RETRIES]);
    let found = found(RETRIES, |site| {
        site.route()["metadata_match"] =
            json!({"filter_metadata": {"envoy.lb": {"stage": "prod"}}});
    });
    assert_eq!(found, [RETRIES]);
}

#[test]
fn the_list_limits_retries() {
    let retries = |count: u32| {
        flagged(RETRIES, |site| {
            site.route()["retry_policy"]["num_retries"] = json!(count);
        })
    };
    assert!(!retries(2));
    assert!(retries(3));
    let listed = |candidates: u32, count: u32| {
        flagged(RETRIES, |site| {
            site.filter()["output"] = json!({"candidates": candidates});
            site.route()["retry_policy"]["num_retries"] = json!(count);
        })
    };
    assert!(!listed(4, 3));
    assert!(listed(1, 1));
    // A route without conditions does not retry; a virtual host's policy applies to its routes.
    assert!(!flagged(RETRIES, |site| {
        site.route()["retry_policy"] = json!({"num_retries": 5});
    }));
    assert!(flagged(RETRIES, |site| {
        let policy = site.route()["retry_policy"].take();
        *site.route() = json!({"cluster": "c"});
        site.host()["retry_policy"] = policy;
    }));
}

#[test]
fn a_list_of_one_host_has_no_retries() {
    let once = |change: fn(&mut Site)| {
        flagged(RETRIES, |site| {
            // The default is one retry.
            site.route()["retry_policy"] = json!({"retry_on": "connect-failure"});
            change(site);
        })
    };
    assert!(!once(|_| {}));
    assert!(once(|site| {
        site.filter()["output"] = json!({"mode": "stateful_session"});
    }));
    assert!(once(|site| {
        site.filter()["affinity"] = json!({"cookie": {}, "on_lost": {"status": 410}});
    }));
    assert!(!once(|site| {
        site.filter()["affinity"] = json!({"cookie": {}, "on_lost": "rebalance"});
    }));
}

#[test]
fn only_a_header_that_clients_can_remove_opens_a_chain() {
    let open = |change: fn(&mut Value)| flagged(OPEN, |site| change(site.filter()));
    assert!(open(|_| {}));
    assert!(open(|filter| {
        filter["subset_chain"] =
            json!([{"keys": ["tenant", "zone"]}, {"keys": ["tenant"]}, {"any": true}]);
        filter["criteria"]
            .as_array_mut()
            .unwrap()
            .push(json!({"key": "zone", "value": "z"}));
    }));
    // Requests without the header get 503.
    assert!(!open(
        |filter| filter["subset_chain"] = json!([{"keys": ["tenant"]}])
    ));
    assert!(!open(|filter| {
        filter["subset_chain"][1] = json!({"match": {"tenant": "shared"}});
    }));
    // They have another step than any.
    assert!(!open(|filter| {
        filter["subset_chain"] =
            json!([{"keys": ["tenant"]}, {"match": {"tenant": "a"}}, {"any": true}]);
    }));
    // Every request has the key.
    assert!(!open(|filter| {
        let constant = json!({"key": "tenant", "value": "none"});
        filter["criteria"]
            .as_array_mut()
            .unwrap()
            .insert(0, constant);
    }));
    assert!(!open(|filter| {
        filter["criteria"]
            .as_array_mut()
            .unwrap()
            .push(json!({"route_metadata": true}));
    }));
}

#[test]
fn an_open_chain_needs_a_sign_that_hosts_are_to_be_separate() {
    let severity = |change: fn(&mut Site)| {
        let vector = vectors().into_iter().find(|vector| vector.rule == OPEN);
        let mut site = Site(vector.unwrap().json().unwrap());
        change(&mut site);
        let findings = lint_json(&site.0).into_iter();
        let mut found = findings.filter(|finding| finding.rule == OPEN);
        found.next().map(|finding| finding.severity)
    };
    let prefer = |site: &mut Site| site.filter()["health"]["on_stale"] = json!("keep");
    assert_eq!(severity(|_| {}), Some(Severity::Warning));
    // The cluster is isolated.
    assert_eq!(severity(prefer), Some(Severity::Info));
    assert_eq!(
        severity(|site| {
            site.filter()["health"]["on_stale"] = json!("keep");
            site.subsets()["fallback_policy"] = json!("ANY_ENDPOINT");
        }),
        None
    );
    let module = |undecided: &Value| {
        let vector = vectors().into_iter().find(|vector| vector.rule == OPEN);
        let mut site = Site(vector.unwrap().json().unwrap());
        site.without(&["health"]);
        site.with_module(undecided);
        rules(&lint_json(&site.0)).contains(&OPEN)
    };
    assert!(module(&json!({"undecided": "refuse"})));
    assert!(!module(&json!({})));
}

#[test]
fn a_header_that_envoy_sets_opens_no_chain() {
    let open = |change: fn(&mut Value)| flagged(OPEN, |site| change(site.manager()));
    let sets = json!({"append": {"header": {"key": "X-Tenant", "value": "a"},
        "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}});
    let early = "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation";
    let early = json!([{"name": "early", "typed_config": {"@type": early, "mutations": [sets]}}]);
    let claims = json!({
        "name": "envoy.filters.http.jwt_authn",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication",
            "providers": {"p": {"issuer": "i", "claim_to_headers":
                [{"header_name": "x-tenant", "claim_name": "tenant"}]}},
        },
    });
    assert!(open(|_| {}));
    assert!(!flagged(OPEN, |site| {
        site.manager()["early_header_mutation_extensions"] = early;
    }));
    for (at, is_open) in [(0, false), (1, true)] {
        let found = flagged(OPEN, |site| {
            let filters = site.manager()["http_filters"].as_array_mut().unwrap();
            filters.insert(at, claims.clone());
        });
        assert_eq!(found, is_open, "{at}");
    }
}

/// Every shipped Envoy configuration with the filter in the bootstrap.
#[test]
fn shipped_configurations_are_clean() {
    let mut seen = 0;
    let mut folders = vec![file("envoy-config")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let yaml = path.extension().is_some_and(|ending| ending == "yaml");
            if !yaml || !text.contains("static_resources:") {
                continue;
            }
            // The filter of these comes by ECDS; inline, the rules see it.
            let text = with_filter(&text, path.parent().unwrap());
            let findings = lint_text(&text, Format::Yaml);
            let ours =
                |rule: &str| rule.starts_with("steered-") || rule.starts_with("dynamic-module-");
            let found: Vec<_> = findings.iter().filter(|one| ours(one.rule)).collect();
            assert!(found.is_empty(), "{}: {found:?}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
}

/// The text with the filter of `ecds.yaml` in place of its ECDS source.
fn with_filter(text: &str, folder: &std::path::Path) -> String {
    let Ok(ecds) = std::fs::read_to_string(folder.join("ecds.yaml")) else {
        return text.to_owned();
    };
    let typed = ecds.split("  typed_config:\n").nth(1).unwrap();
    let (before, from) = text.split_once("          - name: spillgate\n").unwrap();
    // The comment on the next filter, or that filter.
    let ends = ["\n          # Moves", "\n          - name: "];
    let end = ends.iter().find_map(|end| from.find(end)).unwrap();
    let after = from.split_at(end).1.trim_start_matches('\n');
    let mut inline = String::from("          - name: spillgate\n            typed_config:\n");
    for line in typed.lines() {
        inline.push_str(&format!("          {line}\n"));
    }
    format!("{before}{inline}{after}")
}
