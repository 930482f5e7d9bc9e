//! Forged tokens: random ones, and sealed ones with flipped bits or exchanged parts.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use spillgate_core::affinity::{KeyRing, Token, TokenKey};
use spillgate_core::draw::{Draw as _, SplitMix64};

/// Bytes of a sealed token.
const WIRE: usize = 90;

/// The knowledge of forgers: sealed tokens, but not the keys.
#[derive(Debug)]
pub struct Forger {
    ring: KeyRing,
    sealed: Vec<[u8; WIRE]>,
}

/// The results of forgeries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forged {
    /// How many were tried.
    pub tried: u64,
    /// How many were taken for tokens.
    pub accepted: u64,
}

impl Forger {
    /// Keys and tokens that the seed makes.
    ///
    /// # Panics
    /// When a token that was sealed does not open.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut draw = SplitMix64::new(seed);
        let mut key = |id: u8| {
            let secret = [(); 4].map(|()| draw.draw().to_le_bytes());
            (id, TokenKey::new(id, secret.as_flattened()))
        };
        let ring = KeyRing::new([key(1), key(2)]).expect("keys that are legal");
        let key = ring.first();
        let sealed = (0..256)
            .map(|number: u64| {
                let token = Token {
                    session: draw.draw(),
                    host: key.host_id("shop", &format!("10.0.0.{number}:80")),
                    cluster: key.cluster_id("shop"),
                    scope: key.scope_id("shop.example"),
                    subset: key.subset_id(b""),
                    issued: 1_800_000_000 + number,
                    expires: 1_800_003_600 + number,
                    epoch: 0,
                };
                let text = ring.seal(&token);
                let opened = ring.genuine(text.as_str().as_bytes()).expect("a token");
                assert_eq!(opened.0.token, token);
                let wire = BASE64_URL_SAFE_NO_PAD
                    .decode(text.as_str())
                    .expect("base64url")
                    .try_into();
                wire.expect("the bytes of a token")
            })
            .collect();
        Self { ring, sealed }
    }

    /// Tries the forgeries of a range of numbers.
    #[must_use]
    pub fn attempt(&self, seed: u64, numbers: std::ops::Range<u64>) -> Forged {
        let mut forged = Forged::default();
        let mut text = [0; WIRE / 3 * 4];
        for number in numbers {
            let wire = self.forgery(seed, number);
            let written = BASE64_URL_SAFE_NO_PAD.encode_slice(wire, &mut text);
            debug_assert_eq!(written, Ok(text.len()));
            forged.tried += 1;
            forged.accepted += u64::from(self.ring.genuine(&text).is_ok());
        }
        forged
    }

    /// Bytes that differ from all sealed ones.
    fn forgery(&self, seed: u64, number: u64) -> [u8; WIRE] {
        let mut draw = SplitMix64::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let any = |at: u64| self.sealed[at as usize % self.sealed.len()];
        let (mut wire, other) = (any(draw.draw()), any(draw.draw()));
        let original = wire;
        match draw.draw() % 8 {
            // Random bytes, and random bytes with a valid key id.
            0 => wire.fill_with(|| draw.draw() as u8),
            1 | 2 => wire[2..].fill_with(|| draw.draw() as u8),
            // From some byte on, the token of another.
            3 => {
                let at = draw.draw() as usize % WIRE;
                wire[at..].copy_from_slice(&other[at..]);
            }
            // One bit, or a few.
            few => {
                for _ in 0..few - 3 {
                    let bit = draw.draw() as usize % (WIRE * 8);
                    wire[bit / 8] ^= 1 << (bit % 8);
                }
            }
        }
        if wire == original || wire == other {
            wire[WIRE - 1] ^= 1;
        }
        wire
    }
}
