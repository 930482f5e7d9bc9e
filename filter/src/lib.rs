//! The engine inside Envoy: a proxy-wasm HTTP filter.
//!
//! The filter adapts [`spillgate_steer`] to proxy-wasm: [`host`] implements its host environment by
//! [`calls`] of the SDK and [`imports`], the SDK dispatches callbacks to [`root`] and [`http`] contexts,
//! and [`configuration`] reads the bytes of a plugin's configuration.
//!
//! Several configurations may share a VM, so all state belongs to root contexts; the SDK has the only
//! static, the table of contexts. Deliberately absent: decisions, health checks and YAML.
//!
//! The SDK is used as other filters use it, except for its methods of contexts ([`calls`]) and two
//! functions ([`imports`]). The build removes exports that the filter does not need
//! (`tools/xtask/src/build/exports.rs`), because Envoy calls whatever is exported, at half a microsecond
//! each. [`allocator`] has constant time, which saves more than the SDK's hash maps of contexts
//! cost.

#[cfg(target_family = "wasm")]
mod allocator;
mod calls;
mod configuration;
mod host;
mod http;
mod imports;
mod root;
mod route;
mod structs;

/// What Envoy calls once when it loads the module.
mod entry {
    #![allow(
        missing_docs,
        reason = "the macro of the SDK declares a public function"
    )]

    use crate::root::Root;
    use proxy_wasm::types::LogLevel;

    proxy_wasm::main! {{
        proxy_wasm::set_log_level(LogLevel::Info);
        proxy_wasm::set_root_context(|_| Box::new(Root::default()));
    }}
}
