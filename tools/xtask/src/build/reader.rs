//! The playground's modules that read what users paste, each fetched on first use.

use anyhow::Result;

use super::{ORDER_PASSES, PAGE_PASSES, PAGE_PROFILE, optimize, wasm};
use crate::files;
use crate::project::Project;

/// A module of the package `spillgate-reader`.
#[derive(Debug, Clone, Copy)]
pub struct ReaderModule {
    /// Its file name, as `www/reader.js` requests it.
    pub file: &'static str,
    /// The feature with its readers, which is also its name in optimization.
    pub feature: &'static str,
}

/// The modules: for Envoy configurations, for documents of Kuma and Istio, for routes, for scenario files with their
/// runs, for incidents, and for comparisons.
pub const READERS: [ReaderModule; 6] = [
    ReaderModule {
        file: "reader.wasm",
        feature: "envoy",
    },
    ReaderModule {
        file: "mesh.wasm",
        feature: "mesh",
    },
    ReaderModule {
        file: "routes.wasm",
        feature: "routes",
    },
    ReaderModule {
        file: "simulation.wasm",
        feature: "simulation",
    },
    ReaderModule {
        file: "incident.wasm",
        feature: "incident",
    },
    ReaderModule {
        file: "comparison.wasm",
        feature: "comparison",
    },
];

impl ReaderModule {
    /// Builds it. It has no JavaScript of its own: numbers and bytes are all that crosses its border.
    pub fn build(&self, project: &Project) -> Result<Vec<u8>> {
        let features = ["--no-default-features", "--features", self.feature];
        let module = wasm::build_with(project, "spillgate-reader", PAGE_PROFILE, &features)?;
        let module = files::read_bytes(&module)?;
        let passes = [&PAGE_PASSES[..], &ORDER_PASSES].concat();
        optimize::optimize(project, self.feature, &passes, &module)
    }
}
