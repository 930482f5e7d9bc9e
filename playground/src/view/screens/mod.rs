//! The screens whose code is loaded on first use. Each computes with the same engine as the first screen.

mod answered;
pub mod compare;
pub mod fleet;
pub mod incident;
mod input;
pub mod lessons;
pub mod live;
pub mod losses;
mod members;
mod over_time;
mod part;
mod shell;
mod shown_command;
mod stacked_bars;
pub mod timeline;
pub mod trace;
pub mod what_if;
mod without_hosts;

pub(super) use part::{ScreenPart, prepare};
