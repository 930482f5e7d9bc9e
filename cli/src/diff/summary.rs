//! The words of an answer, for text and Markdown.

use spillgate_diff::change_counts;
use spillgate_explain::format::{plain, plural};

use super::answer::{DiffAnswer, ExpectedChange};

/// The heading of settings and documents that are not compared.
pub(super) const NOT_COMPARED: &str = "settings that choose no host and differ";

/// The first line: how much differs, and what is proved.
pub(super) fn headline(answer: &DiffAnswer<'_>) -> String {
    let report = &answer.report;
    let equal = plain(&format!(
        "{} and {}",
        plural(report.equal_clusters.len(), "cluster"),
        plural(report.equal_listeners, "listener"),
    ));
    if answer.is_proved_equal() {
        let limits = match answer.shared_limits {
            0 => String::new(),
            count => format!(
                "; {} not modeled on both sides",
                plain(&plural(count, "setting"))
            ),
        };
        return format!("No request differs (proved for {equal}{limits})");
    }
    if answer.has_equal_choices() {
        let differ = match answer.not_compared.len() {
            1 => String::from("a setting that is not compared differs"),
            count => format!("{count} settings that are not compared differ"),
        };
        return format!(
            "Every request gets the same route and host (proved for {equal}); {differ}"
        );
    }
    let others = plain(&plural(answer.not_chosen, "other cluster"));
    if answer.has_equal_chosen() {
        let chosen = plain(&plural(report.equal_clusters.len(), "cluster"));
        return format!(
            "No request to the chosen clusters differs (proved for {chosen}); not shown: {others} with differences"
        );
    }
    let mut parts = change_counts(report);
    if parts.is_empty() {
        parts.push(String::from("Settings that are not modeled differ"));
    }
    if answer.not_chosen > 0 {
        parts.push(format!("not shown: {others} with differences"));
    }
    format!("{}; proved equal: {equal}", parts.join(", "))
}

/// The result of an expectation.
pub(super) fn expectation(expected: &ExpectedChange) -> String {
    let mut text = format!(
        "{} {}",
        if expected.ok { "holds" } else { "FAILS" },
        expected.expr
    );
    if let Some(value) = expected.value {
        let shown = (value * 10.0).round() / 10.0;
        text.push_str(&format!(": {shown}"));
    }
    if let Some(worst) = &expected.worst {
        text.push_str(&format!(" ({worst})"));
    }
    if let Some(unknown) = &expected.unknown {
        text.push_str(&format!("; not known: {unknown}"));
    }
    text
}
