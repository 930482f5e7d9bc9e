//! Builds the documentation site: the pages of `docs/`, in the order of `docs/SUMMARY.md`, with mdBook.
//!
//! What mdBook does not do: links to [files of the repository](repository) that are not pages lead to a page with the
//! file, [each code](codes) of a message has a page, [each page](page) has the navigation without a script, and a [broken link](links) fails the build. It fetches
//! nothing.
//!
//! A package of its own, because mdBook takes a minute of CPU time to compile and xtask is compiled
//! before any command runs. The theme is ours: mdBook's needs scripts for its navigation, and has
//! inline scripts, which our content security policy forbids. The only script is the search, which
//! loads its index when it is first used. Links to files outside `docs/` become pages, because
//! links to the code hosting need an address that a copy of the project does not have. Scenarios
//! name their file (`data-config`), and a test compares both.

mod book;
mod codes;
mod folder;
mod image;
mod links;
mod markdown;
mod navigation;
mod page;
mod repository;
mod versions;

pub use book::{BuiltSite, build};
pub use markdown::broken_links;
pub use page::ApiLink;
