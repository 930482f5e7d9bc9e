//! HTTP filters that affect balancing.

mod chain;
mod header_mutation;
mod header_to_metadata;
mod known;
mod order;
mod overrides;
mod set_metadata;
mod spillgate;
mod stateful_session;

pub(crate) use chain::{FilterChain, read_filters};
pub(crate) use header_mutation::HEADER_MUTATION_TYPE;
pub(crate) use header_to_metadata::{ENCODING, HEADER_TO_METADATA_TYPE, VALUE_TYPE};
pub(crate) use known::HTTP_FILTER_PREFIX;
pub(crate) use overrides::{FILTER_CONFIG_TYPE, Overrides};
pub(crate) use set_metadata::SET_METADATA_TYPE;
pub use spillgate::SpillgateFilter;
pub(crate) use spillgate::{DYNAMIC_MODULE_TYPE, WASM_TYPE};
pub(crate) use stateful_session::{
    COOKIE_STATE_TYPE, HEADER_STATE_TYPE, STATE_NAME, STATE_TYPE, STATEFUL_SESSION_TYPE,
};
