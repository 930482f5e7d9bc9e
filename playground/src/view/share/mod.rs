//! The parts of the Share dialog that are loaded on first use: snippets for other pages, and files.
//!
//! The command line writes the same files with the same code, `spillgate-export`.

mod files;
mod snippet;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use files::{Wanted, write_file};
pub use snippet::{Generator, Snippet, SnippetControls, SnippetKind, SnippetView};
pub(crate) use view::ShareParts;
