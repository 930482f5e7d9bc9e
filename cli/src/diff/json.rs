//! `spillgate diff --format json`: the keys of `docs/schemas/diff.schema.json` in a fixed order.

use serde_json::{Value, json};
use spillgate_config::secret_metadata::without_secrets;
use spillgate_diff::{
    ClusterDiff, RequestsDiff, RouteDiff, RoutesStatus, SettingDiff, ShareDiff, shown_example,
};
use spillgate_lint::Finding;

use super::{
    answer::{DiffAnswer, ExpectedChange},
    commands::explain,
};

/// The whole answer.
pub(super) fn value(answer: &DiffAnswer<'_>) -> Value {
    let report = &answer.report;
    let routes = report.routes.iter();
    let expectations = answer.expectations.iter().map(expectation);
    json!({
        "old": answer.old.name,
        "new": answer.new.name,
        "proved_equal": answer.is_proved_equal(),
        "clusters": report.clusters.iter().map(cluster).collect::<Value>(),
        "equal_clusters": report.equal_clusters,
        "routes": routes.map(|of| route(answer, of)).collect::<Value>(),
        "equal_listeners": report.equal_listeners,
        "findings": {
            "new": answer.findings.new.iter().map(|of| finding(of)).collect::<Value>(),
            "gone": answer.findings.gone.iter().map(|of| finding(of)).collect::<Value>(),
        },
        "not_compared": answer.not_compared,
        "limits": {
            "new": answer.limits.new,
            "gone": answer.limits.gone,
            "both": answer.shared_limits,
        },
        "expectations": expectations.collect::<Value>(),
    })
}

/// The result of an expectation.
pub(super) fn expectation(expected: &ExpectedChange) -> Value {
    json!({
        "expr": expected.expr,
        "ok": expected.ok,
        "value": expected.value,
        "worst": expected.worst,
        "unknown": expected.unknown,
    })
}

fn cluster(of: &ClusterDiff) -> Value {
    let changed = of.hosts.changed.iter().map(|host| {
        let settings = host.settings.iter().map(setting);
        json!({"address": host.address, "settings": settings.collect::<Value>()})
    });
    let zones = of
        .zones
        .iter()
        .map(|zone| json!({"zone": zone.zone, "survives": zone.survives}));
    json!({
        "name": of.name,
        "status": of.status.name(),
        "renamed_from": of.renamed_from,
        "settings": of.settings.iter().map(setting).collect::<Value>(),
        "hosts": {
            "added": of.hosts.added,
            "removed": of.hosts.removed,
            "changed": changed.collect::<Value>(),
            "reordered": of.hosts.reordered,
        },
        "requests": of.requests.iter().map(kind).collect::<Value>(),
        "zones": zones.collect::<Value>(),
        "panic_margin": of.panic_margin.map(|of| json!({"before": of.before, "after": of.after})),
    })
}

fn setting(of: &SettingDiff) -> Value {
    json!({"field": of.field, "before": of.before, "after": of.after})
}

fn kind(of: &RequestsDiff) -> Value {
    let shares = |shares: &[ShareDiff]| -> Value {
        let each = shares.iter();
        each.map(|of| json!({"name": of.name, "before": of.before, "after": of.after}))
            .collect()
    };
    let criteria = without_secrets(&of.criteria).to_string();
    let criteria = Some(criteria).filter(|criteria| !criteria.is_empty());
    json!({
        "criteria": criteria,
        "moved": of.moved,
        "no_host": {"before": of.no_host.before, "after": of.no_host.after},
        "priorities": shares(&of.priorities),
        "localities": shares(&of.localities),
        "hosts": shares(&of.hosts),
        "panic": {"new": of.new_panic, "ended": of.ended_panic},
        "keys": of.keys.map(|keys| json!({
            "moved": keys.moved,
            "avoidable": keys.avoidable,
            "exact": keys.exact,
        })),
        "key_choice": of.key_choice.map(|choice| json!({
            "begins": choice.begins,
            "moved": choice.moved,
        })),
        "sessions_lost": of.lost_sessions,
    })
}

fn route(answer: &DiffAnswer<'_>, of: &RouteDiff) -> Value {
    let status = match of.status {
        RoutesStatus::Changed => "changed",
        RoutesStatus::NoExample => "no_example",
    };
    let shown: Vec<(&str, String)> = shown_example(of).collect();
    let example = (!shown.is_empty()).then_some(shown);
    json!({
        "listener": of.listener,
        "filter_chain": of.filter_chain,
        "status": status,
        "matches": of.matches,
        "before": of.before,
        "after": of.after,
        "effect": of.effect.as_ref().map(|effect| json!({
            "unserved": {"before": effect.unserved.before, "after": effect.unserved.after},
            "moved": effect.moved,
            "new_panic": effect.new_panic,
        })),
        "example": example,
        "explain": explain(answer, of),
    })
}

fn finding(of: &Finding) -> Value {
    json!({
        "rule": of.rule,
        "severity": of.severity.name(),
        "path": of.path,
        "message": of.message(),
    })
}
