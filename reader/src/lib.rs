//! The page's second module: it reads the texts that users paste.
//!
//! The readers of all formats and the lint rules are half the size of the page, and only an import
//! needs them. So they are a separate module, which the page fetches on first use. It takes texts and
//! returns one [`answer`].
//!
//! The module does not depend on the page or a browser, keeps no state between texts, and makes no
//! requests. `www/reader.js` uses only [`exports`].
#![no_std]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;
// For the allocator, the panic handler and thread-local state.
extern crate std;

mod answer;
pub mod exports;
mod places;
mod reading;
mod regex;
mod report;

pub use answer::answer;
