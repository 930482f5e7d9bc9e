//! Every error, warning and notice of the page. Diagnostics of the imported text, lint findings and
//! faults of expectations come from the crates that find them.

use std::fmt;

use super::link::{LinkError, ScenarioError};

/// A message of the page.
#[derive(Debug, Clone)]
pub enum PageMessage<'a> {
    /// The fragment of the address is not a valid link.
    BadLink(&'a LinkError),
    /// Settings that links do not contain.
    LinkOmits(&'a [&'static str]),
    /// A text is on the clipboard.
    Copied,
    /// The browser has no clipboard for pages, or refuses it.
    NoClipboard,
    /// The browser is fetching the reader module.
    LoadingReader,
    /// The reader module cannot be fetched or compiled; the reason.
    ReaderNotLoaded(&'a str),
    /// A large text is about to be read.
    Reading,
    /// The reader module stopped; the reason.
    ReaderFailed(&'a str),
    /// The reader module is from another version of the page.
    UnknownAnswer,
    /// The browser cannot read a file.
    NoFile,
    /// The imported text has no cluster.
    NoCluster,
    /// The page cannot show the chosen cluster.
    NotShown(&'a ScenarioError),
    /// The imported text has errors; the counts by severity.
    ImportErrors(&'a str),
    /// The imported text has clusters; their number, and the counts by severity.
    Imported(&'a str, &'a str),
    /// The findings in the imported text by severity; empty without any.
    Findings(&'a str),
    /// The configured value is no longer the imported one.
    ChangedValue,
    /// The browser is fetching the module with a screen.
    LoadingScreen,
    /// The module with the screens cannot be fetched or compiled, or stopped; the reason.
    ScreenFailed(&'a str),
    /// The cluster has no hosts to lose.
    NoHosts,
}

impl PageMessage<'_> {
    /// The stable identifier; for an error of an import its diagnostic code.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::BadLink(_) => "page/bad-link",
            Self::LinkOmits(_) => "page/link-omits",
            Self::Copied => "page/copied",
            Self::NoClipboard => "page/no-clipboard",
            Self::LoadingReader => "page/loading-reader",
            Self::ReaderNotLoaded(_) => "page/reader-not-loaded",
            Self::Reading => "page/reading",
            Self::ReaderFailed(_) | Self::UnknownAnswer | Self::NoFile | Self::NotShown(_) => {
                "page/unreadable"
            }
            Self::NoCluster => "page/no-cluster",
            Self::ImportErrors(_) => "page/import-errors",
            Self::Imported(..) => "page/imported",
            Self::Findings(_) => "page/findings",
            Self::ChangedValue => "page/changed-value",
            Self::LoadingScreen => "page/loading-screen",
            Self::ScreenFailed(_) => "page/screen-failed",
            Self::NoHosts => "page/no-hosts",
        }
    }
}

impl fmt::Display for PageMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadLink(error) => {
                return write!(
                    f,
                    "Cannot open this link: {error}. The address bar keeps it until you edit the scenario."
                );
            }
            Self::LinkOmits(names) => return write!(f, "Not in the link: {}.", names.join(", ")),
            Self::Copied => "Copied.",
            Self::NoClipboard => "Clipboard unavailable: select the text and press Ctrl+C.",
            Self::LoadingReader => "Loading the reader\u{2026}",
            Self::ReaderNotLoaded(reason) => {
                return write!(f, "Cannot load the reader: {reason}. The page keeps your text.");
            }
            Self::Reading => "Reading\u{2026}",
            Self::ReaderFailed(reason) => {
                return write!(f, "the reader failed: {reason}; reload the page");
            }
            Self::UnknownAnswer => "the reader is from another version; reload the page",
            Self::NoFile => "cannot read the file; open it again",
            Self::NoCluster => "no clusters found; paste a bootstrap, a config_dump or clusters",
            Self::NotShown(error) => return error.fmt(f),
            Self::ImportErrors(counts) => {
                return write!(f, "{counts}. Fix the errors to import.");
            }
            Self::Imported(clusters, "") => return write!(f, "Found {clusters}."),
            Self::Imported(clusters, counts) => return write!(f, "Found {clusters}; {counts}."),
            Self::Findings("") => "No problems found.",
            Self::Findings(counts) => return write!(f, "{counts} in the imported text."),
            Self::ChangedValue => "You changed this imported value.",
            Self::LoadingScreen => "Loading the screen\u{2026}",
            Self::ScreenFailed(reason) => {
                return write!(f, "Cannot show this screen: {reason}. Reload the page to retry.");
            }
            Self::NoHosts => "No hosts to lose.",
        })
    }
}

/// The identifier and an example of every message.
#[must_use]
pub fn message_examples() -> Vec<(&'static str, String)> {
    let examples = [
        PageMessage::BadLink(&LinkError::Checksum),
        PageMessage::LinkOmits(&["flatten_aggregates", "slow_start"]),
        PageMessage::Copied,
        PageMessage::NoClipboard,
        PageMessage::LoadingReader,
        PageMessage::ReaderNotLoaded("/reader.wasm returned HTTP 404"),
        PageMessage::Reading,
        PageMessage::ReaderFailed("unreachable"),
        PageMessage::UnknownAnswer,
        PageMessage::NoFile,
        PageMessage::NoCluster,
        PageMessage::NotShown(&ScenarioError::TooManyHosts(40_000)),
        PageMessage::ImportErrors("2\u{a0}errors, 1\u{a0}warning"),
        PageMessage::Imported("3\u{a0}clusters", ""),
        PageMessage::Imported("3\u{a0}clusters", "1\u{a0}warning"),
        PageMessage::Findings(""),
        PageMessage::Findings("1\u{a0}warning"),
        PageMessage::ChangedValue,
        PageMessage::LoadingScreen,
        PageMessage::ScreenFailed("/screens_bg.wasm returned HTTP 404"),
        PageMessage::NoHosts,
    ];
    let row = |message: &PageMessage<'_>| (message.id(), message.to_string());
    examples.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_at_a_glance() {
        let list: Vec<String> = message_examples()
            .into_iter()
            .map(|(id, text)| format!("{id}: {}", text.replace('\u{a0}', " ")))
            .collect();
        let bad_link = format!(
            "page/bad-link: Cannot open this link: {}. The address bar keeps it until you edit the scenario.",
            LinkError::Checksum
        );
        let too_large = format!("page/unreadable: {}", ScenarioError::TooManyHosts(40_000));
        let expected = [
            bad_link.as_str(),
            "page/link-omits: Not in the link: flatten_aggregates, slow_start.",
            "page/copied: Copied.",
            "page/no-clipboard: Clipboard unavailable: select the text and press Ctrl+C.",
            "page/loading-reader: Loading the reader…",
            "page/reader-not-loaded: Cannot load the reader: /reader.wasm returned HTTP 404. The page keeps your text.",
            "page/reading: Reading…",
            "page/unreadable: the reader failed: unreachable; reload the page",
            "page/unreadable: the reader is from another version; reload the page",
            "page/unreadable: cannot read the file; open it again",
            "page/no-cluster: no clusters found; paste a bootstrap, a config_dump or clusters",
            too_large.as_str(),
            "page/import-errors: 2 errors, 1 warning. Fix the errors to import.",
            "page/imported: Found 3 clusters.",
            "page/imported: Found 3 clusters; 1 warning.",
            "page/findings: No problems found.",
            "page/findings: 1 warning in the imported text.",
            "page/changed-value: You changed this imported value.",
            "page/loading-screen: Loading the screen…",
            "page/screen-failed: Cannot show this screen: /screens_bg.wasm returned HTTP 404. Reload the page to retry.",
            "page/no-hosts: No hosts to lose.",
        ];
        assert_eq!(list, expected);
    }
}
