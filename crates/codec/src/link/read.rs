//! From a link to a scenario.

use super::{
    LinkError, MAXIMUM_LINK_BYTES, Scenario, VERSION, envelope, old_side, payload::Payload,
    scenario_codec, view::read_view,
};

/// The scenario of a fragment, with or without its `#`.
///
/// # Errors
/// Why the link is unreadable. No text makes this function panic or run long.
pub fn read<O: Default>(fragment: &str) -> Result<Scenario<O>, LinkError> {
    let text = fragment.strip_prefix('#').unwrap_or(fragment);
    if text.len() > MAXIMUM_LINK_BYTES {
        return Err(LinkError::TooLong);
    }
    let (head, rest) = text.split_once('.').ok_or(LinkError::NotALink)?;
    let payload = rest.split('.').next().unwrap_or_default();
    let mut head = head.chars();
    let (Some(version), Some(codec), None) = (head.next(), head.next(), head.next()) else {
        return Err(LinkError::NotALink);
    };
    if version != VERSION {
        return Err(LinkError::Version(version));
    }
    let grouped = match codec {
        'g' => true,
        'h' => false,
        other => return Err(LinkError::Codec(other)),
    };
    let body = envelope::open(payload)?;
    // A link that was cut in its view does not open, and a comparison needs both sides.
    let view = read_view(text)?;
    old_side::<()>(&view)?;
    scenario_codec::read(&mut Payload::new(&body), grouped)
}
