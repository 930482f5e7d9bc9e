//! Tests read a configuration as the playground's reader does.

use spillgate_scenario::{ImportResult, ImportTexts, import_result};

/// The result of importing a configuration with the output of `/clusters`.
pub(crate) fn import_of(config: &str, clusters: &str) -> ImportResult {
    let answer = spillgate_reader::answer(config.as_bytes(), clusters.as_bytes());
    let texts = ImportTexts {
        config: config.into(),
        clusters: clusters.into(),
    };
    import_result(texts, &answer)
}
