//! `spillgate split --format json`: the keys of `docs/schemas/split.schema.json` in a fixed order.

use serde_json::{Map, Value, json};
use spillgate_core::model::{self, Metadata};
use spillgate_explain::{
    host_address,
    report::{ClusterReport, LocalityReport, PriorityReport, SubsetUsed},
};

use super::{ClientNote, NoFigures, Split};

/// The whole split.
pub(super) fn value(split: &Split) -> Value {
    let clusters = split
        .noted()
        .zip(&split.slow_starts)
        .map(|((report, note), slow_start)| {
            let mut value = cluster(split, report, note);
            if let (Some(of), Value::Object(fields)) = (slow_start, &mut value) {
                fields.insert("slow_start".into(), of.json());
            }
            value
        });
    let mut value = Map::new();
    if split.grpc.is_some() {
        value.insert("client".into(), json!("grpc"));
    }
    value.insert("clusters".into(), clusters.collect());
    split.limits.add_to(&mut value);
    if let Some(version) = split.istio_version {
        value.insert("istio_version".into(), json!(version));
    }
    Value::Object(value)
}

/// One cluster; the keys depend on its kind.
fn cluster(split: &Split, report: &ClusterReport, note: Option<&ClientNote>) -> Value {
    let mut value = Map::new();
    let mut put = |key: &str, field: Value| value.insert(key.to_owned(), field);
    put("name", json!(report.name));
    put("kind", json!(report.kind));
    put("policy", json!(split.policy_of(report)));
    if let Some(note) = note {
        put("notes", json!(note.notes));
        if let Some(no_figures) = &note.no_figures {
            put("no_host", Value::Null);
            put("priorities", json!([]));
            put("endpoints", Value::Null);
            match no_figures {
                NoFigures::Rejected(why) => put("rejected", json!(why)),
                NoFigures::Unknown(why) => put("unknown", json!(why)),
            };
            return Value::Object(value);
        }
    }
    if let Some(unknown) = split.unknown_of(report) {
        // Null, not 0: nothing is known about the shares.
        put("no_host", Value::Null);
        put("priorities", json!([]));
        put("endpoints", Value::Null);
        put("unknown_hosts", json!(unknown));
        return Value::Object(value);
    }
    put("no_host", json!(report.no_host));
    if report.kind == "plain" && note.is_none() {
        put("subset", report.subset.as_ref().map_or(Value::Null, subset));
    }
    if report.has_members() {
        let members = report
            .members
            .iter()
            .map(|m| json!({"cluster": m.cluster, "share": m.share}));
        put("members", members.collect());
    }
    let priorities = report.priorities.iter().map(|row| priority(report, row));
    put("priorities", priorities.collect());
    let endpoints = report.hosts().map(|(row, host, share)| {
        json!({
            "address": host_address(&split.snapshot, host),
            "cluster": row.owner,
            "priority": host.priority,
            "share": share,
        })
    });
    put("endpoints", endpoints.collect());
    Value::Object(value)
}

/// The criteria are null if the whole cluster serves, or no host does.
fn subset(used: &SubsetUsed) -> Value {
    json!({
        "reason": used.reason.map_or("none", |reason| reason.name()),
        "criteria": used.criteria.as_ref().map(metadata),
    })
}

/// Metadata as a JSON object; structured values are strings.
fn metadata(metadata: &Metadata) -> Map<String, Value> {
    let value = |value: &model::Value| match value {
        model::Value::Null => Value::Null,
        model::Value::Bool(value) => (*value).into(),
        model::Value::Number(value) => (*value).into(),
        other => other.to_string().into(),
    };
    let fields = metadata.fields().iter();
    fields
        .map(|field| ((*field.key).into(), value(&field.value)))
        .collect()
}

/// One priority with its localities.
fn priority(report: &ClusterReport, of: &PriorityReport) -> Value {
    let mut value = Map::new();
    let mut put = |key: &str, field: Value| value.insert(key.to_owned(), field);
    put("priority", json!(of.place));
    if report.has_members() {
        put("cluster", json!(of.owner));
        put("cluster_priority", json!(of.row.at.priority));
    }
    let row = &of.row;
    put("hosts", json!(row.health.hosts));
    put("healthy", json!(row.health.healthy));
    put("degraded", json!(row.health.degraded));
    put("excluded", json!(row.health.excluded));
    put("availability", json!(row.availability.healthy));
    put("degraded_availability", json!(row.availability.degraded));
    put("healthy_load", json!(row.healthy_load));
    put("degraded_load", json!(row.degraded_load));
    put("panic", json!(row.panic));
    // The hosts of a member that is listed twice count once.
    let localities = of.localities.iter().filter(|_| !of.repeated);
    put("localities", localities.map(locality).collect());
    Value::Object(value)
}

/// One locality with its share.
fn locality(of: &LocalityReport) -> Value {
    json!({
        "region": of.locality.region,
        "zone": of.locality.zone,
        "sub_zone": of.locality.sub_zone,
        "weight": of.weight,
        "share": of.share,
    })
}
