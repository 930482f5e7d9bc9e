//! Random configurations of the filter and of the policy.

use serde_json::{Value, json};

use crate::dice::Dice;

/// The names of clusters with hosts.
pub(crate) const CLUSTERS: [&str; 4] = ["near", "far", "with:colon", "ümlaut"];
/// The header of a session token, and of an envelope.
pub(crate) const SESSION_HEADER: &str = "x-session";
/// The cookie of a session token.
pub(crate) const COOKIE: &str = "session";
/// The value that permits a trace.
pub(crate) const TRACE_SECRET: &str = "a-secret-of-16-or-more-characters";

const SECRETS: [&str; 2] = [
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
];

/// How the sessions of a configuration travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sessions {
    None,
    Cookie,
    Header,
    Envelope,
}

/// A configuration of the filter, and its sessions.
pub(crate) fn filter(dice: &mut Dice) -> (Vec<u8>, Sessions) {
    let mut clusters: Vec<Value> = CLUSTERS.iter().map(|name| cluster(dice, name)).collect();
    clusters.push(json!({
        "name": "all",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": ["near", "far", "ümlaut"],
            },
        },
    }));
    let candidates = [1, 2, 3, 32][dice.below(4)];
    let mut config = json!({
        "clusters": clusters,
        "hash_policy": [{"header": {"header_name": "x-user"}}],
        "output": {"candidates": candidates},
        "route_settings": dice.one_in(2),
    });
    target(dice, &mut config);
    restrictions(dice, &mut config);
    if dice.one_in(2) {
        let on_unknown = dice.pick(&["refuse", "pass_through"]);
        config["health"] = json!({"source": "admin", "cluster": "x", "on_unknown": on_unknown});
    }
    if dice.one_in(2) {
        config["trace"] =
            json!({"when": {"header": "x-debug", "value": TRACE_SECRET}, "steps": true});
    }
    if dice.one_in(2) {
        config["access_log"] = json!({"percent": 100.0, "steps": dice.one_in(2)});
    }
    let sessions = sessions(dice, &mut config);
    let mut text = config.to_string().into_bytes();
    if dice.one_in(8) {
        break_text(dice, &mut text);
    }
    (text, sessions)
}

/// A configuration of the policy.
pub(crate) fn policy(dice: &mut Dice) -> &'static [u8] {
    dice.pick(&[
        b"{}".as_slice(),
        br#"{"undecided": "choose"}"#,
        br#"{"undecided": "choose"}"#,
        br#"{"undecided": "refuse"}"#,
    ])
}

/// Small tables, because their size is not what is checked.
fn cluster(dice: &mut Dice, name: &str) -> Value {
    let mut cluster = match dice.below(5) {
        0 => json!({"lb_policy": "ROUND_ROBIN"}),
        1 => json!({"lb_policy": "LEAST_REQUEST"}),
        2 => json!({"lb_policy": "RANDOM"}),
        3 => {
            json!({"lb_policy": "RING_HASH", "ring_hash_lb_config": {"minimum_ring_size": 64, "maximum_ring_size": 256}})
        }
        _ => json!({"lb_policy": "MAGLEV", "maglev_lb_config": {"table_size": 101}}),
    };
    cluster["name"] = json!(name);
    if dice.one_in(4) {
        let fallback = dice.pick(&["NO_FALLBACK", "ANY_ENDPOINT"]);
        cluster["lb_subset_config"] =
            json!({"fallback_policy": fallback, "subset_selectors": [{"keys": ["stage"]}]});
    }
    cluster
}

fn target(dice: &mut Dice, config: &mut Value) {
    match dice.below(4) {
        0 => config["target"] = json!(dice.pick(&CLUSTERS)),
        1 => {
            config["weighted"] =
                json!([{"cluster": "near", "weight": 1}, {"cluster": "far", "weight": 2}]);
        }
        2 => {
            config["targets"] = json!([{"match": {"prefix": "/a"}, "cluster": "all"},
                {"match": {"prefix": "/"}, "cluster": "near"}]);
        }
        _ => config["target"] = json!("all"),
    }
}

fn restrictions(dice: &mut Dice, config: &mut Value) {
    if dice.one_in(2) {
        return;
    }
    config["criteria"] = json!([
        {"key": "stage", "value": "prod"},
        {"key": "version", "header": "x-version"},
        {"route_metadata": true},
    ]);
    if dice.one_in(2) {
        config["subset_chain"] = json!([
            {"keys": ["stage", "version"], "min_healthy_percent": 50},
            {"match": {"stage": "prod"}},
            {"any": true, "last_resort": true},
        ]);
    }
}

fn sessions(dice: &mut Dice, config: &mut Value) -> Sessions {
    let (form, carrier) = match dice.below(4) {
        0 => return Sessions::None,
        1 => (Sessions::Cookie, "cookie"),
        2 => (Sessions::Header, "header"),
        _ => (Sessions::Envelope, "envelope"),
    };
    let name = match form {
        Sessions::Cookie => COOKIE,
        _ => SESSION_HEADER,
    };
    let mut affinity = json!({
        "keys": [{"id": 1, "secret": SECRETS[0]}, {"id": 2, "secret": SECRETS[1]}],
        carrier: {"name": name},
    });
    if dice.one_in(3) {
        affinity["on_lost"] = json!({"status": 410});
    }
    if dice.one_in(3) {
        affinity["override_host_status"] = json!(["HEALTHY", "DRAINING"]);
    }
    config["affinity"] = affinity;
    form
}

fn break_text(dice: &mut Dice, text: &mut Vec<u8>) {
    match dice.below(4) {
        0 => text.truncate(dice.below(text.len())),
        1 => *text = dice.bytes(300),
        2 => text.clear(),
        _ => {
            let at = dice.below(text.len());
            text[at] ^= 1 << dice.below(8);
        }
    }
}
