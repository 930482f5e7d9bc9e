//! The screens whose code is loaded on first use. Each computes with the same engine as the first screen.

pub mod compare;
pub mod fleet;
mod input;
pub mod lessons;
pub mod live;
pub mod losses;
mod part;
mod shell;
mod shown_command;
mod stacked_bars;
pub mod timeline;
pub mod trace;
pub mod what_if;

pub(super) use part::{ScreenPart, prepare};
