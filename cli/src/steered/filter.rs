//! The Spillgate filters of a listener: the possible outcomes of a request.

use std::rc::Rc;

use spillgate_config::{
    filter::{FilterConfig, HealthSource, TargetConfig},
    steered::{SteeringConfigs, model_in},
};
use spillgate_core::{
    decide::ClusterChoice,
    model::Model,
    route::{ClusterName, HeaderList, RouteTable},
};
use spillgate_steer::{Configuration, Next, PluginInstance, RouteSettings};

use super::{
    SteeredAlternative, SteeredOutcome,
    plugin::EvaluationPlugin,
    stream::{DrawnDecision, EvaluatedStream, OwnedHeaders},
};
use crate::status::UNAVAILABLE;

/// The Spillgate filters of a listener, with the hosts of its Envoy.
#[derive(Debug, Default)]
pub struct SteeringFilters {
    /// By their numbers in the listener; `None` where one rejects its configuration.
    filters: Vec<Option<FilterConfig>>,
}

/// A request as it reaches the filters.
#[derive(Debug, Clone, Copy)]
pub struct SteeredInput<'a> {
    /// Its headers, names in lower case.
    pub headers: &'a [(String, String)],
    /// The time, in seconds since the Unix epoch.
    pub now: u64,
    /// The seed of what the filter draws.
    pub seed: u64,
}

impl SteeringFilters {
    /// The filters of a listener of an Envoy with these clusters.
    #[must_use]
    pub fn new(configs: SteeringConfigs, envoy: &Model) -> Self {
        let configured = |config: FilterConfig| FilterConfig {
            model: model_in(&config, envoy),
            // The hosts are those of a poll, so nothing is left to poll.
            health: HealthSource::Static,
            ..config
        };
        let configs = configs.configs.into_iter();
        Self {
            filters: configs.map(|config| config.map(configured)).collect(),
        }
    }

    /// The possible outcomes of a request; `None` if its route has no filter.
    #[must_use]
    pub fn run(
        &self,
        routes: &RouteTable,
        input: SteeredInput<'_>,
    ) -> Option<Vec<SteeredAlternative>> {
        let headers = HeaderList(input.headers);
        let mut numbers = routes.spillgate_filters(&headers).peekable();
        numbers.peek()?;
        let mut alternatives = vec![SteeredAlternative {
            part: 1.0,
            outcome: SteeredOutcome::Forward(input.headers.to_vec()),
        }];
        for filter in numbers.filter_map(|number| self.filter(number)) {
            let through = alternatives.into_iter().flat_map(|before| {
                let made = match before.outcome {
                    SteeredOutcome::Forward(headers) => {
                        let input = SteeredInput {
                            headers: &headers,
                            ..input
                        };
                        steered(filter, routes, input)
                    }
                    SteeredOutcome::Respond(_) => vec![SteeredAlternative {
                        part: 1.0,
                        ..before
                    }],
                };
                made.into_iter().map(move |after| SteeredAlternative {
                    part: after.part * before.part,
                    ..after
                })
            });
            alternatives = through.collect();
        }
        Some(alternatives)
    }

    fn filter(&self, number: usize) -> Option<&FilterConfig> {
        self.filters.get(number)?.as_ref()
    }

    /// One decision of the last filter on the way of a request, drawn by the seed. `None` if no filter
    /// decides.
    #[must_use]
    pub fn draw(&self, routes: &RouteTable, input: SteeredInput<'_>) -> Option<DrawnDecision> {
        let headers = HeaderList(input.headers);
        let numbers = routes.spillgate_filters(&headers);
        let filter = numbers.filter_map(|number| self.filter(number)).last()?;
        run(filter.clone(), routes, input, Draw::Decision).drawn
    }
}

/// The possible outcomes in one filter. Clusters that it chooses at random are evaluated one by one.
fn steered(
    filter: &FilterConfig,
    routes: &RouteTable,
    input: SteeredInput<'_>,
) -> Vec<SteeredAlternative> {
    let Ran {
        made, by_session, ..
    } = run(filter.clone(), routes, input, Draw::Nothing);
    let split = match &filter.target {
        TargetConfig::Weighted(split)
            if !by_session && filter.cluster_choice == ClusterChoice::Random =>
        {
            split
        }
        _ => return made,
    };
    let total = f64::from(split.total());
    let chosen = split.clusters().iter().filter(|one| one.weight > 0);
    let chosen = chosen.flat_map(|one| {
        let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
        let only = FilterConfig {
            target: TargetConfig::Always(name.clone()),
            ..filter.clone()
        };
        let made = run(only, routes, input, Draw::Nothing).made;
        made.into_iter().map(move |made| SteeredAlternative {
            part: made.part * f64::from(one.weight) / total,
            ..made
        })
    });
    chosen.collect()
}

/// The request path, run once.
struct Ran {
    made: Vec<SteeredAlternative>,
    /// Whether a session decided, so that nothing was left to chance.
    by_session: bool,
    drawn: Option<DrawnDecision>,
}

/// What is drawn beside the exact shares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draw {
    Nothing,
    Decision,
}

/// Runs the request path once.
fn run(config: FilterConfig, routes: &RouteTable, input: SteeredInput<'_>, draw: Draw) -> Ran {
    let plugin = EvaluationPlugin {
        now: input.now.saturating_mul(1_000_000_000),
        seed: input.seed,
    };
    let mut instance = PluginInstance::default();
    let accepted = Configuration::Balance(Box::new(config), Vec::new());
    instance.configure(&plugin, Ok(accepted));
    let route = routes.route_of(&HeaderList(input.headers));
    let metadata = route.map(|route| &route.metadata);
    let route = metadata.map(|of| RouteSettings::of_metadata(of.criteria.clone(), &of.settings));
    let mut stream = EvaluatedStream {
        plugin,
        request: OwnedHeaders(input.headers.to_vec()),
        route: Rc::new(route.unwrap_or_default()),
        shares: None,
        alternatives: Vec::new(),
        status: None,
        by_session: false,
        draws: draw == Draw::Decision,
        drawn: None,
    };
    let next = instance.request().on_request_headers(&mut stream);
    let certain = |outcome| vec![SteeredAlternative { part: 1.0, outcome }];
    let made = match next {
        Next::Responded => certain(SteeredOutcome::Respond(
            stream.status.unwrap_or(UNAVAILABLE),
        )),
        Next::Forward if stream.alternatives.is_empty() => {
            certain(SteeredOutcome::Forward(stream.request.0))
        }
        Next::Forward => stream.alternatives,
    };
    Ran {
        made,
        by_session: stream.by_session,
        drawn: stream.drawn,
    }
}
