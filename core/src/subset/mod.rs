//! Subset load balancing: the hosts that the criteria of a request select, and fallbacks.
//!
//! A [`SubsetIndex`] maps criteria to sets of hosts; it depends only on metadata.
//! [`SubsetIndex::choose`] applies Envoy's fallback rules. [`StepIndex`] does the same for one step
//! of the subset fallback chain, with the health of its sets.
//!
//! [`SubsetIndex::choose`] names one host set after the other until one has a host: a decision asks
//! each for a host, shares ask each for the part without a host. So the fallback rules exist once.

mod choose;
mod criteria;
mod index;
mod members;
mod probe;
mod short_text;
mod step;

pub use choose::{ChosenSubset, SetChoice, SubsetReason};
pub use criteria::Criteria;
pub use index::{SubsetEntry, SubsetIndex, SubsetTarget};

pub use step::{StepIndex, StepSet, Verdict};

pub(crate) use members::{MembersByPriority, matches};
pub(crate) use step::first_step;
