//! The part of a link after the second dot: what the playground shows of the scenario.

use alloc::{string::String, vec::Vec};

use super::{LinkError, envelope, payload::Payload};
use crate::bytes::ByteWriter;

/// The maximum number of settings in a link.
const MOST_SETTINGS: usize = 64;

/// What the playground shows of a scenario: texts by name, for example `screen` and `what-if`.
///
/// A reader ignores the names that it does not know, so that older pages open newer links.
pub type LinkView = Vec<(String, String)>;

/// Appends the view to a link; an empty view leaves the link as it is.
#[must_use]
pub fn with_view(mut link: String, view: &[(String, String)]) -> String {
    if view.is_empty() {
        return link;
    }
    let mut payload = ByteWriter::default();
    payload.count(view.len().min(MOST_SETTINGS));
    for (name, value) in view.iter().take(MOST_SETTINGS) {
        payload.text(name);
        payload.text(value);
    }
    link.push('.');
    link.push_str(&envelope::seal(payload.0));
    link
}

/// The view of a fragment; empty if it has none.
///
/// # Errors
/// Why the view is unreadable. No text makes this function panic or run long.
pub fn read_view(fragment: &str) -> Result<LinkView, LinkError> {
    let Some(text) = fragment.split('.').nth(2) else {
        return Ok(LinkView::new());
    };
    let bytes = envelope::open(text)?;
    let mut payload = Payload::new(&bytes);
    let count = payload.count("number of settings", MOST_SETTINGS)?;
    let mut view = LinkView::new();
    for _ in 0..count {
        let name = payload.text("name of a setting")?.into();
        view.push((name, payload.text("setting")?.into()));
    }
    if payload.is_empty() {
        Ok(view)
    } else {
        Err(LinkError::Payload("end of the settings"))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn view() -> LinkView {
        vec![
            ("screen".into(), "what-if".into()),
            ("what-if".into(), "zone=a:40%\nno panic".into()),
        ]
    }

    #[test]
    fn a_view_survives_its_link() {
        let link = with_view("1g.AAAA".into(), &view());
        assert_eq!(read_view(&link), Ok(view()));
        assert_eq!(read_view("1g.AAAA"), Ok(LinkView::new()));
        assert_eq!(with_view("1g.AAAA".into(), &[]), "1g.AAAA");
    }

    #[test]
    fn truncated_and_changed_views_are_rejected() {
        let link = with_view("1g.AAAA".into(), &view());
        let start = "1g.AAAA.".len();
        for cut in link
            .get(..link.len() - 1)
            .unwrap()
            .char_indices()
            .skip(start - 1)
        {
            let rest = link.get(..=cut.0).unwrap();
            assert!(read_view(rest).is_err(), "{rest}");
        }
        assert_eq!(read_view("1g.AAAA.é"), Err(LinkError::Character('é')));
        let excess = envelope::seal(vec![0, 1]);
        let excess = read_view(&alloc::format!("1g.AAAA.{excess}"));
        assert_eq!(excess, Err(LinkError::Payload("end of the settings")));
    }
}
