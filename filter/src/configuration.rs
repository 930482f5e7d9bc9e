//! Reads the bytes of a plugin's configuration.
//!
//! A `StringValue` or `BytesValue` arrives unchanged. Some hosts pass a `Struct` as JSON, others,
//! such as Envoy 1.40, as protobuf; both are read.
//!
//! Diagnostics of a text have line and column; those of a `Struct`, which is easier to read within
//! YAML, have paths.

use crate::imports;
use crate::structs::{self, StructError};
use spillgate_config::filter::{self, VariableKeys};
use spillgate_config::{Diagnostic, node};
use spillgate_steer::Configuration;
use std::borrow::Cow;

/// The text of a configuration.
struct Text<'a> {
    /// JSON, unless the configuration is invalid.
    json: Cow<'a, str>,
    /// Whether its lines and columns are those of the original text.
    has_positions: bool,
}

/// Reads a configuration that steers requests.
///
/// # Errors
/// All diagnostics, one line each.
pub(crate) fn read_filter(bytes: &[u8]) -> Result<Configuration, Vec<String>> {
    let text = read(bytes)?;
    let keys =
        |name: &str| imports::variable(name).map_or(VariableKeys::NotSet, VariableKeys::Text);
    let config = filter::read_with(&text.json, &keys);
    let mut config = config.map_err(|faults| text.rendered(faults))?;
    let warnings = text.rendered(std::mem::take(&mut config.warnings));
    Ok(Configuration::Balance(Box::new(config), warnings))
}

/// Reads the configuration of a poller.
///
/// # Errors
/// All diagnostics, one line each.
pub(crate) fn read_poller(bytes: &[u8]) -> Result<Configuration, Vec<String>> {
    let text = read(bytes)?;
    let polls = filter::read_poller(&text.json).map_err(|faults| text.rendered(faults))?;
    Ok(Configuration::Poll(polls))
}

/// The name of a configuration in messages.
const NAME: &str = "configuration";

impl Text<'_> {
    /// One line for each finding. Positions in generated JSON are omitted: they would mislead.
    fn rendered(&self, findings: Vec<Diagnostic>) -> Vec<String> {
        findings
            .into_iter()
            .map(|mut finding| {
                if !self.has_positions {
                    finding.position = None;
                }
                finding.render(NAME)
            })
            .collect()
    }
}

/// The text of a configuration.
///
/// # Errors
/// If the bytes are neither text nor a `Struct`, or a `Struct` with an unsupported number.
fn read(bytes: &[u8]) -> Result<Text<'_>, Vec<String>> {
    match structs::to_json(bytes) {
        Ok(json) => Ok(Text {
            json: Cow::Owned(json),
            has_positions: false,
        }),
        Err(StructError::Number) => {
            let fault = Diagnostic::error("config/value", "unsupported number")
                .expected("a finite number of at most 15 digits");
            Err(vec![fault.render(NAME)])
        }
        Err(StructError::NotAStruct) => Ok(Text {
            json: Cow::Borrowed(node::decode(bytes).map_err(|fault| vec![fault.render(NAME)])?),
            has_positions: true,
        }),
    }
}
