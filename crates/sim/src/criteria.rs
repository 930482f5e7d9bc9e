//! Subset criteria in text form.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_core::{
    model::{ClusterKind, Metadata, Model, Value},
    names::Names,
};

use crate::fault::{Piece, SpecFault};

/// Reads `key=value` pairs, separated by commas.
///
/// Values are strings, as `header_to_metadata` produces them. If no endpoint has that string, but
/// one has a value of another type with the same text form (`xlarge=true`, `weight=2`), that value
/// is used.
///
/// # Errors
/// All faults of the text.
pub fn criteria(model: &Model, text: &str) -> Result<Metadata, Vec<SpecFault>> {
    let (mut pairs, mut faults) = (Vec::new(), Vec::new());
    let mut seen = Names::default();
    for piece in Piece::whole(text).split(',') {
        let piece = piece.trimmed();
        let fault = |at, message| {
            SpecFault::new(
                "what-if/criteria",
                at,
                message,
                "KEY=VALUE such as stage=prod",
            )
        };
        match piece.split_once('=') {
            Some((key, value)) if !key.trimmed().text.is_empty() => {
                let (key, value) = (key.trimmed(), value.trimmed());
                if !seen.add(key.text) {
                    faults.push(fault(key, "duplicate key"));
                }
                pairs.push((key.text, typed(model, key.text, value.text)));
            }
            _ => faults.push(fault(piece, "not a KEY=VALUE pair")),
        }
    }
    if faults.is_empty() {
        Ok(Metadata::new(pairs))
    } else {
        Err(faults)
    }
}

/// The value of an endpoint with this text form; otherwise the string.
fn typed(model: &Model, key: &str, written: &str) -> Value {
    let text = Value::Text(written.into());
    let mut other = None;
    for cluster in model.clusters() {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            continue;
        };
        let endpoints = plain
            .priorities
            .iter()
            .flat_map(|priority| &priority.endpoints);
        for value in endpoints.filter_map(|endpoint| endpoint.metadata.get(key)) {
            if *value == text {
                return text;
            }
            if other.is_none() && value.to_string() == written {
                other = Some(value.clone());
            }
        }
    }
    other.unwrap_or(text)
}
