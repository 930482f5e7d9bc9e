//! Every message of the dialog. Diagnostics of the text come from the readers, messages about the chosen
//! cluster from the playground.

use std::fmt;

use spillgate_scenario::{ImportFault, ImportResult, ScenarioError, page_error};

/// A message of the dialog.
#[derive(Debug, Clone)]
pub(crate) enum ImportMessage<'a> {
    /// The browser is fetching the reader module.
    LoadingReader,
    /// The reader module cannot be fetched or compiled; the reason.
    ReaderNotLoaded(&'a str),
    /// A text is being read; its size.
    Reading(&'a str),
    /// The user canceled the reading of a text.
    ReadingCanceled,
    /// The user closes the dialog, whose text is not imported.
    Unsaved,
    /// The reader module stopped; the reason.
    ReaderFailed(&'a str),
    /// The browser cannot read a file.
    NoFile,
    /// The playground cannot show the chosen cluster.
    NotShown(&'a ScenarioError),
    /// The text has errors; the counts by severity.
    Errors(&'a str),
    /// The text has clusters; their number, and the counts by severity.
    Found(&'a str, &'a str),
}

impl ImportMessage<'_> {
    /// The stable identifier; for an error its diagnostic code.
    #[must_use]
    pub(crate) const fn id(&self) -> &'static str {
        match self {
            Self::LoadingReader => "page/loading-reader",
            Self::ReaderNotLoaded(_) => "page/reader-not-loaded",
            Self::Reading(_) => "page/reading",
            Self::ReadingCanceled => "page/reading-canceled",
            Self::Unsaved => "page/unsaved",
            Self::ReaderFailed(_) | Self::NoFile | Self::NotShown(_) => "page/unreadable",
            Self::Errors(_) => "page/import-errors",
            Self::Found(..) => "page/imported",
        }
    }

    fn fault(&self) -> ImportFault {
        page_error(self.id(), self.to_string())
    }

    /// The result of an import that failed with this message before or after reading.
    pub(crate) fn failure(&self) -> ImportResult {
        ImportResult::failed(self.fault())
    }
}

impl fmt::Display for ImportMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoadingReader => "Loading the reader\u{2026}",
            Self::ReaderNotLoaded(reason) => {
                return write!(
                    f,
                    "Cannot load the reader: {reason}. The page keeps your text."
                );
            }
            Self::Reading(size) => return write!(f, "Reading {size}\u{2026}"),
            Self::ReadingCanceled => "Canceled. Edit the text to read it again.",
            Self::Unsaved => "This text is not imported. Discard it?",
            Self::ReaderFailed(reason) => {
                return write!(
                    f,
                    "the reader stopped and was restarted: {reason}; edit the text to read it again"
                );
            }
            Self::NoFile => "cannot read the file; open it again",
            Self::NotShown(error) => return error.fmt(f),
            Self::Errors(counts) => return write!(f, "{counts}. Fix the errors to import."),
            Self::Found(clusters, "") => return write!(f, "Found {clusters}."),
            Self::Found(clusters, counts) => return write!(f, "Found {clusters}; {counts}."),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The identifier and an example of every message.
    fn examples() -> Vec<(&'static str, String)> {
        let messages = [
            ImportMessage::LoadingReader,
            ImportMessage::ReaderNotLoaded("/reader.wasm returned HTTP 404"),
            ImportMessage::Reading("5\u{a0}MB"),
            ImportMessage::ReadingCanceled,
            ImportMessage::Unsaved,
            ImportMessage::ReaderFailed("unreachable"),
            ImportMessage::NoFile,
            ImportMessage::NotShown(&ScenarioError::TooManyHosts(40_000)),
            ImportMessage::Errors("2\u{a0}errors, 1\u{a0}warning"),
            ImportMessage::Found("3\u{a0}clusters", ""),
            ImportMessage::Found("3\u{a0}clusters", "1\u{a0}warning"),
        ];
        let row = |message: &ImportMessage<'_>| (message.id(), message.to_string());
        messages.iter().map(row).collect()
    }

    #[test]
    fn every_message_at_a_glance() {
        let list: Vec<String> = examples()
            .into_iter()
            .map(|(id, text)| format!("{id}: {}", text.replace('\u{a0}', " ")))
            .collect();
        let too_large = format!("page/unreadable: {}", ScenarioError::TooManyHosts(40_000));
        let expected = [
            "page/loading-reader: Loading the reader…",
            "page/reader-not-loaded: Cannot load the reader: /reader.wasm returned HTTP 404. The page keeps your text.",
            "page/reading: Reading 5 MB…",
            "page/reading-canceled: Canceled. Edit the text to read it again.",
            "page/unsaved: This text is not imported. Discard it?",
            "page/unreadable: the reader stopped and was restarted: unreachable; edit the text to read it again",
            "page/unreadable: cannot read the file; open it again",
            too_large.as_str(),
            "page/import-errors: 2 errors, 1 warning. Fix the errors to import.",
            "page/imported: Found 3 clusters.",
            "page/imported: Found 3 clusters; 1 warning.",
        ];
        assert_eq!(list, expected);
    }
}
