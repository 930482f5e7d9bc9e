//! The column for editing clusters, priorities and hosts.

mod column;
mod host_cells;
mod host_grid;
mod priority_card;
mod settings;

pub(crate) use column::topology;
