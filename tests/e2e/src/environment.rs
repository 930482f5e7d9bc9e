//! The needs of the tests, by environment variable.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

/// Something that `cargo xtask test` builds or finds before it runs these tests.
#[derive(Debug, Clone, Copy)]
pub enum Need {
    /// The Envoy 1.40 binary.
    Envoy,
    /// The Envoy binary of the version before.
    PreviousEnvoy,
    /// The filter as it ships.
    FilterWasm,
    /// The dynamic module as it ships.
    Module,
    /// The dynamic module with deliberate panics.
    FaultyModule,
    /// The commands' functions as WebAssembly.
    TwinWasm,
    /// The folder of the built page.
    Www,
    /// The folder of the built documentation site.
    Docs,
    /// The playground in a single file.
    PageFile,
    /// A Chromium.
    Chromium,
    /// The chromedriver of the same version.
    Chromedriver,
    /// A Firefox.
    Firefox,
    /// The geckodriver.
    Geckodriver,
    /// The driver of WebKitGTK.
    WebKitDriver,
    /// The X server without a screen.
    Xvfb,
    /// The script of axe-core.
    Axe,
    /// The script of Lighthouse's command line.
    Lighthouse,
    /// The Prometheus server.
    Prometheus,
    /// The tool that tests alerting rules.
    Promtool,
    /// The Python packages of gRPC's own client.
    GrpcPackages,
}

impl Need {
    const fn variable(self) -> &'static str {
        match self {
            Self::Envoy => "ENVOY",
            Self::PreviousEnvoy => "SPILLGATE_PREVIOUS_ENVOY",
            Self::FilterWasm => "SPILLGATE_FILTER_WASM",
            Self::Module => "SPILLGATE_MODULE",
            Self::FaultyModule => "SPILLGATE_FAULTY_MODULE",
            Self::TwinWasm => "SPILLGATE_TWIN_WASM",
            Self::Www => "SPILLGATE_WWW",
            Self::Docs => "SPILLGATE_DOCS",
            Self::PageFile => "SPILLGATE_PAGE_FILE",
            Self::Chromium => "CHROMIUM",
            Self::Chromedriver => "CHROMEDRIVER",
            Self::Firefox => "FIREFOX",
            Self::Geckodriver => "GECKODRIVER",
            Self::WebKitDriver => "WEBKITDRIVER",
            Self::Xvfb => "XVFB",
            Self::Axe => "SPILLGATE_AXE",
            Self::Lighthouse => "SPILLGATE_LIGHTHOUSE",
            Self::Prometheus => "PROMETHEUS",
            Self::Promtool => "PROMTOOL",
            Self::GrpcPackages => "SPILLGATE_GRPC_PACKAGES",
        }
    }

    const fn what(self) -> &'static str {
        match self {
            Self::Envoy => "the Envoy 1.40 binary",
            Self::PreviousEnvoy => "the binary of the version of Envoy before",
            Self::FilterWasm => "the built filter",
            Self::Module => "the built dynamic module",
            Self::FaultyModule => "the dynamic module with deliberate panics",
            Self::TwinWasm => "the commands' functions as WebAssembly",
            Self::Www => "the folder of the built page",
            Self::Docs => "the folder of the built documentation site",
            Self::PageFile => "the built page in a single file",
            Self::Chromium => "a Chromium binary",
            Self::Chromedriver => "the chromedriver of that Chromium",
            Self::Firefox => "a Firefox binary",
            Self::Geckodriver => "a geckodriver",
            Self::WebKitDriver => "the driver of WebKitGTK",
            Self::Xvfb => "an Xvfb",
            Self::Axe => "axe.min.js of axe-core",
            Self::Lighthouse => "cli/index.js of Lighthouse",
            Self::Prometheus => "a Prometheus binary",
            Self::Promtool => "the promtool of Prometheus",
            Self::GrpcPackages => "a folder with the Python packages grpcio and xds-protos",
        }
    }
}

/// The absolute path of something needed.
///
/// # Errors
/// When the variable is not set or names nothing: a test that cannot run fails, it is not skipped.
pub fn needed(need: Need) -> Result<PathBuf> {
    let (variable, what) = (need.variable(), need.what());
    let Some(value) = env::var_os(variable).filter(|value| !value.is_empty()) else {
        bail!("{variable} is not set; it must name {what}. `cargo xtask test` sets it");
    };
    match PathBuf::from(&value).canonicalize() {
        Ok(path) => Ok(path),
        Err(error) => bail!(
            "{variable} must name {what}, but {}: {error}. `cargo xtask test` sets it",
            value.display()
        ),
    }
}
