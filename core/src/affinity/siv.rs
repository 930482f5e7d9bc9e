//! AES-256-GCM-SIV (RFC 8452) from the crate `aes-gcm-siv`, and keys derived from a secret.
//!
//! The crate derives the keys of a message block by block, as WebAssembly has no AES instructions:
//! 7.0 us to open and 7.2 us to seal, where our own composition of `aes` and `polyval` took 3.2 and
//! 3.4 us (filter's profile, V8 of Node 20.20). With the [cache](super::cache) of opened tokens
//! (0.10 us), a client with 100 requests between two tokens over two workers costs 24 us instead of
//! 16 us. Each of these requests costs the filter about 30 us, so this does not justify our own
//! cipher.
//!
//! The nonce is a keyed hash of the text, so no source of randomness has to be trusted, and a
//! repeated nonce is harmless.

use aes::{Aes256, Block, cipher::BlockCipherEncrypt as _};
use aes_gcm_siv::{Aes256GcmSiv, KeyInit as _, Nonce, Tag, aead::AeadInOut as _};

/// The length of a nonce in bytes.
pub(super) const NONCE: usize = 12;

/// The length of a tag in bytes.
pub(super) const TAG: usize = 16;

/// An expanded key.
#[derive(Clone)]
pub(super) struct Siv(Aes256GcmSiv);

/// Keys derived from a secret and a label.
pub(super) struct Derived {
    pub(super) authentication: [u8; 16],
    pub(super) encryption: [u8; 32],
}

impl Derived {
    /// Key derivation of RFC 8452, section 4, with a label instead of the nonce: AES encrypts a
    /// counter and the label, and the first half of each block is a part of the keys.
    pub(super) fn new(secret: &[u8; 32], label: &[u8; NONCE]) -> Self {
        let mut counter = 0_u32;
        let mut blocks = [0; 6].map(|_: u8| {
            let mut block = Block::default();
            let bytes = counter.to_le_bytes().into_iter().chain(*label);
            for (to, from) in block.iter_mut().zip(bytes) {
                *to = from;
            }
            counter += 1;
            block
        });
        Aes256::new(secret.into()).encrypt_blocks(&mut blocks);
        let mut halves = blocks.iter().flat_map(|block| block.iter().take(8));
        let mut next = || halves.next().copied().unwrap_or_default();
        Self {
            authentication: core::array::from_fn(|_| next()),
            encryption: core::array::from_fn(|_| next()),
        }
    }
}

impl Siv {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        Self(Aes256GcmSiv::new(key.into()))
    }

    /// Encrypts in place; the tag authenticates the text and `associated`. `None` for a text of 64
    /// GiB or more, which is left unchanged.
    pub(super) fn seal(
        &self,
        nonce: &[u8; NONCE],
        associated: &[u8],
        text: &mut [u8],
    ) -> Option<[u8; TAG]> {
        let nonce = Nonce::from(*nonce);
        let tag = self
            .0
            .encrypt_inout_detached(&nonce, associated, text.into());
        tag.ok().map(Into::into)
    }

    /// Decrypts in place and returns whether the tag is valid. If it is not, the content of the
    /// buffer is meaningless.
    #[must_use]
    pub(super) fn open(
        &self,
        nonce: &[u8; NONCE],
        associated: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG],
    ) -> bool {
        let (nonce, tag) = (Nonce::from(*nonce), Tag::from(*tag));
        let opened = self
            .0
            .decrypt_inout_detached(&nonce, associated, text.into(), &tag);
        opened.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks(2).map(|d| (d[0] << 4 | d[1]) as u8).collect()
    }

    /// RFC 8452, appendix C.2, and C.3 for the counter that wraps.
    #[test]
    fn the_vectors_of_rfc_8452_hold() {
        let plain = "0100000000000000000000000000000000000000000000000000000000000000";
        for (key, nonce, associated, text, sealed) in [
            (
                plain,
                "030000000000000000000000",
                "",
                "",
                "07f5f4169bbf55a8400cd47ea6fd400f",
            ),
            (
                plain,
                "030000000000000000000000",
                "",
                "0100000000000000",
                "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28",
            ),
            (
                plain,
                "030000000000000000000000",
                "01",
                "0200000000000000",
                "1de22967237a813291213f267e3b452f02d01ae33e4ec854",
            ),
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "000000000000000000000000",
                "",
                "000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108",
                "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3eaffffffff000000000000000000000000",
            ),
        ] {
            let siv = Siv::new(&hex(key).try_into().unwrap());
            let nonce = hex(nonce).try_into().unwrap();
            let mut bytes = hex(text);
            let tag = siv.seal(&nonce, &hex(associated), &mut bytes).unwrap();
            assert_eq!([&bytes[..], &tag].concat(), hex(sealed), "{text}");
            assert!(siv.open(&nonce, &hex(associated), &mut bytes, &tag));
            assert_eq!(bytes, hex(text));
        }
    }

    #[test]
    fn a_forged_tag_opens_nothing() {
        let siv = Siv::new(&[7; 32]);
        let mut text = *b"some authentic content";
        let mut tag = siv.seal(&[1; NONCE], b"", &mut text).unwrap();
        tag[3] ^= 1;
        assert!(!siv.open(&[1; NONCE], b"", &mut text, &tag));
        assert_ne!(text, *b"some authentic content");
    }
}
