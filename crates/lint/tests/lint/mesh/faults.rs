//! Faults that people make, added to a mesh without faults.

use serde_json::{Value, json};
use spillgate_testkit::models::Dice;

use super::site::zone;

/// A fault: how to add it, and the rule that must report it.
pub(super) struct Fault {
    pub(super) rule: &'static str,
    /// Adds the fault. `None` if the mesh has no place for it.
    pub(super) add: fn(&mut Vec<Value>, &mut Dice) -> Option<()>,
}

const fn fault(rule: &'static str, add: fn(&mut Vec<Value>, &mut Dice) -> Option<()>) -> Fault {
    Fault { rule, add }
}

pub(super) const FAULTS: &[Fault] = &[
    fault("kuma-hash-cross-zone-weightless", |site, dice| {
        tags(site).filter(|tags| !tags.is_empty())?;
        conf(site)?["loadBalancer"]["type"] = json!(dice.one(&["Maglev", "RingHash"]));
        Some(())
    }),
    fault("kuma-threshold-truncated", |site, dice| {
        let percentage = dice.one(&[json!(70), json!(30), json!(99), json!("66.6")]);
        cross(site)?["failoverThreshold"]["percentage"] = percentage;
        Some(())
    }),
    fault("kuma-none-not-last", |site, dice| {
        let none = dice.one(&[
            json!({"to": {"type": "None"}}),
            json!({"from": {"zones": ["zone-1"]}, "to": {"type": "None"}}),
        ]);
        failover(site)?.insert(0, none);
        Some(())
    }),
    fault("kuma-rule-after-any", |site, dice| {
        let rules = failover(site)?;
        let all = dice.one(&[
            json!({"to": {"type": "Any"}}),
            json!({"to": {"type": "AnyExcept", "zones": ["zone-99"]}}),
        ]);
        rules.insert(0, all);
        Some(())
    }),
    fault("kuma-zone-taken", |site, _| {
        let rules = failover(site)?;
        let first = rules.first()?.clone();
        rules.insert(1, first);
        Some(())
    }),
    fault("kuma-empty-block", |site, dice| {
        conf(site)?["localityAwareness"] = dice.one(&[json!({}), json!({"disabled": false})]);
        Some(())
    }),
    fault("kuma-disabled-with-rules", |site, _| {
        conf(site)?["localityAwareness"]["disabled"] = json!(true);
        Some(())
    }),
    fault("kuma-own-zone", |site, dice| {
        let own = zone(dice.between(1, 4));
        let rule = json!({"from": {"zones": [own]}, "to": {"type": "Only", "zones": [own]}});
        failover(site)?.insert(0, rule);
        Some(())
    }),
    fault("kuma-zone-no-endpoint", |site, dice| {
        let name = dice.one(&["zone1", "zone-99", "Zone-1"]);
        let zones = failover(site)?.first_mut()?["to"]["zones"].as_array_mut()?;
        zones.push(json!(name));
        Some(())
    }),
    fault("kuma-tag-duplicate", |site, _| {
        let tags = tags(site)?;
        let first = tags.first()?.clone();
        tags.push(first);
        Some(())
    }),
    fault("kuma-tag-no-endpoint", |site, dice| {
        let key = dice.one(&["k8s.io/nod", "k8s.io/zone", "version"]);
        tags(site)?.first_mut()?["key"] = json!(key);
        Some(())
    }),
    fault("kuma-weight-overflow", |site, dice| {
        match dice.below(2) {
            0 => {
                for tag in tags(site)? {
                    tag["weight"] = json!(4_294_967_000_u32);
                }
                tags(site).filter(|tags| !tags.is_empty())?;
            }
            _ => {
                let many = (0..10).map(|number| json!({"key": format!("tag-{number}")}));
                *tags(site)? = many.collect();
            }
        }
        Some(())
    }),
    fault("kuma-random-ignores-weights", |site, dice| {
        let kuma = conf(site)?;
        kuma["loadBalancer"]["type"] = json!("Random");
        // Two zones behind ingresses share a priority.
        kuma["localityAwareness"]["crossZone"]["failover"] = json!([{"to": {"type": "Any"}}]);
        for (number, instances) in [(8, dice.between(2, 9)), (9, 1)] {
            site.push(json!({
                "type": "ZoneIngress", "name": format!("ingress-{number}"), "zone": zone(number),
                "networking": {
                    "address": format!("10.{number}.0.1"), "port": 10001,
                    "advertisedAddress": format!("10.{number}.0.1"), "advertisedPort": 10001,
                },
                "availableServices": [{
                    "mesh": "default", "instances": instances,
                    "tags": {"kuma.io/service": "shop", "kuma.io/zone": zone(number)},
                }],
            }));
        }
        Some(())
    }),
    fault("kuma-failover-no-health-signal", |site, _| {
        conf(site)?;
        site.retain(|document| document["type"] != "MeshHealthCheck");
        Some(())
    }),
    fault("kuma-priority-gap", |site, dice| {
        let from = zone(dice.between(1, 4));
        let rule = json!({"from": {"zones": [from]}, "to": {"type": "Only", "zones": ["zone-1"]}});
        failover(site)?.insert(0, rule);
        Some(())
    }),
    fault("kuma-target-no-destination", |site, dice| {
        let name = dice.one(&["shpo", "Shop", "checkout"]);
        let reference = json!({"kind": "MeshService", "name": name});
        conf(site)?;
        *site.first_mut()?.pointer_mut("/spec/to/0/targetRef")? = reference;
        Some(())
    }),
    fault("istio-subset-undefined", |site, dice| {
        let subset = dice.one(&["v2", "V1", "blue"]);
        balancer(site)?;
        let host = site.first()?["spec"]["host"].as_str().map(String::from)?;
        site.push(json!({
            "apiVersion": "networking.istio.io/v1",
            "kind": "VirtualService",
            "metadata": {"name": "v", "namespace": "default"},
            "spec": {
                "hosts": [host],
                "http": [{"route": [{"destination": {"host": host, "subset": subset}}]}],
            },
        }));
        Some(())
    }),
    fault("istio-rule-no-service", |site, dice| {
        let host = dice.one(&["shop", "shpo.example.com", "*.example.org", "shop.example"]);
        balancer(site)?;
        site.first_mut()?["spec"]["host"] = json!(host);
        Some(())
    }),
    fault("istio-rule-no-proxy", |site, dice| {
        balancer(site)?;
        let rule = site.first_mut()?;
        match dice.below(3) {
            0 => rule["metadata"]["namespace"] = json!("platform"),
            1 => rule["spec"]["exportTo"] = json!(["."]),
            _ => rule["spec"]["workloadSelector"] = json!({"matchLabels": {"app": "other"}}),
        }
        site.push(json!({"name": "client", "namespace": "clients", "locality": "eu/a"}));
        Some(())
    }),
    fault("istio-distribute-no-failover", |site, dice| {
        let target = dice.one(&["eu/a", "eu/a/*", "us/a/*"]);
        *setting(site)? = json!({"distribute": [{"from": "eu/*", "to": {target: 100}}]});
        Some(())
    }),
    fault("istio-share-no-endpoint", |site, dice| {
        let target = dice.one(&["eu/c", "usa/*", "us/b/*"]);
        *setting(site)? =
            json!({"distribute": [{"from": "eu/*", "to": {target: 50, "eu/a": 30, "asia/*": 20}}]});
        Some(())
    }),
    fault("istio-distribute-unlocated", |site, _| {
        setting(site)?["distribute"].as_array()?;
        let endpoint = site.get_mut(1)?.pointer_mut("/spec/endpoints/0")?;
        endpoint.as_object_mut()?.remove("locality").map(drop)
    }),
    fault("istio-distribute-no-entry", |site, _| {
        let entries = setting(site)?["distribute"].as_array_mut()?;
        entries.pop().map(drop)
    }),
    fault("istio-from-no-proxy", |site, dice| {
        let (field, from) = dice.one(&[("distribute", "eu/c"), ("failover", "africa")]);
        let entry = setting(site)?.get_mut(field)?.get_mut(0)?;
        entry["from"] = json!(from);
        Some(())
    }),
    fault("istio-outlier-enables-failover", |site, _| {
        balancer(site)?
            .as_object_mut()?
            .remove("localityLbSetting")
            .map(drop)
    }),
    fault("istio-outlier-cap-prevents-failover", |site, dice| {
        setting(site).filter(|setting| setting["distribute"].is_null())?;
        let detection = site
            .first_mut()?
            .pointer_mut("/spec/trafficPolicy/outlierDetection")?;
        detection["maxEjectionPercent"] = dice.one(&[json!(0), json!(1), json!(5)]);
        Some(())
    }),
    fault("istio-failover-no-outlier-detection", |site, _| {
        setting(site).filter(|setting| setting["distribute"].is_null())?;
        let policy = site.first_mut()?.pointer_mut("/spec/trafficPolicy")?;
        policy.as_object_mut()?.remove("outlierDetection").map(drop)
    }),
    fault("istio-failover-no-endpoint", |site, dice| {
        let region = dice.one(&["usa", "africa", "US"]);
        *setting(site)? = json!({"failover": [{"from": "eu", "to": region}]});
        Some(())
    }),
    fault("istio-label-no-endpoint", |site, dice| {
        let label = dice.one(&["versoin", "version=v9", "app"]);
        *setting(site)? = json!({"failoverPriority": ["topology.kubernetes.io/region", label]});
        Some(())
    }),
    fault("istio-random-ignores-weights", |site, _| {
        balancer(site)?["simple"] = json!("RANDOM");
        let endpoints = site.get_mut(1)?.pointer_mut("/spec/endpoints")?;
        let first = endpoints.as_array_mut()?.first_mut()?;
        first["weight"] = json!(7);
        let mut again = first.clone();
        (again["weight"], again["address"]) = (json!(2), json!("10.9.0.9"));
        endpoints.as_array_mut()?.push(again);
        Some(())
    }),
];

fn conf(site: &mut [Value]) -> Option<&mut Value> {
    let policy = site.first_mut().filter(|first| first["type"].is_string())?;
    policy.pointer_mut("/spec/to/0/default")
}

fn cross(site: &mut [Value]) -> Option<&mut Value> {
    conf(site)?.pointer_mut("/localityAwareness/crossZone")
}

fn failover(site: &mut [Value]) -> Option<&mut Vec<Value>> {
    cross(site)?["failover"].as_array_mut()
}

fn tags(site: &mut [Value]) -> Option<&mut Vec<Value>> {
    conf(site)?
        .pointer_mut("/localityAwareness/localZone/affinityTags")?
        .as_array_mut()
}

fn balancer(site: &mut [Value]) -> Option<&mut Value> {
    site.first_mut()?
        .pointer_mut("/spec/trafficPolicy/loadBalancer")
}

fn setting(site: &mut [Value]) -> Option<&mut Value> {
    balancer(site)?.get_mut("localityLbSetting")
}
