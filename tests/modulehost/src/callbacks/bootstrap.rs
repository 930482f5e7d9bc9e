//! Callbacks of the bootstrap extension.

use super::{AbiBuffer, Address, fill};
use crate::{
    bootstrap::{ExtensionConfigObject, ExtensionObject},
    lent::found,
};

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_bootstrap_extension_config_signal_init_complete(
    config: Address,
) {
    let config: &ExtensionConfigObject = found(config);
    config.is_complete.set(true);
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_bootstrap_extension_get_gauge_value(
    extension: Address,
    name: AbiBuffer,
    value: *mut u64,
) -> bool {
    let extension: &ExtensionObject = found(extension);
    let gauge = extension.gauges.borrow().get(&name.text()).copied();
    if let Some(gauge) = gauge {
        fill(value, gauge);
    }
    gauge.is_some()
}
