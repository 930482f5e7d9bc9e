//! The import dialog: texts, their faults, and the choice of a cluster.
//!
//! The dialog makes the scenario from the answer of the reader, as the page does after a reload. Several files
//! become the documents of one text, because the readers join documents by name, and a position in the text
//! stays a position in the field.

mod messages;
mod opening;
mod report;
mod text;
mod view;

#[cfg(test)]
mod tests;

use messages::ImportMessage;
pub(super) use opening::{Import, ImportProps, Opening};
