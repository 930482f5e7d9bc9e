//! Hosts that EDS adds and removes.

use spillgate_core::snapshot::ClusterId;
use spillgate_health::{
    check::{HostChecks, stays_after_removal},
    merge_window::PriorityChange,
};

use super::{changes::ChangeKind, host::HealthySince, simulation::Simulation};
use crate::setup::IncidentHealth;

impl Simulation<'_> {
    /// EDS has a host from now on, or has it no longer.
    pub(super) fn set_listed(&mut self, number: usize, is_listed: bool) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        if host.is_listed == is_listed {
            return;
        }
        host.is_listed = is_listed;
        let is_member = host.is_member;
        let settings = self.settings_of(number);
        let stays = settings.is_some_and(|settings| self.stays(number, settings));
        if is_listed && !is_member {
            self.join(number);
        } else if !is_listed && !stays {
            self.leave(number);
        } else {
            // Only its mark `PENDING_DYNAMIC_REMOVAL` changes: Envoy computes no lists for that, so that no
            // `update_merge_window` begins. The timeline has a row.
            self.is_stale = true;
        }
    }

    /// A host joins the host set.
    pub(super) fn join(&mut self, number: usize) {
        let Some(cluster) = self.cluster_of(number) else {
            return;
        };
        if let Some(host) = self.hosts.get_mut(number) {
            host.is_member = true;
            host.is_ejected = false;
            host.is_degraded = false;
            host.healthy_since = HealthySince::New;
            host.checks = None;
            if let Some(detector) = self.detectors.get_mut(&cluster) {
                host.index = detector.add_host();
                self.by_index.entry(cluster).or_default().push(number);
            }
        }
        self.start_checks(number, self.now);
        self.begins_to_fail(number);
        self.changed(number, ChangeKind::Joined);
        self.changed_members(number, cluster);
    }

    /// A host leaves the host set.
    pub(super) fn leave(&mut self, number: usize) {
        let Some(cluster) = self.cluster_of(number) else {
            return;
        };
        self.sync(number);
        if let Some(host) = self.hosts.get_mut(number) {
            host.is_member = false;
            host.checks = None;
            if let Some(detector) = self.detectors.get_mut(&cluster) {
                detector.remove_host(host.index);
            }
        }
        self.changed(number, ChangeKind::Left);
        self.changed_members(number, cluster);
    }

    fn changed_members(&mut self, number: usize, cluster: ClusterId) {
        self.members_changed = true;
        let priority = self.cast.hosts().get(number).map(|host| host.at.priority);
        if let Some(priority) = priority {
            self.update(cluster, priority, PriorityChange::Hosts);
        }
    }

    /// Whether a host that EDS removed stays in use.
    fn stays(&self, number: usize, settings: &IncidentHealth) -> bool {
        let checks = self.hosts.get(number).and_then(|host| host.checks.as_ref());
        let flags = checks.map(HostChecks::flags);
        stays_after_removal(flags, settings.ignores_health_on_removal)
    }
}
