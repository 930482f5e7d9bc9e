//! Bytes as base64url, with a checksum at the end.

use alloc::{string::String, vec::Vec};

use spillgate_core::proto::Base64;

use super::{LinkError, crc::crc16};

/// The text for some bytes.
pub(super) fn seal(mut bytes: Vec<u8>) -> String {
    bytes.extend(crc16(&bytes).to_be_bytes());
    Base64::URL_SAFE.encode(&bytes)
}

/// The bytes of a text. The rest of a truncated text has a wrong checksum.
pub(super) fn open(text: &str) -> Result<Vec<u8>, LinkError> {
    let mut bytes = decode(text)?;
    let (body, sum) = bytes.split_last_chunk::<2>().ok_or(LinkError::Checksum)?;
    if crc16(body) != u16::from_be_bytes(*sum) {
        return Err(LinkError::Checksum);
    }
    bytes.truncate(body.len());
    Ok(bytes)
}

fn decode(text: &str) -> Result<Vec<u8>, LinkError> {
    let foreign = |c: &char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if let Some(c) = text.chars().find(foreign) {
        return Err(LinkError::Character(c));
    }
    let bytes = Base64::URL_SAFE.decode(text.as_bytes());
    bytes.ok_or(LinkError::Checksum)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn texts_have_one_form() {
        assert_eq!(decode("-_8"), Ok([0xfb, 0xff].into()));
        assert_eq!(decode("Zm9vYmE"), Ok(b"fooba".into()));
        assert_eq!(decode("Zg=="), Err(LinkError::Character('=')));
        assert_eq!(decode("Zm9vé"), Err(LinkError::Character('é')));
        assert_eq!(decode("Zm9vY"), Err(LinkError::Checksum));
        assert_eq!(decode("Zh"), Err(LinkError::Checksum));
    }

    #[test]
    fn only_sealed_texts_open() {
        assert_eq!(open(&seal(vec![1, 2, 3])), Ok(vec![1, 2, 3]));
        assert_eq!(open(&seal(Vec::new())), Ok(Vec::new()));
        assert_eq!(open("AAAB"), Err(LinkError::Checksum));
    }
}
