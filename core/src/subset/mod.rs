//! Subsets: which hosts a request's criteria select, and what serves it when they select none.

mod choose;
mod criteria;
mod index;
mod members;
mod probe;
mod step;
mod words;

pub use choose::{ChosenSubset, SetChoice, SubsetReason};
pub use criteria::Criteria;
pub use index::{SubsetEntry, SubsetIndex, SubsetTarget};

pub use step::{StepIndex, StepSet, Verdict};

pub(crate) use members::{MembersByPriority, matches};
pub(crate) use step::first_step;
