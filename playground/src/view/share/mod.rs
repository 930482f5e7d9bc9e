//! What writes files, loaded on first use: the snippets and files of the Share dialog, and runs of the filter.
//!
//! The command line writes the same files with the same code, `spillgate-export`.

mod files;
mod filter_run;
mod snippet;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use files::{Wanted, write_file};
pub(crate) use filter_run::{FilterRun, write_run};
pub use snippet::{Generator, Snippet, SnippetControls, SnippetKind, SnippetView};
pub(crate) use view::ShareParts;
