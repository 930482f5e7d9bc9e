//! Host tables for people and spreadsheets.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::{
    model::{ClusterKind, Endpoint, Health, Model, PriorityLocality},
    visible::{csv_field, visible},
};

/// The columns, the same in both forms.
const COLUMNS: [&str; 9] = [
    "cluster", "priority", "region", "zone", "sub_zone", "address", "weight", "health", "metadata",
];

/// All hosts as comma-separated values (RFC 4180), one line each, with a header line.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::{Format, read}, write::hosts_csv};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let csv = hosts_csv(&read(text, Format::Json)?.model);
/// let mut lines = csv.lines();
/// assert_eq!(lines.next(), Some("cluster,priority,region,zone,sub_zone,address,weight,health,metadata"));
/// assert!(lines.next().is_some_and(|line| line.starts_with("shop,0,,,,10.0.0.1:80,1,")));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[must_use]
pub fn hosts_csv(model: &Model) -> String {
    let mut out = COLUMNS.join(",");
    out.push('\n');
    for row in rows(model) {
        let cells: Vec<_> = row.iter().map(|cell| csv_field(cell)).collect();
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// All hosts as a Markdown table.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::{Format, read}, write::hosts_markdown};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let table = hosts_markdown(&read(text, Format::Json)?.model);
/// assert!(table.starts_with("| cluster | priority |"));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[must_use]
pub fn hosts_markdown(model: &Model) -> String {
    let mut out = format!("| {} |\n", COLUMNS.join(" | "));
    out.push_str(&"|---".repeat(COLUMNS.len()));
    out.push_str("|\n");
    for row in rows(model) {
        let cells: Vec<_> = row.iter().map(|cell| markdown_cell(cell)).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

fn rows(model: &Model) -> Vec<[String; COLUMNS.len()]> {
    let mut rows = Vec::new();
    for cluster in model.clusters() {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            continue;
        };
        for (number, priority) in plain.priorities.iter().enumerate() {
            for endpoint in &priority.endpoints {
                let locality = priority.localities.get(endpoint.locality);
                rows.push(row(&cluster.name, number, locality, endpoint));
            }
        }
    }
    rows
}

fn row(
    cluster: &str,
    priority: usize,
    locality: Option<&PriorityLocality>,
    endpoint: &Endpoint,
) -> [String; COLUMNS.len()] {
    let PriorityLocality { locality, .. } = locality.cloned().unwrap_or_default();
    [
        cluster.into(),
        priority.to_string(),
        locality.region,
        locality.zone,
        locality.sub_zone,
        endpoint.address.clone(),
        endpoint.weight.get().to_string(),
        health(endpoint.health),
        endpoint.metadata.to_string(),
    ]
}

/// The status from discovery, and in parentheses the findings of Envoy itself.
fn health(health: Health) -> String {
    let found: Vec<&str> = health.flags.names().collect();
    let status = health.status.name();
    if found.is_empty() {
        status.into()
    } else {
        format!("{status} ({})", found.join(", "))
    }
}

fn markdown_cell(cell: &str) -> String {
    visible(&cell.replace('\\', "\\\\").replace('|', "\\|")).into_owned()
}
