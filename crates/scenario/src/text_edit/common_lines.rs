//! The lines that two texts have in common, with lines that occur once as anchors: in YAML of hosts, most lines
//! occur with every host, but each address once.

use std::collections::BTreeMap;

/// Lines of a text.
type Lines<'t> = [&'t str];

/// Pairs of indices of equal lines, both ascending.
pub(super) fn common_lines(a: &Lines<'_>, b: &Lines<'_>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    add(a, b, (0, 0), &mut pairs);
    pairs
}

/// Adds the pairs of two parts that start at these indices.
fn add(
    a: &Lines<'_>,
    b: &Lines<'_>,
    (from_a, from_b): (usize, usize),
    pairs: &mut Vec<(usize, usize)>,
) {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = a.iter().zip(b).take_while(same).count();
    pairs.extend((0..before).map(|at| (from_a + at, from_b + at)));
    let (rest_a, rest_b) = (
        a.get(before..).unwrap_or_default(),
        b.get(before..).unwrap_or_default(),
    );
    let ends = rest_a.iter().rev().zip(rest_b.iter().rev());
    let after = ends.take_while(same).count();
    let (end_a, end_b) = (rest_a.len() - after, rest_b.len() - after);
    let (mut at_a, mut at_b) = (0, 0);
    let anchors = anchors(
        rest_a.get(..end_a).unwrap_or_default(),
        rest_b.get(..end_b).unwrap_or_default(),
    );
    let mut between = |(to_a, to_b): (usize, usize), pairs: &mut Vec<(usize, usize)>| {
        let (part_a, part_b) = (rest_a.get(at_a..to_a), rest_b.get(at_b..to_b));
        let start = (from_a + before + at_a, from_b + before + at_b);
        add(
            part_a.unwrap_or_default(),
            part_b.unwrap_or_default(),
            start,
            pairs,
        );
        (at_a, at_b) = (to_a, to_b);
    };
    // Without an anchor, the part between start and end has nothing more in common that is certain.
    if !anchors.is_empty() {
        for anchor in anchors {
            between(anchor, pairs);
        }
        between((end_a, end_b), pairs);
    }
    let ends = (0..after).map(|at| (from_a + before + end_a + at, from_b + before + end_b + at));
    pairs.extend(ends);
}

/// The place of each line; `None` for a line that occurs more than once.
fn places<'t>(lines: &Lines<'t>) -> BTreeMap<&'t str, Option<usize>> {
    let mut found = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        found
            .entry(*line)
            .and_modify(|place| *place = None)
            .or_insert(Some(at));
    }
    found
}

/// The most lines that occur once in each part, in the same order.
fn anchors(a: &Lines<'_>, b: &Lines<'_>) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let in_b = places(b);
    let mut pairs: Vec<(usize, usize)> = places(a)
        .into_iter()
        .filter_map(|(line, at)| Some((at?, (*in_b.get(line)?)?)))
        .collect();
    pairs.sort_unstable();
    ascending(&pairs)
}

/// The longest part of the pairs, sorted by their first index, whose second index ascends.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length, the chain with the lowest end: its last pair. Each pair knows the one before it in its chain.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (number, (_, at)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|(end, _)| end < at);
        let shorter = length.checked_sub(1).and_then(|shorter| ends.get(shorter));
        before.push(shorter.map(|(_, number)| *number));
        match ends.get_mut(length) {
            Some(end) => *end = (*at, number),
            None => ends.push((*at, number)),
        }
    }
    let mut chain = Vec::new();
    let mut next = ends.last().map(|(_, number)| *number);
    while let Some(number) = next {
        chain.extend(pairs.get(number).copied());
        next = before.get(number).copied().flatten();
    }
    chain.reverse();
    chain
}
