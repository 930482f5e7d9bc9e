//! Errors about names that the configuration does not have.

use spillgate_config::{Diagnostic, nearest};
use spillgate_core::model::Model;
use spillgate_core::visible::quoted;

/// The error of an unknown cluster in `--cluster`, with the most similar name.
pub fn unknown_cluster(code: &'static str, name: &str, model: &Model) -> Diagnostic {
    let known = model.clusters().iter().map(|cluster| cluster.name.as_str());
    unknown_among(code, name, known)
}

/// The same for clusters that are not those of a model.
pub fn unknown_among<'n>(
    code: &'static str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Diagnostic {
    Diagnostic::error(code, "--cluster: unknown cluster")
        .found(quoted(name))
        .expected(expected(known.clone()))
        .suggest(nearest(name, known))
}

/// The available names, at most eight.
fn expected<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    const MOST: usize = 8;
    let shown: Vec<&str> = names.clone().take(MOST).collect();
    match names.count().checked_sub(MOST) {
        _ if shown.is_empty() => "a configuration with clusters".into(),
        Some(more) if more > 0 => format!("one of {} and {more} more", shown.join(", ")),
        _ => format!("one of {}", shown.join(", ")),
    }
}
