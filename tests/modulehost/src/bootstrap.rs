//! The bootstrap extension: statistics.

#![allow(unsafe_code, reason = "the hooks are C functions")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use crate::{
    abi::{AbiBuffer, Own, hooks},
    lent::Lent,
};

/// The configuration while the module reads it.
#[derive(Default)]
pub(crate) struct ExtensionConfigObject {
    pub(crate) is_complete: Cell<bool>,
}

/// The extension as the module reaches it by its address.
#[derive(Default)]
pub(crate) struct ExtensionObject {
    pub(crate) gauges: RefCell<BTreeMap<String, u64>>,
}

/// A running bootstrap extension of the main thread, until it is dropped.
pub struct Extension {
    own: Own,
    own_config: Own,
    object: Lent<ExtensionObject>,
    _config: Lent<ExtensionConfigObject>,
}

impl Extension {
    /// Starts the extension.
    ///
    /// # Panics
    /// If the module refuses, or keeps Envoy from starting.
    #[must_use]
    pub fn start() -> Self {
        let config = Lent::new(ExtensionConfigObject::default());
        let name = AbiBuffer::lent(b"spillgate");
        // SAFETY: the arguments exist during the call.
        let own_config =
            unsafe { hooks::extension_config_new(config.address(), name, AbiBuffer::NULL) };
        assert!(!own_config.is_null(), "the module refuses the extension");
        assert!(config.is_complete.get(), "Envoy would not start");
        let object = Lent::new(ExtensionObject::default());
        // SAFETY: both objects exist.
        let own = unsafe { hooks::extension_new(own_config, object.address()) };
        assert!(!own.is_null(), "the module refuses the extension");
        Self {
            own,
            own_config,
            object,
            _config: config,
        }
    }

    /// Sets the number of hosts that Envoy excludes from the health of a cluster.
    pub fn set_excluded(&self, cluster: &str, hosts: u64) {
        let gauge = format!("cluster.{cluster}.membership_excluded");
        self.object.gauges.borrow_mut().insert(gauge, hosts);
    }
}

impl Drop for Extension {
    fn drop(&mut self) {
        // SAFETY: these are the last hooks of both objects, which still exist.
        unsafe {
            hooks::extension_destroy(self.own);
            hooks::extension_config_destroy(self.own_config);
        }
    }
}
