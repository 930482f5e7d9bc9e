//! One configuration, compiled: everything that stays the same from request to request.

use crate::configuration;
use crate::secret;
use spillgate_config::Diagnostic;
use spillgate_config::decision;
use spillgate_config::filter::{self, FilterConfig, Output, Target, TraceConfig};
use spillgate_core::decide::Decision;
use spillgate_core::route::{HashPolicy, Headers, RouteMatch};
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_core::trace::Step;

/// The name of the trace header where the configuration gives none. Clients may not forge it even
/// while traces are off.
const DEFAULT_TRACE_HEADER: &str = "x-spillgate-trace";

/// What answers requests.
pub(crate) struct Plugin {
    /// All clusters, compiled.
    pub(crate) snapshot: Snapshot,
    /// How a request's hash is made.
    pub(crate) hash_policies: Vec<HashPolicy>,
    /// Whether a decision looks at the request's headers at all: reading them is the dearest call.
    pub(crate) reads_headers: bool,
    /// Which headers carry a decision.
    pub(crate) output: Output,
    /// Who gets to see decisions.
    pub(crate) trace: Option<TraceConfig>,
    /// Whatever the client says under these names is dropped.
    pub(crate) request_headers_to_drop: Vec<String>,
    /// Nothing under these names reaches the client.
    pub(crate) response_headers_to_drop: Vec<String>,
    targets: Vec<CompiledTarget>,
}

/// A cluster, and the requests that are balanced over it.
struct CompiledTarget {
    cluster: ClusterId,
    /// Any of these must match; every request does where there is no list.
    matches: Option<Vec<RouteMatch>>,
}

impl Plugin {
    /// Reads and compiles a configuration. The warnings come with it.
    ///
    /// # Errors
    /// Every fault of the text, ready to print.
    pub(crate) fn build(bytes: &[u8]) -> Result<(Self, Vec<String>), Vec<String>> {
        let text = configuration::read(bytes).map_err(|fault| vec![rendered(*fault, true)])?;
        let all = |findings: Vec<Diagnostic>| -> Vec<String> {
            findings
                .into_iter()
                .map(|finding| rendered(finding, text.has_positions))
                .collect()
        };
        let mut config = filter::read(&text.json).map_err(all)?;
        let warnings = std::mem::take(&mut config.warnings);
        Ok((Self::compile(config), all(warnings)))
    }

    fn compile(config: FilterConfig) -> Self {
        let snapshot = Snapshot::build(&config.model);
        let targets = compile_target(config.target, &snapshot);
        let matches = targets.iter().any(|target| target.matches.is_some());
        let trace_header = match &config.trace {
            Some(trace) => trace.header.clone(),
            None => DEFAULT_TRACE_HEADER.to_owned(),
        };
        let response_headers_to_drop = vec![
            config.output.host_header.clone(),
            config.output.cluster_header.clone(),
            trace_header,
        ];
        let mut request_headers_to_drop = response_headers_to_drop.clone();
        request_headers_to_drop.extend(config.reserved_headers);
        if let Some(trace) = &config.trace {
            request_headers_to_drop.push(trace.when.header.clone());
        }
        Self {
            snapshot,
            reads_headers: matches || !config.hash_policies.is_empty(),
            hash_policies: config.hash_policies,
            output: config.output,
            trace: config.trace,
            request_headers_to_drop,
            response_headers_to_drop,
            targets,
        }
    }

    /// The cluster that a request is balanced over, if it is balanced here at all.
    pub(crate) fn target<H: Headers>(&self, headers: &H) -> Option<ClusterId> {
        self.targets
            .iter()
            .find(|target| match &target.matches {
                Some(matches) => matches.iter().any(|m| m.matches(headers)),
                None => true,
            })
            .map(|target| target.cluster)
    }

    /// The hosts to try, best first, joined by commas; none where there is no host.
    pub(crate) fn host_list(&self, decision: &Decision) -> Option<String> {
        let candidates = decision.candidates(&self.snapshot, self.output.candidates);
        let length: usize = candidates.iter().map(|host| host.address.len() + 1).sum();
        let mut list = String::with_capacity(length);
        for host in candidates {
            if !list.is_empty() {
                list.push(',');
            }
            list.push_str(&host.address);
        }
        (!list.is_empty()).then_some(list)
    }

    /// A decision as one line of JSON.
    pub(crate) fn explain(&self, decision: &Decision, steps: Option<&[Step]>) -> String {
        let candidates = decision.candidates(&self.snapshot, self.output.candidates);
        decision::to_json(&self.snapshot, decision, &candidates, steps, None)
    }
}

/// Whether the secret of a trace is what a caller presents.
pub(crate) fn opens(trace: &TraceConfig, given: &[u8]) -> bool {
    secret::is_presented(&trace.when.value, given)
}

/// Names become numbers. A name that no cluster has was refused before.
fn compile_target(target: Target, snapshot: &Snapshot) -> Vec<CompiledTarget> {
    let compiled = |name: &str, matches| {
        let cluster = snapshot.cluster_id(name)?;
        Some(CompiledTarget { cluster, matches })
    };
    match target {
        Target::Always(name) => compiled(&name, None).into_iter().collect(),
        Target::FirstMatch(rules) => rules
            .into_iter()
            .filter_map(|rule| compiled(&rule.cluster, Some(rule.matches)))
            .collect(),
    }
}

/// A finding as one line. Positions in a text that nobody wrote would mislead.
fn rendered(mut finding: Diagnostic, has_positions: bool) -> String {
    if !has_positions {
        finding.position = None;
    }
    finding.render("configuration")
}
