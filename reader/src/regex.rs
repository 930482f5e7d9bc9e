//! Regular expressions of routes, which this module keeps and never asks.

use alloc::{string::String, sync::Arc, vec::Vec};

use spillgate_core::route::{Regex, Rewrite};

/// An expression that matches nothing. Without any, each would be named as not modelled, although
/// no figure of the page hangs on it: the page shows clusters, not requests.
#[derive(Debug)]
struct Unasked;

/// Takes every expression, right or wrong.
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
