//! Why a figure has its value: a tree from a share down to the settings and counts behind it.
//!
//! Each node has its figure, its value and the rule as a typed formula. The leaves are settings
//! and host counts; [`Subject::setting`] says which setting, so that a caller that knows the text
//! can point to the line.

mod cluster;
mod formula;
mod host;
mod priority;
mod tree;

pub use cluster::{why_linearized, why_member};
pub use formula::{Condition, Expr, Formula, Symbol, Term};
pub use host::why_host;
pub use priority::why_priority;
pub use tree::{Quantity, Subject, Why};
