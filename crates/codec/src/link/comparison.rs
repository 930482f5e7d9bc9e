//! The old side of a comparison, as a text in a link's view.
//!
//! The first line is the link of the old scenario. Each further line is a word with values: what a comparison must
//! know about both sides and scenarios do not have. A reader ignores the words that it does not know, and a page
//! without comparisons the whole text, so that it shows the new side.

use alloc::{
    borrow::ToOwned as _,
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::{LinkError, LinkView, Scenario, read::read_scenario, view::read_view, write};

/// The name of the text in the view.
pub const OLD_SIDE: &str = "old";

/// The old side of a comparison. The new side is the scenario of the link.
#[derive(Debug, Clone, PartialEq)]
pub struct OldSide<O = ()> {
    /// The old scenario.
    pub scenario: Scenario<O>,
    /// What both scenarios do not have.
    pub gaps: ComparisonGaps,
}

/// What the configurations of a comparison have, and their scenarios do not: with any of it, equal scenarios prove
/// nothing about the configurations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparisonGaps {
    /// The settings that the link drops on a side, by name.
    pub dropped: Vec<String>,
    /// The clusters of the old side whose hosts are not known, by index.
    pub unknown_old: Vec<usize>,
    /// The same of the new side.
    pub unknown_new: Vec<usize>,
    /// The number of settings that are not modeled and can differ.
    pub open_limits: usize,
    /// The number of clusters of both configurations that the scenarios do not have.
    pub missing_clusters: usize,
    /// Whether hosts have generated addresses and no hash keys, so that other keys move.
    pub generated_addresses: bool,
}

/// The text for the view, with its name.
#[must_use]
pub fn old_side_setting<O>(old: &Scenario<O>, gaps: &ComparisonGaps) -> (String, String) {
    let text = format!("{}{}", write(old), gaps_to_text(gaps));
    (OLD_SIDE.to_owned(), text)
}

/// The old side of a link; `None` if the link compares nothing.
///
/// # Errors
/// Why it is unreadable.
pub fn old_side<O: Default>(view: &LinkView) -> Result<Option<OldSide<O>>, LinkError> {
    let Some((_, text)) = view.iter().find(|(name, _)| name == OLD_SIDE) else {
        return Ok(None);
    };
    let (link, gaps) = text.split_once('\n').unwrap_or((text, ""));
    // A view of its own could have a further side, and so on.
    let scenario = if link.matches('.').count() > 1 {
        Err(LinkError::NotALink)
    } else {
        read_scenario(link)
    };
    let scenario = scenario.map_err(|error| LinkError::OldSide(Box::new(error)))?;
    Ok(Some(OldSide {
        scenario,
        gaps: gaps_from_text(gaps),
    }))
}

/// The scenario of a fragment, with or without its `#`.
///
/// # Errors
/// Why the link is unreadable. No text makes this function panic or run long.
pub fn read<O: Default>(fragment: &str) -> Result<Scenario<O>, LinkError> {
    let scenario = read_scenario(fragment)?;
    // A link that was cut in its view does not open, and a comparison needs both sides.
    old_side::<()>(&read_view(fragment.strip_prefix('#').unwrap_or(fragment))?)?;
    Ok(scenario)
}

/// The gaps as lines, each after a line break; empty without gaps.
#[must_use]
pub fn gaps_to_text(gaps: &ComparisonGaps) -> String {
    let numbers = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|number| number.to_string()).collect()
    };
    let count = |count: usize| -> Vec<String> {
        (count > 0).then(|| count.to_string()).into_iter().collect()
    };
    let lines = [
        ("dropped", gaps.dropped.clone()),
        ("unknown-old", numbers(&gaps.unknown_old)),
        ("unknown-new", numbers(&gaps.unknown_new)),
        ("limits", count(gaps.open_limits)),
        ("missing", count(gaps.missing_clusters)),
        ("generated", count(gaps.generated_addresses.into())),
    ];
    let lines = lines.iter().filter(|(_, values)| !values.is_empty());
    lines
        .map(|(word, values)| format!("\n{word}={}", values.join(",")))
        .collect()
}

/// The gaps of such lines. What cannot be read is absent.
#[must_use]
pub fn gaps_from_text(text: &str) -> ComparisonGaps {
    let mut gaps = ComparisonGaps::default();
    for (word, values) in text.lines().filter_map(|line| line.split_once('=')) {
        let numbers = || values.split(',').filter_map(|value| value.parse().ok());
        match word {
            "dropped" => gaps.dropped = values.split(',').map(str::to_owned).collect(),
            "unknown-old" => gaps.unknown_old = numbers().collect(),
            "unknown-new" => gaps.unknown_new = numbers().collect(),
            "limits" => gaps.open_limits = numbers().next().unwrap_or(0),
            "missing" => gaps.missing_clusters = numbers().next().unwrap_or(0),
            "generated" => gaps.generated_addresses = true,
            _ => {}
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::{Cluster, Endpoint, PlainCluster, Priority};

    use super::*;
    use crate::link::{read_view, with_view};

    fn scenario(hosts: &[&str]) -> Scenario {
        let hosts = hosts.iter().map(|address| Endpoint::new(*address));
        let plain = PlainCluster {
            priorities: vec![Priority::single_locality(hosts.collect())],
            ..PlainCluster::default()
        };
        Scenario::new(vec![Cluster::plain("shop", plain)], 0).unwrap()
    }

    fn gaps() -> ComparisonGaps {
        ComparisonGaps {
            dropped: vec!["subsets".into(), "slow_start_config".into()],
            unknown_old: vec![0, 3],
            unknown_new: Vec::new(),
            open_limits: 2,
            missing_clusters: 7,
            generated_addresses: true,
        }
    }

    #[test]
    fn an_old_side_survives_its_link() {
        let (old, new) = (
            scenario(&["10.0.0.1:80", "10.0.0.2:80"]),
            scenario(&["10.0.0.1:80"]),
        );
        for gaps in [gaps(), ComparisonGaps::default()] {
            let view = vec![
                ("screen".into(), "compare".into()),
                old_side_setting(&old, &gaps),
            ];
            let link = with_view(write(&new), &view);
            assert_eq!(read(&link), Ok(new.clone()));
            let view = read_view(&link).unwrap();
            let found = old_side(&view).unwrap().unwrap();
            assert_eq!((found.scenario, found.gaps), (old.clone(), gaps));
        }
        assert_eq!(old_side::<()>(&LinkView::new()), Ok(None));
    }

    #[test]
    fn an_unreadable_old_side_is_an_error() {
        let nested = with_view(write(&scenario(&[])), &[("old".into(), "1g.AAAA".into())]);
        for text in ["", "1g", "1g.AAAA", "2g.AAAA", "x\ngenerated=1", &nested] {
            let view = vec![(OLD_SIDE.into(), text.into())];
            let error = old_side::<()>(&view).unwrap_err();
            assert!(matches!(error, LinkError::OldSide(_)), "{error}");
        }
        let link = with_view(
            write(&scenario(&[])),
            &[(OLD_SIDE.into(), "1g.AAAA".into())],
        );
        let error = read::<()>(&link).unwrap_err().to_string();
        assert!(
            error.starts_with("the old side of the comparison: "),
            "{error}"
        );
    }

    #[test]
    fn words_of_newer_versions_are_ignored() {
        let text = format!("color=blue\nlimits=x{}\nnothing", gaps_to_text(&gaps()));
        assert_eq!(gaps_from_text(&text), gaps());
    }
}
