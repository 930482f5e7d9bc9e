//! The regular expressions of a text, which the reader of the import does not compile: figures of clusters do not depend
//! on them, and the code to compile them is in the module of the routes.

use spillgate_codec::import::{ImportAnswer, ImportFault};
use spillgate_scenario::ImportTexts;

/// Whether a text may have regular expressions.
#[must_use]
pub(crate) fn has_expressions(texts: &ImportTexts) -> bool {
    texts.config.contains("regex")
}

/// The bytes of an answer of the reader, with the expressions that Envoy rejects.
#[must_use]
pub(crate) fn with_rejected(answer: Vec<u8>, rejected: Vec<ImportFault>) -> Vec<u8> {
    let read = ImportAnswer::from_bytes(&answer).filter(|_| !rejected.is_empty());
    match read {
        Some(read) => read.with_further(rejected).to_bytes(),
        None => answer,
    }
}
