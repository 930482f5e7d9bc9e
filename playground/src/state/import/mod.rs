//! From pasted texts to a scenario, and from a position back to the texts.
//!
//! The page's second module, the reader, reads the texts; this one takes its answer.

mod caret;
mod choices;
mod example;
mod excerpt;
mod fault;
mod kept;
mod origin;
mod quick_fix;
mod result;

pub use caret::{Direction, caret_offset, next_fault, position_at};
pub use choices::{Imported, select};
pub use example::EXAMPLE_CONFIG;
pub use excerpt::{LineView, excerpt};
pub use fault::{severity_counts, severity_name};
pub use kept::{KeptImport, KeptLink};
pub use origin::{ImportOrigin, ImportTexts};
pub use quick_fix::{QuickFix, quick_fix};
pub use result::{ImportResult, LISTED_FAULTS, failed_import, import_result};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::{import_of, import_with_clusters};
