//! The Trace screen in the playground. Its inspectors are in a module of their own.

mod change;
mod form;
mod further;
mod inspector;
mod moved;
mod request_fields;
mod routes;
mod screen;
mod sequence;
mod shipped;
mod steps;
mod text;
mod walk;
pub(crate) use screen::Trace;
