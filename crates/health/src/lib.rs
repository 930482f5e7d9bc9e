//! Envoy's active health checks and outlier detection over time: when a host is ejected, and when it returns.
//!
//! The functions perform no input or output. Times are a [`Duration`](core::time::Duration) since any fixed start, and
//! random numbers are an argument ([`Draw`](spillgate_core::draw::Draw)), so that a run can be repeated. What a host
//! answers is an input: this crate has no hosts, no requests and no load balancing.
//!
//! | module | content |
//! |---|---|
//! | [`check`] | active health checks: [`ActiveCheck`](check::ActiveCheck) has the settings, [`Checker`](check::Checker) the state of one checker and host, [`HostChecks`](check::HostChecks) all checkers of a host |
//! | [`outlier`] | outlier detection: [`OutlierDetection`](outlier::OutlierDetection) has the settings, [`Detector`](outlier::Detector) the state of a cluster |
//! | [`merge_window`] | when the load balancers of the workers get a changed health (`update_merge_window`) |
//! | [`times`] | the formulas: how long detection, recovery and ejection take |
//!
//! `docs/explanation/health-over-time.md` lists every rule with its source in Envoy 1.40.
//!
//! # Examples
//! A host refuses connections from the start of the second check on. Three failed checks make it unhealthy:
//! ```
//! use core::time::Duration;
//! use spillgate_core::draw::SplitMix64;
//! use spillgate_health::check::{
//!     ActiveCheck, CheckDue, Checker, CheckTransition, HealthCheckKind, HealthCheckOutcome, HostAtStart,
//! };
//!
//! let second = Duration::from_secs(1);
//! let check = ActiveCheck::new(HealthCheckKind::Tcp, second, 5 * second).with_thresholds(3, 2);
//! let mut draw = SplitMix64::new(1);
//! let mut checker = Checker::new(&check, Duration::ZERO, HostAtStart::default(), &mut draw);
//! let mut unhealthy_at = None;
//! while unhealthy_at.is_none() {
//!     let now = checker.next_at();
//!     assert_eq!(checker.on_due(&check, now, true, &mut draw), CheckDue::Send);
//!     let outcome = match now {
//!         Duration::ZERO => HealthCheckOutcome::Success,
//!         _ => HealthCheckOutcome::NetworkFailure,
//!     };
//!     let done = checker.on_result(&check, now, &outcome, true, &mut draw).unwrap();
//!     if done.transition == CheckTransition::Changed && checker.flags().failed_active_hc {
//!         unhealthy_at = Some(now);
//!     }
//! }
//! assert_eq!(unhealthy_at, Some(15 * second));
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

pub mod check;
pub mod merge_window;
mod millis;
pub mod outlier;
pub mod times;
