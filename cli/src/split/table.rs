//! A split for people: tables with one decimal and a bar.

use comfy_table::{
    Cell, CellAlignment, Color, LineStyle, Table, TableStyle, presets::ASCII_MARKDOWN,
};

use serde_json::Value;

use super::{ClusterSplit, MemberShare, Split, SubsetChoice};

/// What the tables are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// A terminal that shows colours.
    Coloured,
    /// A document.
    Markdown,
}

/// The tables of all clusters.
#[must_use]
pub fn to_tables(split: &Split, style: Style) -> String {
    let clusters: Vec<String> = split
        .clusters
        .iter()
        .map(|cluster| of_cluster(cluster, style))
        .collect();
    clusters.join("\n")
}

fn of_cluster(cluster: &ClusterSplit, style: Style) -> String {
    let mut tables = Vec::new();
    if let Some(shares) = &cluster.members {
        tables.push(members(shares, style));
    }
    if !cluster.priorities.is_empty() {
        tables.push(priorities(cluster, style));
    }
    if has_localities(cluster) {
        tables.push(localities(cluster, style));
    }
    if !cluster.endpoints.is_empty() {
        tables.push(endpoints(cluster, style));
    }
    let tables: Vec<String> = tables.iter().map(lines).collect();
    heading(cluster, style) + &tables.join("\n")
}

fn heading(cluster: &ClusterSplit, style: Style) -> String {
    let mark = match style {
        Style::Markdown => "### ",
        Style::Plain | Style::Coloured => "",
    };
    let mut heading = format!("{mark}{} ({}", cluster.name, cluster.policy);
    if cluster.members.is_some() {
        heading.push_str(", aggregate");
    }
    heading.push(')');
    if let Some(Some(subset)) = &cluster.subset {
        heading.push_str(&served_by(subset));
    }
    if cluster.no_host > 0.0 {
        heading.push_str(&format!(
            ": {:.1} % of its requests find no host",
            cluster.no_host
        ));
    }
    heading.push_str(match style {
        Style::Markdown => "\n\n",
        Style::Plain | Style::Coloured => "\n",
    });
    heading
}

/// Whose levels the tables show.
fn served_by(subset: &SubsetChoice) -> String {
    match &subset.criteria {
        Some(criteria) => {
            let pair = |(key, value): (&String, &Value)| match value {
                Value::String(text) => format!("{key}={text}"),
                other => format!("{key}={other}"),
            };
            let pairs: Vec<String> = criteria.iter().map(pair).collect();
            format!(", subset {} ({})", pairs.join(","), subset.reason)
        }
        None if subset.reason == "none" => ", no subset".into(),
        None => format!(", all hosts ({})", subset.reason),
    }
}

fn members(shares: &[MemberShare], style: Style) -> Table {
    let mut table = table(style, &["member", "share %", ""]);
    for member in shares {
        table.add_row([
            text(&member.cluster),
            percent(member.share),
            bar(member.share, style),
        ]);
    }
    table
}

fn priorities(cluster: &ClusterSplit, style: Style) -> Table {
    let head = [
        "priority",
        "hosts",
        "healthy",
        "degraded",
        "excluded",
        "available",
        "load %",
        "panic",
        "",
    ];
    let mut table = table(style, &head);
    for level in &cluster.priorities {
        let name = match (&level.cluster, level.cluster_priority) {
            (Some(owner), Some(own)) => format!("{} = {owner} P{own}", level.priority),
            _ => level.priority.to_string(),
        };
        let panic = match (level.panic, style) {
            (true, Style::Coloured) => text("panic").fg(Color::Red),
            (true, _) => text("panic"),
            (false, _) => text(""),
        };
        table.add_row([
            text(name),
            number(level.hosts),
            number(level.healthy),
            number(level.degraded),
            number(level.excluded),
            number(of_both(level.availability, level.degraded_availability)),
            number(of_both(level.healthy_load, level.degraded_load)),
            panic,
            bar(f64::from(level.healthy_load + level.degraded_load), style),
        ]);
    }
    table
}

/// A figure of the healthy hosts, and that of the degraded ones where there is any.
fn of_both(healthy: u32, degraded: u32) -> String {
    match degraded {
        0 => healthy.to_string(),
        _ => format!("{healthy} + {degraded} degraded"),
    }
}

/// One locality without a name is no news.
fn has_localities(cluster: &ClusterSplit) -> bool {
    let mut localities = cluster
        .priorities
        .iter()
        .flat_map(|level| &level.localities);
    localities.any(|l| !(l.region.is_empty() && l.zone.is_empty() && l.sub_zone.is_empty()))
}

fn localities(cluster: &ClusterSplit, style: Style) -> Table {
    let mut table = table(style, &["priority", "locality", "weight", "share %", ""]);
    for level in &cluster.priorities {
        for locality in &level.localities {
            let parts = [&locality.region, &locality.zone, &locality.sub_zone];
            let name: Vec<&str> = parts.into_iter().map(String::as_str).collect();
            table.add_row([
                number(level.priority),
                text(name.join("/").trim_end_matches('/')),
                number(locality.weight.map_or(String::new(), |w| w.to_string())),
                percent(locality.share),
                bar(locality.share, style),
            ]);
        }
    }
    table
}

fn endpoints(cluster: &ClusterSplit, style: Style) -> Table {
    let aggregate = cluster.members.is_some();
    let mut head = vec!["endpoint", "priority", "share %", ""];
    if aggregate {
        head.insert(1, "cluster");
    }
    let mut table = table(style, &head);
    for endpoint in &cluster.endpoints {
        let mut row = vec![
            text(&endpoint.address),
            number(endpoint.priority),
            percent(endpoint.share),
            bar(endpoint.share, style),
        ];
        if aggregate {
            row.insert(1, text(&endpoint.cluster));
        }
        if endpoint.share == 0.0 && style == Style::Coloured {
            row = row
                .into_iter()
                .map(|cell| cell.fg(Color::DarkGrey))
                .collect();
        }
        table.add_row(row);
    }
    table
}

/// A line below the heading and no other.
const UNDERLINED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

pub(crate) fn table(style: Style, head: &[&str]) -> Table {
    let mut table = Table::new();
    match style {
        Style::Markdown => table.load_style(ASCII_MARKDOWN),
        Style::Plain | Style::Coloured => table.load_style(UNDERLINED),
    };
    // Whether to colour is the caller's decision, not that of a guess about the terminal.
    table.force_no_tty();
    if style == Style::Coloured {
        table.enforce_styling();
    }
    table.set_header(head.iter().copied());
    table
}

/// The lines of a table, without the blanks at their ends.
pub(crate) fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().collect();
    lines
        .iter()
        .flat_map(|line| [line.trim_end(), "\n"])
        .collect()
}

pub(crate) fn text(text: impl ToString) -> Cell {
    Cell::new(text)
}

pub(crate) fn number(number: impl ToString) -> Cell {
    Cell::new(number).set_alignment(CellAlignment::Right)
}

pub(crate) fn percent(share: f64) -> Cell {
    number(format!("{share:.1}"))
}

/// The width of the bar for 100 percent, in characters.
const BAR: f64 = 20.0;

/// Eighths of a character, so that small shares show too.
pub(crate) fn bar(share: f64, style: Style) -> Cell {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 100.0) / 100.0 * BAR * 8.0).round() as usize;
    // Something is never shown as nothing.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    let cell = text(format!("{}{rest}", "█".repeat(eighths / 8)));
    match style {
        Style::Coloured => cell.fg(Color::Blue),
        Style::Plain | Style::Markdown => cell,
    }
}
