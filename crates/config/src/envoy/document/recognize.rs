//! Whether a text has messages of Envoy, for the files of a folder.

use super::{SourceText, roots::sort, source::parse};
use crate::proto::Report;

/// Whether a text has messages that [`read_sources`](crate::envoy::read_sources) reads. A text with a
/// syntax error counts as one, so that the error is reported.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{SourceText, has_messages};
///
/// let other = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, spec: {}}";
/// assert!(!has_messages(&SourceText::guess("shop.yaml", other)));
/// assert!(has_messages(&SourceText::guess("cds.yaml", "{name: shop, type: EDS}")));
/// ```
#[must_use]
pub fn has_messages(source: &SourceText<'_>) -> bool {
    let Ok(text) = parse(source) else {
        return true;
    };
    let mut report = Report::default();
    let texts = [text];
    let roots = sort(&texts, &mut report);
    // A dump can have no resources.
    #[cfg(feature = "yaml")]
    if roots.runtime.is_some() {
        return true;
    }
    report.is_dump() || !roots.is_empty() || !roots.extensions.is_empty()
}
