//! The common figures of `kuma.locality` and `istio.locality`.

use serde_json::{Value, json};
use spillgate_mesh::LocalityGroup;

use super::{
    super::{Figures, figures, read_field},
    assigned::Assigned,
    scenario::{self, Scenario},
};

/// The common figures of `kuma.locality` and `istio.locality`.
pub(super) fn figures_of(assigned: &Assigned<'_>, asked: &Figures) -> Result<Figures, String> {
    let assignment = assigned.assignment;
    let scenarios: Option<Vec<Scenario>> = read_field(asked, "scenarios")?;
    let scenarios = scenarios
        .unwrap_or_default()
        .into_iter()
        .map(|scenario| scenario::figures_of(assigned, &scenario));
    let scenarios: Vec<Value> = scenarios.collect::<Result<_, _>>()?;
    let dropped = assignment.dropped.iter();
    let dropped: Vec<&str> = dropped.map(|of| assigned.address(of.endpoint)).collect();
    let groups: Vec<Value> = assignment
        .groups
        .iter()
        .map(|of| group_of(assigned, of))
        .collect();
    Ok(figures([
        (
            "overprovisioning_factor",
            json!(assignment.overprovisioning_factor),
        ),
        ("locality_weighted_lb", json!(assignment.locality_weighted)),
        (
            "healthy_panic_threshold",
            json!(assignment.panic_threshold.unwrap_or(50)),
        ),
        ("groups", groups.into()),
        ("dropped", json!(dropped)),
        ("scenarios", scenarios.into()),
    ]))
}

fn group_of(assigned: &Assigned<'_>, group: &LocalityGroup) -> Value {
    let (zone, sub_zone) = (assigned.place)(group);
    let mut endpoints: Vec<&str> = group
        .endpoints
        .iter()
        .map(|&at| assigned.address(at))
        .collect();
    endpoints.sort_by_key(|address| {
        let parts = address.rsplit_once(':');
        parts.map(|(host, port)| (host, port.parse::<u32>().unwrap_or(0)))
    });
    json!({
        "priority": group.priority,
        "zone": zone,
        "sub_zone": sub_zone,
        "weight": group.weight,
        "endpoints": endpoints,
    })
}
