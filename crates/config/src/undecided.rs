//! Attempts that the dynamic module's filter has not decided, and the configuration of the module's
//! load-balancing policy.

use alloc::vec::Vec;

use crate::{
    Diagnostic, node,
    proto::{Message, Path, Report, Schema},
};

/// The whole configuration of a policy.
static CONFIG: Schema = Schema::new("the policy's configuration", "undecided");

const UNDECIDED: [(&str, i64, UndecidedRequests); 2] = [
    ("refuse", 0, UndecidedRequests::Refuse),
    ("choose", 1, UndecidedRequests::Choose),
];

/// The handling of attempts for which the filter has not chosen a host (`undecided`): requests on routes
/// where the filter is disabled, and retries after the last host of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UndecidedRequests {
    /// The attempt gets 503.
    Refuse,
    /// The policy chooses a host by the settings of the cluster, without criteria and sessions.
    Choose,
    /// [`Refuse`](Self::Refuse) where the filter's configuration has criteria, a subset fallback chain or
    /// sessions, and [`Choose`](Self::Choose) elsewhere.
    #[default]
    ByFilter,
}

impl UndecidedRequests {
    /// Whether attempts get 503 in a cluster that requests may use only in part, or not.
    #[must_use]
    pub const fn refused(self, restricted: bool) -> bool {
        match self {
            Self::Refuse => true,
            Self::Choose => false,
            Self::ByFilter => restricted,
        }
    }
}

/// Reads the configuration of a policy.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::undecided::{UndecidedRequests, read_policy};
///
/// assert_eq!(read_policy("")?, UndecidedRequests::ByFilter);
/// assert_eq!(read_policy(r#"{"undecided": "choose"}"#)?, UndecidedRequests::Choose);
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_policy(json: &str) -> Result<UndecidedRequests, Vec<Diagnostic>> {
    if json.trim().is_empty() {
        return Ok(UndecidedRequests::default());
    }
    let document = node::read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    report.doubt_all(document.warnings);
    let root = document.roots.first();
    let root = root.and_then(|root| Message::open(root, Path::root(), &CONFIG, &mut report));
    let undecided = root.and_then(|root| root.enumeration("undecided", &UNDECIDED, &mut report));
    report.finish().map(|_| undecided.unwrap_or_default())
}
