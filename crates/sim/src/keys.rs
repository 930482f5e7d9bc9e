//! The keys that a loss moves to another host.

use spillgate_core::{
    inspect::{self, MovedKeys},
    snapshot::Snapshot,
};

use crate::Scene;

impl Scene {
    /// The keys that get another host in `after`, of 65,536 evenly spaced 64-bit hashes. `None` if
    /// the policies do not hash. `after` can be another configuration of the cluster.
    #[must_use]
    pub fn keys_moved(&self, after: &Snapshot) -> Option<MovedKeys> {
        let hashes = |snapshot: &Snapshot| {
            let mut owners = self.hosts().iter().map(|host| host.cluster);
            // One member without hashing is enough: its requests have no fixed host.
            owners.all(|owner| {
                let plain = snapshot.plain(owner);
                plain.is_some_and(|plain| plain.settings.policy.hashes())
            })
        };
        // With other policies, a key has a distribution instead of a host.
        if self.hosts().is_empty() || !hashes(self.snapshot()) {
            return None;
        }
        let name = &self.snapshot().cluster(self.cluster())?.name;
        let moved = inspect::keys_moved(self.snapshot(), after, name, self.criteria());
        Some(moved).filter(|moved| moved.keys > 0)
    }
}
