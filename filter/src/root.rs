//! The root context: one plugin configuration, be it one that balances or one that polls.

use crate::balancing::Balancing;
use crate::configuration;
use crate::counters;
use crate::health::Poller;
use crate::host;
use crate::http::Http;
use crate::plugin::{Built, listed};

/// The `root_id` of a plugin that polls for all workers.
const POLLER: &[u8] = b"spillgate-poller";

/// The root context. All state hangs here.
#[derive(Default)]
pub(crate) struct Root {
    role: Role,
}

/// What a configuration makes of it.
#[derive(Default)]
enum Role {
    /// There is none yet.
    #[default]
    None,
    Balances(Box<Balancing>),
    Polls(Poller),
}

impl Root {
    fn configure(&mut self, text: &[u8]) -> Result<(), Vec<String>> {
        if host::property("plugin_root_id").as_deref() == Some(POLLER) {
            let poller = Poller::alone(configuration::polling(text)?);
            if let Some(pace) = poller.pace() {
                host::tick_every(pace);
            }
            self.role = Role::Polls(poller);
            self.poll();
            return Ok(());
        }
        let built = Built::from_bytes(text)?;
        let before = match std::mem::take(&mut self.role) {
            Role::Balances(before) => Some(*before),
            Role::None | Role::Polls(_) => None,
        };
        self.role = Role::Balances(Box::new(Balancing::begin(built, before)));
        Ok(())
    }

    fn poll(&mut self) {
        if let Role::Polls(poller) = &mut self.role {
            // The one poller has nobody to keep out of the way of.
            poller.tick(host::nanoseconds().unwrap_or(0), || 0);
        }
    }

    /// The answer to a call is here.
    pub(crate) fn on_http_call_response(&mut self, token: u32, size: usize) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.answered(token, size),
            Role::Polls(poller) => {
                poller.answered(token, size, host::nanoseconds().unwrap_or(0));
            }
            Role::None => {}
        }
    }

    /// Takes the configuration of this size. Whether it is accepted.
    pub(crate) fn on_configure(&mut self, size: usize) -> bool {
        let text = host::plugin_configuration(size).unwrap_or_default();
        match self.configure(&text) {
            Ok(()) => {
                counters::configuration_accepted();
                true
            }
            Err(faults) => {
                // The host may ask a new context, which cannot know whether one serves elsewhere.
                log::error!(
                    "spillgate: the configuration is refused, whatever serves now goes on; {}",
                    listed(&faults)
                );
                counters::configuration_refused();
                false
            }
        }
    }

    pub(crate) fn on_tick(&mut self) {
        match &mut self.role {
            Role::Balances(balancing) => balancing.tick(),
            Role::Polls(_) => self.poll(),
            Role::None => {}
        }
    }

    /// The context of a new request.
    pub(crate) fn request(&self) -> Http {
        let serving = match &self.role {
            Role::Balances(balancing) => Some(balancing.serving()),
            Role::None | Role::Polls(_) => None,
        };
        Http::new(serving)
    }
}
