//! Which of the two forms an answer is in.

use alloc::vec::Vec;

use super::{ClusterStatus, json::read_json, read_text};
use crate::Diagnostic;

/// Reads the answer of `/clusters`, or of `/clusters?format=json`: an answer that begins with a
/// brace is JSON.
///
/// # Errors
/// Every fault in text order; of JSON that is not well formed the first.
pub fn read(text: &str) -> Result<Vec<ClusterStatus<'_>>, Vec<Diagnostic>> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        read_json(text)
    } else {
        read_text(text)
    }
}
