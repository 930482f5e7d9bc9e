//! The result: headline, tables, and the explanation of a figure.

mod cluster_table;
mod facts;
mod headline;
mod host_table;
mod priority_table;
mod why;

pub(crate) use cluster_table::cluster_table;
pub(crate) use facts::{DemoCommands, fact_strip};
pub(crate) use headline::{answer, limits};
pub(crate) use host_table::HostTable;
pub(crate) use priority_table::priority_table;
pub(crate) use why::WhyPanel;
