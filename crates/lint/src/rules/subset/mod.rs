//! Subsets that select no host or wrong hosts, or are not allowed.

pub(crate) mod criteria;
pub(crate) mod default;
pub(crate) mod no_host;
pub(crate) mod place;
pub(crate) mod selectors;
pub(crate) mod values;
