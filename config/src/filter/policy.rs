//! The configuration of the native module's load-balancing policy.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndecidedRequests {
    /// The attempt gets 503.
    Refuse,
    /// The policy chooses a host by the settings of the cluster, without criteria and sessions.
    Choose,
}

/// Reads the configuration of a policy. `None` if it has no `undecided`; then attempts are refused where
/// the filter's configuration has criteria, a subset fallback chain or sessions.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::filter::{UndecidedRequests, read_policy};
///
/// assert_eq!(read_policy("")?, None);
/// assert_eq!(read_policy(r#"{"undecided": "choose"}"#)?, Some(UndecidedRequests::Choose));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_policy(json: &str) -> Result<Option<UndecidedRequests>, Vec<Diagnostic>> {
    if json.trim().is_empty() {
        return Ok(None);
    }
    let document = node::read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    report.doubt_keys(document.repeated);
    let root = document.roots.first();
    let root = root.and_then(|root| Message::open(root, Path::root(), &CONFIG, &mut report));
    let undecided = root.and_then(|root| root.enumeration("undecided", &UNDECIDED, &mut report));
    report.finish().map(|_| undecided)
}
