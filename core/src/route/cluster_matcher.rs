//! A cluster that conditions on headers choose (`MatcherClusterSpecifier`).

use alloc::{boxed::Box, string::String, vec::Vec};

use super::{Headers, StringMatch, conditions::joined};

/// Branches in order: the first one that the request meets and that has a cluster for it applies.
///
/// # Examples
/// ```
/// use spillgate_core::route::*;
///
/// let exact = |text: &str| StringMatch { text: TextMatch::Exact(text.into()), ignore_case: false };
/// let canary = ClusterBranch {
///     when: HeaderCondition::Value { name: "x-canary".into(), text: exact("1") },
///     then: BranchTarget::Cluster("canary".into()),
/// };
/// let matcher = ClusterMatcher(vec![canary]);
/// assert_eq!(matcher.cluster(&HeaderList(&[("x-canary", "1")])), Some("canary"));
/// assert_eq!(matcher.cluster(&HeaderList(&[("x-canary", "0")])), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClusterMatcher(pub Vec<ClusterBranch>);

/// One branch of a [`ClusterMatcher`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterBranch {
    /// The condition. `on_no_match` is a last branch with an empty [`HeaderCondition::All`].
    pub when: HeaderCondition,
    /// The cluster of the requests that meet it.
    pub then: BranchTarget,
}

/// The target of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchTarget {
    /// A cluster.
    Cluster(String),
    /// More branches; without a match there, the next branch of the outer matcher is tried.
    Matcher(ClusterMatcher),
}

/// A condition on request headers (`Matcher.MatcherList.Predicate`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderCondition {
    /// The values of the header, joined by commas, match; a missing header does not.
    Value {
        /// The lower-case name.
        name: String,
        /// The condition on the text.
        text: StringMatch,
    },
    /// All hold (`and_matcher`).
    All(Vec<Self>),
    /// One holds (`or_matcher`).
    Any(Vec<Self>),
    /// It does not hold (`not_matcher`).
    Not(Box<Self>),
}

impl ClusterMatcher {
    /// The cluster of a request; `None` if no branch has one.
    #[must_use]
    pub fn cluster<H: Headers>(&self, headers: &H) -> Option<&str> {
        let mut met = self.0.iter().filter(|branch| branch.when.holds(headers));
        met.find_map(|branch| match &branch.then {
            BranchTarget::Cluster(name) => Some(name.as_str()),
            BranchTarget::Matcher(matcher) => matcher.cluster(headers),
        })
    }

    /// The clusters of all branches, in order.
    #[must_use]
    pub fn clusters(&self) -> Vec<&str> {
        let branches = self.0.iter();
        let names = branches.flat_map(|branch| match &branch.then {
            BranchTarget::Cluster(name) => Vec::from([name.as_str()]),
            BranchTarget::Matcher(matcher) => matcher.clusters(),
        });
        names.collect()
    }

    /// The headers that the conditions read, in order; a name can occur more than once.
    #[must_use]
    pub fn headers(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for branch in &self.0 {
            branch.when.read(&mut names);
            if let BranchTarget::Matcher(matcher) = &branch.then {
                names.extend(matcher.headers());
            }
        }
        names
    }
}

impl HeaderCondition {
    fn holds<H: Headers>(&self, headers: &H) -> bool {
        match self {
            Self::Value { name, text } => {
                joined(headers, name).is_some_and(|value| text.matches(&value))
            }
            Self::All(all) => all.iter().all(|one| one.holds(headers)),
            Self::Any(any) => any.iter().any(|one| one.holds(headers)),
            Self::Not(inner) => !inner.holds(headers),
        }
    }

    fn read<'s>(&'s self, names: &mut Vec<&'s str>) {
        match self {
            Self::Value { name, .. } => names.push(name),
            Self::All(inner) | Self::Any(inner) => inner.iter().for_each(|one| one.read(names)),
            Self::Not(inner) => inner.read(names),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeaderList, TextMatch};
    use super::*;

    fn value(name: &str, text: TextMatch) -> HeaderCondition {
        let text = StringMatch {
            text,
            ignore_case: false,
        };
        let name = name.into();
        HeaderCondition::Value { name, text }
    }

    fn exact(name: &str, text: &str) -> HeaderCondition {
        value(name, TextMatch::Exact(text.into()))
    }

    fn to(when: HeaderCondition, cluster: &str) -> ClusterBranch {
        let then = BranchTarget::Cluster(cluster.into());
        ClusterBranch { when, then }
    }

    /// Measured with Envoy 1.40.
    #[test]
    fn repeated_values_are_joined_and_a_missing_header_does_not_match() {
        let matcher = ClusterMatcher(Vec::from([
            to(exact("x-h", "a"), "one"),
            to(exact("x-h", "a,b"), "both"),
            to(HeaderCondition::Not(Box::new(exact("x-g", "a"))), "not"),
            to(exact("x-g", ""), "never"),
        ]));
        for (headers, cluster) in [
            (&[("x-h", "a")][..], Some("one")),
            (&[("x-h", "a"), ("x-h", "b")], Some("both")),
            (&[], Some("not")),
            (&[("x-g", "a")], None),
        ] {
            assert_eq!(matcher.cluster(&HeaderList(headers)), cluster);
        }
        assert_eq!(matcher.clusters(), ["one", "both", "not", "never"]);
        assert_eq!(matcher.headers(), ["x-h", "x-h", "x-g", "x-g"]);
    }

    /// Measured with Envoy 1.40.
    #[test]
    fn a_nested_matcher_without_a_match_leaves_the_request_to_the_next_branch() {
        let prefix = |text: &str| value("x-h", TextMatch::Prefix(text.into()));
        let nested = ClusterMatcher(Vec::from([to(exact("x-g", "a"), "a")]));
        let matcher = ClusterMatcher(Vec::from([
            ClusterBranch {
                when: prefix("a"),
                then: BranchTarget::Matcher(nested),
            },
            to(prefix("ab"), "b"),
            to(HeaderCondition::All(Vec::new()), "d"),
        ]));
        for (headers, cluster) in [
            (&[("x-h", "a")][..], "d"),
            (&[("x-h", "ab")], "b"),
            (&[("x-h", "ab"), ("x-g", "a")], "a"),
            (&[], "d"),
        ] {
            assert_eq!(matcher.cluster(&HeaderList(headers)), Some(cluster));
        }
    }
}
