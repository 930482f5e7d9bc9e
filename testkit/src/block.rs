//! Generated blocks in documents.

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

/// A table cell with this text as code.
#[must_use]
pub fn code_cell(text: &str) -> String {
    let ticks = if text.contains('`') { "``" } else { "`" };
    format!("{ticks}{}{ticks}", text.replace('|', "\\|"))
}
