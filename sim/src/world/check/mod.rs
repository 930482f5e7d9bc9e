//! What must hold after every request, each rule by itself and by other means than the engine's.

mod agreement;
mod allowed;
mod drains;
mod evidence;
mod fail_back;
mod forgery;
mod rotation;
mod stays;
mod subset;

pub(super) use evidence::Evidence;

use alloc::{string::String, vec::Vec};

use super::Millis;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// No session leaves a host that may keep it, and none stays on one that may not.
    Stays,
    /// No host is chosen outside of the request's clusters and subset.
    Subset,
    /// A host that drains gets no new session, and one that is gone nothing once every gateway
    /// must know.
    Drains,
    /// Gateways that know the same choose the same.
    Agreement,
    /// A token that is not good here and now has no say.
    Forgery,
    /// No session is lost because its key is not known.
    Rotation,
    /// A session does not return to a host that it has left while the one that it is on serves.
    FailBack,
}

impl Check {
    /// Every rule.
    pub const ALL: [Self; 7] = [
        Self::Stays,
        Self::Subset,
        Self::Drains,
        Self::Agreement,
        Self::Forgery,
        Self::Rotation,
        Self::FailBack,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stays => "stays",
            Self::Subset => "subset",
            Self::Drains => "drains",
            Self::Agreement => "agreement",
            Self::Forgery => "forgery",
            Self::Rotation => "rotation",
            Self::FailBack => "fail_back",
        }
    }

    /// The rule in words.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Stays => "a session stays on its host as long as that may keep it, and no longer",
            Self::Subset => "no host is chosen outside of the request's clusters and subset",
            Self::Drains => "no new session on a host that drains, nothing on one that is gone",
            Self::Agreement => "gateways that know the same choose the same",
            Self::Forgery => "a token that is not good has no say",
            Self::Rotation => "no session is lost because its key is not known",
            Self::FailBack => "no session returns to a host that it has left",
        }
    }

    fn find(self, evidence: &Evidence<'_>) -> Option<Finding> {
        match self {
            Self::Stays => stays::find(evidence),
            Self::Subset => subset::find(evidence),
            Self::Drains => drains::find(evidence),
            Self::Agreement => agreement::find(evidence),
            Self::Forgery => forgery::find(evidence),
            Self::Rotation => rotation::find(evidence),
            Self::FailBack => fail_back::find(evidence),
        }
    }
}

/// What a check found.
#[derive(Debug)]
pub(super) struct Finding {
    found: String,
    expected: String,
}

impl Finding {
    fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// A request that broke a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub check: Check,
    /// Which event of the run it was, from 1.
    pub event: u64,
    /// When, since the beginning.
    pub at: Millis,
    /// Whose request it was, from 0.
    pub client: usize,
    /// Who answered it, from 0.
    pub gateway: usize,
    /// What came out.
    pub found: String,
    /// What should have.
    pub expected: String,
}

/// Everything that is wrong with a request, which is the so-manyeth event.
pub(super) fn all(evidence: &Evidence<'_>, event: u64) -> Vec<Violation> {
    let violation = |check: Check| {
        check.find(evidence).map(|finding| Violation {
            check,
            event,
            at: evidence.now,
            client: evidence.client,
            gateway: evidence.gateway,
            found: finding.found,
            expected: finding.expected,
        })
    };
    Check::ALL.into_iter().filter_map(violation).collect()
}
