//! From a link to a scenario.

use crate::{
    LONGEST_TEXT, LinkError, Scenario, VERSION, base64url, crc::crc16, scenario_codec,
    varint::Reader,
};

/// The scenario of a fragment, with or without its `#`.
///
/// # Errors
/// Why there is none. Never more than a message: no text makes this panic or take long.
pub fn read<O: Default>(fragment: &str) -> Result<Scenario<O>, LinkError> {
    let text = fragment.strip_prefix('#').unwrap_or(fragment);
    if text.len() > LONGEST_TEXT {
        return Err(LinkError::TooLong);
    }
    let (head, payload) = text.split_once('.').ok_or(LinkError::NotALink)?;
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
    let bytes = base64url::decode(payload)?;
    let (body, sum) = bytes.split_last_chunk::<2>().ok_or(LinkError::Checksum)?;
    if crc16(body) != u16::from_be_bytes(*sum) {
        return Err(LinkError::Checksum);
    }
    scenario_codec::read(&mut Reader::new(body), grouped)
}
