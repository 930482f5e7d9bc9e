//! From pasted texts to a scenario, and from a position back to the texts.
//!
//! The texts themselves are read by the page's second module; here its answer is taken in.

mod answer;
mod caret;
mod choices;
mod excerpt;
mod fault;
mod origin;
mod quick_fix;

pub use answer::{Reading, take_in, unreadable};
pub use caret::{Direction, caret_offset, next_fault, position_at};
pub use choices::{Imported, select};
pub use excerpt::{LineView, excerpt};
pub use fault::{severity_name, tally};
pub use origin::{ImportOrigin, Texts};
pub use quick_fix::{QuickFix, quick_fix};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::{import_of, reading_of};
