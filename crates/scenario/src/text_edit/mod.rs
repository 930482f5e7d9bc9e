//! The shown clusters as a text that the user edits next to the picture.
//!
//! The text has the shown cluster and those that it reaches; other clusters stay as they are. Envoy's configuration
//! cannot carry everything that a scenario has, so an edit keeps the rest. A text whose figures could differ from
//! Envoy is refused: the import shows it with its limits. A change of the scenario changes only its lines of the text.

mod comment;
mod common_lines;
mod edit;
mod keep;
mod lines;
mod merge;
mod own_lines;
mod replacement;
mod scope;

pub use edit::{TextRefusal, with_text};
pub use lines::{LineRange, TextLines, changed_lines};
pub use merge::{MergedText, merge_lines};
use scope::text_clusters;
pub use scope::{MAXIMUM_TEXT_HOSTS, TextTooLong, text_is_complete, text_model};
