//! `spillgate incident --format json`. Times are in seconds, loads and failures in requests or requests per second.

use std::time::Duration;

use serde_json::{Map, Value, json};
use spillgate_incident::{
    ChangeKind, DetectionCause, FigureBand, IncidentReport, TimeBand, TimelineChange, TimelineRow,
    change_text,
};

use super::{
    answer::{ClusterIncident, IncidentAnswer},
    comparison::Comparison,
};

/// The whole answer.
pub(super) fn value(answer: &IncidentAnswer, comparison: Option<&Comparison>) -> Value {
    let mut value = Map::new();
    let steps = answer.script.load.steps().iter();
    let script = json!({
        "events": answer.script.events.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "service_time": answer.script.service_time.map(|time| time.as_secs_f64()),
        "rps": steps.map(|step| json!({"from": seconds(step.from), "rps": step.rps})).collect::<Value>(),
        "sessions": answer.script.sessions,
        "until": seconds(answer.script.end()),
    });
    value.insert("script".into(), script);
    value.insert(
        "clusters".into(),
        answer.clusters.iter().map(of_cluster).collect(),
    );
    if let Some(comparison) = comparison {
        let cases = comparison.cases.iter().map(|case| {
            let mut value = figures(&case.report);
            value.insert("case".into(), json!(case.name));
            Value::Object(value)
        });
        let mut compared = Map::new();
        compared.insert("subject".into(), json!(comparison.subject));
        compared.insert("cases".into(), cases.collect());
        if let Some(other) = &comparison.other {
            compared.insert("doubts".into(), json!(other.doubts));
            other.limits.add_to(&mut compared);
        }
        value.insert("comparison".into(), Value::Object(compared));
    }
    answer.limits.add_to(&mut value);
    Value::Object(value)
}

fn seconds(time: Duration) -> Value {
    json!(time.as_secs_f64())
}

fn times(band: &TimeBand) -> Value {
    let time = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    json!({
        "least": time(band.least),
        "mean": time(band.mean),
        "most": time(band.most),
        "missing_runs": band.missing,
    })
}

fn band(band: &FigureBand) -> Value {
    json!({"least": band.least, "mean": band.mean, "most": band.most})
}

/// The figures of a cluster.
fn figures(report: &IncidentReport) -> Map<String, Value> {
    let mut value = Map::new();
    value.insert("cluster".into(), json!(report.cluster));
    value.insert("verdict".into(), json!(report.verdict()));
    value.insert("runs".into(), json!(report.runs));
    value.insert("hosts".into(), json!(report.hosts));
    value.insert("failing".into(), json!(report.failing));
    value.insert("not_noticed".into(), json!(report.unnoticed));
    value.insert("first_detected".into(), times(&report.detected_first));
    value.insert("last_detected".into(), times(&report.detected_last));
    let causes = report.causes.iter().map(|(cause, hosts)| {
        let cause = match cause {
            DetectionCause::ActiveCheck => "ACTIVE_HEALTH_CHECK",
            DetectionCause::Outlier(kind) => kind.name(),
        };
        json!({"cause": cause, "hosts": hosts})
    });
    value.insert("causes".into(), causes.collect());
    value.insert("requests".into(), json!(report.requests));
    for (name, figure) in [
        ("failed", &report.failed),
        ("failed_percent", &report.failed_percent),
        ("failed_until_detected", &report.failed_until_detected),
        ("failed_without_retries", &report.failed_without_retries),
        ("retried", &report.retried),
        ("retried_until_detected", &report.retried_until_detected),
        ("no_host", &report.no_host),
        ("refused", &report.refused),
        ("retries_refused", &report.retries_refused),
        ("panic_seconds", &report.panic_seconds),
    ] {
        value.insert(name.into(), band(figure));
    }
    let highest = report.highest.as_ref().map(|highest| {
        json!({"host": highest.address, "rps": band(&highest.rps), "before": highest.before})
    });
    value.insert("highest_load".into(), json!(highest));
    let sessions = report.sessions.as_ref().map(|sessions| {
        json!({
            "clients": sessions.clients,
            "moved": band(&sessions.moved),
            "percent_before": sessions.before,
            "percent_after": band(&sessions.after),
        })
    });
    value.insert("sessions".into(), json!(sessions));
    value.insert(
        "failures_end".into(),
        json!(report.failures_end.map(|end| end.as_secs_f64())),
    );
    value.insert("recovered".into(), times(&report.recovered));
    value
}

fn of_cluster(cluster: &ClusterIncident) -> Value {
    let report = &cluster.report;
    let mut value = figures(report);
    value.insert("sentences".into(), json!(report.sentences()));
    let settings = cluster.settings.iter().map(|of| {
        json!({
            "path": of.setting.path(),
            "cluster": of.setting.cluster,
            "place": of.place,
            "most": of.setting.most.map(|time| time.as_secs_f64()),
            "text": of.setting.text(),
        })
    });
    value.insert("settings".into(), settings.collect());
    let panic = report.panic.iter().map(|span| {
        json!({
            "priority": report.priorities.get(span.place),
            "from": seconds(span.from),
            "to": span.to.map(|to| to.as_secs_f64()),
            "usable": span.usable,
            "hosts": span.hosts,
        })
    });
    value.insert("panic".into(), panic.collect());
    let rows = report.rows.iter().map(|row| of_row(report, row));
    value.insert("timeline".into(), rows.collect());
    let expectations = cluster.expectations.iter().map(|expected| {
        json!({
            "expr": expected.expr,
            "ok": expected.ok,
            "value": expected.value,
            "unit": expected.unit,
        })
    });
    value.insert("expectations".into(), expectations.collect());
    value.insert("doubts".into(), json!(cluster.doubts));
    Value::Object(value)
}

fn of_row(report: &IncidentReport, row: &TimelineRow) -> Value {
    let priorities = row.priorities.iter().enumerate().map(|(place, priority)| {
        json!({
            "priority": report.priorities.get(place),
            "load": priority.load,
            "panic": priority.panic,
        })
    });
    let changes = row.changes.iter().map(|change| of_change(report, change));
    json!({
        "from": seconds(row.from),
        "changes": changes.collect::<Value>(),
        "hosts": row.hosts.hosts,
        "healthy": row.hosts.healthy,
        "degraded": row.hosts.degraded,
        "ejected": row.hosts.ejected,
        "failed_checks": row.hosts.failed_checks,
        "priorities": priorities.collect::<Value>(),
        "rps": row.rps,
        "failed": row.failed,
        "retried": row.retried,
        "no_host": row.no_host,
        "refused": row.refused,
        "highest": row.highest,
        "sessions_moved": row.moved,
        "sessions_concerned": row.concerned,
    })
}

fn of_change(report: &IncidentReport, change: &TimelineChange) -> Value {
    let kind = match change.kind {
        ChangeKind::Begins(_) => "begins",
        ChangeKind::Ends(_) => "ends",
        ChangeKind::Flaps(_) => "flaps",
        ChangeKind::Load(_) => "load",
        ChangeKind::BreakerOpens => "circuit_breaker_opens",
        ChangeKind::BreakerCloses => "circuit_breaker_closes",
        ChangeKind::SlowStartBegins => "slow_start_begins",
        ChangeKind::SlowStartGrows => "slow_start_grows",
        ChangeKind::SlowStartEnds => "slow_start_ends",
        ChangeKind::SessionsMove => "sessions_move",
        ChangeKind::ChecksFail => "checks_fail",
        ChangeKind::ChecksPass => "checks_pass",
        ChangeKind::Degraded => "degraded",
        ChangeKind::Ejected(_) => "ejected",
        ChangeKind::NotEnforced(_) => "not_enforced",
        ChangeKind::Overflow(_) => "overflow",
        ChangeKind::Returned => "returned",
        ChangeKind::Left => "removed",
        ChangeKind::Joined => "added",
    };
    json!({
        "kind": kind,
        "text": change_text(change, &report.events),
        "hosts": change.hosts,
        "first_host": change.example,
        "first": seconds(change.first),
        "last": seconds(change.last),
    })
}
