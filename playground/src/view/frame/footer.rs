//! The footer.

use yew::{Html, html};

use crate::bridge::build_commit;

/// The number of digits of a commit that are shown; the title has all of them.
const COMMIT_DIGITS: usize = 12;

/// How the figures were checked: the last full result of the check `differential` in
/// tools/xtask/reliability.json.
pub(super) const EVIDENCE: &str =
    "924,940 requests to 4,997 random configurations of Envoy\u{a0}1.40: 0 differ";

/// The playground that describes the checks, from the folder of the documentation.
const CHECKS: &str = "reliability.html";

/// A page of the documentation, which servers have in the folder `docs` of the playground. A single file has none.
pub(super) fn documentation(page: &str) -> Option<String> {
    cfg!(feature = "split").then(|| format!("docs/{page}"))
}

/// The basis of the figures, and the version.
pub(crate) fn footer() -> Html {
    html! {
        <footer class="foot">
            <p>{ "The engine of the Spillgate filter and CLI. Shares are exact, not sampled. Checked with " }
                { evidence() }{ "." }</p>
            if let Some(docs) = documentation("") {
                <p><a href={docs}>{ "Documentation" }</a></p>
            }
            <p>{ "Nothing that you type or paste leaves this page." }</p>
            <p id="version" title={build_commit()}>{ version(build_commit().as_deref()) }</p>
        </footer>
    }
}

/// The evidence, with a link to the checks where there is documentation.
fn evidence() -> Html {
    match documentation(CHECKS) {
        Some(href) => html! { <a {href}>{ EVIDENCE }</a> },
        None => html! { EVIDENCE },
    }
}

/// `Version 1.2.3`, with the commit if it is known.
fn version(commit: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let commit = commit.map(|commit| commit.get(..COMMIT_DIGITS).unwrap_or(commit));
    match commit {
        Some(commit) => format!("Version\u{a0}{version}, commit\u{a0}{commit}."),
        None => format!("Version\u{a0}{version}."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[test]
    fn the_evidence_is_the_last_full_result() {
        let recorded = include_str!("../../../../tools/xtask/reliability.json");
        let (_, result) = recorded
            .split_once("\"differential\": {")
            .expect("the check");
        let (result, _) = result.split_once('}').expect("its end");
        let result = result.replace(',', "");
        let numbers = EVIDENCE.replace(',', "");
        let mut numbers = numbers
            .split(' ')
            .filter(|word| word.parse::<u32>().is_ok());
        let (requests, configurations) = (numbers.next(), numbers.next());
        let (requests, configurations) = (
            requests.expect("requests"),
            configurations.expect("configurations"),
        );
        let found = format!("{configurations} scenarios {requests} requests:");
        assert!(result.contains(&found), "{result}");
        assert!(result.contains("\"0 failed"), "{result}");
    }

    #[test]
    fn a_known_commit_is_shown_short() {
        let number = env!("CARGO_PKG_VERSION");
        assert_eq!(version(None), format!("Version\u{a0}{number}."));
        let long = version(Some("0123456789abcdef"));
        assert!(long.ends_with("commit\u{a0}0123456789ab."), "{long}");
    }
}
