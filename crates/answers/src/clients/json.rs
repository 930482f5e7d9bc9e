//! Both clients as JSON and CSV.

use crate::split::NoFigures;
use serde_json::{Map, Value, json};
use spillgate_core::visible::csv_field;

use super::{
    compared::{ClientPair, ClientsCluster, ComparedClients},
    reason::DifferenceReason,
};

impl ComparedClients {
    /// The clusters as one JSON object.
    #[must_use]
    pub fn value(&self) -> Value {
        let mut value = Map::new();
        value.insert("client".into(), json!("both"));
        value.insert(
            "clusters".into(),
            self.clusters.iter().map(cluster).collect(),
        );
        self.limits.add_to(&mut value);
        Value::Object(value)
    }

    /// One line for each host, under a heading.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut out = String::from("cluster,owner,priority,endpoint,envoy,grpc,reasons\n");
        let text = |share: Option<f64>| share.map_or(String::new(), |share| share.to_string());
        for of in &self.clusters {
            let name = csv_field(&of.name);
            for host in &of.hosts {
                let reasons: Vec<&str> = host.reasons.iter().map(|of| of.name()).collect();
                out.push_str(&format!(
                    "{name},{},{},{},{},{},{}\n",
                    csv_field(&host.owner),
                    host.priority,
                    csv_field(&host.address),
                    text(host.share.envoy),
                    text(host.share.grpc),
                    reasons.join(" "),
                ));
            }
            let ClientPair { envoy, grpc } = of.no_host;
            if envoy != Some(0.0) || grpc != Some(0.0) {
                let reasons: Vec<&str> = if of.no_host.differs() {
                    of.reasons.iter().map(|of| of.name()).collect()
                } else {
                    Vec::new()
                };
                let (envoy, grpc) = (text(envoy), text(grpc));
                out.push_str(&format!("{name},,,,{envoy},{grpc},{}\n", reasons.join(" ")));
            }
        }
        out
    }
}

fn cluster(of: &ClientsCluster) -> Value {
    let mut value = Map::new();
    let mut put = |key: &str, field: Value| value.insert(key.to_owned(), field);
    put("name", json!(of.name));
    put("kind", json!(of.kind));
    put(
        "policy",
        json!({"envoy": of.envoy_policy, "grpc": of.grpc_policy}),
    );
    put("notes", json!(of.note.notes));
    match &of.note.no_figures {
        Some(NoFigures::Rejected(why)) => put("rejected", json!(why)),
        Some(NoFigures::Unknown(why)) => put("unknown", json!(why)),
        None => None,
    };
    if let Some(why) = &of.envoy_unknown {
        put("envoy_unknown", json!(why));
    }
    put("no_host", pair(of.no_host));
    let priorities = of.priorities.iter().map(|of| {
        json!({
            "cluster": of.owner,
            "priority": of.number,
            "share": pair(of.share),
            "reasons": names(&of.reasons),
        })
    });
    put("priorities", priorities.collect());
    let endpoints = of.hosts.iter().map(|of| {
        json!({
            "address": of.address,
            "cluster": of.owner,
            "priority": of.priority,
            "share": pair(of.share),
            "reasons": names(&of.reasons),
        })
    });
    put("endpoints", endpoints.collect());
    let reasons = of
        .reasons
        .iter()
        .map(|of| json!({"name": of.name(), "text": of.text()}));
    put("reasons", reasons.collect());
    Value::Object(value)
}

fn pair(of: ClientPair) -> Value {
    json!({"envoy": of.envoy, "grpc": of.grpc})
}

fn names(reasons: &[DifferenceReason]) -> Vec<&'static str> {
    reasons.iter().map(|reason| reason.name()).collect()
}
