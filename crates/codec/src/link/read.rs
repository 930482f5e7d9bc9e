//! From a link to a scenario.

use super::{
    LinkError, MAXIMUM_LINK_BYTES, Scenario, VERSION, envelope, payload::Payload, scenario_codec,
};

/// The scenario of a fragment, with or without its `#`, whatever its view says.
///
/// # Errors
/// Why the scenario is unreadable. No text makes this function panic or run long.
pub(super) fn read_scenario<O: Default>(fragment: &str) -> Result<Scenario<O>, LinkError> {
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
    scenario_codec::read(&mut Payload::new(&body), grouped)
}
