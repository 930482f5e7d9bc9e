//! Random edits of a text: they keep most of it legal, so that readers get past the first line.

use spillgate_core::draw::{Draw, SplitMix64};

/// Values that readers often handle wrongly.
const TROUBLE: [&str; 48] = [
    "0",
    "1",
    "-1",
    "0.5",
    "100",
    "101",
    "128",
    "129",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "-0.0",
    "1.5",
    "null",
    "true",
    "false",
    "no",
    "~",
    "017",
    "0x1F",
    ".inf",
    "NaN",
    "\"\"",
    "\"0\"",
    "\"-1\"",
    "\"1.5\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"0s\"",
    "\"315576000001s\"",
    "{}",
    "[]",
    "[[]]",
    "{\"\":null}",
    "*",
    "&a",
    "*a",
    "<<",
    "::",
    "!!str",
    "---\n",
    "\u{feff}",
];

/// A longer text does not grow further: bytes.
pub(super) const LONGEST: usize = 1 << 16;

/// Applies one random edit to the tokens of a text.
pub(super) fn edit(tokens: &mut Vec<String>, draw: &mut SplitMix64) {
    if tokens.is_empty() {
        return;
    }
    match draw.draw() % 12 {
        0 => replace(tokens, draw, is_value_text),
        1 => replace(tokens, draw, |tokens, at| is_value(&tokens[at])),
        2 => replace(tokens, draw, |tokens, at| is_number(&tokens[at])),
        3 => exchange(tokens, draw, is_value),
        4 => exchange(tokens, draw, is_quoted),
        5 => exchange_groups(tokens, draw),
        6 => repeat_group(tokens, draw),
        7 => {
            let range = few(tokens, draw);
            tokens.drain(range);
        }
        8 => {
            let copied = tokens[few(tokens, draw)].to_vec();
            let at = below(draw, tokens.len());
            tokens.splice(at..at, copied);
        }
        9 => {
            let copied = tokens[few(tokens, draw)].concat();
            let most = LONGEST / copied.len().max(1);
            let at = below(draw, tokens.len());
            tokens.insert(at, copied.repeat(below(draw, 256).min(most)));
        }
        10 => {
            let at = below(draw, tokens.len());
            tokens.insert(at, characters(draw));
        }
        _ => tokens.truncate(below(draw, tokens.len())),
    }
}

/// Replaces one token of a kind by a troublesome value.
fn replace(tokens: &mut [String], draw: &mut SplitMix64, kind: fn(&[String], usize) -> bool) {
    if let Some(at) = pick(tokens, draw, kind) {
        tokens[at] = TROUBLE[below(draw, TROUBLE.len())].to_owned();
    }
}

/// Replaces one token of a kind by another one of the text.
fn exchange(tokens: &mut [String], draw: &mut SplitMix64, kind: fn(&str) -> bool) {
    let of_kind = |tokens: &[String], at: usize| kind(&tokens[at]);
    let at = pick(tokens, draw, of_kind);
    if let (Some(at), Some(other)) = (at, pick(tokens, draw, of_kind)) {
        tokens[at] = tokens[other].clone();
    }
}

/// Replaces an object or list by another one.
fn exchange_groups(tokens: &mut Vec<String>, draw: &mut SplitMix64) {
    let at = pick(tokens, draw, is_open);
    if let (Some(at), Some(other)) = (at, pick(tokens, draw, is_open)) {
        let other = tokens[group(tokens, other)].to_vec();
        let range = group(tokens, at);
        tokens.splice(range, other);
    }
}

/// Writes an object or list twice.
fn repeat_group(tokens: &mut Vec<String>, draw: &mut SplitMix64) {
    if let Some(at) = pick(tokens, draw, is_open) {
        let range = group(tokens, at);
        let mut copied = tokens[range.clone()].to_vec();
        copied.insert(0, ", ".to_owned());
        tokens.splice(range.end..range.end, copied);
    }
}

/// Up to 31 tokens in a row.
fn few(tokens: &[String], draw: &mut SplitMix64) -> std::ops::Range<usize> {
    let start = below(draw, tokens.len());
    start..(start + below(draw, 32)).min(tokens.len())
}

/// A few characters, mostly ASCII.
fn characters(draw: &mut SplitMix64) -> String {
    let one = |_| match draw.draw() % 8 {
        0 => char::from_u32(below(draw, 0x11_0000) as u32).unwrap_or('\u{fffd}'),
        _ => char::from(below(draw, 128) as u8),
    };
    (0..4).map(one).collect()
}

pub(super) fn below(draw: &mut SplitMix64, end: usize) -> usize {
    (draw.draw() % end.max(1) as u64) as usize
}

/// A quoted text that is not a name.
fn is_value_text(tokens: &[String], at: usize) -> bool {
    is_quoted(&tokens[at]) && tokens.get(at + 1).is_none_or(|next| next != ":")
}

fn is_quoted(token: &str) -> bool {
    token.starts_with('"')
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn is_value(token: &str) -> bool {
    is_quoted(token) || token.starts_with(char::is_alphanumeric)
}

fn is_open(tokens: &[String], at: usize) -> bool {
    matches!(tokens[at].as_str(), "{" | "[")
}

/// From a bracket to the one that closes it, or to the end.
fn group(tokens: &[String], start: usize) -> std::ops::Range<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return start..at + 1;
        }
    }
    start..tokens.len()
}

/// One of the places of a kind, if there are any.
fn pick(
    tokens: &[String],
    draw: &mut SplitMix64,
    kind: impl Fn(&[String], usize) -> bool,
) -> Option<usize> {
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| kind(tokens, at)).collect();
    places.get(below(draw, places.len())).copied()
}
