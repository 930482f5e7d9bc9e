//! The verdicts of a comparison of two configurations against the real Envoy, before and after.
//!
//! [`PairChange`] changes one thing of a random scenario, or of the bootstrap of another project. Envoy runs both
//! sides with the same requests. Where the comparison proved that nothing differs, no request may differ; where it
//! predicts shares, moved keys and routes, the requests must show them. [`run`] does that for as many pairs as
//! wanted.

mod address;
mod binomial;
mod change;
mod check;
mod equality;
mod figures;
mod foreign;
mod generate;
mod options;
mod pair;
mod probe;
mod record;
mod routes;
mod run;
mod two_samples;

pub use change::PairChange;
pub use options::{ReportSabotage, TruthSettings, parse};
pub use run::{TruthSummary, run};
