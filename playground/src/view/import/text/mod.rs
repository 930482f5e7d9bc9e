//! The texts: files, places, search, changes.

mod caret;
mod files;
mod quick_fix;
mod search;

pub(super) use caret::{caret_offset, next_fault, position_at};
pub(super) use files::{OpenedFile, field_of, texts_of};
pub(super) use quick_fix::{fixable, quick_fix};
pub(super) use search::{MAXIMUM_OCCURRENCES, Occurrence, occurrences};
