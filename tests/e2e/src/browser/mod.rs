//! A real browser: headless Chromium, driven over WebDriver.
//!
//! The interface is blocking and uses CSS selectors. The console and all requests are recorded from the
//! start.

mod commands;
mod driver;
mod input;
mod page;
mod record;

pub use page::Browser;
