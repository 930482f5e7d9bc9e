//! A question for the cluster of a request.

use core::marker::PhantomData;

use super::{Address, Buffer, optional};

/// `upstream.request_attempt_count` among the attributes.
const REQUEST_ATTEMPT_COUNT: u32 = 53;

/// A question for the cluster of a request, inside its hook.
pub(crate) struct SpecifierHandle<'hook> {
    at: Address,
    hook: PhantomData<&'hook ()>,
}

impl SpecifierHandle<'_> {
    /// The question of a hook.
    ///
    /// # Safety
    /// `at` must be the context that Envoy passed to a hook that has not returned.
    pub(crate) const unsafe fn new(at: Address) -> Self {
        Self {
            at,
            hook: PhantomData,
        }
    }

    /// Whether this Envoy has cluster specifiers.
    pub(crate) fn is_supported() -> bool {
        optional::specifier().is_some()
    }

    /// A text in the dynamic metadata of the request.
    pub(crate) fn metadata(&self, namespace: &str, key: &str) -> Option<&[u8]> {
        let mut value = Buffer::NONE;
        let callbacks = optional::specifier()?;
        // SAFETY: the context belongs to the present hook, and Envoy writes the variable.
        let found =
            unsafe { (callbacks.metadata)(self.at, namespace.into(), key.into(), &raw mut value) };
        // SAFETY: nothing here changes metadata, so the text stays until the hook returns.
        found.then(|| unsafe { value.bytes() })
    }

    /// The number of the attempt, from 1. `None` while no attempt is made yet.
    pub(crate) fn attempt(&self) -> Option<u64> {
        let get = optional::specifier()?.attribute?;
        let mut attempt = 0;
        // SAFETY: the context belongs to the present hook, and Envoy writes the variable.
        let found = unsafe { get(self.at, REQUEST_ATTEMPT_COUNT, &raw mut attempt) };
        (found && attempt > 0).then_some(attempt)
    }

    /// Answers the question. Returns whether this Envoy could take the answer.
    pub(crate) fn answer(&self, cluster: &[u8]) -> bool {
        let Some(callbacks) = optional::specifier() else {
            return false;
        };
        // SAFETY: the context belongs to the present hook, and Envoy copies the name.
        unsafe { (callbacks.set_cluster)(self.at, Buffer::lent(cluster)) };
        true
    }
}
