//! The Trace screen on the page.

mod form;
mod inspector;
mod moved;
mod screen;
mod sequence;
mod shipped;
mod steps;
mod text;
mod walk;

pub(crate) use screen::Trace;
