//! The response flags of Envoy 1.40 (`%RESPONSE_FLAGS%`), in the order of `CORE_RESPONSE_FLAGS`.

/// A response flag.
#[derive(Debug, PartialEq, Eq)]
pub struct ResponseFlag {
    /// The name in `%RESPONSE_FLAGS%`.
    pub name: &'static str,
    /// The name in `%RESPONSE_FLAGS_LONG%`.
    pub long: &'static str,
    /// Why Envoy sets it.
    pub meaning: &'static str,
}

const fn flag(name: &'static str, long: &'static str, meaning: &'static str) -> ResponseFlag {
    ResponseFlag {
        name,
        long,
        meaning,
    }
}

/// All flags.
static FLAGS: [ResponseFlag; 30] = [
    flag(
        "LH",
        "FailedLocalHealthCheck",
        "Envoy's own health check filter fails",
    ),
    flag(
        "UH",
        "NoHealthyUpstream",
        "the cluster had no host to choose",
    ),
    flag(
        "UT",
        "UpstreamRequestTimeout",
        "the host did not answer within the timeout of the route or of one try",
    ),
    flag("LR", "LocalReset", "Envoy reset the stream to the host"),
    flag("UR", "UpstreamRemoteReset", "the host reset the stream"),
    flag(
        "UF",
        "UpstreamConnectionFailure",
        "Envoy could not connect to the host",
    ),
    flag(
        "UC",
        "UpstreamConnectionTermination",
        "the connection to the host closed before the response was complete",
    ),
    flag(
        "UO",
        "UpstreamOverflow",
        "a circuit breaker of the cluster refused the request",
    ),
    flag(
        "NR",
        "NoRouteFound",
        "no route matched the request, or no filter chain the connection",
    ),
    flag(
        "DI",
        "DelayInjected",
        "the fault filter delayed the request",
    ),
    flag(
        "FI",
        "FaultInjected",
        "the fault filter aborted the request",
    ),
    flag("RL", "RateLimited", "a rate limit refused the request"),
    flag(
        "UAEX",
        "UnauthorizedExternalService",
        "external authorization refused the request",
    ),
    flag(
        "RLSE",
        "RateLimitServiceError",
        "the rate limit service failed",
    ),
    flag(
        "DC",
        "DownstreamConnectionTermination",
        "the client closed its connection",
    ),
    flag(
        "URX",
        "UpstreamRetryLimitExceeded",
        "the request failed after its last retry, or the TCP proxy after its last connection attempt",
    ),
    flag(
        "SI",
        "StreamIdleTimeout",
        "the stream was idle for longer than its timeout",
    ),
    flag(
        "IH",
        "InvalidEnvoyRequestHeaders",
        "a header of Envoy had an invalid value (strict_check_headers)",
    ),
    flag(
        "DPE",
        "DownstreamProtocolError",
        "the client's request violated the HTTP protocol",
    ),
    flag(
        "UMSDR",
        "UpstreamMaxStreamDurationReached",
        "the stream to the host reached its maximum duration",
    ),
    flag(
        "RFCF",
        "ResponseFromCacheFilter",
        "the cache filter answered",
    ),
    flag(
        "NFCF",
        "NoFilterConfigFound",
        "a filter configuration had not arrived (ECDS)",
    ),
    flag(
        "DT",
        "DurationTimeout",
        "the stream or connection reached its maximum duration",
    ),
    flag(
        "UPE",
        "UpstreamProtocolError",
        "the host's response violated the HTTP protocol",
    ),
    flag(
        "NC",
        "NoClusterFound",
        "the route selected a cluster that did not exist",
    ),
    flag(
        "OM",
        "OverloadManagerTerminated",
        "the overload manager ended the request",
    ),
    flag(
        "DF",
        "DnsResolutionFailed",
        "the name of the host could not be resolved",
    ),
    flag(
        "DO",
        "DropOverload",
        "the cluster dropped the request (drop_overloads)",
    ),
    flag("DR", "DownstreamRemoteReset", "the client reset the stream"),
    flag(
        "UDO",
        "UnconditionalDropOverload",
        "the cluster dropped every request (drop_overloads of 100 %)",
    ),
];

impl ResponseFlag {
    /// The flag of a name, short or long.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        FLAGS
            .iter()
            .find(|flag| flag.name == name || flag.long == name)
    }

    /// The flags of a list, or the unknown name and its offset in bytes.
    pub(super) fn list(text: &str) -> Result<Vec<&'static Self>, (usize, &str)> {
        let mut at = 0;
        let mut found = Vec::new();
        for name in text.split(',') {
            found.push(Self::find(name).ok_or((at, name))?);
            at += name.len() + 1;
        }
        Ok(found)
    }
}
