//! The Incident screen in the playground.

mod board;
mod changes;
mod events;
mod pictures;
mod screen;
mod script;
mod settings;
mod text_field;

pub(crate) use screen::IncidentScreen;
