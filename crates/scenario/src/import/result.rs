//! The result of an import, from the answer of the reader module.

use std::rc::Rc;

use spillgate_codec::import::{ImportAnswer, ImportFault};
use spillgate_codec::link::proposed;

use super::{ImportOrigin, ImportTexts, Imported, page_error};
use crate::PageMessage;

/// The result of reading the texts.
#[derive(Debug, Clone)]
pub struct ImportResult {
    /// The clusters; `None` after errors.
    pub imported: Option<Imported>,
    /// Errors, then warnings, then hints; of each, those about the whole text, then in its order.
    pub faults: Vec<ImportFault>,
    /// The number of further ones.
    pub more: usize,
}

/// The maximum number of faults in a list.
pub const LISTED_FAULTS: usize = 200;

/// The result of reading `texts`, from the answer of the reader module.
#[must_use]
pub fn import_result(texts: ImportTexts, bytes: &[u8]) -> ImportResult {
    let Some(answer) = ImportAnswer::from_bytes(bytes) else {
        return ImportResult::failed(error(&PageMessage::UnknownAnswer));
    };
    let ImportAnswer {
        clusters,
        places,
        root,
        view,
        mut faults,
        more,
        limits,
        unknown_hosts,
        verdicts,
    } = answer;
    let imported = clusters.filter(|clusters| {
        if clusters.is_empty() {
            faults.push(error(&PageMessage::NoCluster));
        }
        !clusters.is_empty()
    });
    // The sort is stable, so other faults of one severity keep their order.
    faults.sort_by_key(|fault| (fault.severity, fault.field, fault.position.is_some()));
    let imported = imported.map(|clusters| Imported {
        proposed: root.unwrap_or_else(|| proposed(&clusters)),
        origin: Rc::new(ImportOrigin {
            texts,
            clusters,
            places,
            view,
            faults: faults.clone(),
            more,
            limits,
            unknown_hosts,
            verdicts,
            answer: bytes.to_vec(),
        }),
    });
    ImportResult {
        imported,
        faults,
        more,
    }
}

fn error(message: &PageMessage<'_>) -> ImportFault {
    page_error(message.id(), message.to_string())
}

impl ImportResult {
    /// The result of an import that failed before or after reading.
    #[must_use]
    pub fn failed(fault: ImportFault) -> Self {
        Self {
            imported: None,
            faults: vec![fault],
            more: 0,
        }
    }
}
