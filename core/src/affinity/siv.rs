//! AES-256-GCM-SIV (RFC 8452), from the block cipher and the universal hash of their crates.
//!
//! The crate `aes-gcm-siv` does the same, one block at a time where keys are derived. In software,
//! which WebAssembly is confined to, the cipher takes several blocks in the time of one: putting
//! them together halves what a token costs. Tests hold it to the RFC and to that crate.

use aes::{
    Aes256, Block,
    cipher::{BlockEncrypt as _, KeyInit as _},
};
use polyval::{Polyval, universal_hash::UniversalHash as _};
use subtle::ConstantTimeEq as _;

/// Bytes of a nonce.
pub(super) const NONCE: usize = 12;

/// Bytes of a tag.
pub(super) const TAG: usize = 16;

/// Blocks that are encrypted together.
const BATCH: usize = 4;

/// A key that keys are derived from, ready for use.
#[derive(Clone)]
pub(super) struct Siv(Aes256);

/// What RFC 8452 derives of a key and a nonce: the keys of one message.
pub(super) struct Derived {
    pub(super) authentication: [u8; 16],
    pub(super) encryption: [u8; 32],
}

impl Siv {
    pub(super) fn new(key: &[u8; 32]) -> Self {
        Self(Aes256::new(key.into()))
    }

    /// Section 4: a counter and the nonce, encrypted; the first half of each block is kept.
    pub(super) fn derive(&self, nonce: &[u8; NONCE]) -> Derived {
        let mut counter = 0_u32;
        let mut blocks = [0; 6].map(|_: u8| {
            let mut block = Block::default();
            let bytes = counter.to_le_bytes().into_iter().chain(*nonce);
            for (to, from) in block.iter_mut().zip(bytes) {
                *to = from;
            }
            counter += 1;
            block
        });
        self.0.encrypt_blocks(&mut blocks);
        let mut kept = blocks.iter().flat_map(|block| block.iter().take(8));
        let mut next = || kept.next().copied().unwrap_or_default();
        Derived {
            authentication: core::array::from_fn(|_| next()),
            encryption: core::array::from_fn(|_| next()),
        }
    }

    /// Encrypts in place; the tag vouches for the text and for `associated`.
    pub(super) fn seal(
        &self,
        nonce: &[u8; NONCE],
        associated: &[u8],
        text: &mut [u8],
    ) -> [u8; TAG] {
        let message = Message::new(self, nonce);
        let tag = message.tag(associated, text);
        message.xor_key_stream(&tag, text);
        tag
    }

    /// Decrypts in place and says whether the tag vouches for what comes out. If it does not, the
    /// text is all zero.
    #[must_use]
    pub(super) fn open(
        &self,
        nonce: &[u8; NONCE],
        associated: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG],
    ) -> bool {
        let message = Message::new(self, nonce);
        message.xor_key_stream(tag, text);
        let expected = message.tag(associated, text);
        let genuine = bool::from(expected.ct_eq(tag));
        if !genuine {
            text.fill(0);
        }
        genuine
    }
}

/// One message: the keys for it.
struct Message<'n> {
    cipher: Aes256,
    hash: Polyval,
    nonce: &'n [u8; NONCE],
}

impl<'n> Message<'n> {
    fn new(key: &Siv, nonce: &'n [u8; NONCE]) -> Self {
        let derived = key.derive(nonce);
        Self {
            cipher: Aes256::new(&derived.encryption.into()),
            hash: Polyval::new(&derived.authentication.into()),
            nonce,
        }
    }

    fn tag(&self, associated: &[u8], text: &[u8]) -> [u8; TAG] {
        let mut hash = self.hash.clone();
        hash.update_padded(associated);
        hash.update_padded(text);
        let bits = |bytes: &[u8]| u128::from(bytes.len() as u64 * 8);
        let lengths = bits(text) << 64 | bits(associated);
        hash.update_padded(&lengths.to_le_bytes());
        let mut block = Block::from(<[u8; TAG]>::from(hash.finalize()));
        for (byte, nonce) in block.iter_mut().zip(self.nonce) {
            *byte ^= nonce;
        }
        if let Some(last) = block.last_mut() {
            *last &= 0x7f;
        }
        self.cipher.encrypt_block(&mut block);
        block.into()
    }

    /// Counter mode, which begins at the tag.
    fn xor_key_stream(&self, tag: &[u8; TAG], text: &mut [u8]) {
        let [a, b, c, d, rest @ .., last] = *tag;
        let mut counter = u32::from_le_bytes([a, b, c, d]);
        for part in text.chunks_mut(BATCH * 16) {
            let mut stream = [Block::default(); BATCH];
            for block in &mut stream {
                let bytes = counter.to_le_bytes().into_iter();
                let bytes = bytes.chain(rest).chain([last | 0x80]);
                for (to, from) in block.iter_mut().zip(bytes) {
                    *to = from;
                }
                counter = counter.wrapping_add(1);
            }
            self.cipher.encrypt_blocks(&mut stream);
            for (byte, key) in part.iter_mut().zip(stream.iter().flatten()) {
                *byte ^= key;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use aes_gcm_siv::{Aes256GcmSiv, Nonce, aead::AeadInOut as _};

    use super::*;
    use crate::draw::{Draw as _, SplitMix64};

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks(2).map(|d| (d[0] << 4 | d[1]) as u8).collect()
    }

    /// RFC 8452, appendix C.2 and, for the counter that wraps, C.3.
    #[test]
    fn the_vectors_of_the_rfc() {
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
            let tag = siv.seal(&nonce, &hex(associated), &mut bytes);
            assert_eq!([&bytes[..], &tag].concat(), hex(sealed), "{text}");
            assert!(siv.open(&nonce, &hex(associated), &mut bytes, &tag));
            assert_eq!(bytes, hex(text));
        }
    }

    #[test]
    fn the_crate_says_the_same() {
        let mut draw = SplitMix64::new(5);
        for length in (0..300).chain([512, 600]) {
            let mut bytes = |count: usize| -> Vec<u8> {
                core::iter::repeat_with(|| draw.draw() as u8)
                    .take(count)
                    .collect()
            };
            let key: [u8; 32] = bytes(32).try_into().unwrap();
            let nonce: [u8; NONCE] = bytes(NONCE).try_into().unwrap();
            let (associated, text) = (bytes(length % 40), bytes(length));
            let (mut ours, mut theirs) = (text.clone(), text.clone());
            let tag = Siv::new(&key).seal(&nonce, &associated, &mut ours);
            let peer = <Aes256GcmSiv as aes_gcm_siv::KeyInit>::new(&key.into());
            let peer = peer
                .encrypt_inout_detached(
                    &Nonce::from(nonce),
                    &associated,
                    theirs[..].as_mut().into(),
                )
                .unwrap();
            assert_eq!((&ours, &tag[..]), (&theirs, &peer[..]), "{length}");
            assert!(Siv::new(&key).open(&nonce, &associated, &mut ours, &tag));
            assert_eq!(ours, text);
        }
    }

    #[test]
    fn nothing_is_left_of_what_was_forged() {
        let siv = Siv::new(&[7; 32]);
        let mut text = *b"neither this nor that";
        let mut tag = siv.seal(&[1; NONCE], b"", &mut text);
        tag[3] ^= 1;
        assert!(!siv.open(&[1; NONCE], b"", &mut text, &tag));
        assert_eq!(text, [0; 21]);
    }
}
