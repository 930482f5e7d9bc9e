//! The Timeline screen in the playground.

mod board;
mod controls;
mod faults;
mod heat;
mod host_faults;
mod pictures;
mod plot;
mod run;
mod screen;
mod script;
mod tables;
mod time_field;
mod world_answer;

pub(crate) use screen::Timeline;
