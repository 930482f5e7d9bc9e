//! A real browser: headless Chromium, driven over WebDriver.
//!
//! The interface is blocking and uses CSS selectors. What the console says and what the page
//! asks the network for is recorded from the start.

mod commands;
mod driver;
mod input;
mod page;
mod record;

pub use page::Browser;
