//! Slow start in `spillgate split`: the shares of new hosts over the window.

use std::time::Duration;

use serde_json::{Value, json};
use spillgate_core::{
    model::{ClusterKind, Metadata, Model, SlowStart},
    snapshot::{HostRef, Snapshot},
};

/// The slow start of one cluster.
#[derive(Debug, Clone)]
pub struct SlowStartShares {
    /// The settings.
    pub settings: SlowStart,
    /// The hosts with a stated time.
    pub hosts: Vec<NewHost>,
}

/// A host in slow start.
#[derive(Debug, Clone)]
pub struct NewHost {
    /// Its address.
    pub address: String,
    /// The time since it became healthy.
    pub since: Duration,
    /// Its share in percent at times over the window, while the other hosts stay as they are.
    pub over_window: Vec<(Duration, f64)>,
}

/// The parts of the window that the table lists, in percent.
const PARTS: [u32; 5] = [0, 25, 50, 75, 100];

/// The slow start of a cluster; `None` if it has none.
pub(super) fn slow_start(
    model: &Model,
    name: &str,
    criteria: &Metadata,
) -> Option<SlowStartShares> {
    let ClusterKind::Plain(plain) = &model.cluster(name)?.kind else {
        return None;
    };
    let settings = plain.slow_start?;
    let hosts = plain.healthy_for.iter().enumerate().filter_map(|(at, of)| {
        let endpoint = plain.priorities.get(of.priority)?.endpoints.get(of.host)?;
        let shares = PARTS.map(|percent| {
            let time = settings.window() * percent / 100;
            (time, share_at(model, name, at, time, criteria))
        });
        Some(NewHost {
            address: endpoint.address.clone(),
            since: of.time,
            over_window: shares.into(),
        })
    });
    Some(SlowStartShares {
        settings,
        hosts: hosts.collect(),
    })
}

/// The share of a host in percent at another time.
fn share_at(model: &Model, name: &str, at: usize, time: Duration, criteria: &Metadata) -> f64 {
    let mut changed = model.clone();
    let index = model
        .clusters()
        .iter()
        .position(|cluster| cluster.name == name);
    let times = index.and_then(|index| changed.healthy_for_mut(index));
    let Some(of) = times.and_then(|times| times.get_mut(at)) else {
        return 0.0;
    };
    of.time = time;
    let (priority, host) = (of.priority, of.host);
    let snapshot = Snapshot::build(&changed);
    let Some(cluster) = snapshot.cluster_id(name) else {
        return 0.0;
    };
    let wanted = HostRef {
        cluster,
        priority,
        host,
    };
    let shares = snapshot.distribution_for(cluster, criteria, None).shares;
    let mut shares = shares.iter().filter(|share| share.host_ref() == wanted);
    shares.next().map_or(0.0, |share| share.share)
}

impl SlowStartShares {
    /// The slow start as JSON.
    pub(super) fn json(&self) -> Value {
        let hosts = self.hosts.iter().map(|host| {
            let over = host
                .over_window
                .iter()
                .map(|(time, share)| json!({"since_ms": millis(*time), "share": share}));
            json!({
                "address": host.address,
                "since_ms": millis(host.since),
                "over_window": over.collect::<Vec<Value>>(),
            })
        });
        json!({
            "window_ms": millis(self.settings.window()),
            "aggression": self.settings.aggression(),
            "min_weight_percent": self.settings.min_weight_percent(),
            "hosts": hosts.collect::<Vec<Value>>(),
        })
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
