//! One plugin: it steers requests, or it polls for all workers.

use alloc::{boxed::Box, string::String, vec::Vec};

use spillgate_config::filter::{FilterConfig, Poll};
use spillgate_core::snapshot::ClusterId;

use crate::{
    Balancing, CompiledConfig, SteeredRequest,
    hosts::SharedPoller,
    messages::{self, PreviousConfig},
    metrics::{BUILD_COUNTER, Counter},
    port::{AdminResponse, HealthPort, Plugin},
};

/// A valid configuration of a plugin.
#[derive(Debug)]
pub enum Configuration {
    /// Requests are steered. The warnings are complete lines.
    Balance(Box<FilterConfig>, Vec<String>),
    /// Admin interfaces are polled for all workers.
    Poll(Vec<Poll>),
}

/// One plugin: the configuration that serves, and its state.
#[derive(Default)]
pub struct PluginInstance {
    role: Role,
}

#[derive(Default)]
enum Role {
    /// Not configured yet.
    #[default]
    None,
    Balances(Box<Balancing>),
    Polls(SharedPoller),
}

impl PluginInstance {
    /// Applies a configuration. If it is invalid, `read` has one line per diagnostic, and the
    /// previous configuration keeps serving. Returns whether the configuration was accepted.
    pub fn configure<P: HealthPort>(
        &mut self,
        plugin: &P,
        read: Result<Configuration, Vec<String>>,
    ) -> bool {
        match read {
            Ok(Configuration::Balance(config, warnings)) => {
                if let Some(message) = messages::warned(&warnings) {
                    log::warn!("{message}");
                }
                let before = match core::mem::take(&mut self.role) {
                    Role::Balances(before) => Some(*before),
                    Role::None | Role::Polls(_) => None,
                };
                let next = Balancing::begin(plugin, CompiledConfig::new(*config), before);
                self.role = Role::Balances(Box::new(next));
            }
            Ok(Configuration::Poll(polls)) => {
                self.role = Role::Polls(SharedPoller::new(plugin, &polls));
                self.on_tick(plugin);
            }
            Err(faults) => {
                let previous = match self.role {
                    Role::None => PreviousConfig::Unknown,
                    Role::Balances(_) | Role::Polls(_) => PreviousConfig::Serves,
                };
                log::error!("{}", messages::rejected(&faults, previous));
                Counter::new("spillgate.config.refused").add(plugin);
                return false;
            }
        }
        Counter::new("spillgate.config.accepted").add(plugin);
        Counter::new(BUILD_COUNTER).add(plugin);
        true
    }

    /// Sets the clusters whose hosts are unknown.
    pub fn set_unknown(&mut self, clusters: &[String]) {
        if let Role::Balances(balancing) = &mut self.role {
            let ids = clusters
                .iter()
                .filter_map(|name| balancing.snapshot().cluster_id(name));
            let ids: Vec<ClusterId> = ids.collect();
            balancing.set_unknown(&ids);
        }
    }

    /// Sends due polls, and applies published changes.
    pub fn on_tick<P: HealthPort>(&mut self, plugin: &P) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.tick(plugin),
            Role::Polls(poller) => {
                poller.tick(plugin);
                if let Some(period) = poller.changed_period() {
                    plugin.tick_every(period);
                }
            }
            Role::None => {}
        }
    }

    /// Handles a response of an admin interface.
    pub fn on_admin_response<P: HealthPort>(&mut self, plugin: &P, response: &AdminResponse<'_>) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.on_admin_response(plugin, response),
            Role::Polls(poller) => poller.on_response(plugin, response),
            Role::None => {}
        }
    }

    /// Starts a request under the configuration that serves.
    #[must_use]
    pub fn request(&self) -> SteeredRequest {
        SteeredRequest::new(match &self.role {
            Role::Balances(balancing) => Some(balancing.serving()),
            Role::None | Role::Polls(_) => None,
        })
    }

    /// A new request in a worker of its own: earlier requests have no effect on it.
    #[must_use]
    pub fn isolated_request(&self, plugin: &impl Plugin) -> SteeredRequest {
        SteeredRequest::new(match &self.role {
            Role::Balances(balancing) => Some(balancing.serving().with_new_worker(plugin)),
            Role::None | Role::Polls(_) => None,
        })
    }
}
