//! A real browser, driven over WebDriver: Chromium, or another [`Engine`].
//!
//! The interface is blocking and uses CSS selectors. Chromium's console and requests are recorded
//! from the start.

mod commands;
mod display;
mod driver;
mod engine;
mod input;
mod page;
mod record;

pub use engine::Engine;
pub use page::Browser;
