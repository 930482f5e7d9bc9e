//! The files of a scenario.

use spillgate_codec::{import::scenarios_from_bytes, link::SharedScenario};
use spillgate_config::{Diagnostic, write::Written};
use spillgate_export::{
    ExportSource, FileFormat, PictureColors, ScenarioQuestion, picture, write_file,
};
use spillgate_playground::state::{FileReply, ShareInput};
use spillgate_scenario::{EditedScenario, PageMessage};

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A file.
    File(FileFormat),
    /// The drawing of the PNG image.
    Image,
}

impl Wanted {
    /// What a name wants: that of a format, or `png`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name == "png" {
            return Some(Self::Image);
        }
        let format = FileFormat::ALL.into_iter().find(|one| one.name() == name);
        format.map(Self::File)
    }
}

/// The reply to the page.
pub(crate) fn reply(scenarios: &[u8], input: Vec<String>, wanted: &str) -> FileReply {
    let scenarios: Option<Vec<EditedScenario>> = scenarios_from_bytes(scenarios);
    let scenario = scenarios.and_then(|scenarios| scenarios.into_iter().next());
    let (Some(scenario), Some(wanted)) = (scenario, Wanted::named(wanted)) else {
        return FileReply::Refused(PageMessage::UnknownScenario.to_string());
    };
    let written = file(&scenario, &ShareInput::from_texts(input), wanted);
    match written {
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
pub fn file(
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
    };
    let question = ScenarioQuestion::from_view(shared.view(input.view.clone()));
    let model = shared.scenario.model();
    write_file(
        &ExportSource {
            target: Some(shared.scenario.name(shared.scenario.root())),
            question: &question,
            ..ExportSource::of(model)
        },
        format,
    )
}

/// Messages of the writer as sentences: without codes, because the page shows no others.
pub(crate) fn sentences(diagnostics: &[Diagnostic]) -> String {
    let sentence = |diagnostic: &Diagnostic| match &diagnostic.found {
        Some(found) => format!("{} ({found}).", diagnostic.message),
        None => format!("{}.", diagnostic.message),
    };
    let sentences: Vec<String> = diagnostics.iter().map(sentence).collect();
    sentences.join(" ")
}
