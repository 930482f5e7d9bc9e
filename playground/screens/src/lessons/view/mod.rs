//! The Learn screen on the page.

mod config;
mod controls;
mod figure;
mod hosts;
mod lesson;
mod question;
mod sandbox;
mod screen;
mod steps;
mod tables;

pub(crate) use screen::Learn;
