//! The footer.

use yew::{Html, html};

use crate::bridge::build_commit;

/// The number of digits of a commit that are shown; the title has all of them.
const COMMIT_DIGITS: usize = 12;

/// The basis of the figures, and the version.
pub(crate) fn footer() -> Html {
    html! {
        <footer class="foot">
            <p>{ "The engine of the Spillgate filter and CLI, checked against Envoy\u{a0}1.40. Shares are \
                  exact, not sampled." }</p>
            <p>{ "Nothing that you type or paste leaves this page." }</p>
            <p id="version" title={build_commit()}>{ version(build_commit().as_deref()) }</p>
        </footer>
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
    use super::*;

    #[test]
    fn a_known_commit_is_shown_short() {
        let number = env!("CARGO_PKG_VERSION");
        assert_eq!(version(None), format!("Version\u{a0}{number}."));
        let long = version(Some("0123456789abcdef"));
        assert!(long.ends_with("commit\u{a0}0123456789ab."), "{long}");
    }
}
