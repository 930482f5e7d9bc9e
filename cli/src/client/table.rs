//! `spillgate split --client both --format table|markdown`.

use spillgate_answers::{
    clients::{ClientPair, ClientsCluster, ComparedClients, DifferenceReason},
    split::NoFigures,
};
use spillgate_core::visible::visible;

use crate::split::{Style, lines, number, table, text};

/// The tables of all clusters.
pub(crate) fn compared_tables(both: &ComparedClients, style: Style) -> String {
    let clusters = both.clusters.iter().map(|of| cluster(of, style));
    let clusters: Vec<String> = clusters.collect();
    clusters.join("\n")
}

fn cluster(of: &ClientsCluster, style: Style) -> String {
    let (mark, end) = match style {
        Style::Markdown => ("### ", "\n\n"),
        Style::Plain | Style::Colored => ("", "\n"),
    };
    let mut out = format!(
        "{mark}{} (Envoy: {}, gRPC: {}){end}",
        visible(&of.name),
        of.envoy_policy,
        of.grpc_policy
    );
    let mut line = |text: String| {
        out.push_str(&visible(&text));
        out.push_str(end);
    };
    if let Some(no_figures) = &of.note.no_figures {
        line(match no_figures {
            NoFigures::Unknown(_) => {
                format!("gRPC: {}", no_figures.text())
            }
            NoFigures::Rejected(_) => no_figures.text(),
        });
    }
    if let Some(why) = &of.envoy_unknown {
        line(format!("Envoy: {why}"));
    }
    if of.no_host.envoy.unwrap_or(0.0) > 0.0 || of.no_host.grpc.unwrap_or(0.0) > 0.0 {
        let ClientPair { envoy, grpc } = of.no_host;
        let (envoy, grpc) = (share(envoy), share(grpc));
        line(format!(
            "requests without a host: Envoy {envoy} %, gRPC {grpc} %"
        ));
    }
    for note in &of.note.notes {
        line(format!("note: {note}"));
    }
    for limit in of.limits.text().lines() {
        line(limit.into());
    }
    let mut tables = Vec::new();
    if !of.priorities.is_empty() {
        tables.push(lines(&priorities(of, style)));
    }
    if !of.hosts.is_empty() {
        tables.push(lines(&hosts(of, style)));
    }
    if !of.reasons.is_empty() {
        let reasons = of.reasons.iter().map(|of| match style {
            Style::Markdown => format!("- {}: {}\n", of.name(), of.text()),
            Style::Plain | Style::Colored => format!("{}: {}\n", of.name(), of.text()),
        });
        tables.push(reasons.collect());
    }
    out + &tables.join("\n")
}

fn priorities(of: &ClientsCluster, style: Style) -> comfy_table::Table {
    let members = of.kind != "plain";
    let mut head = vec!["priority", "Envoy %", "gRPC %", "reason"];
    if members {
        head.insert(0, "cluster");
    }
    let mut table = table(style, &head);
    for of in &of.priorities {
        let mut row = vec![
            number(of.number),
            number(share(of.share.envoy)),
            number(share(of.share.grpc)),
            text(names(&of.reasons)),
        ];
        if members {
            row.insert(0, text(&of.owner));
        }
        table.add_row(row);
    }
    table
}

fn hosts(of: &ClientsCluster, style: Style) -> comfy_table::Table {
    let members = of.kind != "plain";
    let mut head = vec!["endpoint", "priority", "Envoy %", "gRPC %", "reason"];
    if members {
        head.insert(1, "cluster");
    }
    let mut table = table(style, &head);
    for of in &of.hosts {
        let mut row = vec![
            text(&of.address),
            number(of.priority),
            number(share(of.share.envoy)),
            number(share(of.share.grpc)),
            text(names(&of.reasons)),
        ];
        if members {
            row.insert(1, text(&of.owner));
        }
        table.add_row(row);
    }
    table
}

/// A share with one decimal; a dash if it is not known.
fn share(of: Option<f64>) -> String {
    of.map_or_else(|| "-".into(), |share| format!("{share:.1}"))
}

fn names(reasons: &[DifferenceReason]) -> String {
    let names: Vec<&str> = reasons.iter().map(|of| of.name()).collect();
    names.join(", ")
}
