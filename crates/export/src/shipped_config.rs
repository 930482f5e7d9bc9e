//! A configuration of the shipped filter for requests of the playground's Trace screen, and the headers of these
//! requests.

use spillgate_config::{
    Diagnostic,
    filter::{Criterion, FilterConfig, Output, TargetConfig, TraceCondition, TraceConfig},
    write::Written,
};
use spillgate_core::{
    affinity::{KeyRing, Life, Token, TokenKey},
    model::Metadata,
    route::{HashPolicy, HashSource},
};
use spillgate_scenario::{ShippedRequest, ShippedSession};

use super::{ExportSource, filter::checked_filter, target::named_target};

/// The request header that the hash policy hashes.
const KEY_HEADER: &str = "x-key";
/// The header with the session token.
const SESSION_HEADER: &str = "x-session";
/// The response header with the decision, and the request header that asks for it.
const TRACE_HEADER: &str = "x-trace";
const TRACE_WHEN: [&str; 2] = ["x-trace-please", "decision-of-this-page"];
/// The key of session tokens: 32 bytes in base64. Only the VM of the playground has it, for as long as the playground
/// is open, so it is no secret.
const SECRET: &str = "b25seSB0aGUgcGFnZSdzIG93biBWTSBoYXMgdGhpcyE=";
const KEY_ID: u8 = 1;
const SCOPE: &str = "page";
/// The time of all requests, 2026-01-01, in seconds since 1970: results must not depend on the clock.
const NOW: u64 = 1_767_225_600;
/// The default of `affinity.max_life`, with a token that lives as long as its session.
const LIFE: Life = Life {
    ttl: 0,
    max: 86_400,
};

/// A configuration of the filter for requests to the target. Writing and checking it takes time for each host, so
/// it does not depend on what changes with each request.
#[derive(Debug, Clone)]
pub struct ShippedConfig {
    text: String,
    has_criteria: bool,
    /// Warnings about what the configuration omits.
    pub warnings: Vec<Diagnostic>,
}

/// What requests need in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedNeeds {
    /// The filter writes its decisions.
    trace: bool,
    /// The filter keeps sessions.
    sessions: bool,
}

impl ShippedNeeds {
    /// The needs of a request.
    #[must_use]
    pub fn of(request: &ShippedRequest) -> Self {
        Self {
            trace: request.trace,
            sessions: request.session != ShippedSession::Without,
        }
    }
}

impl ShippedConfig {
    /// The exported configuration of the filter with its hash policy, the criteria of the route if they can restrict
    /// the hosts, and what requests need.
    ///
    /// # Errors
    /// If the target is unknown, and every setting that the filter does not support.
    pub fn new(source: &ExportSource<'_>, needs: ShippedNeeds) -> Result<Self, Vec<Diagnostic>> {
        let target = named_target(source.model, source.target).map_err(|fault| vec![*fault])?;
        let key = HashSource::Header {
            name: KEY_HEADER.into(),
            rewrite: None,
        };
        let [header, value] = TRACE_WHEN.map(String::from);
        let mut config = FilterConfig {
            hash_policies: vec![HashPolicy {
                source: key,
                terminal: false,
            }],
            trace: needs.trace.then(|| TraceConfig {
                header: TRACE_HEADER.into(),
                when: TraceCondition { header, value },
                steps: true,
            }),
            output: Output {
                // The filter orders the further hosts of a session by its key, which the model does not have.
                candidates: if needs.sessions {
                    1
                } else {
                    Output::default().candidates
                },
                ..Output::default()
            },
            ..FilterConfig::new(source.model.clone(), TargetConfig::Always(target))
        };
        let has_criteria = config.selects_by_route();
        if has_criteria {
            config.criteria.push(Criterion::RouteMetadata);
        }
        let first = if needs.sessions {
            affinity()
        } else {
            String::new()
        };
        let Written { text, warnings } = checked_filter(&config, &first)?;
        Ok(Self {
            text,
            has_criteria,
            warnings,
        })
    }

    /// What `www/filter.js` reads to run requests with these needs: the configuration, the seed, the time in seconds
    /// since 1970, the number of requests, the names of the headers with the host list, the cluster and the decision,
    /// then the names and values of the request headers. `criteria` are the subset criteria of their route.
    #[must_use]
    pub fn run(&self, request: &ShippedRequest, criteria: &Metadata) -> Vec<String> {
        let criteria = if self.has_criteria {
            criteria
        } else {
            &Metadata::EMPTY
        };
        let output = Output::default();
        let mut texts = vec![
            self.text.clone(),
            request.seed.to_string(),
            NOW.to_string(),
            request.count.to_string(),
            output.host_header,
            output.cluster_header,
            TRACE_HEADER.into(),
        ];
        let mut header =
            |name: &str, value: &str| texts.extend([name.to_owned(), value.to_owned()]);
        header(":method", "GET");
        header(":scheme", "https");
        header(":authority", "example.org");
        header(":path", "/");
        if !request.key.is_empty() {
            header(KEY_HEADER, &request.key);
        }
        if let ShippedSession::Of { cluster, address } = &request.session {
            let token = token(cluster, address, criteria);
            header(SESSION_HEADER, &token.unwrap_or_default());
        }
        if request.trace {
            let [name, value] = TRACE_WHEN;
            header(name, value);
        }
        texts
    }
}

/// The field with the sessions. It is not written from a `FilterConfig`, which does not keep secrets.
fn affinity() -> String {
    format!(
        "\"affinity\": {{\"header\": {{\"name\": \"{SESSION_HEADER}\"}}, \"keys\": [{{\"id\": {KEY_ID}, \
         \"secret\": \"{SECRET}\"}}], \"scope\": \"{SCOPE}\", \"fallback\": \"policy\"}},"
    )
}

/// A token of a session on a host.
fn token(cluster: &str, address: &str, criteria: &Metadata) -> Option<String> {
    let key = TokenKey::from_base64(KEY_ID, SECRET);
    let ring = KeyRing::new([(KEY_ID, key)]).ok()?;
    let key = ring.first();
    let mut canonical = Vec::new();
    criteria.canonical(&mut canonical);
    let token = Token {
        session: 1,
        host: key.host_id(cluster, address),
        cluster: key.cluster_id(cluster),
        scope: key.scope_id(SCOPE),
        subset: key.subset_id(&canonical),
        issued: NOW,
        expires: LIFE.expiry(NOW, NOW),
        epoch: 0,
    };
    Some(ring.seal(&token).as_str().to_owned())
}
