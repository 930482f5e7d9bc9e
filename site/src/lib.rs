//! Builds the documentation site: the pages of `docs/`, in the order of `docs/SUMMARY.md`, with mdBook.
//!
//! What mdBook does not do: links to [files of the repository](repository) that are not pages lead to a page with the
//! file, [each page](page) has the navigation without a script, and a [broken link](links) fails the build. It fetches
//! nothing.

mod book;
mod folder;
mod image;
mod links;
mod markdown;
mod navigation;
mod page;
mod repository;

pub use book::{BuiltSite, build};
pub use markdown::broken_links;
pub use page::ApiLink;
