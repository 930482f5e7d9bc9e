//! The texts: files, places, search, changes.

mod caret;
mod files;
mod quick_fix;
mod search;

pub use caret::{caret_offset, next_fault, position_at};
pub use files::{OpenedFile, field_of, texts_of};
pub use quick_fix::{QuickFix, fixable, quick_fix};
pub use search::{MAXIMUM_OCCURRENCES, Occurrence, occurrences};
