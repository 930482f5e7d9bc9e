//! Generated blocks in documents.

use anyhow::Context as _;
use std::{
    fs::{self, File},
    path::Path,
};

/// Checks that the block `name` of a document has this text. The block is between the lines
/// `<!-- begin: NAME -->` and `<!-- end -->`; everything else in the document stays as it is, so
/// that several crates can each generate one block. With `SPILLGATE_GOLDEN=write`, writes the block
/// first.
///
/// # Panics
/// If the block is missing, or differs from the text.
pub fn check_block(document: &Path, name: &str, text: &str) {
    let begin = format!("<!-- begin: {name} -->\n");
    // Tests of several crates may write the document at the same time.
    let lock = File::open(document).expect("the document exists");
    lock.lock().expect("the document can be locked");
    let kept = fs::read_to_string(document).expect("the document is text");
    let (before, rest) = kept.split_once(&begin).expect("the block begins");
    let (block, after) = rest.split_once("<!-- end -->").expect("the block ends");
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        let written = format!("{before}{begin}{text}<!-- end -->{after}");
        fs::write(document, written).expect("the document can be written");
    } else {
        assert!(
            block == text,
            "block {name} of {} differs; run the test with SPILLGATE_GOLDEN=write; now:\n{text}",
            document.display()
        );
    }
}

/// Writes the block `name` of a document, for tools that measure.
///
/// # Errors
/// When the document or the block is missing.
pub fn write_block(document: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let begin = format!("<!-- begin: {name} -->\n");
    let kept = fs::read_to_string(document)
        .with_context(|| format!("cannot read {}", document.display()))?;
    let missing = || format!("{}: no block {name}", document.display());
    let (before, rest) = kept.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once("<!-- end -->").with_context(missing)?;
    let written = format!("{before}{begin}{text}<!-- end -->{after}");
    fs::write(document, written).with_context(|| format!("cannot write {}", document.display()))
}
