//! Callbacks that only some versions of Envoy have.

use core::mem;
use std::sync::OnceLock;

use super::{Address, Buffer, imports};

type SetCluster = unsafe extern "C" fn(Address, Buffer);
type GetAttribute = unsafe extern "C" fn(Address, u32, *mut u64) -> bool;
type GetMetadata = unsafe extern "C" fn(Address, Buffer, Buffer, *mut Buffer) -> bool;

/// The callbacks of a cluster specifier: since Envoy 1.40.
#[derive(Clone, Copy)]
pub(super) struct SpecifierCallbacks {
    pub(super) set_cluster: SetCluster,
    pub(super) metadata: GetMetadata,
    pub(super) attribute: Option<GetAttribute>,
}

/// The callbacks of a cluster specifier; `None` if this Envoy has none.
pub(super) fn specifier() -> Option<SpecifierCallbacks> {
    static FOUND: OnceLock<Option<SpecifierCallbacks>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let set = c"envoy_dynamic_module_callback_cluster_specifier_set_cluster_name";
        let get = c"envoy_dynamic_module_callback_cluster_specifier_get_dynamic_metadata";
        let attribute = c"envoy_dynamic_module_callback_cluster_specifier_get_attribute_int";
        // SAFETY: the null handle searches the whole process, and the names end with a zero byte. Where
        // the symbols exist, they have these signatures; a null address becomes `None`.
        unsafe {
            let nothing = core::ptr::null_mut();
            let set = mem::transmute::<Address, Option<SetCluster>>(imports::dlsym(
                nothing,
                set.as_ptr(),
            ));
            let get = mem::transmute::<Address, Option<GetMetadata>>(imports::dlsym(
                nothing,
                get.as_ptr(),
            ));
            let attribute = mem::transmute::<Address, Option<GetAttribute>>(imports::dlsym(
                nothing,
                attribute.as_ptr(),
            ));
            Some(SpecifierCallbacks {
                set_cluster: set?,
                metadata: get?,
                attribute,
            })
        }
    })
}
