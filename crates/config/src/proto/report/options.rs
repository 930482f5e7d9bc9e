//! What a reader is for, and what is known about its input.

use alloc::{string::String, sync::Arc};

use spillgate_core::route::Regex;

/// Compiles a regular expression (RE2 syntax); the text of an error is one line.
pub type RegexCompiler = fn(&str) -> Result<Arc<dyn Regex>, String>;

/// The purpose of reading an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Prediction of Envoy's behavior: inputs that Envoy tolerates get a warning.
    #[default]
    Predict,
    /// Serving traffic: warnings are not read first, so inputs that Envoy tolerates but that cannot
    /// be intended are errors.
    Serve,
    /// Lint: faults that have a rule are not reported.
    Lint,
}

/// The author of an input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextOrigin {
    /// A person or a control plane.
    #[default]
    Written,
    /// A running Envoy, which writes an unset locality weight as 0.
    Dump,
    /// A running Envoy, with the hosts that DNS names resolved to.
    DumpWithHosts,
}

/// When the hosts of a cluster must be known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HostsKnown {
    /// The input lists them.
    #[default]
    InText,
    /// Later, from a running Envoy; the input may omit them.
    Later,
}

/// The options of a reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReaderOptions {
    /// The purpose.
    pub purpose: Purpose,
    /// Compiles regular expressions. Without it, patterns are not modeled.
    pub regex: Option<RegexCompiler>,
    /// Whether the answer is about gRPC clients: policies that only Envoy rejects are no faults.
    pub for_grpc: bool,
}
