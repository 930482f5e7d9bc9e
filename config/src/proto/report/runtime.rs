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

    /// The integer that a runtime key has, and its position. Without the feature `yaml`, there are no
    /// runtime values: the filter's configuration has none.
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_integer(&self, key: &str) -> Option<(u64, Position)> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| Some((entry.value.integer()?, entry.position)));
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// The number that a runtime key has, like [`Report::runtime_integer`].
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_double(&self, key: &str) -> Option<(f64, Position)> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| Some((entry.value.double()?, entry.position)));
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// The Boolean that a runtime key has, like [`Report::runtime_integer`].
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_flag(&self, key: &str) -> Option<bool> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| entry.value.boolean());
        #[cfg(not(feature = "yaml"))]
        None
    }

    /// The fraction that a runtime key has, like [`Report::runtime_integer`].
    #[cfg_attr(
        not(feature = "yaml"),
        expect(unused_variables, reason = "no runtime values")
    )]
    pub(crate) fn runtime_fraction(&self, key: &str) -> Option<FractionalPercent> {
        #[cfg(feature = "yaml")]
        return self
            .runtime
            .get(key)
            .and_then(|entry| entry.value.fraction());
        #[cfg(not(feature = "yaml"))]
        None
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
