//! The Zones screen on the page.

mod losses;
mod matrix;
mod screen;

pub(crate) use screen::Zones;
