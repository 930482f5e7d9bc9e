//! The form in which Envoy runs the filter.

/// The form in which Envoy runs the filter. Both read the same configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FilterForm {
    /// A proxy-wasm module. Hosts come from the configuration or from Envoy's admin.
    Wasm,
    /// A dynamic module. Hosts come from Envoy itself, so the configuration needs none of them.
    DynamicModule,
}
