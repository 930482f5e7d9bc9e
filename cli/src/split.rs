//! `spillgate split --format table|markdown`: tables with one decimal and a bar.

use comfy_table::{
    Cell, CellAlignment, Color, LineStyle, Table, TableStyle, presets::ASCII_MARKDOWN,
};
use spillgate_answers::{
    split::{ClientNote, SlowStartShares, Split},
    unknown::HOSTS_UNKNOWN,
};
use spillgate_core::{duration::DurationText, visible::visible};
use spillgate_explain::{
    host_address,
    report::{ClusterReport, LocalityReport, MemberShare, SubsetUsed},
};

use crate::printed::painted;

/// The style of tables and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// Text with color codes, for a terminal.
    Colored,
    /// Markdown.
    Markdown,
}

/// The tables of all clusters.
#[must_use]
pub fn to_tables(split: &Split, style: Style) -> String {
    let clusters = split
        .noted()
        .zip(&split.slow_starts)
        .map(|((of, note), slow_start)| {
            let tables = of_cluster(split, of, note, style);
            let slow_start = slow_start.as_ref().map(|of| over_window(of, style));
            tables + &slow_start.unwrap_or_default()
        });
    let clusters: Vec<String> = clusters.collect();
    clusters.join("\n")
}

/// The heading and all tables of a cluster.
fn of_cluster(
    split: &Split,
    cluster: &ClusterReport,
    note: Option<&ClientNote>,
    style: Style,
) -> String {
    let mut tables = Vec::new();
    let no_figures = note.is_some_and(|note| note.no_figures.is_some());
    let known = !no_figures && split.unknown_of(cluster).is_none();
    if known && cluster.has_members() {
        tables.push(members(&cluster.members, style));
    }
    if known && !cluster.priorities.is_empty() {
        tables.push(priorities(cluster, style));
    }
    if known && listed(cluster).any(|(_, locality)| !locality.is_unnamed()) {
        tables.push(localities(cluster, style));
    }
    if known && cluster.hosts().next().is_some() {
        tables.push(endpoints(split, cluster, style));
    }
    let tables: Vec<String> = tables.iter().map(lines).collect();
    let notes = note.into_iter().flat_map(|note| &note.notes);
    let notes: String = notes
        .map(|note| format!("note: {}\n", visible(note)))
        .collect();
    let mut limits = notes + &split.limits_of(cluster).text();
    if style == Style::Markdown {
        // Lines of their own: Markdown joins the lines of a paragraph.
        limits = limits.lines().map(|line| format!("{line}\n\n")).collect();
    }
    heading(split, cluster, note, style) + &limits + &tables.join("\n")
}

/// The shares of the new hosts over the window of slow start, or when the other shares hold.
fn over_window(of: &SlowStartShares, style: Style) -> String {
    let window = DurationText(of.settings.window());
    if of.hosts.is_empty() {
        return format!(
            "\nslow start: the shares hold for hosts that have been healthy for {window}; \
             --since-healthy HOST=TIME gives earlier ones\n"
        );
    }
    let mut head = vec!["since healthy"];
    head.extend(of.hosts.iter().map(|host| host.address.as_str()));
    let mut table = table(style, &head);
    let times = of.hosts.first().map_or(&[][..], |host| &host.over_window);
    for (at, (time, _)) in times.iter().enumerate() {
        let mut row = vec![number(DurationText(*time).to_string())];
        let shares = of.hosts.iter().filter_map(|host| host.over_window.get(at));
        row.extend(shares.map(|(_, share)| percent(*share)));
        table.add_row(row);
    }
    let times = of
        .hosts
        .iter()
        .map(|host| format!("{} {}", host.address, DurationText(host.since)));
    let times: Vec<String> = times.collect();
    let stated = times.join(", ");
    format!(
        "\nslow start: healthy for {stated}; share % over the window of {window}:\n{}",
        lines(&table)
    )
}

/// The name, the policy and the subset of a cluster.
fn heading(
    split: &Split,
    cluster: &ClusterReport,
    note: Option<&ClientNote>,
    style: Style,
) -> String {
    let mark = match style {
        Style::Markdown => "### ",
        Style::Plain | Style::Colored => "",
    };
    let mut heading = format!("{mark}{} ({}", cluster.name, split.policy_of(cluster));
    if cluster.has_members() {
        heading.push_str(", ");
        heading.push_str(cluster.kind);
    }
    if note.is_some() {
        heading.push_str(", gRPC");
    }
    heading.push(')');
    let no_figures = note.and_then(|note| note.no_figures.as_ref());
    let unknown = split.unknown_of(cluster).filter(|_| note.is_none());
    if let (None, Some(subset)) = (unknown, &cluster.subset) {
        heading.push_str(&served_by(subset));
    }
    if let Some(no_figures) = no_figures {
        heading.push_str(": ");
        heading.push_str(&no_figures.text());
    } else if let Some(unknown) = unknown {
        heading.push_str(": ");
        if unknown != cluster.name {
            heading.push_str(&format!("member {unknown}: "));
        }
        heading.push_str(HOSTS_UNKNOWN);
    } else if cluster.no_host > 0.0 {
        heading.push_str(&format!(
            ": {:.1} % of the requests find no host",
            cluster.no_host
        ));
    }
    let mut heading = visible(&heading).into_owned();
    heading.push_str(match style {
        Style::Markdown => "\n\n",
        Style::Plain | Style::Colored => "\n",
    });
    heading
}

/// The subset of the shown priorities.
fn served_by(subset: &SubsetUsed) -> String {
    match (&subset.criteria, subset.reason) {
        (Some(criteria), reason) => {
            let reason = reason.map_or("no reason", |reason| reason.name());
            format!(", subset {criteria} ({reason})")
        }
        (None, None) => ", no matching subset".into(),
        (None, Some(reason)) => format!(", all hosts ({})", reason.name()),
    }
}

/// The shares of the members of an aggregate.
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

/// The health and the load of each priority.
fn priorities(cluster: &ClusterReport, style: Style) -> Table {
    let head = [
        "priority",
        "hosts",
        "healthy",
        "degraded",
        "excluded",
        "availability %",
        "load %",
        "panic",
        "",
    ];
    let mut table = table(style, &head);
    for of in &cluster.priorities {
        let row = &of.row;
        let name = if cluster.has_members() {
            format!("{} = {} P{}", of.place, of.owner, row.at.priority)
        } else {
            of.place.to_string()
        };
        let panic = match (row.panic, style) {
            (true, Style::Colored) => text("panic").fg(Color::Red),
            (true, _) => text("panic"),
            (false, _) => text(""),
        };
        let available = row.availability;
        table.add_row([
            text(name),
            number(row.health.hosts),
            number(row.health.healthy),
            number(row.health.degraded),
            number(row.health.excluded),
            number(of_both(available.healthy, available.degraded)),
            number(of_both(row.healthy_load, row.degraded_load)),
            panic,
            bar(f64::from(row.load()), style),
        ]);
    }
    table
}

/// The figure of the healthy hosts, and that of the degraded hosts unless it is 0.
fn of_both(healthy: u32, degraded: u32) -> String {
    match degraded {
        0 => healthy.to_string(),
        _ => format!("{healthy} + {degraded} degraded"),
    }
}

/// The localities with the index of their priority; those of repeated priorities once.
fn listed(cluster: &ClusterReport) -> impl Iterator<Item = (usize, &LocalityReport)> {
    let rows = cluster.priorities.iter().filter(|row| !row.repeated);
    rows.flat_map(|row| row.localities.iter().map(|locality| (row.place, locality)))
}

/// The share of each locality.
fn localities(cluster: &ClusterReport, style: Style) -> Table {
    let mut table = table(style, &["priority", "locality", "weight", "share %", ""]);
    for (place, locality) in listed(cluster) {
        table.add_row([
            number(place),
            text(&locality.locality),
            number(locality.weight.map_or(String::new(), |w| w.to_string())),
            percent(locality.share),
            bar(locality.share, style),
        ]);
    }
    table
}

/// The share of each host.
fn endpoints(split: &Split, cluster: &ClusterReport, style: Style) -> Table {
    let has_members = cluster.has_members();
    let mut head = vec!["endpoint", "priority", "share %", ""];
    if has_members {
        head.insert(1, "cluster");
    }
    let mut table = table(style, &head);
    for (of, host, share) in cluster.hosts() {
        let mut row = vec![
            text(host_address(&split.snapshot, host)),
            number(host.priority),
            percent(share),
            bar(share, style),
        ];
        if has_members {
            row.insert(1, text(&of.owner));
        }
        if share == 0.0 && style == Style::Colored {
            row = row
                .into_iter()
                .map(|cell| cell.fg(Color::DarkGrey))
                .collect();
        }
        table.add_row(row);
    }
    table
}

/// Only a line below the heading.
const UNDERLINED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// An empty table with a header.
pub(crate) fn table(style: Style, head: &[&str]) -> Table {
    let mut table = Table::new();
    match style {
        Style::Markdown => table.load_style(ASCII_MARKDOWN),
        Style::Plain | Style::Colored => table.load_style(UNDERLINED),
    };
    // The caller decides about colors, not a guess about the terminal.
    table.force_no_tty();
    if style == Style::Colored {
        table.enforce_styling();
    }
    table.set_header(head.iter().map(|name| visible(name)));
    table
}

/// The lines of a table, without trailing blanks.
pub(crate) fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(painted).collect();
    lines
        .iter()
        .flat_map(|line| [line.trim_end(), "\n"])
        .collect()
}

/// A left-aligned cell.
pub(crate) fn text(text: impl ToString) -> Cell {
    Cell::new(visible(&text.to_string()))
}

/// A right-aligned cell.
pub(crate) fn number(number: impl ToString) -> Cell {
    text(number).set_alignment(CellAlignment::Right)
}

/// A share in percent with one decimal.
pub(crate) fn percent(share: f64) -> Cell {
    number(format!("{share:.1}"))
}

/// The width of the bar for 100 %, in characters.
const BAR: f64 = 20.0;

/// A bar in eighths of a character, so that small shares are visible.
pub(crate) fn bar(share: f64, style: Style) -> Cell {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 100.0) / 100.0 * BAR * 8.0).round() as usize;
    // A share above 0 is always visible.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    let cell = text(format!("{}{rest}", "█".repeat(eighths / 8)));
    match style {
        Style::Colored => cell.fg(Color::Blue),
        Style::Plain | Style::Markdown => cell,
    }
}
