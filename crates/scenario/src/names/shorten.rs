//! The rule: common parts are left out, then the middle of what is still too wide.

use spillgate_core::order::order;

use super::{ELLIPSIS, cut, letter_width};

/// A common part with fewer characters stays: the ellipsis would take as much room.
const WORTH_IT: usize = 3;

/// The part that a name of a service in a cluster of Kubernetes has after its namespace.
const SERVICE_SUFFIX: &str = ".svc.";

/// The short forms of different names, in their order: different ones, at most `room` wide relative to
/// the font size where that is possible.
pub(super) fn shorten(names: &[&str], room: f64) -> Vec<String> {
    let mut forms = siblings(names, room, false);
    // Forms of different groups can still be equal.
    for run in equal_runs(&forms) {
        for (number, at) in run.into_iter().enumerate().skip(1) {
            if let Some(form) = forms.get_mut(at) {
                form.push_str(" #");
                form.push_str(&(number + 1).to_string());
            }
        }
    }
    forms
}

/// The short forms. Names with equal ones are shortened again, as siblings of their own. `exact` ends
/// common parts anywhere, otherwise they end at punctuation.
fn siblings(names: &[&str], room: f64, exact: bool) -> Vec<String> {
    let (prefix, suffix) = match names {
        [one] => known_parts(one),
        all => common_parts(all, exact),
    };
    let form = |name: &&str| form(name, prefix, suffix, room);
    let mut forms: Vec<String> = names.iter().map(form).collect();
    for run in equal_runs(&forms) {
        let all = run.len() == names.len();
        if all && exact {
            continue;
        }
        let own: Vec<&str> = run
            .iter()
            .filter_map(|&at| names.get(at).copied())
            .collect();
        for (at, better) in run.into_iter().zip(siblings(&own, room, all)) {
            if let Some(form) = forms.get_mut(at) {
                *form = better;
            }
        }
    }
    forms
}

/// The places of equal forms, run by run.
fn equal_runs(forms: &[String]) -> Vec<Vec<usize>> {
    let sorted = order(forms.len(), &|a, b| forms.get(a).cmp(&forms.get(b)));
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for at in sorted {
        match runs.last_mut() {
            Some(run) if run.last().and_then(|&last| forms.get(last)) == forms.get(at) => {
                run.push(at);
            }
            _ => runs.push(vec![at]),
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// A name without its common parts, which are lengths in bytes.
fn form(name: &str, prefix: usize, suffix: usize, room: f64) -> String {
    let (prefix, suffix) = (worth(prefix), worth(suffix));
    let end = name.len().saturating_sub(suffix);
    let middle = name.get(prefix..end).unwrap_or(name);
    let marks = usize::from(prefix > 0) + usize::from(suffix > 0);
    let mut form = String::new();
    if prefix > 0 {
        form.push(ELLIPSIS);
    }
    form.push_str(&cut(middle, room - marks as f64 * letter_width(ELLIPSIS)));
    if suffix > 0 {
        form.push(ELLIPSIS);
    }
    form
}

const fn worth(part: usize) -> usize {
    if part < WORTH_IT { 0 } else { part }
}

/// The lengths of the start and the end that all names have. At least a character of each name stays.
fn common_parts(names: &[&str], exact: bool) -> (usize, usize) {
    let first = names.first().copied().unwrap_or_default();
    let most = names.iter().map(|name| name.len()).min().unwrap_or(0);
    let all = |part: &str, is: fn(&str, &str) -> bool| names.iter().all(|name| is(name, part));
    // Whole characters, so that the rest is a text.
    let mut prefix = 0;
    for letter in first.chars() {
        let longer = prefix + letter.len_utf8();
        let part = first.get(..longer).unwrap_or_default();
        if longer >= most || !all(part, |name, part| name.starts_with(part)) {
            break;
        }
        prefix = longer;
    }
    let mut suffix = 0;
    for letter in first.chars().rev() {
        let longer = suffix + letter.len_utf8();
        let part = first.get(first.len() - longer..).unwrap_or_default();
        if prefix + longer >= most || !all(part, |name, part| name.ends_with(part)) {
            break;
        }
        suffix = longer;
    }
    if exact {
        return (prefix, suffix);
    }
    let start = first.get(..prefix).unwrap_or_default();
    let end = first.get(first.len() - suffix..).unwrap_or_default();
    (
        start.trim_end_matches(is_part).len(),
        end.trim_start_matches(is_part).len(),
    )
}

/// The parts of a single name that say little: Istio's direction and port, Kubernetes' domain.
fn known_parts(name: &str) -> (usize, usize) {
    let prefix = name.trim_end_matches(|letter| letter != '|').len();
    let suffix = name.find(SERVICE_SUFFIX).map_or(0, |at| name.len() - at);
    if prefix + suffix < name.len() {
        (prefix, suffix)
    } else {
        (0, 0)
    }
}

/// Whether a character does not separate parts of a name.
const fn is_part(letter: char) -> bool {
    !letter.is_ascii_punctuation() && letter != ' '
}
