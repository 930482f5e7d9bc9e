//! One configuration and the worker that serves it.

use crate::counters;
use crate::host;
use crate::http::Http;
use crate::plugin::Plugin;
use crate::worker::Worker;
use proxy_wasm::traits::{Context, HttpContext, RootContext};
use proxy_wasm::types::ContextType;
use std::cell::RefCell;
use std::rc::Rc;

/// The root context. All state hangs here.
pub(crate) struct Root {
    serving: Option<Serving>,
}

/// What requests need. Those under way keep the configuration they began with.
#[derive(Clone)]
pub(crate) struct Serving {
    /// What was configured, compiled; never changed.
    pub(crate) plugin: Rc<Plugin>,
    /// What changes with each request.
    pub(crate) worker: Rc<RefCell<Worker>>,
}

impl Root {
    /// A root context without a configuration.
    pub(crate) fn new() -> Self {
        Self { serving: None }
    }

    /// Puts a whole configuration in place of the one that serves.
    fn swap(&mut self, plugin: Plugin) {
        let worker = match self.serving.take() {
            Some(old) => {
                if let Ok(mut worker) = old.worker.try_borrow_mut() {
                    worker.carry_over(&old.plugin.snapshot, &plugin.snapshot);
                }
                old.worker
            }
            None => Rc::new(RefCell::new(Worker::new(&plugin.snapshot))),
        };
        self.serving = Some(Serving {
            plugin: Rc::new(plugin),
            worker,
        });
    }
}

impl Context for Root {}

impl RootContext for Root {
    fn on_configure(&mut self, size: usize) -> bool {
        let text = host::plugin_configuration(size).unwrap_or_default();
        match Plugin::build(&text) {
            Ok((plugin, warnings)) => {
                if !warnings.is_empty() {
                    log::warn!("spillgate: {}", listed(&warnings));
                }
                self.swap(plugin);
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

    fn create_http_context(&self, _id: u32) -> Option<Box<dyn HttpContext>> {
        Some(Box::new(Http::new(self.serving.clone())))
    }

    fn get_type(&self) -> Option<ContextType> {
        Some(ContextType::HttpContext)
    }
}

/// All findings in one message, each on a line of its own.
fn listed(findings: &[String]) -> String {
    let noun = if findings.len() == 1 {
        "finding"
    } else {
        "findings"
    };
    format!("{} {noun}:\n{}", findings.len(), findings.join("\n"))
}
