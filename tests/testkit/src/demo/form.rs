//! The two forms of the filter that the demo can run.

/// A form, and what differs between the demos of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DemoForm {
    /// The Wasm filter, with the health in its configuration.
    #[default]
    Wasm,
    /// The dynamic module, with the hosts and the health that Envoy has.
    Native,
}

impl DemoForm {
    /// Its name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wasm => "wasm",
            Self::Native => "native",
        }
    }

    /// Envoy's configuration, in the repository.
    pub(super) const fn bootstrap(self) -> &'static str {
        match self {
            Self::Wasm => "envoy-config/demo/envoy.yaml",
            Self::Native => "envoy-config/native/demo/envoy.yaml",
        }
    }

    /// What the names of the filter's metrics begin with in `/stats`.
    pub(super) const fn stats_prefix(self) -> &'static str {
        match self {
            Self::Wasm => "wasmcustom.spillgate.",
            Self::Native => "dynamicmodulescustom.spillgate.",
        }
    }

    /// The Prometheus counter of decisions with these labels.
    pub(super) fn decisions(self, cluster: &str, priority: &str, reason: &str) -> String {
        let name = match self {
            Self::Wasm => "spillgate_decisions",
            Self::Native => "envoy_dynamicmodulescustom_spillgate_decisions",
        };
        format!(
            "{name}{{spillgate_cluster=\"{cluster}\",spillgate_priority=\"{priority}\",spillgate_reason=\"{reason}\"}}"
        )
    }
}
