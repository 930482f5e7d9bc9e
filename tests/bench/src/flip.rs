//! One host of a cluster changes its health.

use spillgate_core::{
    decide::BalancerState,
    draw::SplitMix64,
    model::{Health, HealthStatus, Model},
    snapshot::{HostRef, Snapshot},
};

use crate::{Shape, model};

/// A cluster, and the state of a worker for it.
pub struct Flip {
    model: Model,
    snapshot: Snapshot,
    state: BalancerState,
    draw: SplitMix64,
    host: HostRef,
    healthy: bool,
}

impl Flip {
    /// A cluster of this shape, all of it healthy.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let model = model(vec![shape.cluster("c")]);
        let snapshot = Snapshot::build(&model);
        let mut draw = SplitMix64::new(1);
        Self {
            state: BalancerState::new(&snapshot, &mut draw),
            draw,
            host: HostRef {
                cluster: snapshot.cluster_id("c").expect("the cluster is there"),
                priority: 0,
                host: shape.hosts / 2,
            },
            snapshot,
            model,
            healthy: true,
        }
    }

    /// The host becomes unhealthy, or healthy again.
    pub fn flip(&mut self) {
        self.healthy = !self.healthy;
        let health = Health::from_status(if self.healthy {
            HealthStatus::Healthy
        } else {
            HealthStatus::Unhealthy
        });
        let snapshot = self.snapshot.with_health(&[(self.host, health)]);
        let state = core::mem::take(&mut self.state);
        self.state = state.carried_over(&self.snapshot, &snapshot, &mut self.draw);
        self.snapshot = snapshot;
    }

    /// Builds everything again.
    #[must_use]
    pub fn full(&self) -> (Snapshot, BalancerState) {
        let snapshot = Snapshot::build(&self.model);
        let state = BalancerState::new(&snapshot, &mut SplitMix64::new(1));
        (snapshot, state)
    }
}
