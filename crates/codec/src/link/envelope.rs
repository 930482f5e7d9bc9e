//! Bytes as base64url, with a checksum at the end.

use alloc::{string::String, vec, vec::Vec};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{LinkError, crc::crc16};

/// The text for some bytes.
pub(super) fn seal(mut bytes: Vec<u8>) -> String {
    bytes.extend(crc16(&bytes).to_be_bytes());
    // Encodes into a slice, because encoding into a string adds error formatting to the page.
    let mut text = vec![0; bytes.len() * 4 / 3 + 1];
    let length = BASE64_URL_SAFE_NO_PAD.encode_slice(bytes, &mut text);
    text.truncate(length.unwrap_or_default());
    String::from_utf8(text).unwrap_or_default()
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
    // Decodes into a slice, because decoding into a vector adds error formatting to the page.
    let mut bytes = vec![0; text.len() * 3 / 4 + 1];
    let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes);
    bytes.truncate(length.map_err(|_| LinkError::Checksum)?);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
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
