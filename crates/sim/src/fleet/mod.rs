//! A fleet: the load of each host over all callers, and what is left of it without a zone.
//!
//! Proxies with the same zone, configuration and health view form a class ([`CallerClass`]): core's
//! exact shares of one of them, times the requests of all. So the time depends on the number of
//! zones and hosts, not on the number of proxies. Loads are means over time: no queues, no bursts.

mod amounts;
mod capacity;
mod case;
mod check;
mod class;
mod counts;
mod evaluate;
mod expect;
mod hosts;
mod input;
mod loads;
mod need;
mod price;
mod report;
mod verdict;
mod view;
mod zone;

pub use amounts::ZoneAmounts;
pub use capacity::CapacityRule;
pub use case::{CaseReport, FleetFlow, HostClassLoad, PriorityDemand, WorstHost, ZoneDemand};
pub use check::CheckedFleet;
pub use class::{CallerClass, CallerConfig, CallerTarget, LocalClusterHosts, LostCallers};
pub use counts::{CallerCounts, MOST_CALLERS};
pub use expect::{FleetExpectation, FleetScope};
pub use hosts::{EqualHosts, FleetHost, PriorityPlace};
pub use input::Fleet;
pub use need::PriorityNeed;
pub use price::TrafficPrice;
pub use report::FleetReport;
pub use verdict::fleet_verdict;
pub use zone::{FleetZone, host_localities, locality_of_zone, named_locality};
