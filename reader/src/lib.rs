//! The page's second module: it reads what users paste.
//!
//! Readers of every format, and the rules that judge what was read, are half the size of the page
//! and are needed only once a text is there. So they are a module of their own, fetched on first
//! use. It is given texts and gives one answer back ([`answer`]); the page itself reads nothing but
//! that.
//!
//! The module knows no page and no browser, keeps nothing from one text to the next, and asks
//! nobody anything. [`exports`] is all that the page's `reader.js` sees of it.
#![no_std]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;
// Its allocator and panic handler, and the cell of a module without threads.
extern crate std;

mod answer;
pub mod exports;
mod places;
mod reading;
mod regex;
mod report;

pub use answer::answer;
