//! One worker's VM: configuring it, sending requests through it, and the world around it.

mod configure;
mod requests;
mod world;

use crate::error::HostError;
use crate::guest::Vm;
use crate::log::LogLine;
use crate::shared::Shared;
use crate::state::State;

/// A root context: one plugin configuration in the VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RootId(u32);

/// What became of a configuration.
#[derive(Clone, Debug)]
pub struct Configured {
    /// The root context that got it. It is gone again where the configuration was refused.
    pub root: RootId,
    /// Whether the filter accepted it.
    pub accepted: bool,
    /// What the filter logged meanwhile.
    pub logs: Vec<LogLine>,
}

/// One worker's VM with the shipped filter in it.
pub struct TestHost {
    vm: Vm,
    serving: Option<RootId>,
    last_context: u32,
}

impl TestHost {
    /// Compiles and instantiates a filter with shared data of its own.
    ///
    /// # Errors
    /// When the module is unusable or its initialization traps.
    pub fn load(wasm: &[u8]) -> Result<Self, HostError> {
        Self::load_sharing(wasm, &Shared::default(), 0)
    }

    /// The same, as one worker of several: `shared` is common to them, `seed` starts the random
    /// bytes of this one.
    ///
    /// # Errors
    /// When the module is unusable or its initialization traps.
    pub fn load_sharing(wasm: &[u8], shared: &Shared, seed: u64) -> Result<Self, HostError> {
        Ok(Self {
            vm: Vm::load(wasm, State::new(shared.clone(), seed))?,
            serving: None,
            last_context: 0,
        })
    }

    /// Every context has a number of its own; root contexts name no root.
    fn new_context(&mut self, root: u32) -> Result<u32, HostError> {
        self.last_context += 1;
        let context = self.last_context;
        self.vm.state_mut().contexts.insert(context);
        self.vm
            .call("proxy_on_context_create", context, &[context, root])?;
        Ok(context)
    }

    fn end_context(&mut self, context: u32) -> Result<(), HostError> {
        for callback in ["proxy_on_done", "proxy_on_log", "proxy_on_delete"] {
            self.vm.call(callback, context, &[context])?;
        }
        self.vm.state_mut().contexts.remove(&context);
        Ok(())
    }
}

fn size(length: usize) -> u32 {
    u32::try_from(length).expect("less than 4 GiB of test data")
}
