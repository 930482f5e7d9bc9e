//! Kinds `locality_wrr` and `zone_aware`.

use std::cell::Cell;

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    load::{
        LocalityHealth, ZoneAwareInputs, ZoneLimits, ZoneObstacle, ZoneRouting, ZoneSize,
        zone_parts, zone_routing,
    },
    model::OverprovisioningFactor,
    pick::LocalitySchedule,
};

use super::{Figures, Wide, figures, read, read_field};

/// The input of `locality_wrr`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighted {
    locality_weights: Vec<u32>,
    eligible: Vec<u32>,
    total: Vec<u32>,
    excluded: Vec<u32>,
    overprovisioning_factor: u32,
    seed: Wide,
    draw: usize,
}

/// The input of `zone_aware`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Zones {
    local: Vec<Zone>,
    upstream: Vec<Zone>,
    min_cluster_size: u64,
    locality_basis: Option<String>,
    force_local_zone_min_size: Option<u32>,
    #[serde(default = "yes")]
    upstream_has_local_locality: bool,
}

/// The hosts of one zone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Zone {
    loc: String,
    weights: Vec<u64>,
}

/// Draws, and the expected zone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pick {
    random: Vec<Wide>,
    #[serde(rename = "locality")]
    _locality: Value,
    #[serde(rename = "stat")]
    _stat: Option<String>,
}

/// The default of flags that are on.
const fn yes() -> bool {
    true
}

/// The effective weights of the localities and their order.
pub(super) fn weighted(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Weighted = read(input)?;
    let factor = OverprovisioningFactor(input.overprovisioning_factor);
    let of = |counts: &[u32], at: usize| counts.get(at).copied().unwrap_or(0);
    let effective: Vec<f64> = input
        .locality_weights
        .iter()
        .enumerate()
        .map(|(at, &weight)| {
            let health = LocalityHealth {
                weight,
                eligible: of(&input.eligible, at),
                total: of(&input.total, at),
                excluded: of(&input.excluded, at),
            };
            health.effective_weight(factor)
        })
        .collect();
    let mut schedule = LocalitySchedule::new(&effective, input.seed.get()?);
    let mut counts = vec![0_u64; input.locality_weights.len()];
    let mut sequence = Vec::new();
    for _ in 0..input.draw {
        let place = schedule.as_mut().and_then(LocalitySchedule::pick);
        if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
            *count += 1;
        }
        sequence.push(place);
    }
    Ok(figures([
        ("none", schedule.is_none().into()),
        ("sequence", json!(sequence)),
        ("counts", json!(counts)),
        ("effective_weights", json!(effective)),
    ]))
}

/// The state of zone-aware routing and the chosen zones.
pub(super) fn zone_aware(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: Zones = read(input)?;
    let by_weight = match input.locality_basis.as_deref() {
        None | Some("HEALTHY_HOSTS_NUM") => false,
        Some("HEALTHY_HOSTS_WEIGHT") => true,
        Some(other) => return Err(format!("unknown locality basis {other:?}")),
    };
    let size = |zone: &Zone| {
        if by_weight {
            zone.weights.iter().sum()
        } else {
            zone.weights.len() as u64
        }
    };
    let zones: Vec<ZoneSize> = input
        .upstream
        .iter()
        .map(|zone| ZoneSize {
            upstream: size(zone),
            local: input
                .local
                .iter()
                .find(|local| local.loc == zone.loc)
                .map_or(0, size),
            upstream_hosts: zone.weights.len() as u64,
        })
        .collect();
    let local_total = input.local.iter().map(size).sum();
    let facts = ZoneAwareInputs {
        healthy_hosts: input.upstream.iter().map(|z| z.weights.len() as u64).sum(),
        local_total,
        local_localities: input.local.len(),
        local_has_own: input
            .local
            .first()
            .is_some_and(|zone| !zone.weights.is_empty()),
        upstream_has_own: input.upstream_has_local_locality,
    };
    let limits = ZoneLimits {
        min_cluster_size: input.min_cluster_size,
        force_local_zone: input.force_local_zone_min_size,
    };
    let routing = zone_routing(&zones, &facts, &limits);
    let mut found = figures([
        (
            "state",
            match &routing {
                ZoneRouting::Everywhere | ZoneRouting::Unfit(_) => "none",
                ZoneRouting::Direct => "direct",
                ZoneRouting::Residual { .. } => "residual",
            }
            .into(),
        ),
        ("percentages", json!(zone_parts(&zones, local_total))),
    ]);
    if let ZoneRouting::Unfit(obstacle) = routing {
        let stat = match obstacle {
            ZoneObstacle::LocalClusterNotOk => "lb_local_cluster_not_ok",
            ZoneObstacle::ClusterTooSmall => "lb_zone_cluster_too_small",
        };
        found.insert("stat".into(), stat.into());
    }
    if let ZoneRouting::Residual {
        local_part,
        residual,
    } = &routing
    {
        found.insert("local_percent_to_route".into(), json!(local_part));
        found.insert("residual_capacity".into(), json!(residual));
    }
    let picks: Vec<Pick> = read_field(asked, "picks")?.unwrap_or_default();
    let picks: Vec<Value> = picks
        .iter()
        .map(|pick| answer(&routing, zones.len(), pick))
        .collect::<Result<_, String>>()?;
    found.insert("picks".into(), picks.into());
    Ok(found)
}

/// The zone for given draws, and the counters that Envoy increments.
fn answer(routing: &ZoneRouting, zones: usize, pick: &Pick) -> Result<Value, String> {
    let draws: Vec<u64> = pick
        .random
        .iter()
        .map(Wide::get)
        .collect::<Result<_, _>>()?;
    let used = Cell::new(0);
    let place = routing.choose(zones, || {
        let draw = draws.get(used.get()).copied().unwrap_or(0);
        used.set(used.get() + 1);
        draw
    });
    if used.get() > draws.len() {
        return Err(format!("a choice takes {} draws", used.get()));
    }
    let stat = match routing {
        ZoneRouting::Residual { residual, .. } => match (used.get(), residual.last()) {
            (..2, _) => "lb_zone_routing_sampled",
            (_, Some(0)) => "lb_zone_no_capacity_left",
            _ => "lb_zone_routing_cross_zone",
        },
        _ => "lb_zone_routing_all_directly",
    };
    Ok(
        json!({"random": pick.random.iter().map(Wide::shown).collect::<Vec<_>>(),
              "locality": place, "stat": stat}),
    )
}
