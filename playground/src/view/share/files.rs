//! The files of a scenario.

use std::rc::Rc;

use spillgate_codec::link::SharedScenario;
use spillgate_config::{
    Diagnostic,
    write::{Written, envoy_yaml},
};
use spillgate_export::{ExportSource, FileFormat, PictureColors, ScenarioQuestion, picture};
use spillgate_scenario::{EditedScenario, PageMessage, text_model};

use crate::{
    lazy::{NotLoaded, lazy},
    state::{FileReply, ShareInput},
};

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A file.
    File(FileFormat),
    /// The drawing of the PNG image.
    Image,
    /// The shown clusters for an editor: an Envoy bootstrap in YAML without comments.
    Text,
}

lazy! {
    /// The function that writes files.
    fn load_writer as file_writer in files -> fn(&EditedScenario, &ShareInput, Wanted) -> FileReply { reply }
}

/// Fetches the code that writes files.
pub(crate) fn prepare_files() {
    yew::platform::spawn_local(async {
        // Writing a file tries again, and reports a failure.
        let _ = load_writer().await;
    });
}

/// Writes a file of a scenario, and reports it or the reason of the failure.
pub(crate) fn write_file(
    scenario: Rc<EditedScenario>,
    input: ShareInput,
    wanted: Wanted,
    done: impl FnOnce(FileReply) + 'static,
) {
    yew::platform::spawn_local(async move {
        done(match load_writer().await {
            Ok(write) => write(&scenario, &input, wanted),
            Err(NotLoaded) => FileReply::Refused(PageMessage::FilesFailed.to_string()),
        });
    });
}

/// The reply to the playground.
pub(super) fn reply(scenario: &EditedScenario, input: &ShareInput, wanted: Wanted) -> FileReply {
    match file(scenario, input, wanted) {
        Ok(written) => FileReply::Written {
            omitted: sentences(&written.warnings),
            text: written.text,
        },
        Err(faults) => FileReply::Refused(PageMessage::NotWritten(&sentences(&faults)).to_string()),
    }
}

/// A file of the scenario, with the what-if question of the input.
///
/// # Errors
/// Every setting that the format cannot express.
pub(crate) fn file(
    scenario: &EditedScenario,
    input: &ShareInput,
    wanted: Wanted,
) -> Result<Written, Vec<Diagnostic>> {
    let shared = SharedScenario::new(scenario, input.disclosure);
    let format = match wanted {
        Wanted::File(format) => format,
        Wanted::Image => {
            return Ok(Written {
                text: picture(&shared.scenario, PictureColors::Light),
                warnings: Vec::new(),
            });
        }
        Wanted::Text => {
            let model = text_model(&shared.scenario).map_err(|error| {
                let error = Diagnostic::error("export/not-shown", error.to_string());
                Vec::from([error])
            })?;
            return envoy_yaml(&model, &[]);
        }
    };
    let question = ScenarioQuestion::from_view(shared.view(input.view.clone()));
    let model = shared.scenario.model();
    spillgate_export::write_file(
        &ExportSource {
            target: Some(shared.scenario.name(shared.scenario.root())),
            question: &question,
            ..ExportSource::of(model)
        },
        format,
    )
}

/// Messages of the writer as sentences: without codes, because the playground shows no others.
pub(crate) fn sentences(diagnostics: &[Diagnostic]) -> String {
    let sentence = |diagnostic: &Diagnostic| match &diagnostic.found {
        Some(found) => format!("{} ({found}).", diagnostic.message),
        None => format!("{}.", diagnostic.message),
    };
    let sentences: Vec<String> = diagnostics.iter().map(sentence).collect();
    sentences.join(" ")
}
