//! The views of the Live screen, and its polling.

mod age;
mod commands;
mod comparison;
mod controls;
mod counters;
mod following;
mod needs;
mod observed_hosts;
mod poll;
mod screen;

pub(crate) use following::Following;
pub(crate) use screen::Live;
