//! The configuration of the load-balancing policy of a cluster.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::sync::Arc;

use crate::{
    abi::{AbiBuffer, Address, Own, hooks},
    lent::Lent,
};

/// An accepted configuration. The load balancers of all threads share it; the last owner destroys it.
#[derive(Debug)]
pub struct PolicyConfig(Own);

// SAFETY: Envoy shares configurations between its threads, so the module must accept that.
unsafe impl Send for PolicyConfig {}
// SAFETY: as above.
unsafe impl Sync for PolicyConfig {}

impl PolicyConfig {
    /// Passes a configuration to the module. `None` if the module refuses it.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Arc<Self>> {
        let envoy = Lent::new(0_u8);
        let text: Box<[u8]> = text.into();
        let name = AbiBuffer::lent(b"spillgate");
        // SAFETY: the arguments exist during the call.
        let own =
            unsafe { hooks::policy_config_new(envoy.address(), name, AbiBuffer::lent(&text)) };
        (!own.is_null()).then(|| Arc::new(Self(own)))
    }

    /// The module's object for a new load balancer.
    pub(crate) fn new_policy(&self, balancer: Address) -> Own {
        // SAFETY: the configuration exists.
        let policy = unsafe { hooks::policy_new(self.0, balancer) };
        assert!(!policy.is_null(), "the module refuses a load balancer");
        policy
    }
}

impl Drop for PolicyConfig {
    fn drop(&mut self) {
        // SAFETY: each load balancer holds the configuration, so none of them exists any longer.
        unsafe { hooks::policy_config_destroy(self.0) }
    }
}
