//! What the readers' module says, taken in.

use std::rc::Rc;

use spillgate_codec::import::{ImportAnswer, ImportFault};
use spillgate_codec::link::proposed;

use super::{ImportOrigin, Imported, Texts, fault::error};

/// What has become of the texts.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What they offer, unless errors keep them from being used.
    pub imported: Option<Imported>,
    /// Everything that is wrong or doubtful, in the order of the texts.
    pub faults: Vec<ImportFault>,
}

/// Takes in an answer to `texts`.
#[must_use]
pub fn take_in(texts: Texts, answer: &[u8]) -> Reading {
    let Some(answer) = ImportAnswer::from_bytes(answer) else {
        return unreadable("the readers gave no answer that this page understands; load it again");
    };
    let ImportAnswer {
        clusters,
        places,
        mut faults,
    } = answer;
    let imported = clusters.filter(|clusters| {
        if clusters.is_empty() {
            faults.push(error(
                "page/no-cluster",
                "there is no cluster in it: paste a bootstrap, a config_dump, a list of clusters \
                 or a single one",
            ));
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
    Reading { imported, faults }
}

/// What has become of texts that could not be asked about at all.
#[must_use]
pub fn unreadable(why: &str) -> Reading {
    Reading {
        imported: None,
        faults: vec![error("page/unreadable", why)],
    }
}
