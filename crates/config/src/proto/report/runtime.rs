//! The runtime values in effect: settings ask for the values of their keys.

use spillgate_core::route::FractionalPercent;

use super::Report;
#[cfg(feature = "yaml")]
use crate::runtime::Runtime;
use crate::{Position, proto::Path};

impl Report {
    /// Sets the runtime values in effect.
    #[cfg(feature = "yaml")]
    pub(crate) fn found_runtime(&mut self, runtime: Runtime) {
        self.runtime = runtime;
    }

    /// The integer that a runtime key has, and its position.
    #[cfg(feature = "yaml")]
    pub(crate) fn runtime_integer(&self, key: &str) -> Option<(u64, Position)> {
        let entry = self.runtime.get(key)?;
        Some((entry.value.integer()?, entry.position))
    }

    /// The number that a runtime key has.
    #[cfg(feature = "yaml")]
    pub(crate) fn runtime_double(&self, key: &str) -> Option<f64> {
        self.runtime.get(key)?.value.double()
    }

    /// The Boolean that a runtime key has.
    #[cfg(feature = "yaml")]
    pub(crate) fn runtime_flag(&self, key: &str) -> Option<bool> {
        self.runtime.get(key)?.value.boolean()
    }

    /// The fraction that a runtime key has.
    #[cfg(feature = "yaml")]
    pub(crate) fn runtime_fraction(&self, key: &str) -> Option<FractionalPercent> {
        self.runtime.get(key)?.value.fraction()
    }

    /// Records that a setting has a runtime key. Unless the input has the runtime values, this is a
    /// limit: the key can replace the value of the setting.
    #[cfg(feature = "yaml")]
    pub(crate) fn has_runtime_key(
        &mut self,
        key: &str,
        replaced: &str,
        path: &Path,
        position: Position,
    ) {
        if self.runtime.is_known() {
            return;
        }
        let effect = alloc::format!(
            "runtime key {key} can replace {replaced}; its value is unknown without the bootstrap or \
             /runtime"
        );
        self.limit("config/runtime-key", effect, path, position);
    }

    /// The filter uses the default of a setting with a runtime key, and says so.
    #[cfg(not(feature = "yaml"))]
    pub(crate) fn has_runtime_key(&mut self, _: &str, _: &str, path: &Path, position: Position) {
        let message = "runtime_key is not modeled; using default_value";
        self.note("config/runtime-key", message, path, position);
    }
}

/// The filter's configuration has no runtime values.
#[cfg(not(feature = "yaml"))]
#[expect(clippy::unused_self, reason = "other builds have them")]
impl Report {
    pub(crate) const fn runtime_integer(&self, _: &str) -> Option<(u64, Position)> {
        None
    }

    pub(crate) const fn runtime_double(&self, _: &str) -> Option<f64> {
        None
    }

    pub(crate) const fn runtime_flag(&self, _: &str) -> Option<bool> {
        None
    }

    pub(crate) const fn runtime_fraction(&self, _: &str) -> Option<FractionalPercent> {
        None
    }
}
