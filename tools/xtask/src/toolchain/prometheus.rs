//! Prometheus, and promtool, which tests alerting rules.

use std::path::PathBuf;

use anyhow::Result;

use super::apt::program;

/// The programs. One package has both.
pub struct PrometheusTools {
    pub prometheus: PathBuf,
    pub promtool: PathBuf,
}

/// What variables name, what is on PATH, or Debian's package.
pub fn prometheus() -> Result<PrometheusTools> {
    Ok(PrometheusTools {
        prometheus: program("PROMETHEUS", &["prometheus"], "prometheus")?,
        promtool: program("PROMTOOL", &["promtool"], "prometheus")?,
    })
}
