//! One plugin configuration: one that balances, or one that polls for all workers.

use alloc::{boxed::Box, format, string::String, vec::Vec};

use spillgate_config::filter::{FilterConfig, Poll};

use crate::{
    Balancing, CompiledConfig, SteeredRequest,
    hosts::Poller,
    metrics,
    port::{AdminResponse, HealthPort, LogLevel, Plugin},
    settings::listed,
};

/// A legal configuration.
#[derive(Debug)]
pub enum Configuration {
    /// Requests are balanced. The warnings are ready to print.
    Balance(Box<FilterConfig>, Vec<String>),
    /// Admin interfaces are polled for all workers.
    Poll(Vec<Poll>),
}

/// The state of one plugin.
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
    Polls(Poller),
}

impl PluginInstance {
    /// Takes a configuration, or the diagnostics of one that is illegal; then the present one keeps
    /// serving. Whether it was accepted.
    pub fn configure<P: HealthPort>(
        &mut self,
        plugin: &P,
        read: Result<Configuration, Vec<String>>,
    ) -> bool {
        match read {
            Ok(Configuration::Balance(config, warnings)) => {
                if !warnings.is_empty() {
                    plugin.log(LogLevel::Warn, &format!("spillgate: {}", listed(&warnings)));
                }
                let before = match core::mem::take(&mut self.role) {
                    Role::Balances(before) => Some(*before),
                    Role::None | Role::Polls(_) => None,
                };
                let next = Balancing::begin(plugin, CompiledConfig::new(*config), before);
                self.role = Role::Balances(Box::new(next));
            }
            Ok(Configuration::Poll(polls)) => {
                let poller = Poller::alone(plugin, polls);
                if let Some(period) = poller.period() {
                    plugin.tick_every(period);
                }
                self.role = Role::Polls(poller);
                self.on_tick(plugin);
            }
            Err(faults) => {
                // The environment may try a new context, which cannot know whether another serves.
                plugin.log(
                    LogLevel::Error,
                    &format!(
                        "spillgate: the configuration is refused, whatever serves now goes on; {}",
                        listed(&faults)
                    ),
                );
                metrics::configuration_refused(plugin);
                return false;
            }
        }
        metrics::configuration_accepted(plugin);
        true
    }

    /// Polls what is due and takes what is published.
    pub fn on_tick<P: HealthPort>(&mut self, plugin: &P) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.tick(plugin),
            // The only poller has no others to spread from.
            Role::Polls(poller) => poller.tick(plugin, || 0),
            Role::None => {}
        }
    }

    /// Takes the response of an admin interface.
    pub fn on_admin_response<P: HealthPort>(&mut self, plugin: &P, response: &AdminResponse) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.on_admin_response(plugin, response),
            Role::Polls(poller) => poller.on_response(plugin, response),
            Role::None => {}
        }
    }

    /// A new request.
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
