//! Detects the format of a response.

use alloc::vec::Vec;

use super::{ClusterStatus, json::read_json, read_text};
use crate::Diagnostic;

/// Reads the response of `/clusters` or of `/clusters?format=json`. A response that begins with a
/// brace is JSON.
///
/// # Errors
/// Every fault in text order; for malformed JSON only the first.
///
/// # Examples
/// ```
/// use spillgate_config::clusters::read;
///
/// let clusters = read("shop::10.0.0.1:80::health_flags::/failed_active_hc\n")?;
/// assert_eq!(clusters[0].name, "shop");
/// let host = &clusters[0].hosts[0];
/// assert_eq!(host.address, "10.0.0.1:80");
/// assert!(host.health.is_some_and(|health| health.flags.failed_active_hc));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<ClusterStatus<'_>>, Vec<Diagnostic>> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        read_json(text)
    } else {
        read_text(text)
    }
}
