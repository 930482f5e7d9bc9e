//! The Envoy configuration that answers are about.

use std::borrow::Cow;

use spillgate_config::{
    Diagnostic, SourceMap,
    envoy::{EnvoyConfig, ReadOptions},
    steered::envoy_model,
};

use crate::{input::Faults, regex_rewrite};

/// The options of the reader: it compiles regular expressions.
#[must_use]
pub fn options(for_grpc: bool) -> ReadOptions {
    ReadOptions {
        regex: Some(regex_rewrite::compile),
        for_grpc,
    }
}

/// A read configuration, with the settings by which policies of the native module choose.
///
/// # Errors
/// Every error of the reader.
pub fn checked(
    read: Result<EnvoyConfig, Vec<Diagnostic>>,
    files: &SourceMap,
) -> Result<EnvoyConfig, Faults> {
    let mut envoy = read.map_err(|faults| Faults::all(files, &faults))?;
    if let Cow::Owned(model) = envoy_model(&envoy) {
        envoy.model = model;
    }
    Ok(envoy)
}
