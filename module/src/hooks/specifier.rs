//! The hooks of the cluster specifier. Envoy 1.38 and 1.39 never call them.

use core::ptr;

use super::{Own, destroy, given, guarded, taken};
use crate::{
    abi::{Address, Buffer, SpecifierHandle},
    specifier::Specifier,
};

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_cluster_specifier_config_new(
    _envoy: Address,
    _name: Buffer,
    config: Buffer,
) -> Own {
    guarded("cluster_specifier_config_new", ptr::null(), || {
        // SAFETY: the text belongs to this hook.
        given(Specifier::new(unsafe { config.bytes() }))
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_cluster_specifier_config_destroy(config: Own) {
    // SAFETY: `config_new` created it, and Envoy destroys it once.
    unsafe { destroy::<Specifier>("cluster_specifier_config_destroy", config) }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_cluster_specifier_select(
    config: Own,
    context: Address,
) -> bool {
    guarded("cluster_specifier_select", false, || {
        // SAFETY: `config_new` created the specifier, and the context belongs to this hook.
        let (specifier, envoy) =
            unsafe { (taken::<Specifier>(config), SpecifierHandle::new(context)) };
        specifier.is_some_and(|specifier| specifier.select(&envoy))
    })
}
