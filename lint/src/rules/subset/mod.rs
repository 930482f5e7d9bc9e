//! Subsets that select no host, the wrong ones, or cannot exist.

pub(crate) mod criteria;
pub(crate) mod default;
pub(crate) mod place;
pub(crate) mod selectors;
pub(crate) mod values;
