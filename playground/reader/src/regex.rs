//! Regular expressions where no request is routed: they are accepted, but never matched.

use alloc::{string::String, sync::Arc, vec::Vec};
use spillgate_core::route::{Regex, Rewrite};

/// An expression that matches nothing. Figures of clusters do not depend on expressions; without this one,
/// each would be reported as not modeled.
#[derive(Debug)]
struct Unasked;

/// Accepts every expression, valid or not.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the type of a regular expression compiler"
)]
pub(crate) fn keep(_: &str) -> Result<Arc<dyn Regex>, String> {
    Ok(Arc::new(Unasked))
}

impl Regex for Unasked {
    fn matches(&self, _: &[u8]) -> bool {
        false
    }

    fn rewrite(&self, _: &str) -> Result<Arc<dyn Rewrite>, String> {
        Ok(Arc::new(Self))
    }
}

impl Rewrite for Unasked {
    fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        text.into()
    }
}
