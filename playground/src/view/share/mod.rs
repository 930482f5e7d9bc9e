//! The snippets and files of the Share dialog, and what the shipped filter runs. The code that writes files is
//! loaded on first use.
//!
//! The command line writes the same files with the same code, `spillgate-export`.

mod files;
mod filter_run;
mod snippet;
mod view;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use files::file;
pub(crate) use files::{Wanted, prepare_files, write_file};
pub(crate) use filter_run::{FilterRun, write_run};
pub use snippet::{Generator, Snippet, SnippetControls, SnippetKind, SnippetView};
pub(crate) use view::{Embed, Files};
