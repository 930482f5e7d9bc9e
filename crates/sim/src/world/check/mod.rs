//! The rules that must hold after every request, implemented independently of the engine.
//!
//! They determine one host at a time which are allowed. For each rule the tests contain a broken
//! gateway that it must detect, because a rule that cannot fail proves nothing. A broken gateway
//! gets another configuration, other requests or other health; the request path contains no test
//! code.

mod agreement;
mod allowed;
mod drains;
mod epoch;
mod evidence;
mod fail_back;
mod forgery;
mod guard;
mod rotation;
mod stays;
mod subset;

pub(super) use evidence::Evidence;

use alloc::{string::String, vec::Vec};

use super::{Millis, SessionRules, WorldFallback};

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// A session stays on its host while the host may keep it, and no longer.
    Stays,
    /// The chosen host is in the request's clusters and subset.
    Subset,
    /// A draining host gets no new session. A removed host gets no request once every gateway has
    /// the update.
    Drains,
    /// Gateways with the same knowledge choose the same host.
    Agreement,
    /// A token that is not valid here and now has no effect.
    Forgery,
    /// No session is lost because a gateway does not know its key.
    Rotation,
    /// A session does not return to a host that it left while its current host serves.
    FailBack,
    /// A token is not revoked by an epoch that its session has already reached.
    Epoch,
    /// Sessions leave a host only while it has more than its share, no more of them than necessary,
    /// and until it has its share again.
    Guard,
}

impl Check {
    /// Every rule.
    pub const ALL: [Self; 9] = [
        Self::Stays,
        Self::Subset,
        Self::Drains,
        Self::Agreement,
        Self::Forgery,
        Self::Rotation,
        Self::FailBack,
        Self::Epoch,
        Self::Guard,
    ];

    /// The published id of the rule.
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
            Self::Epoch => "epoch",
            Self::Guard => "guard",
        }
    }

    /// The rule in one sentence.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Stays => "a session stays on its host while the host may keep it, and no longer",
            Self::Subset => "the chosen host is in the request's clusters and subset",
            Self::Drains => "a draining host gets no new session, a removed host no request",
            Self::Agreement => "gateways with the same knowledge choose the same host",
            Self::Forgery => "an invalid token has no effect",
            Self::Rotation => "no session is lost because its key is unknown",
            Self::FailBack => "a session does not return to a host that it left",
            Self::Epoch => "a token is not revoked by an epoch that its session has reached",
            Self::Guard => "only sessions above max_share leave a host, until it has recovered",
        }
    }

    /// Why the rule cannot be checked with these settings, if so.
    #[must_use]
    pub fn not_checked(self, sessions: &SessionRules) -> Option<&'static str> {
        match self {
            Self::Agreement if sessions.max_share.is_some() => {
                Some("with `max_share` each gateway counts on its own")
            }
            Self::Agreement if sessions.fallback == WorldFallback::Policy => {
                Some("with `fallback: policy` each gateway chooses on its own")
            }
            Self::Guard if sessions.max_share.is_none() => Some("the scenario has no `max_share`"),
            _ => None,
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
            Self::Epoch => epoch::find(evidence),
            Self::Guard => guard::find(evidence),
        }
    }
}

/// A broken rule: the outcome, and the expected one.
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
    /// The number of the event in the run, from 1.
    pub event: u64,
    /// The time since the start of the run.
    pub at: Millis,
    /// The client, from 0.
    pub client: usize,
    /// The gateway that answered, from 0.
    pub gateway: usize,
    /// The outcome in words.
    pub found: String,
    /// The expected outcome in words.
    pub expected: String,
}

/// All rules that a request breaks. `event` is its number in the run, from 1.
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
