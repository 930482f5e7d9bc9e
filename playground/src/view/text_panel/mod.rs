//! The shown clusters as YAML next to the picture. An edit of the text changes the scenario, a change of the scenario
//! writes the text again, and a figure that the user selects has its lines marked.
//!
//! The writer is the one of files, the reader the one of the import, in its worker. A change of the scenario changes only
//! its lines of the text: it is the difference between what the writer writes before and after it. Comments, fields
//! that balance nothing and what the user has typed stay, also if the panel is closed; an edit that the scenario does not
//! follow yet is never overwritten.

mod caret;
mod draft;
mod faults;
mod messages;
mod panel;
mod reading;
mod view;
mod writing;
mod written_texts;

#[cfg(test)]
mod tests;

pub(super) use panel::{TextPanel, TextPanelProps};
