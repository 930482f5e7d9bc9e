//! From a link to a scenario.

use alloc::{vec, vec::Vec};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{
    LONGEST_TEXT, LinkError, LinkScenario, VERSION, crc::crc16, payload::Payload, scenario_codec,
};

/// The scenario of a fragment, with or without its `#`.
///
/// # Errors
/// Why the link is unreadable. No text makes this function panic or run long.
pub fn read<O: Default>(fragment: &str) -> Result<LinkScenario<O>, LinkError> {
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
    let bytes = decode(payload)?;
    let (body, sum) = bytes.split_last_chunk::<2>().ok_or(LinkError::Checksum)?;
    if crc16(body) != u16::from_be_bytes(*sum) {
        return Err(LinkError::Checksum);
    }
    scenario_codec::read(&mut Payload::new(body), grouped)
}

/// The bytes of a payload. The rest of a truncated link is reported as a wrong checksum.
fn decode(payload: &str) -> Result<Vec<u8>, LinkError> {
    let foreign = |c: &char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if let Some(c) = payload.chars().find(foreign) {
        return Err(LinkError::Character(c));
    }
    // Decodes into a slice, because decoding into a vector adds error formatting to the page.
    let mut bytes = vec![0; payload.len() * 3 / 4 + 1];
    let length = BASE64_URL_SAFE_NO_PAD.decode_slice(payload, &mut bytes);
    bytes.truncate(length.map_err(|_| LinkError::Checksum)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_have_one_form() {
        assert_eq!(decode("-_8"), Ok([0xfb, 0xff].into()));
        assert_eq!(decode("Zm9vYmE"), Ok(b"fooba".into()));
        assert_eq!(decode("Zg=="), Err(LinkError::Character('=')));
        assert_eq!(decode("Zm9vé"), Err(LinkError::Character('é')));
        assert_eq!(decode("Zm9vY"), Err(LinkError::Checksum));
        assert_eq!(decode("Zh"), Err(LinkError::Checksum));
    }
}
