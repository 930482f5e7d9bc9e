//! The texts: files, places, search, changes.

mod caret;
mod expressions;
mod files;
mod quick_fix;
mod search;

pub(in crate::view) use caret::{caret_offset, next_fault, position_at};
pub(super) use expressions::{has_expressions, with_rejected};
pub(super) use files::{OpenedFile, field_of, texts_of};
pub(super) use quick_fix::{fixable, quick_fix};
pub(super) use search::{MAXIMUM_OCCURRENCES, Occurrence, occurrences};
