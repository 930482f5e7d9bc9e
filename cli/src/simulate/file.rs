//! Reads a scenario and the configuration that it names.

use std::path::{Path, PathBuf};

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::envoy::Format;
use spillgate_sim::scenario::{self, ScenarioFile};

use crate::{command::Done, config::ConfigArgs};

/// Reads both. The path of the configuration is relative to the scenario.
pub(super) fn read(path: &Path, done: &mut Done) -> Result<ScenarioFile, Faults> {
    let text = read_text(path)?;
    let format = Format::guess(&text.name, &text.text);
    let mut of_config = Faults::default();
    let mut load = |named: &str| match ConfigArgs::of(relative_to(path, named)).read() {
        Ok(config) => {
            config.warn_all(done);
            Some(config.envoy.model)
        }
        Err(faults) => {
            of_config.extend(faults);
            None
        }
    };
    let read = scenario::read(&text.text, format, &mut load);
    match read {
        Ok(file) => {
            done.warn(&text, &file.warnings);
            Ok(file)
        }
        Err(faults) => {
            let mut all = Faults::all(&text, &faults);
            all.extend(of_config);
            Err(all)
        }
    }
}

/// A path relative to the folder of the scenario.
fn relative_to(scenario: &Path, named: &str) -> PathBuf {
    match scenario.parent() {
        Some(folder) => folder.join(named),
        None => named.into(),
    }
}
