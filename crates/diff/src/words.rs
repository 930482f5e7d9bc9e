//! The words of a comparison: headings and rows, for every output of it.

use spillgate_config::secret_metadata::{shown_text, without_secrets};
use spillgate_core::visible::visible;
use spillgate_explain::format::{percent, plain, plural, some_names};

use crate::{
    ClusterDiff, ClusterVerdict, DiffReport, KeyChoiceDiff, RequestsDiff, RouteDiff, RoutesStatus,
    ShareDiff,
};

/// A line of a difference: what, and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRow {
    /// What differs.
    pub name: String,
    /// Its values.
    pub text: String,
}

fn row(name: impl Into<String>, text: impl Into<String>) -> DiffRow {
    DiffRow {
        name: name.into(),
        text: plain(&text.into()),
    }
}

/// The most hosts, settings or shares that one line or group shows.
const MOST: usize = 8;

/// How many clusters and routes differ in which way, such as `1 cluster changes`; empty if none does.
#[must_use]
pub fn change_counts(report: &DiffReport) -> Vec<String> {
    let mut parts = Vec::new();
    for (verdict, one, several) in [
        (ClusterVerdict::Changed, "changes", "change"),
        (ClusterVerdict::Added, "is added", "are added"),
        (ClusterVerdict::Removed, "is removed", "are removed"),
        (ClusterVerdict::Renamed, "is renamed", "are renamed"),
        (
            ClusterVerdict::EqualNow,
            "differs only after a change of health",
            "differ only after a change of health",
        ),
        (
            ClusterVerdict::Unknown,
            "cannot be compared",
            "cannot be compared",
        ),
    ] {
        let clusters = report.clusters.iter();
        let count = clusters.filter(|of| of.status == verdict).count();
        parts.extend(counted(count, "cluster", [one, several]));
    }
    let routes = |status| {
        report
            .routes
            .iter()
            .filter(|of| of.status == status)
            .count()
    };
    parts.extend(route_counts(
        routes(RoutesStatus::Changed),
        routes(RoutesStatus::NoExample),
    ));
    parts
}

/// How many routes change, and whether others differ without an example request; empty if none does.
#[must_use]
pub fn route_counts(changed: usize, without_example: usize) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(counted(changed, "route", ["changes", "change"]));
    if without_example > 0 {
        parts.push(String::from("routes differ without an example request"));
    }
    parts
}

/// `1 cluster changes`, `2 clusters change`; `None` for none of them.
fn counted(count: usize, what: &str, [one, several]: [&str; 2]) -> Option<String> {
    let verb = if count == 1 { one } else { several };
    (count > 0).then(|| format!("{} {verb}", plain(&plural(count, what))))
}

/// The heading of a cluster.
#[must_use]
pub fn cluster_heading(cluster: &ClusterDiff) -> String {
    let renamed = match &cluster.renamed_from {
        Some(from) if cluster.status != ClusterVerdict::Renamed => format!(", before {from}"),
        _ => String::new(),
    };
    let name = &cluster.name;
    format!("cluster {name}{renamed}: {}", cluster_effect(cluster))
}

/// What a change does to a cluster, in a few words.
#[must_use]
pub fn cluster_effect(cluster: &ClusterDiff) -> String {
    match cluster.status {
        ClusterVerdict::Added => String::from("added"),
        ClusterVerdict::Removed => String::from("removed"),
        ClusterVerdict::Renamed => format!(
            "renamed from {}, equal otherwise",
            cluster.renamed_from.as_deref().unwrap_or_default()
        ),
        ClusterVerdict::EqualNow => {
            let text = "no request differs at the present health (proved)";
            match lost_zones(cluster).or_else(|| nearer_panic(cluster)) {
                Some(more) => plain(&format!("{text}; {more}")),
                None => String::from(text),
            }
        }
        ClusterVerdict::Unknown => {
            String::from("unknown, because the hosts of a side are not known")
        }
        ClusterVerdict::Equal => String::from("no request differs (proved)"),
        ClusterVerdict::Changed => effect(cluster),
    }
}

/// The worst effect in a few words.
fn effect(cluster: &ClusterDiff) -> String {
    let worst =
        |of: &dyn Fn(&RequestsDiff) -> f64| cluster.requests.iter().map(of).fold(0.0, f64::max);
    let no_host = worst(&|kind| kind.no_host.change());
    let moved = worst(&|kind| kind.moved);
    let keys = worst(&|kind| kind.keys.map_or(0.0, |keys| keys.moved));
    let choices = cluster.requests.iter().filter_map(|kind| kind.key_choice);
    let choice = choices.max_by(|a, b| a.moved.total_cmp(&b.moved));
    let panics = cluster
        .requests
        .iter()
        .any(|kind| !kind.new_panic.is_empty());
    let text = if no_host > 0.0 {
        format!("{} more of the requests find no host", percent(no_host))
    } else if panics {
        String::from("panic mode begins")
    } else if let Some(zones) = lost_zones(cluster) {
        zones
    } else if let Some(choice) = choice.filter(|choice| choice.moved > 0.0) {
        let moved = percent(choice.moved);
        format!("{}; {moved} of the requests move", key_choice(choice))
    } else if keys > 0.0 {
        // Shares can be the same while the keys behind them are others.
        format!("{} of the keys move", percent(keys))
    } else if moved > 0.05 {
        format!("{} of the requests move", percent(moved))
    } else if cluster.requests.iter().any(RequestsDiff::differs) {
        String::from("shares change slightly")
    } else if cluster.hosts.reordered && cluster.settings.is_empty() {
        String::from("its hosts change their order; the shares of its requests are the same now")
    } else {
        String::from("settings change; the shares of its requests are the same now")
    };
    plain(&text)
}

/// The zones whose loss only the old side survives, as a text.
fn lost_zones(cluster: &ClusterDiff) -> Option<String> {
    let lost = cluster.zones.iter().filter(|zone| !zone.survives);
    let names: Vec<&str> = lost.map(|zone| zone.zone.as_str()).collect();
    match names.as_slice() {
        [] => None,
        [zone] => Some(format!("the loss of zone {zone} is no longer survived")),
        zones => Some(format!(
            "the loss of one of {} is no longer survived",
            plural(zones.len(), "zone")
        )),
    }
}

/// Fewer losses that lead to panic mode, as a text.
fn nearer_panic(cluster: &ClusterDiff) -> Option<String> {
    let margin = cluster.panic_margin?;
    let after = margin.after?;
    let is_nearer = margin.before.is_none_or(|before| after < before);
    is_nearer.then(|| {
        format!(
            "the loss of {} now leads to panic mode",
            plural(after, "host")
        )
    })
}

/// The rows of a cluster: settings, hosts, and what requests experience.
#[must_use]
pub fn cluster_rows(cluster: &ClusterDiff) -> Vec<DiffRow> {
    let mut rows = Vec::new();
    for setting in &cluster.settings {
        let text = format!("{} -> {}", setting.before, setting.after);
        rows.push(row(setting.field, text));
    }
    for (name, hosts) in [
        ("hosts added", &cluster.hosts.added),
        ("hosts removed", &cluster.hosts.removed),
    ] {
        if !hosts.is_empty() {
            rows.push(row(name, some_names(hosts, MOST)));
        }
    }
    let changed: Vec<String> = cluster
        .hosts
        .changed
        .iter()
        .map(|host| {
            let settings = host.settings.iter();
            let texts = settings.map(|of| format!("{} {} -> {}", of.field, of.before, of.after));
            format!("{} {}", host.address, texts.collect::<Vec<_>>().join(", "))
        })
        .collect();
    if let [first, rest @ ..] = changed.as_slice() {
        let more = match rest.len() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        rows.push(row("hosts changed", format!("{first}{more}")));
    }
    if cluster.hosts.reordered {
        rows.push(row("hosts", "in another order"));
    }
    let several = cluster.requests.len() > 1;
    for kind in &cluster.requests {
        if several {
            rows.push(row("requests", criteria(kind)));
        }
        rows.extend(kind_rows(kind));
    }
    for zone in &cluster.zones {
        let text = if zone.survives {
            "its loss is now survived"
        } else {
            "its loss is no longer survived"
        };
        rows.push(row(format!("zone {}", zone.zone), text));
    }
    if let Some(margin) = cluster.panic_margin {
        let hosts = |of: Option<usize>| of.map_or_else(|| "none".into(), |count| count.to_string());
        let text = format!("{} -> {}", hosts(margin.before), hosts(margin.after));
        rows.push(row("losses until panic", text));
    }
    rows
}

fn criteria(kind: &RequestsDiff) -> String {
    if kind.criteria.is_empty() {
        String::from("without criteria")
    } else {
        format!("with {}", without_secrets(&kind.criteria))
    }
}

fn kind_rows(kind: &RequestsDiff) -> Vec<DiffRow> {
    let mut rows = Vec::new();
    if kind.no_host.differs() {
        rows.push(row("no host", shares(&kind.no_host)));
    }
    for (name, priorities) in [
        ("panic mode begins", &kind.new_panic),
        ("panic mode ends", &kind.ended_panic),
    ] {
        if !priorities.is_empty() {
            rows.push(row(name, priorities.join(", ")));
        }
    }
    for group in [&kind.priorities, &kind.localities] {
        let shown = group.iter().take(MOST);
        rows.extend(shown.map(|of| row(of.name.as_str(), shares(of))));
        if let more @ 1.. = group.len().saturating_sub(MOST) {
            rows.push(row("", format!("and {more} more")));
        }
    }
    if kind.priorities.is_empty() && kind.localities.is_empty() {
        rows.extend(
            kind.hosts
                .iter()
                .take(MOST)
                .map(|of| row(of.name.as_str(), shares(of))),
        );
        if let more @ 1.. = kind.hosts.len().saturating_sub(MOST) {
            rows.push(row("", format!("and {more} more hosts")));
        }
    }
    if let Some(keys) = kind.keys.filter(|keys| keys.moved > 0.0) {
        let how = if keys.exact {
            "from the hash tables"
        } else {
            "of 65,536 evenly spaced hashes"
        };
        let text = format!(
            "{} move, {} avoidable ({how})",
            percent(keys.moved),
            percent(keys.avoidable)
        );
        rows.push(row("keys", text));
    }
    if let Some(choice) = kind.key_choice.filter(|choice| choice.moved > 0.0) {
        let moved = percent(choice.moved);
        let text = format!(
            "{}; {moved} of the requests move (expected)",
            key_choice(choice)
        );
        rows.push(row("keys", text));
    }
    if let Some(lost) = kind.lost_sessions.filter(|lost| *lost > 0.0) {
        let text = format!(
            "{} are lost: their hosts are gone or unusable",
            percent(lost)
        );
        rows.push(row("sessions", text));
    }
    rows
}

/// The heading of a route.
#[must_use]
pub fn route_heading(route: &RouteDiff) -> String {
    let chain = route.filter_chain.as_deref().map(visible);
    let listener = match &chain {
        Some(chain) => format!("listener {}, {chain}", route.listener),
        None => format!("listener {}", route.listener),
    };
    let outcomes = format!("{} -> {}", route.before, route.after);
    match (route.status, route.matches.trim()) {
        (RoutesStatus::Changed, "") => format!("{listener}: {outcomes}"),
        (RoutesStatus::Changed, matches) => match &chain {
            Some(_) => format!("route {matches} ({listener}): {outcomes}"),
            None => format!("route {matches}: {outcomes}"),
        },
        (RoutesStatus::NoExample, what) => {
            format!("{listener}: another value of {what}; no example request shows it")
        }
    }
}

/// The example request of a route, without header values that can be secrets.
pub fn shown_example(route: &RouteDiff) -> impl Iterator<Item = (&str, String)> {
    route.example.iter().map(|(name, value)| {
        let shown = if name.starts_with(':') {
            value.clone()
        } else {
            shown_text(name, value)
        };
        (name.as_str(), shown)
    })
}

/// The rows of a route: what its requests experience.
#[must_use]
pub fn route_rows(route: &RouteDiff) -> Vec<DiffRow> {
    let mut rows = Vec::new();
    let Some(effect) = &route.effect else {
        return rows;
    };
    if effect.unserved.differs() {
        rows.push(row("503", shares(&effect.unserved)));
    }
    if !effect.new_panic.is_empty() {
        rows.push(row("panic mode begins", effect.new_panic.join(", ")));
    }
    rows
}

/// What happens to the keys if hashes choose the host on one side only.
const fn key_choice(choice: KeyChoiceDiff) -> &'static str {
    if choice.begins {
        "keys now decide the host"
    } else {
        "keys no longer decide the host"
    }
}

fn shares(share: &ShareDiff) -> String {
    format!("{} -> {}", percent(share.before), percent(share.after))
}
