//! The Compare screen, drawn.

mod cluster;
mod list;
mod owner_look;
mod ribbons;
mod routes;
mod screen;
mod sides;

pub(crate) use screen::Compare;
