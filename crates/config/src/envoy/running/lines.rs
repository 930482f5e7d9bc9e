//! Splits the lines of the text format of `/clusters`.

use crate::Position;

/// Values of a cluster as a whole. A cluster name may contain `::`: it ends before one of these or
/// before an address.
const OF_CLUSTER: [&str; 6] = [
    "observability_name",
    "default_priority",
    "high_priority",
    "added_via_api",
    "eds_service_name",
    "outlier",
];

/// The part of a line after the cluster name.
pub(super) enum Figure<'a> {
    OfCluster,
    OfHost {
        address: &'a str,
        name: &'a str,
        value: &'a str,
    },
}

/// A line, to compute columns in it.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) line: &'a str,
    pub(super) number: u32,
}

impl Line<'_> {
    pub(super) fn place(self, part: &str) -> Position {
        place(self.number, self.line, part)
    }
}

/// Position of a part of a line.
pub(super) fn place(number: u32, line: &str, part: &str) -> Position {
    let offset = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    let before = line.get(..offset).unwrap_or_default();
    let column = before.chars().count().saturating_add(1);
    Position {
        line: number,
        column: u32::try_from(column).unwrap_or(u32::MAX),
    }
}

/// Splits a line. Lines of one cluster are adjacent, so its name is tried first.
pub(super) fn split<'a>(line: &'a str, current: Option<&str>) -> Option<(&'a str, Figure<'a>)> {
    if let Some(current) = current
        && let Some(rest) = line.strip_prefix(current)
        && let Some(figure) = rest.strip_prefix("::").and_then(figure)
    {
        return line.get(..current.len()).map(|name| (name, figure));
    }
    let mut end = double_colon(line)?;
    loop {
        let rest = line.get(end + "::".len()..)?;
        if let Some(figure) = figure(rest) {
            return Some((line.get(..end)?, figure));
        }
        end += "::".len() + double_colon(rest)?;
    }
}

fn figure(rest: &str) -> Option<Figure<'_>> {
    let (first, _) = rest.split_at_checked(double_colon(rest)?)?;
    if OF_CLUSTER.contains(&first) {
        return Some(Figure::OfCluster);
    }
    let length = address_length(rest)?;
    let (address, rest) = rest.split_at_checked(length)?;
    let (name, value) = name_and_value(rest.strip_prefix("::")?)?;
    Some(Figure::OfHost {
        address,
        name,
        value,
    })
}

fn name_and_value(rest: &str) -> Option<(&str, &str)> {
    let name = name(rest)?;
    Some((name, rest.get(name.len() + "::".len()..)?))
}

/// The name of a value at the start of a text, before `::`.
pub(super) fn name(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    let length = bytes.iter().position(|b| !is_name(*b)).filter(|&l| l > 0)?;
    let colons = (bytes.get(length)?, bytes.get(length + 1)?);
    text.get(..length).filter(|_| colons == (&b':', &b':'))
}

/// Splits a text after its first line; the `known` first bytes contain no line break.
pub(super) fn first_line(text: &str, known: usize) -> (&str, &str) {
    let unknown = text.as_bytes().get(known..).unwrap_or_default();
    let end = unknown.iter().position(|byte| *byte == b'\n');
    let end = end.map_or(text.len(), |end| known + end);
    let after = text.get(end + 1..).unwrap_or_default();
    let returns = end > 0 && text.as_bytes().get(end - 1) == Some(&b'\r');
    let line = text.get(..end - usize::from(returns));
    (line.unwrap_or_default(), after)
}

/// Whether a text has this prefix. Prefixes of one length mostly differ near their end, so the
/// comparison starts there, eight bytes at a time: `str::starts_with` takes several times as long
/// in WebAssembly.
pub(super) fn begins(line: &str, prefix: &str) -> bool {
    let Some(head) = line.as_bytes().get(..prefix.len()) else {
        return false;
    };
    let (head_start, head) = head.as_rchunks::<8>();
    let (start, prefix) = prefix.as_bytes().as_rchunks::<8>();
    let pairs = head.iter().zip(prefix).rev();
    let mut words = pairs.map(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b));
    words.all(|same| same) && head_start.iter().eq(start)
}

/// The prefix of a line up to the `::` after the address.
pub(super) fn prefix<'a>(line: &'a str, address: &str) -> &'a str {
    let start = (address.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.get(..start + address.len() + "::".len())
        .unwrap_or_default()
}

/// The index of the first `::`.
pub(super) fn double_colon(text: &str) -> Option<usize> {
    text.as_bytes().windows(2).position(|pair| pair == b"::")
}

/// The length in bytes of an address at the start of a text: it ends at the next `::`, but IPv6
/// addresses contain `::`.
fn address_length(text: &str) -> Option<usize> {
    /// No IPv6 address is longer; a longer scan would be slow for hostile lines.
    const LONGEST: usize = 64;
    let inside = if text.starts_with('[') {
        let mut start = text.as_bytes().windows(2).take(LONGEST);
        start.position(|pair| pair == b"]:")?
    } else {
        0
    };
    let length = inside + double_colon(text.get(inside..)?)?;
    let address = text.get(..length)?;
    let port = address.rsplit_once(':').map(|(_, port)| port);
    let has_port = port.is_some_and(|port| port.parse::<u16>().is_ok());
    let is_path = address.starts_with(['/', '@', '.']) || address.starts_with("envoy://");
    (has_port || is_path).then_some(length)
}
