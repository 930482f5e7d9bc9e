//! The hooks of the bootstrap extension, which reads statistics. It is needed only to tell draining hosts
//! from unhealthy ones.

use core::ptr;

use super::{Own, guarded};
use crate::abi::{self, Address, Buffer, Header};

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_bootstrap_extension_config_new(
    envoy: Address,
    _name: Buffer,
    _config: Buffer,
) -> Own {
    guarded("bootstrap_extension_config_new", ptr::null(), || {
        // SAFETY: the configuration belongs to this hook.
        unsafe { abi::signal_init_complete(envoy) };
        envoy.cast_const()
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_bootstrap_extension_new(
    _config: Own,
    envoy: Address,
) -> Own {
    guarded("bootstrap_extension_new", ptr::null(), || {
        // SAFETY: the extension exists until its `destroy`, which forgets it.
        unsafe { abi::keep_extension(envoy) };
        envoy.cast_const()
    })
}

/// Nothing here can panic.
#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_bootstrap_extension_destroy(extension: Own) {
    abi::forget_extension(extension.cast_mut());
}

/// Envoy waits for the completion before it ends.
#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_bootstrap_extension_shutdown(
    _envoy: Address,
    _extension: Own,
    done: Option<extern "C" fn(Address)>,
    context: Address,
) {
    if let Some(done) = done {
        done(context);
    }
}

/// Hooks that must exist.
macro_rules! idle {
    ($($name:ident($($type:ty),*) $(-> $result:ty = $value:expr)?;)*) => {
        $(#[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($(_: $type),*) $(-> $result)? { $($value)? })*
    };
}

idle! {
    envoy_dynamic_module_on_bootstrap_extension_config_destroy(Own);
    envoy_dynamic_module_on_bootstrap_extension_server_initialized(Address, Own);
    envoy_dynamic_module_on_bootstrap_extension_worker_thread_initialized(Address, Own);
    envoy_dynamic_module_on_bootstrap_extension_cluster_add_or_update(Address, Own, Buffer);
    envoy_dynamic_module_on_bootstrap_extension_cluster_removal(Address, Own, Buffer);
    envoy_dynamic_module_on_bootstrap_extension_config_scheduled(Address, Own, u64);
    envoy_dynamic_module_on_bootstrap_extension_drain_started(Address, Own);
    envoy_dynamic_module_on_bootstrap_extension_file_changed(Address, Own, Buffer, u32);
    envoy_dynamic_module_on_bootstrap_extension_http_callout_done(Address, Own, u64, u32, *mut Header, usize, *mut Buffer, usize);
    envoy_dynamic_module_on_bootstrap_extension_listener_add_or_update(Address, Own, Buffer);
    envoy_dynamic_module_on_bootstrap_extension_listener_removal(Address, Own, Buffer);
    envoy_dynamic_module_on_bootstrap_extension_timer_fired(Address, Own, Address);
    envoy_dynamic_module_on_bootstrap_extension_admin_request(Address, Own, Buffer, Buffer, Buffer) -> u32 = 404;
}
