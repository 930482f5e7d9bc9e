//! Forged tokens: noise, and issued ones that were changed.

use anyhow::{Context as _, Result};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use spillgate_core::draw::Draw;

/// Every kind of [`forged`].
pub const TOKEN_KINDS: [&str; 7] = [
    "random text",
    "random bytes under a good head",
    "one bit flipped",
    "several bits flipped",
    "cut short",
    "grown",
    "head of one, rest of another",
];

/// Further in than the nonce and further from the end than half of the tag.
const WITHIN: usize = 16;

/// A forged token and its kind; `good` are issued tokens.
///
/// # Errors
/// When there are fewer than two good ones, or one is no base64url.
pub fn forged(draw: &mut impl Draw, good: &[String]) -> Result<(&'static str, String)> {
    let kind = TOKEN_KINDS[below(draw, TOKEN_KINDS.len())];
    let place = below(draw, good.len());
    let token = good.get(place).context("no issued token")?;
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(token)?;
    match kind {
        "random text" => {
            for byte in &mut bytes {
                *byte = draw.draw() as u8;
            }
        }
        "random bytes under a good head" => {
            for byte in bytes.iter_mut().skip(2) {
                *byte = draw.draw() as u8;
            }
        }
        "one bit flipped" => flip(draw, &mut bytes),
        "several bits flipped" => {
            let before = bytes.clone();
            while bytes == before {
                for _ in 0..2 + below(draw, 20) {
                    flip(draw, &mut bytes);
                }
            }
        }
        "cut short" => bytes.truncate(1 + below(draw, bytes.len() - 1)),
        "grown" => bytes.extend((0..=below(draw, 40)).map(|number| number as u8)),
        _ => {
            let other = &good[(place + 1 + below(draw, good.len() - 1)) % good.len()];
            let other = BASE64_URL_SAFE_NO_PAD.decode(other)?;
            // Within the sealed part, so that neither of the two stays complete.
            let at = WITHIN + below(draw, bytes.len().saturating_sub(2 * WITHIN));
            let tail = other.get(at..).context("tokens differ in length")?;
            bytes[at..].copy_from_slice(tail);
        }
    }
    Ok((kind, BASE64_URL_SAFE_NO_PAD.encode(bytes)))
}

fn flip(draw: &mut impl Draw, bytes: &mut [u8]) {
    let bit = below(draw, bytes.len() * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
}

fn below(draw: &mut impl Draw, end: usize) -> usize {
    (draw.draw() % end.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;
    use spillgate_core::draw::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn nothing_forged_is_a_good_token() -> Result<()> {
        let good: Vec<String> = (0..8_u8)
            .map(|seed| {
                let bytes: Vec<u8> = (0..90_u8)
                    .map(|at| at.wrapping_mul(7) ^ seed.wrapping_mul(29))
                    .collect();
                BASE64_URL_SAFE_NO_PAD.encode(bytes)
            })
            .collect();
        let mut draw = SplitMix64::new(5);
        let mut kinds = BTreeSet::new();
        for _ in 0..5_000 {
            let (kind, token) = forged(&mut draw, &good)?;
            ensure!(!good.contains(&token), "{kind}");
            kinds.insert(kind);
        }
        ensure!(kinds.len() == TOKEN_KINDS.len());
        Ok(())
    }
}
