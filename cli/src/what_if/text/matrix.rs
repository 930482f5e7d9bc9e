//! The matrix of `what-if`: the worst effect of losing a part of each zone.

use spillgate_sim::{Effect, Zone};

use crate::what_if::{answer::Answer, question::Question};

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
    let names: Vec<String> = question.zones.iter().map(name).collect();
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
    let legend = [Effect::None, Effect::Spill, Effect::Panic, Effect::NoHost]
        .map(|effect| format!("{} {}", mark(effect), meaning(effect)));
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

/// The legend of an effect.
const fn meaning(effect: Effect) -> &'static str {
    match effect {
        Effect::None => "no effect",
        Effect::Spill => "spillover",
        Effect::Panic => "panic mode",
        Effect::NoHost => "no host",
    }
}
