//! The inspectors in the playground: pictures and tables of what the policy chose the host from.

mod host;
mod maglev;
mod panel;
mod queue;
mod ring;
mod samples;
mod strip;
mod subsets;
mod table;

pub(super) use panel::inspectors;
