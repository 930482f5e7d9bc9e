//! Subject `outlier`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::draw::Draw;
use spillgate_grpc::{
    CallCounts, FailurePercentage, OutlierHost, OutlierSettings, SuccessRate, outlier_sweep,
};

use super::super::{Figures, figures, read};

/// The settings, the hosts and the draws of one sweep.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    config: Config,
    hosts: Vec<Host>,
    now_ms: u64,
    random: Vec<u64>,
}

/// The settings, in the units of the vectors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    interval_ms: Option<u64>,
    base_ejection_time_ms: Option<u64>,
    max_ejection_time_ms: Option<u64>,
    max_ejection_percent: Option<u32>,
    success_rate: Option<SuccessRateConfig>,
    failure_percentage: Option<FailurePercentageConfig>,
}

/// The settings of ejection by success rate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SuccessRateConfig {
    stdev_factor: Option<u32>,
    enforcement_percentage: Option<u32>,
    minimum_hosts: Option<u32>,
    request_volume: Option<u32>,
}

/// The settings of ejection by failure percentage.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FailurePercentageConfig {
    threshold: Option<u32>,
    enforcement_percentage: Option<u32>,
    minimum_hosts: Option<u32>,
    request_volume: Option<u32>,
}

/// A host with its calls and its ejection.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    id: String,
    ok: u64,
    bad: u64,
    ejected_at_ms: Option<u64>,
    multiplier: u32,
}

/// The draws of a case; without draws, each is 0.
struct Draws<'a> {
    left: std::slice::Iter<'a, u64>,
    endless: bool,
    short: bool,
}

impl Draw for Draws<'_> {
    fn draw(&mut self) -> u64 {
        let next = self.left.next().copied();
        self.short |= next.is_none() && !self.endless;
        next.unwrap_or(0)
    }
}

/// The ejected and the returned hosts of one sweep.
pub(super) fn outlier(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let mut hosts: Vec<OutlierHost> = input.hosts.iter().map(Host::read).collect();
    let mut draws = Draws {
        left: input.random.iter(),
        endless: input.random.is_empty(),
        short: false,
    };
    let settings = input.config.read();
    let sweep = outlier_sweep(&settings, &mut hosts, input.now_ms, &mut draws);
    if draws.short {
        return Err("input.random: too few draws".into());
    }
    let names = |indices: &[usize]| -> Value {
        let hosts = indices.iter().filter_map(|at| input.hosts.get(*at));
        hosts.map(|host| host.id.as_str()).collect()
    };
    let multipliers: Figures = input
        .hosts
        .iter()
        .zip(&hosts)
        .map(|(given, host)| (given.id.clone(), host.multiplier.into()))
        .collect();
    Ok(figures([
        (
            "success_rate_threshold",
            json!(sweep.success_rate_threshold),
        ),
        ("ejected", names(&sweep.ejected)),
        ("unejected", names(&sweep.unejected)),
        ("draws_used", sweep.draws.into()),
        ("multipliers", multipliers.into()),
    ]))
}

impl Host {
    fn read(&self) -> OutlierHost {
        OutlierHost {
            counts: CallCounts {
                ok: self.ok,
                bad: self.bad,
            },
            ejected_at: self.ejected_at_ms,
            multiplier: self.multiplier,
        }
    }
}

impl Config {
    fn read(&self) -> OutlierSettings {
        let default = OutlierSettings::default();
        OutlierSettings {
            interval_ms: self.interval_ms.unwrap_or(default.interval_ms),
            base_ejection_time_ms: self
                .base_ejection_time_ms
                .unwrap_or(default.base_ejection_time_ms),
            max_ejection_time_ms: self
                .max_ejection_time_ms
                .unwrap_or(default.max_ejection_time_ms),
            max_ejection_percent: self
                .max_ejection_percent
                .unwrap_or(default.max_ejection_percent),
            success_rate: self.success_rate.as_ref().map(SuccessRateConfig::read),
            failure_percentage: self
                .failure_percentage
                .as_ref()
                .map(FailurePercentageConfig::read),
        }
    }
}

impl SuccessRateConfig {
    fn read(&self) -> SuccessRate {
        let default = SuccessRate::default();
        SuccessRate {
            stdev_factor: self.stdev_factor.unwrap_or(default.stdev_factor),
            enforcement_percentage: self
                .enforcement_percentage
                .unwrap_or(default.enforcement_percentage),
            minimum_hosts: self.minimum_hosts.unwrap_or(default.minimum_hosts),
            request_volume: self.request_volume.unwrap_or(default.request_volume),
        }
    }
}

impl FailurePercentageConfig {
    fn read(&self) -> FailurePercentage {
        let default = FailurePercentage::default();
        FailurePercentage {
            threshold: self.threshold.unwrap_or(default.threshold),
            enforcement_percentage: self
                .enforcement_percentage
                .unwrap_or(default.enforcement_percentage),
            minimum_hosts: self.minimum_hosts.unwrap_or(default.minimum_hosts),
            request_volume: self.request_volume.unwrap_or(default.request_volume),
        }
    }
}
