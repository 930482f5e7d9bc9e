//! The time of retries.

use alloc::boxed::Box;
use core::time::Duration;

use spillgate_core::route::RetryBackOff;

use crate::Diagnostic;

/// The time that retries take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetryTime {
    /// The longest time that the retries of a request can wait.
    pub waits: Duration,
    /// How long each retry waits.
    pub back_off: RetryBackOff,
    /// A limit if a timeout can end a request during these waits.
    pub limit: Option<Box<Diagnostic>>,
    /// The timeout of a request with its retries (`RouteAction.timeout`, default 15 s); `None` for none.
    pub timeout: Option<Duration>,
    /// The timeout of an attempt (`RetryPolicy.per_try_timeout`); `None`, the default, for none.
    pub per_try_timeout: Option<Duration>,
}

impl RetryTime {
    /// The time of this many retries of a route that no text of Envoy has, with a limit if its timeout can end their
    /// waits.
    #[cfg(all(feature = "health", feature = "mesh"))]
    pub(crate) fn new(
        retries: u32,
        back_off: RetryBackOff,
        timeout: Option<Duration>,
        per_try_timeout: Option<Duration>,
    ) -> Self {
        let waits = back_off.longest(retries);
        let ends = timeout.filter(|timeout| !waits.is_zero() && waits >= *timeout);
        let limit = ends.map(|timeout| {
            let effect = alloc::format!(
                "the timeout of {} s can end a request before its retries, which wait up to {} s in total; fewer \
                 requests can succeed",
                timeout.as_secs_f64(),
                waits.as_secs_f64()
            );
            let everything = crate::Affects::Everything;
            Box::new(Diagnostic::limit("config/not-modeled", effect, everything))
        });
        Self {
            waits,
            back_off,
            limit,
            timeout,
            per_try_timeout,
        }
    }
}
