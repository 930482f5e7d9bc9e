//! The matrix of `what-if`: the worst effect of losing a part of each zone.

use spillgate_core::visible::visible;
use spillgate_sim::{Effect, Zone};

use crate::what_if::{loss_report::Answer, question::Question};

/// The legend.
const ENVOY: [(Effect, &str); 4] = [
    (Effect::None, "no effect"),
    (Effect::Spill, "spillover"),
    (Effect::Panic, "panic mode"),
    (Effect::NoHost, "no host"),
];
/// That of a gRPC client, which leaves a priority as a whole and has no panic mode.
const GRPC: [(Effect, &str); 3] = [
    (Effect::None, "no effect"),
    (Effect::Spill, "failover"),
    (Effect::NoHost, "no host"),
];

/// The matrix; `None` without zones or without a loss to compare with.
pub(super) fn cells(question: &Question, answer: &Answer) -> Option<String> {
    if answer.matrix.is_empty() || question.swept.is_empty() {
        return None;
    }
    let name = |zone: &Zone| match zone.hosts.len() {
        1 => format!("{} (1 host)", zone.zone),
        hosts => format!("{} ({hosts} hosts)", zone.zone),
    };
    let heading = "loss of zone";
    let names = question.zones.iter().map(name);
    let names: Vec<String> = names.map(|name| visible(&name).into_owned()).collect();
    let widths = names.iter().map(|name| name.chars().count());
    let width = widths.max().unwrap_or(0).max(heading.len());
    let mut out = format!("{heading:width$}");
    for percent in spillgate_sim::STEPS {
        out.push_str(&format!("{percent:4}"));
    }
    out.push_str(" %\n");
    for (name, cells) in names.iter().zip(&answer.matrix) {
        out.push_str(&format!("{name:width$}"));
        for cell in cells {
            out.push_str(&format!("{:>4}", mark(cell.effect)));
        }
        out.push('\n');
    }
    let legend: &[(Effect, &str)] = match answer.grpc {
        Some(_) => &GRPC,
        None => &ENVOY,
    };
    let legend = legend.iter();
    let legend: Vec<String> = legend
        .map(|(effect, meaning)| format!("{} {meaning}", mark(*effect)))
        .collect();
    out.push_str(&format!("{}\n", legend.join("  ")));
    Some(out)
}

/// The character of an effect.
const fn mark(effect: Effect) -> char {
    match effect {
        Effect::None => '·',
        Effect::Spill => 's',
        Effect::Panic => 'P',
        Effect::NoHost => 'X',
    }
}
