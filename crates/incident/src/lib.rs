//! Health over time: when Envoy notices failing hosts, when they return, and which requests fail until then.
//!
//! An [`IncidentScript`] states what hosts do and how many requests arrive. An [`IncidentSetup`] is a cluster with its
//! health checks, outlier detection and retries. An [`IncidentRun`] simulates them with a seed, and an
//! [`IncidentReport`] sums up runs.
//!
//! Health checks, sweeps, ejections and the updates of workers are events, by the rules of `spillgate-health`. Between two
//! changes, requests are not simulated: core's exact shares give the expected attempts, failures and retries of each
//! host. The seed draws only the order of successes and errors of a host that fails a part of its requests: rows of
//! errors depend on it.
//!
//! Circuit breakers refuse requests while too many wait for late answers, and retries while too many are active.
//!
//! Not modeled: queues, and latency other than a fixed service time. Requests of a host are evenly spaced, except that
//! retries find the limit of active retries as random arrivals do. The crate reads no clock and prints nothing.
//!
//! # Examples
//! A zone refuses connections for a minute; health checks notice it.
//! ```
//! use core::time::Duration;
//! use spillgate_core::model::*;
//! use spillgate_health::check::{ActiveCheck, HealthCheckKind};
//! use spillgate_incident::*;
//!
//! let hosts = ["10.0.0.1:80", "10.0.0.2:80"].map(Endpoint::new);
//! let shop = PlainCluster {
//!     priorities: vec![Priority::single_locality(hosts.into())],
//!     ..PlainCluster::default()
//! };
//! let model = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
//! let second = Duration::from_secs(1);
//! let check = ActiveCheck::new(HealthCheckKind::Tcp, second, 5 * second).with_thresholds(3, 1);
//! let health = IncidentHealth { checks: vec![check], ..IncidentHealth::default() };
//! let setup = IncidentSetup::new(model, "shop", Metadata::EMPTY, vec![("shop".into(), health)]).unwrap();
//!
//! let event = HostEvent::parse(HostBehavior::Refuse, "host=10.0.0.1:80@10s..70s").unwrap();
//! let script = IncidentScript { events: vec![event], ..IncidentScript::default() };
//! let (plan, faults) = IncidentPlan::new(&script, setup.scene());
//! assert!(faults.is_empty());
//! let run = IncidentRun::new(&setup, &plan, 7);
//! let after = run.detections[0].after;
//! assert!(after >= 10 * second && after <= 15 * second);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

#[cfg(feature = "envoy")]
pub mod envoy;
mod expect;
mod report;
mod run;
mod script;
mod setup;
mod sweep;
mod traffic;

pub use expect::{ExpectedIncident, IncidentExpectation};
pub use report::{
    BreakerLimit, EjectionLimit, FigureBand, IncidentReport, LoadedHost, ReportedSessions,
    SettingGoal, TimeBand, TimeSetting, change_text, percent_text, requests_text, time_text,
};
pub use run::{
    ChangeKind, DetectionCause, HighestLoad, HostCounts, HostDetection, IncidentPlan, IncidentRun,
    PanicSpan, PriorityMoment, RequestTotals, SeenHost, SessionOutcome, TimelineChange,
    TimelineRow,
};
pub use script::{
    ErrorAnswers, HostBehavior, HostEvent, IncidentScript, LoadStep, RequestLoad, TimeSpan,
    read_time,
};
#[cfg(feature = "script")]
pub use script::{IncidentFile, StatedExpectation, is_script, read_script};
pub use setup::{IncidentHealth, IncidentSetup, ProxyStart};
pub use sweep::{SettingChange, SettingSweep, SweepValue, example_check};
pub use traffic::{CircuitBreaker, RetryLimits, RouteSessions, Timeouts};
