//! Reads files and standard input, and collects the errors of all commands.

use std::{
    fmt, fs,
    io::{self, Read as _},
    path::Path,
};

use spillgate_config::{
    Diagnostic, NamedText, SourceMap,
    envoy::SourceText,
    node::{MAXIMUM_BYTES, decode},
};

use crate::located::{FileNames, LocatedDiagnostic};

/// Texts for the readers.
pub fn sources(texts: &[NamedText]) -> Vec<SourceText<'_>> {
    texts.iter().map(NamedText::source).collect()
}

/// The files of the positions in texts.
pub fn source_map(texts: &[NamedText]) -> SourceMap {
    SourceText::map(&sources(texts))
}

/// The errors of an input, with their places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(Vec<LocatedDiagnostic>);

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// If the path is a folder or unreadable, or the text has more than [`MAXIMUM_BYTES`] bytes or is not
/// UTF-8.
pub fn read_text(path: &Path) -> Result<NamedText, Faults> {
    let name = name_of(path);
    let bytes = read_bytes(path).map_err(|fault| Faults::one(&name, &fault))?;
    match decode(&bytes) {
        Ok(text) => Ok(NamedText {
            text: text.into(),
            name,
        }),
        Err(fault) => Err(Faults::one(&name, &fault)),
    }
}

/// The name of a path in errors.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Reads at most [`MAXIMUM_BYTES`] bytes.
fn read_bytes(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    let unreadable = |error: io::Error| {
        let message = format!("cannot read file: {error}");
        Box::new(Diagnostic::error("input/unreadable", message))
    };
    // One byte more than allowed detects a file that is too large without reading all of it.
    let limit = MAXIMUM_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else if path.is_dir() {
        let fault = Diagnostic::error("input/unreadable", "cannot read file");
        return Err(Box::new(fault.found("a folder").expected("a file")));
    } else {
        let file = fs::File::open(path).map_err(unreadable)?;
        file.take(limit).read_to_end(&mut bytes)
    }
    .map_err(unreadable)?;
    if bytes.len() > MAXIMUM_BYTES {
        let fault = Diagnostic::error("input/too-large", "file exceeds 64 MiB; split it")
            .found(format!("more than {MAXIMUM_BYTES} bytes"));
        return Err(Box::new(fault));
    }
    Ok(bytes)
}

impl Faults {
    /// A single error.
    #[must_use]
    pub fn one(files: &(impl FileNames + ?Sized), fault: &Diagnostic) -> Self {
        Self(files.locate(&[fault]))
    }

    /// The errors of an input, in order.
    #[must_use]
    pub fn all(files: &(impl FileNames + ?Sized), faults: &[Diagnostic]) -> Self {
        Self(files.locate(&faults.iter().collect::<Vec<_>>()))
    }

    /// Adds an error.
    pub fn push(&mut self, files: &(impl FileNames + ?Sized), fault: &Diagnostic) {
        self.0.extend(files.locate(&[fault]));
    }

    /// Adds the errors of another input.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Adds warnings that explain the errors, by the name of their file.
    #[must_use]
    pub fn with_notes(mut self, notes: &[(String, Vec<Diagnostic>)]) -> Self {
        for (name, warnings) in notes {
            self.extend(Self::all(name.as_str(), warnings));
        }
        self
    }

    /// Whether the input has no errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors.
    #[must_use]
    pub fn located(&self) -> &[LocatedDiagnostic] {
        &self.0
    }

    /// The errors, one line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.0.iter().map(LocatedDiagnostic::line).collect()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{}", fault.line())?;
        }
        Ok(())
    }
}
