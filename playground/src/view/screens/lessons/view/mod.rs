//! The Learn screen in the playground.

mod config;
mod controls;
mod figure;
mod lesson;
mod lesson_hosts;
mod question;
mod sandbox;
mod screen;
mod steps;
mod tables;

pub(crate) use screen::Learn;
