//! Subsets: which hosts a request's criteria select, and what serves it when they select none.

mod criteria;
mod index;
mod members;
mod plan;
mod probe;
mod step;
mod words;

pub use criteria::Criteria;
pub use index::{SubsetEntry, SubsetIndex, SubsetTarget};
pub use plan::{Choice, SubsetReason};
pub use step::{StepIndex, Verdict};

pub(crate) use members::{MembersByLevel, matches};
pub(crate) use step::first_step;
