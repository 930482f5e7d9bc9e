//! Locks of what threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic under the lock leaves whole values behind, so they stay usable.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
