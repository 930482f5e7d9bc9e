//! Names that arguments give and configurations do not have.

use spillgate_config::{Diagnostic, nearest};
use spillgate_core::model::Model;

/// The fault of a `--cluster` that no cluster has the name of, with the one that was probably
/// meant.
pub(crate) fn unknown_cluster(code: &'static str, name: &str, model: &Model) -> Diagnostic {
    let known = || model.clusters().iter().map(|cluster| cluster.name.as_str());
    Diagnostic::error(code, "--cluster: no cluster has this name")
        .found(format!("{name:?}"))
        .expected(expected(known()))
        .suggest(nearest(name, known()))
}

/// The names to choose from, as far as they can be read at a glance.
fn expected<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    const MOST: usize = 8;
    let shown: Vec<&str> = names.clone().take(MOST).collect();
    match names.count().checked_sub(MOST) {
        _ if shown.is_empty() => "a cluster of the configuration, which has none".into(),
        Some(more) if more > 0 => format!("one of {} and {more} more", shown.join(", ")),
        _ => format!("one of {}", shown.join(", ")),
    }
}
