//! What goes on around requests: time, queues, callouts.

use super::{TestHost, size};
use crate::callout::{Callout, CalloutReply};
use crate::error::HostError;
use crate::log::{GuestLogLevel, LogLine};
use crate::metrics::Metrics;
use crate::properties::{Properties, Property};
use crate::state::{BufferKind, MapKind};
use crate::status::Status;
use std::time::Duration;

impl TestHost {
    /// Moves both clocks and runs every tick that falls due, in order, each at its own time.
    ///
    /// # Errors
    /// When the guest traps.
    pub fn advance(&mut self, by: Duration) -> Result<(), HostError> {
        let nanoseconds = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        let until = self.vm.state().monotonic_ns.saturating_add(nanoseconds);
        while let Some((at, context)) = self.vm.state_mut().ticks.take_due(until) {
            self.move_clocks(at);
            self.vm.call("proxy_on_tick", context, &[context])?;
        }
        self.move_clocks(until);
        Ok(())
    }

    fn move_clocks(&mut self, monotonic_ns: u64) {
        let state = self.vm.state_mut();
        let elapsed = monotonic_ns - state.monotonic_ns;
        state.clock_ns += elapsed;
        state.monotonic_ns = monotonic_ns;
    }

    /// Sets the wall clock forward, or back, without any time passing.
    pub fn step_wall_clock(&mut self, seconds: i64) {
        let state = self.vm.state_mut();
        state.clock_ns = state
            .clock_ns
            .saturating_add_signed(seconds.saturating_mul(1_000_000_000));
    }

    /// From now on, reading the monotonic clock fails, as on a host without one.
    pub fn deny_monotonic_clock(&mut self) {
        self.vm.state_mut().offers_monotonic = false;
    }

    /// From now on, a hostcall such as `proxy_get_property` does nothing and answers with this status.
    pub fn answer_with(&mut self, hostcall: &str, status: Status) {
        let answers = &mut self.vm.state_mut().answers;
        answers.insert(hostcall.to_owned(), status);
    }

    /// Sets an environment variable of the VM. Envoy sets them before it starts the VM.
    pub fn set_variable(&mut self, name: &str, value: impl AsRef<[u8]>) {
        let environment = &mut self.vm.state_mut().environment;
        environment.insert(name.to_owned(), value.as_ref().to_vec());
    }

    /// Declares an Envoy cluster, so that callouts to it are taken.
    pub fn add_cluster(&mut self, name: &str) {
        self.vm.state_mut().callout_clusters.insert(name.to_owned());
    }

    /// The callouts without an answer yet, oldest first.
    #[must_use]
    pub fn callouts(&self) -> &[Callout] {
        &self.vm.state().callouts
    }

    /// Lets a callout come back.
    ///
    /// # Errors
    /// When no such callout is open, or the guest traps.
    pub fn answer(&mut self, token: u32, reply: CalloutReply) -> Result<(), HostError> {
        let state = self.vm.state_mut();
        let index = state
            .callouts
            .iter()
            .position(|callout| callout.token == token)
            .ok_or(HostError::NoSuchCallout(token))?;
        let context = state.callouts.remove(index).context;
        let map = MapKind::Callout as u32;
        let buffer = BufferKind::CalloutBody as u32;
        let arguments = [
            context,
            token,
            size(reply.headers.len()),
            size(reply.body.len()),
            0,
        ];
        // Where a call failed Envoy has neither a map nor a buffer.
        if !reply.headers.is_empty() {
            state.maps.insert(map, reply.headers);
            state.buffers.insert(buffer, reply.body);
        }
        let outcome = self
            .vm
            .call("proxy_on_http_call_response", context, &arguments);
        let state = self.vm.state_mut();
        state.maps.remove(&map);
        state.buffers.remove(&buffer);
        outcome.map(drop)
    }

    /// Sets the value of a property from now on.
    pub fn set_property(&mut self, path: &[&str], property: Property) {
        self.vm
            .state_mut()
            .properties
            .set(Properties::path(path), property);
    }

    /// Makes a property unknown again.
    pub fn remove_property(&mut self, path: &[&str]) {
        let path = Properties::path(path);
        self.vm.state_mut().properties.remove(&path);
    }

    /// The value of a property, also one that the guest wrote.
    #[must_use]
    pub fn property(&self, path: &[&str]) -> Option<Vec<u8>> {
        self.vm.state().properties.get(&Properties::path(path)).ok()
    }

    /// How much one callback may burn before it counts as an endless loop and traps, in the units
    /// of [`Exchange::fuel`]; 2,000,000,000 at first.
    pub fn set_fuel_limit(&mut self, fuel: u64) {
        self.vm.fuel_a_call = fuel;
    }

    /// Lines below this level are not logged; Info at first, as in Envoy.
    pub fn set_log_level(&mut self, level: GuestLogLevel) {
        self.vm.state_mut().log_level = level;
    }

    /// Everything that the guest logged so far.
    #[must_use]
    pub fn logs(&self) -> &[LogLine] {
        &self.vm.state().logs
    }

    /// The guest's metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.vm.state().metrics
    }

    /// The tick period of the configuration that serves, in milliseconds.
    #[must_use]
    pub fn tick_period_ms(&self) -> Option<u32> {
        self.vm.state().ticks.period_ms(self.serving?.0)
    }

    /// Nanoseconds since the epoch on the fake wall clock.
    #[must_use]
    pub fn clock_ns(&self) -> u64 {
        self.vm.state().clock_ns
    }

    /// The fuel that callbacks burnt since the last request or the last call of this function, in
    /// the units of [`Exchange::fuel`]: that of ticks and responses.
    pub fn take_fuel(&mut self) -> u64 {
        self.vm.take_burnt()
    }

    /// The size of the guest's memory in bytes. It never shrinks.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.vm.memory_bytes()
    }
}
