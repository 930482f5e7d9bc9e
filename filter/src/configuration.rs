//! From the bytes that the host hands over to the text of a configuration.
//!
//! A `StringValue` or `BytesValue` arrives as it was written. A `Struct` arrives as JSON from some
//! hosts and as its wire form from others (Envoy 1.40 is one), so both are read.

use crate::structs::{self, StructError};
use spillgate_config::filter::{self, FilterConfig, Poll};
use spillgate_config::{Diagnostic, node};
use std::borrow::Cow;

/// The text of a configuration.
struct Text<'a> {
    /// JSON, or what should be.
    json: Cow<'a, str>,
    /// Whether lines and columns of it mean anything to whoever wrote the configuration.
    has_positions: bool,
}

/// Reads a configuration that balances; its warnings come ready to print.
///
/// # Errors
/// Every fault of the text, ready to print.
pub(crate) fn balancing(bytes: &[u8]) -> Result<(FilterConfig, Vec<String>), Vec<String>> {
    let text = read(bytes)?;
    let mut config = filter::read(&text.json).map_err(|faults| text.rendered(faults))?;
    let warnings = text.rendered(std::mem::take(&mut config.warnings));
    Ok((config, warnings))
}

/// Reads a configuration that polls.
///
/// # Errors
/// Every fault of the text, ready to print.
pub(crate) fn polling(bytes: &[u8]) -> Result<Vec<Poll>, Vec<String>> {
    let text = read(bytes)?;
    filter::read_poller(&text.json).map_err(|faults| text.rendered(faults))
}

/// What messages call a configuration.
const NAME: &str = "configuration";

impl Text<'_> {
    /// Findings as one line each. Positions in a text that nobody wrote would mislead.
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
