//! The import dialog: texts, their faults, and the choice of a cluster.
//!
//! The dialog makes the scenario from the answer of the reader, as the playground does after a reload. Several files
//! become the documents of one text, because the readers join documents by name, and a position in the text
//! stays a position in the field.

mod messages;
mod opening;
mod report;
mod text;
mod view;

#[cfg(test)]
mod tests;

pub(super) use messages::ImportMessage;
pub(super) use opening::{Import, ImportProps, Opening};
pub(super) use text::{caret_offset, next_fault, position_at};
