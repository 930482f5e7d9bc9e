//! The hooks that the module exports, as far as the host calls them.

use core::ffi::c_char;

use super::{AbiBuffer, Address, Own};

macro_rules! hooks {
    ($($name:ident = $symbol:literal ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "C" {
            $(
                #[link_name = concat!("envoy_dynamic_module_on_", $symbol)]
                pub(crate) fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }
    };
}

hooks! {
    program_init = "program_init"() -> *const c_char;

    filter_config_new = "http_filter_config_new"(envoy: Address, name: AbiBuffer, config: AbiBuffer) -> Own;
    filter_config_scheduled = "http_filter_config_scheduled"(envoy: Address, config: Own, event: u64);
    filter_config_destroy = "http_filter_config_destroy"(config: Own);
    filter_new = "http_filter_new"(config: Own, envoy: Address) -> Own;
    filter_destroy = "http_filter_destroy"(filter: Own);
    request_headers = "http_filter_request_headers"(envoy: Address, filter: Own, is_end: bool) -> u32;
    response_headers = "http_filter_response_headers"(envoy: Address, filter: Own, is_end: bool) -> u32;
    stream_complete = "http_filter_stream_complete"(envoy: Address, filter: Own);

    policy_config_new = "lb_config_new"(envoy: Address, name: AbiBuffer, config: AbiBuffer) -> Own;
    policy_config_destroy = "lb_config_destroy"(config: Own);
    policy_new = "lb_new"(config: Own, envoy: Address) -> Own;
    policy_destroy = "lb_destroy"(policy: Own);
    policy_update = "lb_on_host_membership_update"(envoy: Address, policy: Own, added: usize, removed: usize);
    policy_choose = "lb_choose_host"(envoy: Address, policy: Own, context: Address, priority: *mut u32, index: *mut u32) -> bool;

    specifier_config_new = "cluster_specifier_config_new"(envoy: Address, name: AbiBuffer, config: AbiBuffer) -> Own;
    specifier_config_destroy = "cluster_specifier_config_destroy"(config: Own);
    specifier_select = "cluster_specifier_select"(config: Own, context: Address) -> bool;

    extension_config_new = "bootstrap_extension_config_new"(envoy: Address, name: AbiBuffer, config: AbiBuffer) -> Own;
    extension_config_destroy = "bootstrap_extension_config_destroy"(config: Own);
    extension_new = "bootstrap_extension_new"(config: Own, envoy: Address) -> Own;
    extension_destroy = "bootstrap_extension_destroy"(extension: Own);
}
