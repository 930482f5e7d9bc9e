//! The result of an import, from the answer of the reader module.

use std::rc::Rc;

use spillgate_codec::import::{ImportAnswer, ImportFault};
use spillgate_codec::link::proposed;

use super::{ImportOrigin, ImportTexts, Imported, fault::error};
use crate::state::PageMessage;

/// The result of reading the texts.
#[derive(Debug, Clone)]
pub struct ImportResult {
    /// The clusters; `None` after errors.
    pub imported: Option<Imported>,
    /// All errors, warnings and findings, in the order of the texts.
    pub faults: Vec<ImportFault>,
}

/// The result of reading `texts`, from the answer of the reader module.
#[must_use]
pub fn import_result(texts: ImportTexts, answer: &[u8]) -> ImportResult {
    let Some(answer) = ImportAnswer::from_bytes(answer) else {
        return failed_import(&PageMessage::UnknownAnswer);
    };
    let ImportAnswer {
        clusters,
        places,
        mut faults,
    } = answer;
    let imported = clusters.filter(|clusters| {
        if clusters.is_empty() {
            faults.push(error(&PageMessage::NoCluster));
        }
        !clusters.is_empty()
    });
    let imported = imported.map(|clusters| Imported {
        proposed: proposed(&clusters),
        origin: Rc::new(ImportOrigin {
            texts,
            clusters,
            places,
            faults: faults.clone(),
        }),
    });
    ImportResult { imported, faults }
}

/// The result of an import that failed before or after reading.
#[must_use]
pub fn failed_import(message: &PageMessage<'_>) -> ImportResult {
    ImportResult {
        imported: None,
        faults: vec![error(message)],
    }
}
