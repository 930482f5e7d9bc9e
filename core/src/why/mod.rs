//! Explanations of figures: a tree from a share down to settings and host counts.
//!
//! Each [node](Why) has a [subject](Subject), its [value](Quantity), and the rule as a typed
//! [formula](Formula). The leaves are settings and host counts. [`Subject::setting`] identifies a
//! setting, so that a caller with the configuration text can point to its line.
//!
//! # Examples
//! The load of P0 with one of two hosts is 70 percent, because its availability is 70 percent.
//! ```
//! use spillgate_core::{model::*, snapshot::Snapshot, why::{Quantity, Subject, why_priority}};
//!
//! let unhealthy = Endpoint {
//!     health: Health::from_status(HealthStatus::Unhealthy),
//!     ..Endpoint::new("10.0.0.2:80")
//! };
//! let shop = PlainCluster {
//!     priorities: vec![
//!         Priority::single_locality(vec![Endpoint::new("10.0.0.1:80"), unhealthy]),
//!         Priority::single_locality(vec![Endpoint::new("10.0.1.1:80")]),
//!     ],
//!     ..PlainCluster::default()
//! };
//! let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
//! let why = why_priority(&snapshot, snapshot.cluster_id("shop").unwrap(), 0).unwrap();
//! assert_eq!(why.value, Quantity::Percent(70.0));
//! assert!(matches!(why.causes[0].subject, Subject::HealthyLoad(_)));
//! ```

mod cluster;
mod formula;
mod host;
mod priority;
mod tree;

pub use cluster::{explain_member_share, why_linearized, why_linearized_in};
pub use formula::{Condition, Expr, Formula, Symbol, Term};
pub use host::why_host;
pub use priority::{why_priority, why_priority_in};
pub use tree::{Quantity, Subject, Why};
