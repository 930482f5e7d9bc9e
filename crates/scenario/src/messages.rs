//! Every error, warning and notice of the playground. Diagnostics of the imported text, lint findings and
//! faults of expectations come from the crates that find them.

use std::fmt;

use super::{
    count,
    link::{LinkError, ScenarioWork},
};

/// What a reload of the page loses of an import, because the browser has no room to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReloadLoss {
    /// The text, and what refers to it.
    Text,
    /// Everything that the link in the address bar does not have.
    Names,
}

/// A message of the playground.
#[derive(Debug, Clone)]
pub enum PageMessage<'a> {
    /// The fragment of the address is not a valid link.
    BadLink(&'a LinkError),
    /// The link is valid, but showing it takes long.
    LargeLink(ScenarioWork),
    /// Settings that links do not contain.
    LinkOmits(&'a [&'static str]),
    /// The comparison is too long for a link.
    LinkOmitsOldSide,
    /// A text is on the clipboard.
    Copied,
    /// The browser has no clipboard for pages, or refuses it.
    NoClipboard,
    /// The browser does not keep a part of an import for a reload.
    NotKept(ReloadLoss),
    /// A reload lost a part of an import.
    Lost(ReloadLoss),
    /// The reader module is from another version of the playground.
    UnknownAnswer,
    /// The imported text has no cluster.
    NoCluster,
    /// The findings in the imported text by severity; empty without any.
    Findings(&'a str),
    /// The findings are about the imported text, which the scenario no longer equals.
    EditedSince,
    /// The scenario was not read from a text, so it has no findings.
    NotChecked,
    /// The configured value is no longer the imported one.
    ChangedValue,
    /// The browser is fetching the code of a screen.
    LoadingScreen,
    /// The code of the screen cannot be loaded.
    ScreenFailed,
    /// The cluster has no hosts to lose.
    NoHosts,
    /// The import does not have the hosts of a cluster; its name.
    HostsUnknown(&'a str),
    /// The cluster has no hosts to choose from.
    NothingToTrace,
    /// The browser does not keep the answered lessons for a later visit.
    ProgressNotKept,
    /// The browser is fetching the code of a dialog.
    LoadingDialog,
    /// The code of a dialog cannot be loaded.
    DialogFailed,
    /// The browser is fetching the code that writes files.
    LoadingFiles,
    /// The code that writes files cannot be loaded.
    FilesFailed,
    /// The playground has given a file to the browser; its name.
    Saved(&'a str),
    /// The browser cannot store or draw a file.
    NotSaved,
    /// A format cannot express settings; their names.
    NotWritten(&'a str),
    /// The playground has no files of the custom element.
    NoPreview,
}

impl PageMessage<'_> {
    /// The stable identifier; for an error of an import its diagnostic code.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::BadLink(_) => "page/bad-link",
            Self::LargeLink(_) => "page/large-link",
            Self::LinkOmits(_) => "page/link-omits",
            Self::LinkOmitsOldSide => "page/link-omits-old-side",
            Self::Copied => "page/copied",
            Self::NoClipboard => "page/no-clipboard",
            Self::NotKept(_) => "page/not-kept",
            Self::Lost(_) => "page/lost",
            Self::UnknownAnswer => "page/unreadable",
            Self::NoCluster => "page/no-cluster",
            Self::Findings(_) => "page/findings",
            Self::EditedSince => "page/edited-since",
            Self::NotChecked => "page/not-checked",
            Self::ChangedValue => "page/changed-value",
            Self::LoadingScreen => "page/loading-screen",
            Self::ScreenFailed => "page/screen-failed",
            Self::NoHosts => "page/no-hosts",
            Self::HostsUnknown(_) => "page/hosts-unknown",
            Self::NothingToTrace => "page/nothing-to-trace",
            Self::ProgressNotKept => "page/progress-not-kept",
            Self::LoadingDialog => "page/loading-dialog",
            Self::DialogFailed => "page/dialog-failed",
            Self::LoadingFiles => "page/loading-files",
            Self::FilesFailed => "page/files-failed",
            Self::Saved(_) => "page/saved",
            Self::NotSaved => "page/not-saved",
            Self::NotWritten(_) => "page/not-written",
            Self::NoPreview => "page/no-preview",
        }
    }
}

/// Why code is missing, and what helps. The browser's console has more.
const NO_CODE: &str =
    "a file of the page is missing, or from another version. Reload the page to retry.";

impl fmt::Display for PageMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadLink(error) => {
                return write!(
                    f,
                    "Cannot open this link: {error}. The address bar keeps it until you edit the scenario."
                );
            }
            Self::LargeLink(work) => {
                let figure = |number: u64| count(usize::try_from(number).unwrap_or(usize::MAX));
                return write!(
                    f,
                    "This link is large: {} priorities, {} hosts and {} entries of hash tables. The page may not \
                     react while it computes them.",
                    figure(work.priorities),
                    figure(work.hosts),
                    figure(work.table_entries)
                );
            }
            Self::LinkOmits(names) => return write!(f, "Not in the link: {}.", names.join(", ")),
            Self::LinkOmitsOldSide => {
                "The comparison is too long for a link: it opens the new side alone."
            }
            Self::Copied => "Copied.",
            Self::NoClipboard => "Clipboard unavailable: select the text and press Ctrl+C.",
            Self::NotKept(ReloadLoss::Text) => {
                "The browser has no room for the imported text. A reload loses its lines and findings."
            }
            Self::NotKept(ReloadLoss::Names) => {
                "The browser has no room for the import. A reload replaces its names and addresses."
            }
            Self::Lost(ReloadLoss::Text) => {
                "The browser had no room for the imported text. Import it again to see its lines and findings."
            }
            Self::Lost(ReloadLoss::Names) => {
                "The browser had no room for the import. Import it again to see its names and addresses."
            }
            Self::UnknownAnswer => "the reader is from another version; reload the page",
            Self::NoCluster => "no clusters found; paste a bootstrap, a config_dump or clusters",
            Self::Findings("") => "No problems found.",
            Self::Findings(counts) => return write!(f, "{counts} in the imported text."),
            Self::EditedSince => "You edited the scenario since it was read.",
            Self::NotChecked => "This scenario was drawn here; lint has not checked it.",
            Self::ChangedValue => "You changed this imported value.",
            Self::LoadingScreen => "Loading the screen\u{2026}",
            Self::ScreenFailed => return write!(f, "Cannot show this screen: {NO_CODE}"),
            Self::NoHosts => "No hosts to lose.",
            Self::HostsUnknown(cluster) => {
                return write!(
                    f,
                    "Hosts unknown: the configuration does not list the hosts of {cluster}. Add the output of \
                     /clusters or a config dump."
                );
            }
            Self::NothingToTrace => "No hosts to choose from.",
            Self::ProgressNotKept => {
                "This browser cannot keep your progress: if you reload the page, it is lost."
            }
            Self::LoadingDialog => "Loading the dialog\u{2026}",
            Self::DialogFailed => return write!(f, "Cannot show this dialog: {NO_CODE}"),
            Self::LoadingFiles => "Writing the file\u{2026}",
            Self::FilesFailed => return write!(f, "Cannot write files: {NO_CODE}"),
            Self::Saved(name) => return write!(f, "Saved {name}."),
            Self::NotSaved => "This browser cannot save the file.",
            Self::NotWritten(reasons) => return write!(f, "Cannot write this file: {reasons}"),
            Self::NoPreview => "The preview needs embed.js from the server of this page.",
        })
    }
}

/// The identifier and an example of every message.
#[must_use]
pub fn message_examples() -> Vec<(&'static str, String)> {
    let examples = [
        PageMessage::BadLink(&LinkError::Checksum),
        PageMessage::LargeLink(ScenarioWork {
            priorities: 1_000,
            hosts: 20_000_000,
            ..ScenarioWork::default()
        }),
        PageMessage::LinkOmits(&["flatten_aggregates", "slow_start"]),
        PageMessage::LinkOmitsOldSide,
        PageMessage::Copied,
        PageMessage::NoClipboard,
        PageMessage::NotKept(ReloadLoss::Text),
        PageMessage::NotKept(ReloadLoss::Names),
        PageMessage::Lost(ReloadLoss::Text),
        PageMessage::Lost(ReloadLoss::Names),
        PageMessage::UnknownAnswer,
        PageMessage::NoCluster,
        PageMessage::Findings(""),
        PageMessage::Findings("1\u{a0}warning"),
        PageMessage::EditedSince,
        PageMessage::NotChecked,
        PageMessage::ChangedValue,
        PageMessage::LoadingScreen,
        PageMessage::ScreenFailed,
        PageMessage::NoHosts,
        PageMessage::HostsUnknown("orders"),
        PageMessage::NothingToTrace,
        PageMessage::ProgressNotKept,
        PageMessage::LoadingDialog,
        PageMessage::DialogFailed,
        PageMessage::LoadingFiles,
        PageMessage::FilesFailed,
        PageMessage::Saved("spillgate.yaml"),
        PageMessage::NotSaved,
        PageMessage::NotWritten("Envoy reads this number in YAML as a string; use JSON (1.5)."),
        PageMessage::NoPreview,
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
        let expected = [
            bad_link.as_str(),
            "page/large-link: This link is large: 1000 priorities, 20\u{202f}000\u{202f}000 hosts and 0 entries of hash tables. The page may not react while it computes them.",
            "page/link-omits: Not in the link: flatten_aggregates, slow_start.",
            "page/link-omits-old-side: The comparison is too long for a link: it opens the new side alone.",
            "page/copied: Copied.",
            "page/no-clipboard: Clipboard unavailable: select the text and press Ctrl+C.",
            "page/not-kept: The browser has no room for the imported text. A reload loses its lines and findings.",
            "page/not-kept: The browser has no room for the import. A reload replaces its names and addresses.",
            "page/lost: The browser had no room for the imported text. Import it again to see its lines and findings.",
            "page/lost: The browser had no room for the import. Import it again to see its names and addresses.",
            "page/unreadable: the reader is from another version; reload the page",
            "page/no-cluster: no clusters found; paste a bootstrap, a config_dump or clusters",
            "page/findings: No problems found.",
            "page/findings: 1 warning in the imported text.",
            "page/edited-since: You edited the scenario since it was read.",
            "page/not-checked: This scenario was drawn here; lint has not checked it.",
            "page/changed-value: You changed this imported value.",
            "page/loading-screen: Loading the screen…",
            "page/screen-failed: Cannot show this screen: a file of the page is missing, or from another version. Reload the page to retry.",
            "page/no-hosts: No hosts to lose.",
            "page/hosts-unknown: Hosts unknown: the configuration does not list the hosts of orders. Add the output of /clusters or a config dump.",
            "page/nothing-to-trace: No hosts to choose from.",
            "page/progress-not-kept: This browser cannot keep your progress: if you reload the page, it is lost.",
            "page/loading-dialog: Loading the dialog…",
            "page/dialog-failed: Cannot show this dialog: a file of the page is missing, or from another version. Reload the page to retry.",
            "page/loading-files: Writing the file…",
            "page/files-failed: Cannot write files: a file of the page is missing, or from another version. Reload the page to retry.",
            "page/saved: Saved spillgate.yaml.",
            "page/not-saved: This browser cannot save the file.",
            "page/not-written: Cannot write this file: Envoy reads this number in YAML as a string; use JSON (1.5).",
            "page/no-preview: The preview needs embed.js from the server of this page.",
        ];
        assert_eq!(list, expected);
    }
}
