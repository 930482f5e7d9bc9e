//! The column in which clusters, priorities and hosts are changed.

mod column;
mod host_grid;
mod priority_card;
mod settings;

pub(crate) use column::topology;
