//! The result: headline, figure, tables, and the explanation of a figure.

mod cluster_table;
mod facts;
mod headline;
mod host_table;
mod priority_table;
mod spillway;
mod split_bar;
mod why;

pub(crate) use cluster_table::cluster_table;
pub(crate) use facts::{demo_hint, fact_strip};
pub(crate) use headline::answer;
pub(crate) use host_table::host_table;
pub(crate) use priority_table::priority_table;
pub(crate) use spillway::spillway_figure;
pub(crate) use split_bar::split_bar;
pub(crate) use why::WhyPanel;
