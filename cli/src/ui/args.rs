//! The arguments of `spillgate ui`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};

use crate::config::ConfigArgs;

/// The examples of the help text.
pub(crate) const EXAMPLES: &str = "Examples:\n  \
    spillgate ui envoy.yaml --cluster shop > url.txt\n  \
    spillgate ui --admin http://localhost:9901 --listen 127.0.0.1:8080";

/// The options of `spillgate ui`.
#[derive(Debug, Args)]
pub(crate) struct UiArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Cluster that the playground shows first [default: an aggregate, else the one with most priorities].
    #[arg(long, value_name = "NAME", requires = "config-source")]
    pub(crate) cluster: Option<String>,
    /// Address of this machine to serve at; port 0 is a free one.
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Start a browser: auto (if standard output is a terminal), always, never.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = OpenBrowser::Auto)]
    #[arg(hide_possible_values = true, num_args = 0..=1, default_missing_value = "always")]
    pub(crate) open: OpenBrowser,
    /// Serve the files of this folder [default: those in the program, if it was built with them].
    #[arg(long, value_name = "DIR")]
    pub(crate) files: Option<PathBuf>,
}

/// When to start a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpenBrowser {
    /// If a person reads the output.
    Auto,
    /// In any case.
    Always,
    /// Not at all.
    Never,
}

impl UiArgs {
    /// The configuration, if one is stated.
    pub(super) fn stated(&self) -> Option<&ConfigArgs> {
        let config = &self.config;
        (config.admin.url.is_some() || !config.config.is_empty()).then_some(config)
    }
}
