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
