//! The configuration of a recorded scenario.

use std::path::Path;

use spillgate_answers::{
    configuration::{checked, options},
    input::{Faults, read_text},
};
use spillgate_config::envoy::{EnvoyConfig, Format, SourceText, read_sources};

/// Reads it. The recorder converted YAML to JSON for Envoy.
pub(crate) fn read_recorded(path: &Path) -> Result<EnvoyConfig, Faults> {
    let text = read_text(path)?;
    let source = text.source();
    let format = match source.format {
        Format::Yaml => Format::YamlAsJson,
        other => other,
    };
    let read = read_sources(&[SourceText { format, ..source }], &options(false));
    checked(read, &text)
}
