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
    use alloc::borrow::ToOwned as _;

    use super::*;

    /// Names with four digits.
    fn numbered(prefix: &str, count: usize) -> Vec<String> {
        (0..count)
            .map(|number| format!("{prefix}{number:04}"))
            .collect()
    }

    /// The groups of all names: how many members each has, and its expression.
    fn divided(matching: Matching, names: &[String]) -> Vec<(usize, String)> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let groups = matching.divide(&names, (0..names.len()).collect());
        let mut members: Vec<usize> = groups.iter().flat_map(|of| of.members.clone()).collect();
        members.sort_unstable();
        assert!(members.into_iter().eq(0..names.len()), "each name once");
        let sizes = groups.into_iter().map(|of| (of.members.len(), of.pattern));
        sizes.collect()
    }

    #[test]
    fn an_encoded_name_matches_only_itself() {
        assert_eq!(encoded("shop-1_a"), "shop-1_a");
        assert_eq!(encoded("a.b|c"), "a%5C%2Eb%5C%7Cc");
        assert_eq!(encoded("ö&"), "%C3%B6%5C%26");
    }

    #[test]
    fn a_list_has_at_most_a_thousand_names() {
        let sizes = |count| {
            let lists = divided(Matching::Names, &numbered("c", count));
            lists.iter().map(|(size, _)| *size).collect::<Vec<_>>()
        };
        assert_eq!(sizes(1_000), [1_000]);
        assert_eq!(sizes(1_001), [1_000, 1]);
        let two = divided(Matching::Names, &numbered("c", 2));
        assert_eq!(two, [(2, "%5E%28c0000%7Cc0001%29%24".to_owned())]);
        let one = divided(Matching::Names, &numbered("c", 1));
        assert_eq!(one, [(1, "%5Ec0000%24".to_owned())]);
    }

    #[test]
    fn a_list_is_at_most_as_long_as_a_header_may_be() {
        // With the operator between them, the two are exactly as long as a list may be.
        let first = "a".repeat(100);
        let fits = "b".repeat(LONGEST_LIST - 100 - OR.len());
        let groups = |second: String| divided(Matching::Names, &[first.clone(), second]).len();
        assert_eq!(groups(fits.clone()), 1);
        assert_eq!(groups(fits + "b"), 2);
    }

    #[test]
    fn few_names_are_read_one_by_one_and_many_by_their_prefix() {
        let few = divided(Matching::Prefix, &numbered("c", 23));
        assert_eq!(few.len(), 23);
        assert_eq!(few[22], (1, "%5Ec0022%24".to_owned()));
        let many = divided(Matching::Prefix, &numbered("c", 24));
        assert_eq!(many, [(24, "%5Ec00.%2A%24".to_owned())]);
    }

    #[test]
    fn more_than_two_thousand_names_are_divided_by_their_next_letter() {
        let whole = divided(Matching::Prefix, &numbered("c", 2_000));
        assert_eq!(whole, [(2_000, "%5Ec.%2A%24".to_owned())]);
        // The letters are packed while they fit.
        let packed = divided(Matching::Prefix, &numbered("c", 5_000));
        let of = |letters: &str| format!("%5Ec%28{letters}%29.%2A%24");
        assert_eq!(
            packed,
            [(2_000, of("0%7C1")), (2_000, of("2%7C3")), (1_000, of("4"))]
        );
        // A name that is the prefix of all others has no next letter; a letter with few names is
        // divided further.
        let mut names = Vec::from(["c".to_owned()]);
        names.extend(numbered("c", 2_001));
        let divided = divided(Matching::Prefix, &names);
        assert_eq!(
            divided,
            [
                (1, "%5Ec%24".to_owned()),
                (2_000, of("0%7C1")),
                (1, "%5Ec2000%24".to_owned())
            ]
        );
    }

    #[test]
    fn a_longer_prefix_than_an_expression_may_have_is_cut() {
        let longest = "x".repeat(LONGEST_TEXT);
        // As long as it may be: the names are divided.
        let short = divided(Matching::Prefix, &numbered(&longest, 2_001));
        assert!(short.len() > 1);
        // Longer: no expression could tell them apart.
        let long = divided(Matching::Prefix, &numbered(&format!("{longest}y"), 2_001));
        assert_eq!(long, [(2_001, format!("%5E{longest}.%2A%24"))]);
        // A single name is cut too, at a whole character.
        let name = format!("{}ö", "x".repeat(LONGEST_TEXT - 1));
        let cut = single(&[&name], 0).pattern;
        assert_eq!(cut, format!("%5E{}.%2A%24", "x".repeat(LONGEST_TEXT - 1)));
        assert_eq!(single(&[&longest], 0).pattern, format!("%5E{longest}%24"));
    }

    #[test]
    fn two_lists_are_joined_while_they_fit() {
        let names = numbered("c", 1_001);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let members: Vec<usize> = (0..names.len()).collect();
        let joined = |matching: Matching, middle, end| {
            let group = matching.join(&names, &members[..middle], &members[middle..end]);
            group.map(|group| group.members.len())
        };
        assert_eq!(joined(Matching::Names, 500, 1_000), Some(1_000));
        assert_eq!(joined(Matching::Names, 500, 1_001), None);
        assert_eq!(joined(Matching::Prefix, 2, 4), None);
    }

    #[test]
    fn a_group_is_halved() {
        let names = numbered("c", 5);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let halves = Matching::Names.halve(&names, (0..5).collect());
        let sizes: Vec<usize> = halves.iter().map(|half| half.members.len()).collect();
        assert_eq!(sizes, [3, 2]);
    }
}
