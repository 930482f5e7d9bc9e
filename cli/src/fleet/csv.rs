//! `spillgate fleet --format csv`: one line for each host, with full precision.

use std::fmt::Write as _;

use spillgate_core::visible::csv_field;

use super::answer::FleetAnswer;

/// The hosts under a heading. Loads are requests per second, utilizations ratios; empty if not known.
pub(super) fn write(answer: &FleetAnswer) -> String {
    let report = &answer.report;
    let mut out = String::from(
        "host,zone,cluster,priority,health,weight,capacity,load,utilization,worst_load,worst_utilization,worst_without\n",
    );
    let loads = report.loads.iter().zip(&report.worst);
    for (host, (load, (worst, case))) in report.hosts.iter().zip(loads) {
        let place = host.place.as_ref();
        let optional = |figure: Option<f64>| figure.map_or_else(String::new, |of| of.to_string());
        let of_capacity = |load: f64| optional(host.capacity.map(|of| load / of));
        // Writing to a text cannot fail.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{load},{},{worst},{},{}",
            csv_field(&host.address),
            csv_field(&report.zone_name(host.zone)),
            csv_field(place.map_or("", |of| &of.cluster)),
            place.map_or_else(String::new, |of| of.priority.to_string()),
            host.health.name(),
            host.weight,
            optional(host.capacity),
            of_capacity(*load),
            of_capacity(*worst),
            csv_field(&report.case_name(*case)),
        );
    }
    out
}
