//! Reading the bytes of a plugin's configuration.
//!
//! A `StringValue` or `BytesValue` arrives as it was written. A `Struct` arrives as JSON from some
//! hosts and as protobuf from others, such as Envoy 1.40, so both are read.

use crate::structs::{self, StructError};
use spillgate_config::filter;
use spillgate_config::{Diagnostic, node};
use spillgate_steer::Configuration;
use std::borrow::Cow;

/// The text of a configuration.
struct Text<'a> {
    /// JSON, unless it is illegal.
    json: Cow<'a, str>,
    /// Whether its lines and columns are those of the author's text.
    has_positions: bool,
}

/// Reads a configuration that balances.
///
/// # Errors
/// Every fault of the text, ready to print.
pub(crate) fn balancing(bytes: &[u8]) -> Result<Configuration, Vec<String>> {
    let text = read(bytes)?;
    let mut config = filter::read(&text.json).map_err(|faults| text.rendered(faults))?;
    let warnings = text.rendered(std::mem::take(&mut config.warnings));
    Ok(Configuration::Balance(Box::new(config), warnings))
}

/// Reads a configuration that polls.
///
/// # Errors
/// Every fault of the text, ready to print.
pub(crate) fn polling(bytes: &[u8]) -> Result<Configuration, Vec<String>> {
    let text = read(bytes)?;
    let polls = filter::read_poller(&text.json).map_err(|faults| text.rendered(faults))?;
    Ok(Configuration::Poll(polls))
}

/// The name of a configuration in messages.
const NAME: &str = "configuration";

impl Text<'_> {
    /// Findings as one line each. Positions in a generated text would mislead.
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

/// The text in the bytes of a configuration.
///
/// # Errors
/// When they are neither text nor a `Struct`, or a `Struct` with a number that JSON cannot hold.
fn read(bytes: &[u8]) -> Result<Text<'_>, Vec<String>> {
    match structs::to_json(bytes) {
        Ok(json) => Ok(Text {
            json: Cow::Owned(json),
            has_positions: false,
        }),
        Err(StructError::Number) => {
            let fault = Diagnostic::error("config/value", "a number cannot be read");
            let fault = fault.expected("a finite number of at most 15 digits");
            Err(vec![fault.render(NAME)])
        }
        Err(StructError::NotAStruct) => Ok(Text {
            json: Cow::Borrowed(node::decode(bytes).map_err(|fault| vec![fault.render(NAME)])?),
            has_positions: true,
        }),
    }
}
