//! Subset fallback chains.

use spillgate_core::model::{ChainHosts, ChainStep, PanicThreshold};

use super::{Dice, Extent};

impl Dice {
    /// The steps of a chain: any number from `least` to `most`.
    pub fn chain(&mut self, least: usize, most: usize, extent: Extent) -> Vec<ChainStep> {
        let count = self.between(least, most);
        (1..=count)
            .map(|number| ChainStep {
                min_healthy_hosts: self.below(4) as u32,
                min_healthy_percent: self.one(&[0, 0, 30, 50, 100]),
                panic_threshold: PanicThreshold::from_percent(self.one(&[0.0, 0.0, 50.0, 100.0])),
                // Only the last step may serve whatever its health.
                last_resort: number == count && self.chance(50),
                retry_next_step: number < count && self.chance(40),
                ..ChainStep::new(self.chain_hosts(extent))
            })
            .collect()
    }

    fn chain_hosts(&mut self, extent: Extent) -> ChainHosts {
        match self.below(6) {
            0 => ChainHosts::Any,
            1 => ChainHosts::Match(self.metadata(extent)),
            _ => {
                let mut keys = vec![self.key(extent)];
                let other = self.key(extent);
                if self.chance(50) && !keys.contains(&other) {
                    keys.push(other);
                }
                ChainHosts::Keys(keys.into_iter().map(Into::into).collect())
            }
        }
    }
}
