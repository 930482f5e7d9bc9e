//! The Timeline screen in the playground.

mod board;
mod faults;
mod heat;
mod host_faults;
mod pictures;
mod run;
mod screen;
mod script;
mod tables;

pub(crate) use screen::Timeline;
