//! `spillgate fleet --format json`.

use serde_json::{Map, Value, json};
use spillgate_sim::fleet::{CaseReport, LocalClusterHosts, PriorityPlace};

use super::answer::FleetAnswer;

/// The whole answer.
pub(super) fn value(answer: &FleetAnswer) -> Value {
    let report = &answer.report;
    let mut value = Map::new();
    value.insert("verdict".into(), json!(answer.verdict));
    value.insert("clusters".into(), json!(answer.clusters));
    let callers = answer.callers().iter().map(|class| {
        json!({
            "region": class.locality.region,
            "zone": class.locality.zone,
            "sub_zone": class.locality.sub_zone,
            "callers": class.callers,
            "rps": class.rps,
            "bytes": class.bytes,
        })
    });
    value.insert("callers".into(), callers.collect());
    let local = answer.local().map(|local| match local {
        LocalClusterHosts::Callers => "callers",
        LocalClusterHosts::AsConfigured => "configured",
    });
    value.insert("local_cluster".into(), json!(local));
    value.insert(
        "lost_callers".into(),
        json!(answer.fleet.lost_callers.name()),
    );
    let cases = report.cases.iter().map(|case| of_case(answer, case));
    value.insert("cases".into(), cases.collect());
    let needs = report.needs.iter().map(|need| {
        let mut value = of_place(Some(&need.place));
        value.insert("rps".into(), json!(need.demand.rps));
        value.insert("hosts".into(), json!(need.demand.usable));
        value.insert("capacity".into(), json!(need.demand.capacity));
        value.insert("utilization".into(), json!(need.demand.utilization()));
        value.insert("without".into(), lost(answer, report.cases.get(need.case)));
        Value::Object(value)
    });
    value.insert("must_take".into(), needs.collect());
    let expectations = answer.expectations.iter().map(|expected| {
        json!({
            "expr": expected.expr,
            "ok": expected.ok,
            "value": expected.value,
            "without": lost(answer, report.cases.get(expected.case)),
        })
    });
    value.insert("expectations".into(), expectations.collect());
    answer.limits.add_to(&mut value);
    Value::Object(value)
}

/// The names of the lost zones.
fn lost(answer: &FleetAnswer, case: Option<&CaseReport>) -> Value {
    let zones = case
        .map(|case| case.lost.as_slice())
        .unwrap_or_default()
        .iter();
    zones.map(|zone| answer.report.zone_name(*zone)).collect()
}

fn of_place(place: Option<&PriorityPlace>) -> Map<String, Value> {
    let mut value = Map::new();
    value.insert("cluster".into(), json!(place.map(|of| &of.cluster)));
    value.insert("priority".into(), json!(place.map(|of| of.priority)));
    value
}

fn of_case(answer: &FleetAnswer, case: &CaseReport) -> Value {
    let report = &answer.report;
    let name = |zone: usize| report.zone_name(zone);
    let zones = case.zones.iter().enumerate().map(|(at, of)| {
        json!({
            "zone": name(at),
            "hosts": of.usable,
            "rps": of.rps,
            "capacity": of.capacity,
            "utilization": of.utilization(),
            "highest_utilization": of.highest.filter(|_| of.relayed == 0.0),
        })
    });
    let priorities = case.priorities.iter().map(|of| {
        let mut value = of_place(Some(&of.place));
        value.insert("rps".into(), json!(of.rps));
        value.insert("panic".into(), json!(of.panic));
        value.insert("hosts".into(), json!(of.usable));
        value.insert("capacity".into(), json!(of.capacity));
        value.insert("utilization".into(), json!(of.utilization()));
        Value::Object(value)
    });
    let classes = report
        .classes
        .iter()
        .zip(&case.classes)
        .map(|(class, load)| {
            let mut value = of_place(class.place.as_ref());
            value.insert("zone".into(), json!(name(class.zone)));
            value.insert("health".into(), json!(class.health.name()));
            value.insert("weight".into(), json!(class.weight));
            value.insert("capacity".into(), json!(class.capacity));
            value.insert("hosts".into(), json!(class.hosts));
            value.insert("first".into(), json!(class.example));
            value.insert("ingress".into(), json!(class.relays));
            value.insert("rps".into(), json!(load.rps));
            value.insert("highest_rps".into(), json!(load.highest));
            Value::Object(value)
        });
    let flows = case.flows.iter().map(|flow| {
        json!({
            "from": name(flow.from),
            "to": name(flow.to),
            "rps": flow.rps,
            "gb_per_hour": flow.gb_per_hour,
            "cost_per_hour": flow.cost_per_hour,
        })
    });
    json!({
        "lost": lost(answer, Some(case)),
        "requests": case.requests,
        "no_host": case.no_host,
        "to_failed_hosts": case.failing,
        "survives": case.survives(),
        "imbalance": case.imbalance,
        "highest_utilization": case.highest(),
        "between_zones": {
            "rps": case.crossing_rps(),
            "gb_per_hour": case.crossing_gb(),
            "cost_per_hour": case.cost(),
        },
        "zones": zones.collect::<Value>(),
        "priorities": priorities.collect::<Value>(),
        "host_classes": classes.collect::<Value>(),
        "flows": flows.collect::<Value>(),
    })
}
