//! The two forms of the filter that the demo can run.

use std::path::PathBuf;

use crate::project::Project;

/// A form, and what differs between the demos of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DemoForm {
    /// The Wasm filter, with the health in its configuration.
    #[default]
    Wasm,
    /// The native module, with the hosts and the health that Envoy has.
    Native,
}

impl DemoForm {
    /// Its name in the state files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wasm => "wasm",
            Self::Native => "native",
        }
    }

    /// The form with that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Wasm, Self::Native]
            .into_iter()
            .find(|form| form.name() == name)
    }

    /// Envoy's configuration.
    pub fn bootstrap(self, project: &Project) -> PathBuf {
        let configurations = project.root.join("envoy-config");
        configurations.join(match self {
            Self::Wasm => "demo/envoy.yaml",
            Self::Native => "native/demo/envoy.yaml",
        })
    }

    /// What the names of the filter's metrics begin with in `/stats`.
    pub const fn stats_prefix(self) -> &'static str {
        match self {
            Self::Wasm => "wasmcustom.spillgate.",
            Self::Native => "dynamicmodulescustom.spillgate.",
        }
    }

    /// The Prometheus counter of decisions with these labels.
    pub fn decisions(self, cluster: &str, priority: &str, reason: &str) -> String {
        let name = match self {
            Self::Wasm => "spillgate_decisions",
            Self::Native => "envoy_dynamicmodulescustom_spillgate_decisions",
        };
        format!(
            "{name}{{spillgate_cluster=\"{cluster}\",spillgate_priority=\"{priority}\",spillgate_reason=\"{reason}\"}}"
        )
    }
}
