//! Retries: those of a route or of the mesh, and Istio's defaults (`retry.go`).

use alloc::{
    string::{String, ToString as _},
    vec,
};

use spillgate_core::route::{HostPredicate, RetryPolicy};

/// `retries` of a route, or `defaultHttpRetryPolicy` of the mesh.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioRetries {
    /// The maximum number of retries (`attempts`); 0 switches them off.
    pub attempts: u32,
    /// The conditions, separated by commas, also status codes (`retryOn`); empty means the default.
    pub retry_on: String,
    /// Whether hosts of earlier attempts are rejected (`retryIgnorePreviousHosts`).
    pub ignore_previous_hosts: Option<bool>,
    /// Whether retries prefer other localities (`retryRemoteLocalities`).
    pub remote_localities: bool,
    /// The timeout of an attempt (`perTryTimeout`) in milliseconds; `None` or 0 for none.
    pub per_try_timeout_ms: Option<u64>,
    /// The interval of the first retry (`backoff`) in milliseconds; `None` for Envoy's default.
    pub backoff_ms: Option<u64>,
}

/// The conditions of Istio's default policy.
const RETRY_ON: &str =
    "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes";

/// The number of retries of Istio's default policy.
const RETRIES: u32 = 2;

/// The choices of a retry that must find another host.
const SELECTION_ATTEMPTS: u32 = 5;

/// The number of attempts after which `retryRemoteLocalities` recomputes the loads.
const UPDATE_FREQUENCY: u32 = 2;

/// The retry policy of a route. A route whose only destination has a consistent hash keeps its host
/// unless the retries say otherwise.
///
/// # Examples
/// ```
/// use spillgate_core::route::HostPredicate;
/// use spillgate_mesh::istio::{IstioRetries, istio_retry_policy};
///
/// let policy = istio_retry_policy(None, false);
/// assert_eq!((policy.retries, policy.host_selection_attempts), (2, 5));
/// assert_eq!(policy.predicates, [HostPredicate::PreviousHosts]);
/// let hashed = istio_retry_policy(None, true);
/// assert!(hashed.predicates.is_empty());
/// let off = istio_retry_policy(Some(&IstioRetries::default()), false);
/// assert_eq!(off.retries, 0);
/// ```
#[must_use]
pub fn istio_retry_policy(of: Option<&IstioRetries>, keeps_host: bool) -> RetryPolicy {
    let default = IstioRetries {
        attempts: RETRIES,
        ..IstioRetries::default()
    };
    let of = of.unwrap_or(&default);
    if of.attempts == 0 {
        return RetryPolicy::NONE;
    }
    let rejects = of.ignore_previous_hosts.unwrap_or(!keeps_host);
    RetryPolicy {
        previous_priorities: of.remote_localities.then_some(UPDATE_FREQUENCY),
        predicates: if rejects {
            vec![HostPredicate::PreviousHosts]
        } else {
            vec![]
        },
        host_selection_attempts: SELECTION_ATTEMPTS,
        retry_on: conditions(&of.retry_on),
        status_codes: of.retry_on.split(',').filter_map(status).collect(),
        retries: of.attempts,
        ..RetryPolicy::NONE
    }
}

/// A status code that has a name; other numbers are conditions that Envoy does not know (`parseRetryOn`).
fn status(part: &str) -> Option<u16> {
    let code: u16 = part.trim().parse().ok()?;
    let named = matches!(
        code,
        100..=103 | 200..=208 | 226 | 300..=305 | 307 | 308 | 400..=418 | 421..=426 | 428 | 429
            | 431 | 451 | 500..=508 | 510 | 511
    );
    named.then_some(code)
}

/// The conditions of Envoy: a status code becomes `retriable-status-codes`.
fn conditions(stated: &str) -> String {
    const CODES: &str = "retriable-status-codes";
    if stated.is_empty() {
        return RETRY_ON.to_string();
    }
    let is_code = |part: &&str| status(part).is_some();
    let parts = || stated.split(',').map(str::trim);
    let mut found = String::new();
    let named = parts().filter(|part| !part.is_empty() && !is_code(part));
    let codes =
        (parts().any(|part| is_code(&part)) && parts().all(|part| part != CODES)).then_some(CODES);
    for part in named.chain(codes) {
        if !found.is_empty() {
            found.push(',');
        }
        found.push_str(part);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_codes_are_a_condition_of_their_own() {
        for (stated, found) in [
            ("", RETRY_ON),
            ("5xx", "5xx"),
            ("5xx, 503", "5xx,retriable-status-codes"),
            ("503,429", "retriable-status-codes"),
            ("retriable-status-codes,503", "retriable-status-codes"),
            ("reset,499", "reset,499"),
        ] {
            assert_eq!(conditions(stated), found);
        }
    }

    #[test]
    fn the_policy_has_the_codes_with_a_name() {
        let of = IstioRetries {
            attempts: 1,
            retry_on: "5xx, 503,429,499".into(),
            ..IstioRetries::default()
        };
        assert_eq!(
            istio_retry_policy(Some(&of), false).status_codes,
            [503, 429]
        );
        assert!(istio_retry_policy(None, false).status_codes.is_empty());
    }

    #[test]
    fn stated_settings_replace_the_defaults() {
        let of = IstioRetries {
            attempts: 3,
            ignore_previous_hosts: Some(false),
            remote_localities: true,
            ..IstioRetries::default()
        };
        let policy = istio_retry_policy(Some(&of), false);
        assert_eq!(policy.retries, 3);
        assert_eq!(policy.predicates, []);
        assert_eq!(policy.previous_priorities, Some(2));
    }
}
