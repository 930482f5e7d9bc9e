//! Inputs of a fuzz target: seeds, and changed copies of an input.

use spillgate_core::draw::{Draw as _, SplitMix64};

use super::edit::{LONGEST, below, edit};
use super::lexer::tokens;

/// The form of a target's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Text in UTF-8: it is edited token by token.
    Text,
    /// Bytes: they are edited one by one.
    Bytes,
}

impl InputKind {
    /// A copy of an input with one to four random changes.
    #[must_use]
    pub fn changed(self, input: &[u8], draw: &mut SplitMix64) -> Vec<u8> {
        let changes = 1 + below(draw, 2) * below(draw, 4);
        match (self, std::str::from_utf8(input)) {
            (Self::Text, Ok(text)) => {
                let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
                for _ in 0..changes {
                    edit(&mut tokens, draw);
                    if tokens.iter().map(String::len).sum::<usize>() > LONGEST {
                        break;
                    }
                }
                tokens.concat().into_bytes()
            }
            _ => {
                let mut bytes = input.to_vec();
                for _ in 0..changes {
                    change_bytes(&mut bytes, draw);
                }
                bytes
            }
        }
    }
}

/// The input with a number: one or two seeds with changes, or random bytes. The same seed and
/// number give the same input.
#[must_use]
pub fn generated(kind: InputKind, seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut draw = SplitMix64::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let any = |draw: &mut SplitMix64| seeds.get(below(draw, seeds.len())).cloned();
    let input = match draw.draw() % 16 {
        0 => None,
        1 => {
            let (first, second) = (any(&mut draw), any(&mut draw));
            first
                .zip(second)
                .map(|(first, second)| [first, second].concat())
        }
        _ => any(&mut draw),
    };
    match input {
        Some(input) => kind.changed(&input, &mut draw),
        None => (0..below(&mut draw, 500))
            .map(|_| draw.draw() as u8 & 0x7f)
            .collect(),
    }
}

fn change_bytes(bytes: &mut Vec<u8>, draw: &mut SplitMix64) {
    let at = below(draw, bytes.len());
    let end = (at + below(draw, 16)).min(bytes.len());
    match draw.draw() % 6 {
        0 => bytes.insert(at, draw.draw() as u8),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.truncate(at),
        3 if bytes.len() < LONGEST => {
            let copied = bytes[at..end].to_vec();
            bytes.splice(at..at, copied);
        }
        4 => {
            let edge = [0, 1, 0x7f, 0x80, 0xff];
            if let Some(byte) = bytes.get_mut(at) {
                *byte = edge[below(draw, edge.len())];
            }
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << below(draw, 8);
            }
        }
    }
}
