//! The Envoy configuration that answers are about.

use std::borrow::Cow;

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ReadOptions},
    re2,
    steered::envoy_model,
};

use crate::{input::Faults, located::FileNames};

/// The options of the reader: it compiles regular expressions.
#[must_use]
pub fn options(for_grpc: bool) -> ReadOptions {
    ReadOptions {
        regex: Some(re2::compile),
        for_grpc,
    }
}

/// A read configuration, with the settings by which policies of the dynamic module choose.
///
/// # Errors
/// Every error of the reader.
pub fn checked(
    read: Result<EnvoyConfig, Vec<Diagnostic>>,
    files: &(impl FileNames + ?Sized),
) -> Result<EnvoyConfig, Faults> {
    let mut envoy = read.map_err(|faults| Faults::all(files, &faults))?;
    if let Cow::Owned(model) = envoy_model(&envoy) {
        envoy.model = model;
    }
    Ok(envoy)
}
