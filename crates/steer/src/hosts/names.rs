//! Which clusters one request reads: groups of names, and the regular expression that matches them.
//!
//! The admin looks at every cluster of the proxy for each request, so that one request for each of
//! many clusters would cost the square of their number. `/clusters` accepts a list of exact names of
//! any length; its work is that of the hosts which it writes, and a few microseconds for each cluster.
//! `/config_dump` refuses long expressions and needs much longer for each cluster that it looks at, so
//! many names are read by a common prefix there, with the clusters between them.

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

/// The most names of one request. Their hosts are a few MiB if each has ten.
const MOST_NAMES: usize = 1_000;
/// The longest list of encoded names: Envoy refuses headers of more than 60 KiB.
const LONGEST_LIST: usize = 32 << 10;
/// The most names that are read by one prefix.
const MOST_BY_PREFIX: usize = 2_000;
/// The fewest names that are read by a prefix, and not one by one: by measurement, a request for one
/// cluster looks at 23 clusters in the time in which one of ten hosts is written.
const FEWEST_BY_PREFIX: usize = 24;
/// The longest text in an expression for `/config_dump`, in bytes: Envoy refuses programs of more than
/// 100 instructions.
const LONGEST_TEXT: usize = 80;

/// Clusters that one request reads.
pub(super) struct Group {
    /// Their places in the list of names.
    pub(super) members: Vec<usize>,
    /// The regular expression that matches them, encoded for a URL query.
    pub(super) pattern: String,
}

/// What an expression may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Matching {
    /// A list of exact names.
    Names,
    /// A prefix, which may match other clusters too.
    Prefix,
}

impl Matching {
    /// Divides these members of a sorted list of different names into groups.
    pub(super) fn divide(self, names: &[&str], members: Vec<usize>) -> Vec<Group> {
        match self {
            Self::Names => lists(names, members, MOST_NAMES),
            Self::Prefix => prefixes(names, members, MOST_BY_PREFIX),
        }
    }

    /// Divides a group into smaller ones; at last each has one name.
    pub(super) fn halve(self, names: &[&str], members: Vec<usize>) -> Vec<Group> {
        let half = members.len().div_ceil(2);
        match self {
            Self::Names => lists(names, members, half),
            Self::Prefix => prefixes(names, members, half),
        }
    }

    /// A group of all members of two; `None` if it would be too large.
    pub(super) fn join(self, names: &[&str], one: &[usize], other: &[usize]) -> Option<Group> {
        let mut groups = match self {
            Self::Names => lists(names, [one, other].concat(), MOST_NAMES),
            Self::Prefix => return None,
        };
        groups.pop().filter(|_| groups.is_empty())
    }
}

/// Lists of at most that many names.
fn lists(names: &[&str], members: Vec<usize>, most: usize) -> Vec<Group> {
    let mut lists: Vec<(Vec<usize>, String)> = Vec::new();
    for member in members {
        let name = encoded(names.get(member).copied().unwrap_or_default());
        match lists.last_mut() {
            Some((list, text))
                if list.len() < most && text.len() + name.len() + OR.len() <= LONGEST_LIST =>
            {
                list.push(member);
                text.push_str(OR);
                text.push_str(&name);
            }
            _ => lists.push((Vec::from([member]), name)),
        }
    }
    let group = |(members, text): (Vec<usize>, String)| Group {
        pattern: match members.len() {
            1 => format!("%5E{text}%24"),
            _ => format!("%5E%28{text}%29%24"),
        },
        members,
    };
    lists.into_iter().map(group).collect()
}

/// `|`, encoded.
const OR: &str = "%7C";

/// Groups by prefixes of at most that many names.
fn prefixes(names: &[&str], members: Vec<usize>, most: usize) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut rest = Vec::from([members]);
    while let Some(members) = rest.pop() {
        // A prefix also returns the clusters between the members; for few members exact names are smaller.
        if members.len() < FEWEST_BY_PREFIX {
            groups.extend(members.into_iter().map(|member| single(names, member)));
            continue;
        }
        let of = |at: usize| members.get(at).and_then(|at| names.get(*at)).copied();
        let (first, last) = (of(0).unwrap_or_default(), of(members.len() - 1));
        // The list is sorted, so the first and the last name differ earliest.
        let common = common(first, last.unwrap_or_default());
        let prefix = first.get(..common).unwrap_or_default();
        let next = |member: usize| {
            let name = names.get(member).copied().unwrap_or_default();
            name.get(common..).and_then(|rest| rest.chars().next())
        };
        if common > LONGEST_TEXT || members.len() <= most {
            groups.push(by_prefix(prefix, &[], members));
            continue;
        }
        // Adjacent names with the same next letter stay together.
        let mut packed: Vec<(Vec<char>, Range<usize>)> = Vec::new();
        let mut at = 0;
        while let Some(&member) = members.get(at) {
            let letter = next(member);
            let same = members.iter().skip(at);
            let count = same.take_while(|member| next(**member) == letter).count();
            let end = at + count;
            match (letter, packed.last_mut()) {
                (None, _) => groups.push(single(names, member)),
                (Some(letter), Some((letters, range))) if end - range.start <= most => {
                    letters.push(letter);
                    range.end = end;
                }
                (Some(letter), _) => packed.push((Vec::from([letter]), at..end)),
            }
            at = end;
        }
        for (letters, range) in packed {
            let own = members.get(range).unwrap_or_default().to_vec();
            if own.len() > most || own.len() < FEWEST_BY_PREFIX {
                rest.push(own)
            } else {
                groups.push(by_prefix(prefix, &letters, own))
            }
        }
    }
    groups
}

/// One cluster.
pub(super) fn single(names: &[&str], member: usize) -> Group {
    let name = names.get(member).copied().unwrap_or_default();
    Group {
        members: Vec::from([member]),
        pattern: if name.len() > LONGEST_TEXT {
            format!("%5E{}.%2A%24", encoded(start(name)))
        } else {
            format!("%5E{}%24", encoded(name))
        },
    }
}

/// The clusters whose names begin with a prefix and one of these letters.
fn by_prefix(prefix: &str, letters: &[char], members: Vec<usize>) -> Group {
    let mut pattern = format!("%5E{}", encoded(start(prefix)));
    if prefix.len() <= LONGEST_TEXT && !letters.is_empty() {
        let letters = letters.iter().map(|letter| encoded(&String::from(*letter)));
        let letters: Vec<String> = letters.collect();
        pattern.push_str(&format!("%28{}%29", letters.join(OR)));
    }
    pattern.push_str(".%2A%24");
    Group { members, pattern }
}

/// The start of a name, as far as an expression may contain it.
fn start(name: &str) -> &str {
    let mut length = LONGEST_TEXT.min(name.len());
    while !name.is_char_boundary(length) {
        length -= 1;
    }
    name.get(..length).unwrap_or_default()
}

/// The length of the common start of two texts, in whole characters.
fn common(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    let same = pairs.take_while(|(a, b)| a == b);
    same.map(|(letter, _)| letter.len_utf8()).sum()
}

/// A name as a regular expression that matches only this name, encoded for a URL query.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            // Bytes of non-ASCII characters match themselves; other ASCII may be an operator.
            0x80.. => encoded.push_str(&format!("%{byte:02X}")),
            _ => encoded.push_str(&format!("%5C%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn an_encoded_name_matches_only_itself() {
        assert_eq!(encoded("shop-1_a"), "shop-1_a");
        assert_eq!(encoded("a.b|c"), "a%5C%2Eb%5C%7Cc");
        assert_eq!(encoded("ö&"), "%C3%B6%5C%26");
    }
}
