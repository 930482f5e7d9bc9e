//! Giving the VM configurations.

use super::{Configured, RootId, TestHost, size};
use crate::error::HostError;
use crate::state::BufferKind;

impl TestHost {
    /// Gives the VM a configuration as Envoy does: a new root context in addition to the one that serves.
    /// Accepted, it serves and the old one is shut down; refused, it is dropped and the old one
    /// goes on.
    ///
    /// # Errors
    /// When the guest traps.
    pub fn configure(&mut self, configuration: &[u8]) -> Result<Configured, HostError> {
        let configured = self.add_root(configuration)?;
        if configured.accepted
            && let Some(old) = self.serving.replace(configured.root)
        {
            self.drop_root(old)?;
        }
        Ok(configured)
    }

    /// Adds a further plugin configuration to the same VM; requests reach it through
    /// [`Self::request_to`]. It does not touch the one that serves.
    ///
    /// # Errors
    /// When the guest traps.
    pub fn add_root(&mut self, configuration: &[u8]) -> Result<Configured, HostError> {
        let root = RootId(self.new_context(0)?);
        self.vm
            .state_mut()
            .buffers
            .insert(BufferKind::VmConfiguration as u32, Vec::new());
        let first_log = self.vm.state().logs.len();
        let started = self.vm.call("proxy_on_vm_start", root.0, &[root.0, 0])? != Some(0);
        let accepted = started && self.offer(root, configuration)?;
        let logs = self.vm.state().logs[first_log..].to_vec();
        if !accepted {
            self.drop_root(root)?;
        }
        Ok(Configured {
            root,
            accepted,
            logs,
        })
    }

    /// Offers another configuration to the root context that serves, as hosts do that keep one
    /// context a plugin. The guest itself must keep the old one when it refuses.
    ///
    /// # Errors
    /// When nothing serves yet, or the guest traps.
    pub fn reconfigure_in_place(&mut self, configuration: &[u8]) -> Result<Configured, HostError> {
        let root = self.serving.ok_or(HostError::NotConfigured)?;
        let first_log = self.vm.state().logs.len();
        let accepted = self.offer(root, configuration)?;
        Ok(Configured {
            root,
            accepted,
            logs: self.vm.state().logs[first_log..].to_vec(),
        })
    }

    fn offer(&mut self, root: RootId, configuration: &[u8]) -> Result<bool, HostError> {
        let kind = BufferKind::PluginConfiguration as u32;
        self.vm
            .state_mut()
            .buffers
            .insert(kind, configuration.to_vec());
        let answer = self.vm.call(
            "proxy_on_configure",
            root.0,
            &[root.0, size(configuration.len())],
        )?;
        self.vm.state_mut().buffers.remove(&kind);
        Ok(answer != Some(0))
    }

    fn drop_root(&mut self, root: RootId) -> Result<(), HostError> {
        self.end_context(root.0)?;
        self.vm.state_mut().ticks.forget(root.0);
        Ok(())
    }
}
