//! HTTP filters that affect balancing.

mod chain;
mod header_mutation;
mod header_to_metadata;
mod known;
mod spillgate;
mod stateful_session;

pub(crate) use chain::{
    FILTER_CONFIG_TYPE, FilterChain, HEADER_MUTATION_TYPE, HEADER_TO_METADATA_TYPE,
    HTTP_FILTER_PREFIX, Overrides, SET_METADATA_TYPE, read_filters,
};
pub(crate) use header_to_metadata::{ENCODING, VALUE_TYPE};
pub use spillgate::SpillgateFilter;
pub(crate) use spillgate::{DYNAMIC_MODULE_TYPE, WASM_TYPE};
pub(crate) use stateful_session::{
    COOKIE_STATE_TYPE, HEADER_STATE_TYPE, STATE_NAME, STATE_TYPE, STATEFUL_SESSION_TYPE,
};
