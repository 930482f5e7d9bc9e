//! The demo with its shipped files, on free ports, in the folder of a test.

use anyhow::Result;
use spillgate_config::filter::FilterForm;
use spillgate_testkit::demo::{DemoFiles, DemoForm, RunningDemo};

use crate::{Need, Workdir, needed};

/// Starts it with healthy hosts, and with the form of the filter that the folder is for.
///
/// # Errors
/// When something is missing, or Envoy does not start.
pub fn start(workdir: &Workdir) -> Result<RunningDemo> {
    let files = DemoFiles {
        envoy: needed(Need::Envoy)?,
        www: needed(Need::Www)?,
        docs: needed(Need::Docs)?,
        filter: needed(Need::FilterWasm)?,
        module: needed(Need::Module)?,
    };
    let form = match workdir.form() {
        FilterForm::Wasm => DemoForm::Wasm,
        FilterForm::DynamicModule => DemoForm::Native,
    };
    RunningDemo::on_free_ports(&files, form, &workdir.path().join("demo"))
}
