//! The time of retries.

use alloc::boxed::Box;
use core::time::Duration;

use crate::Diagnostic;

/// The time that retries take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetryTime {
    /// The longest time that the retries of a request can wait.
    pub waits: Duration,
    /// A limit if a timeout can end a request during these waits.
    pub limit: Option<Box<Diagnostic>>,
}
