//! The cluster specifier of a route.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{cell::RefCell, sync::Arc};

use crate::{
    abi::{AbiBuffer, Own, hooks},
    lent::Lent,
    metadata::LentFields,
};

/// A question for the cluster, as the module reaches it by its address.
pub(crate) struct QuestionObject {
    pub(crate) metadata: LentFields,
    /// The number of the attempt, from 1; 0 before the first one.
    pub(crate) attempt: u64,
    pub(crate) answer: RefCell<Option<Box<[u8]>>>,
}

/// A configuration of the cluster specifier. The routes of all threads share it.
#[derive(Debug)]
pub struct ClusterSpecifier(Own);

// SAFETY: Envoy shares configurations between its threads, so the module must accept that.
unsafe impl Send for ClusterSpecifier {}
// SAFETY: as above.
unsafe impl Sync for ClusterSpecifier {}

impl ClusterSpecifier {
    /// Passes the cluster of undecided requests to the module.
    ///
    /// # Panics
    /// If the module refuses it.
    #[must_use]
    pub fn read(otherwise: &str) -> Arc<Self> {
        let envoy = Lent::new(0_u8);
        let text: Box<[u8]> = otherwise.as_bytes().into();
        let name = AbiBuffer::lent(b"spillgate");
        // SAFETY: the arguments exist during the call.
        let own =
            unsafe { hooks::specifier_config_new(envoy.address(), name, AbiBuffer::lent(&text)) };
        assert!(!own.is_null(), "the module refuses a specifier");
        Arc::new(Self(own))
    }

    /// The cluster of an attempt of a request with these dynamic metadata.
    pub(crate) fn select(&self, metadata: &LentFields, attempt: u64) -> Option<Box<[u8]>> {
        let question = Lent::new(QuestionObject {
            metadata: metadata.clone(),
            attempt,
            answer: RefCell::default(),
        });
        // SAFETY: both objects exist during the call.
        let answered = unsafe { hooks::specifier_select(self.0, question.address()) };
        let answer = question.answer.take();
        assert_eq!(answered, answer.is_some(), "an answer without its report");
        answer
    }
}

impl Drop for ClusterSpecifier {
    fn drop(&mut self) {
        // SAFETY: this is the last hook of the specifier.
        unsafe { hooks::specifier_config_destroy(self.0) }
    }
}
