//! Regular expressions of routes, which these modules accept but never match.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicBool, Ordering};

use spillgate_core::route::{Regex, Rewrite};

/// Whether something was compared with an expression.
static ASKED: AtomicBool = AtomicBool::new(false);

/// An expression that matches nothing. Figures of clusters do not depend on expressions; without this one,
/// each would be reported as not modeled. A request that needs one has an unknown route.
#[derive(Debug)]
struct Unasked;

/// Forgets earlier comparisons.
#[cfg(feature = "routes")]
pub(crate) fn forget() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether something was compared with an expression since [`forget`].
#[cfg(feature = "routes")]
pub(crate) fn was_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

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
        ASKED.store(true, Ordering::Relaxed);
        false
    }

    fn rewrite(&self, _: &str) -> Result<Arc<dyn Rewrite>, String> {
        Ok(Arc::new(Self))
    }
}

impl Rewrite for Unasked {
    fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        ASKED.store(true, Ordering::Relaxed);
        text.into()
    }
}
