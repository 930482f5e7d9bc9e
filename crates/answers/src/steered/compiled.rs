//! A filter configuration, compiled once for all requests of a list.

use std::{cell::OnceCell, fmt, rc::Rc};

use spillgate_config::filter::{Carrier, FilterConfig, FilterForm, TargetConfig};
use spillgate_core::{
    decide::ClusterChoice,
    route::{ClusterName, Route, RouteAction, RouteTable, RouteTarget, WeightedClusters},
};
use spillgate_steer::{Configuration, Next, PluginInstance, RouteSettings, port::RouteEnd};

use super::{
    DrawnResult, SteeredAlternative, SteeredInput, SteeredOutcome,
    alternative::ListedAlternative,
    headers::OwnedHeaders,
    later::LaterHosts,
    output::EvaluatedOutput,
    plugin::EvaluationPlugin,
    retry::fitting,
    stream::{DrawnDecision, EvaluatedStream},
};
use crate::status::UNAVAILABLE;

/// A filter that is ready for requests.
pub(super) struct CompiledFilter {
    /// The configuration, with the hosts of its Envoy.
    config: FilterConfig,
    /// The clusters whose hosts it does not know.
    unknown: Vec<String>,
    /// How its choices reach Envoy.
    output: EvaluatedOutput,
    /// The compiled configuration.
    instance: PluginInstance,
    /// The filter with each cluster of its weighted target as the only target; compiled when the
    /// first request needs it.
    members: OnceCell<Vec<WeightedMember>>,
}

/// The filter with one cluster of its weighted target.
struct WeightedMember {
    /// The part of the requests, above 0 and at most 1.
    part: f64,
    instance: PluginInstance,
}

/// The result of one run of the request path.
struct RequestRun {
    /// The possible outcomes.
    alternatives: Vec<ListedAlternative>,
    /// Whether a session decided, so that nothing was random.
    by_session: bool,
    /// The drawn decision, if requested.
    drawn: Option<DrawnDecision>,
    /// The hosts of later attempts.
    later: LaterHosts,
}

/// Whether a run also draws one decision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draw {
    Nothing,
    Decision,
}

impl CompiledFilter {
    /// Compiles a configuration. The hosts of the `unknown` clusters are not known to the filter.
    pub(super) fn new(config: FilterConfig, form: FilterForm, unknown: Vec<String>) -> Self {
        Self {
            output: EvaluatedOutput::new(form, &config.output),
            instance: compiled(config.clone(), &unknown),
            config,
            unknown,
            members: OnceCell::new(),
        }
    }

    /// The header with the session token, and the cookie in it; `None` without sessions.
    pub(super) fn session_carrier(&self) -> Option<(String, Option<String>)> {
        Some(match &self.config.affinity.as_ref()?.carrier {
            Carrier::Cookie(carrier) => {
                let name = carrier.cookie.name().to_owned();
                ("cookie".to_owned(), Some(name))
            }
            Carrier::Header(name) | Carrier::Envelope(name) => (name.clone(), None),
        })
    }

    /// The number of attempts in the first cluster, if this is a later one that can go to another cluster.
    fn left_after(&self, route: Option<&Route>, input: SteeredInput<'_>) -> Option<usize> {
        let attempts = self.config.output.attempts_per_cluster?;
        let asks_again = match route.map(|route| &route.action) {
            Some(RouteAction::Forward(forward)) => {
                matches!(forward.target, RouteTarget::Chosen(_)) && forward.retry.refreshes_cluster
            }
            _ => false,
        };
        let leaves = self.output.names_both() || asks_again;
        (leaves && input.attempts() >= attempts).then_some(attempts)
    }

    /// The possible outcomes of a request. Clusters that the filter chooses at random are evaluated
    /// one by one.
    pub(super) fn outcomes(
        &self,
        routes: &RouteTable,
        input: SteeredInput<'_>,
    ) -> Vec<SteeredAlternative> {
        let first = self.run(
            &self.instance,
            routes,
            (input, Draw::Nothing),
            LaterHosts::default(),
        );
        let split = match &self.config.target {
            TargetConfig::Weighted(split)
                if !first.by_session && self.config.cluster_choice == ClusterChoice::Random =>
            {
                split
            }
            _ => return self.fitting(first.alternatives, routes, input),
        };
        let members = self.members.get_or_init(|| self.compile_members(split));
        let outcomes = members.iter().flat_map(|member| {
            let made = self
                .run(
                    &member.instance,
                    routes,
                    (input, Draw::Nothing),
                    first.later.clone(),
                )
                .alternatives;
            made.into_iter().map(move |mut made| {
                made.alternative.part *= member.part;
                made
            })
        });
        self.fitting(outcomes.collect(), routes, input)
    }

    /// Those outcomes that fit the hosts of earlier attempts.
    fn fitting(
        &self,
        alternatives: Vec<ListedAlternative>,
        routes: &RouteTable,
        input: SteeredInput<'_>,
    ) -> Vec<SteeredAlternative> {
        let left_after = self.left_after(routes.route_of(&input.received()), input);
        fitting(alternatives, self.output.hosts(), left_after, input)
    }

    /// One result, drawn by the seed.
    pub(super) fn draw(&self, routes: &RouteTable, input: SteeredInput<'_>) -> Option<DrawnResult> {
        let run = self.run(
            &self.instance,
            routes,
            (input, Draw::Decision),
            LaterHosts::default(),
        );
        if let Some(drawn) = run.drawn {
            return Some(DrawnResult::Decision(drawn));
        }
        let outcome = run.alternatives.into_iter().next()?.alternative.outcome;
        Some(DrawnResult::Undecided(outcome))
    }

    /// Runs the request path once, in a new worker: rows of a list do not depend on each other. `later`: the
    /// hosts of later attempts, if they are known.
    fn run(
        &self,
        instance: &PluginInstance,
        routes: &RouteTable,
        (input, draw): (SteeredInput<'_>, Draw),
        later: LaterHosts,
    ) -> RequestRun {
        let plugin = EvaluationPlugin {
            now: input.now.saturating_mul(1_000_000_000),
            seed: input.seed,
        };
        let received = input.received();
        let route = routes.route_of(&received);
        let metadata = route.map(|route| &route.metadata);
        let left_after = self.left_after(route, input);
        let route_end = match route.map(|route| &route.action) {
            None | Some(RouteAction::Respond { .. }) => RouteEnd::Proxy,
            Some(_) => RouteEnd::Host,
        };
        let route =
            metadata.map(|of| RouteSettings::of_metadata(of.criteria.clone(), &of.settings));
        let mut stream = EvaluatedStream {
            plugin,
            request: OwnedHeaders(input.headers.0.to_vec()),
            route_end,
            route: Rc::new(route.unwrap_or_default()),
            shares: None,
            later,
            left_after,
            delivered: None,
            alternatives: Vec::new(),
            status: None,
            by_session: false,
            retries: input.attempts() > 0,
            first: input.tried.first().cloned(),
            hashes: false,
            output: self.output.clone(),
            draws: draw == Draw::Decision,
            drawn: None,
        };
        let next = instance
            .isolated_request(&plugin)
            .on_request_headers(&mut stream);
        let (first, next_host) = stream.delivered.take().unwrap_or_default();
        let certain = |outcome| {
            vec![ListedAlternative {
                alternative: SteeredAlternative { part: 1.0, outcome },
                first: first.clone(),
                next: next_host.clone(),
            }]
        };
        let alternatives = match next {
            Next::Responded => certain(SteeredOutcome::Respond(
                stream.status.unwrap_or(UNAVAILABLE),
            )),
            Next::Forward if stream.alternatives.is_empty() => {
                certain(SteeredOutcome::Forward(stream.request.0))
            }
            Next::Forward => stream.alternatives,
        };
        RequestRun {
            alternatives,
            by_session: stream.by_session,
            drawn: stream.drawn,
            later: stream.later,
        }
    }

    /// Compiles the filter for each cluster of its weighted target.
    fn compile_members(&self, split: &WeightedClusters) -> Vec<WeightedMember> {
        let total = f64::from(split.total());
        let chosen = split.clusters().iter().filter(|one| one.weight > 0);
        let members = chosen.map(|one| {
            let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
            WeightedMember {
                part: f64::from(one.weight) / total,
                instance: compiled(
                    FilterConfig {
                        target: TargetConfig::Always(name.clone()),
                        ..self.config.clone()
                    },
                    &self.unknown,
                ),
            }
        });
        members.collect()
    }
}

impl fmt::Debug for CompiledFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledFilter")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// Compiles a configuration for the request path. The hosts of the `unknown` clusters are not known.
fn compiled(config: FilterConfig, unknown: &[String]) -> PluginInstance {
    // Each request gets a worker of its own, with the time and the seed of the request.
    let plugin = EvaluationPlugin { now: 0, seed: 0 };
    let mut instance = PluginInstance::default();
    let accepted = Configuration::Balance(Box::new(config), Vec::new());
    instance.configure(&plugin, Ok(accepted));
    if !unknown.is_empty() {
        instance.set_unknown(unknown);
    }
    instance
}
