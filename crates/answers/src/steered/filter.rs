//! The Spillgate filters of a listener: the possible outcomes of a request.

use spillgate_config::{
    filter::{FilterConfig, FilterForm, HealthSource},
    steered::{SteeringConfigs, model_in},
};
use spillgate_core::{
    model::Model,
    route::{HeaderList, Headers, ReceivedRequest, RouteTable},
};

use super::{
    DrawnResult, SteeredAlternative, SteeredInput, SteeredOutcome, compiled::CompiledFilter,
};

/// The Spillgate filters of a listener, with the hosts of its Envoy.
#[derive(Debug, Default)]
pub struct SteeringFilters {
    /// By their numbers in the listener; `None` for a filter that rejects its configuration.
    filters: Vec<Option<CompiledFilter>>,
}

impl SteeringFilters {
    /// The filters of a listener of an Envoy with these clusters.
    #[must_use]
    pub fn new(configs: SteeringConfigs, envoy: &Model) -> Self {
        let configured = |(config, unknown): (Option<FilterConfig>, Vec<String>)| {
            let config = config?;
            let (form, health) = match &config.health {
                HealthSource::Envoy { .. } => (FilterForm::DynamicModule, config.health.clone()),
                HealthSource::Static => (FilterForm::Wasm, HealthSource::Static),
                // The model has Envoy's hosts already.
                HealthSource::Admin(admin) => {
                    let on_unknown = admin.on_unknown;
                    (FilterForm::Wasm, HealthSource::Envoy { on_unknown })
                }
            };
            let config = FilterConfig {
                model: model_in(&config, envoy, &unknown),
                health,
                ..config
            };
            Some(CompiledFilter::new(config, form, unknown))
        };
        let configs = configs.configs.into_iter().zip(configs.unknown);
        Self {
            filters: configs.map(configured).collect(),
        }
    }

    /// Whether the listener has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty()
    }

    /// The possible outcomes of a request; `None` if its route has no Spillgate filter.
    #[must_use]
    pub fn run(
        &self,
        routes: &RouteTable,
        input: SteeredInput<'_>,
    ) -> Option<Vec<SteeredAlternative>> {
        let received = input.received();
        let mut numbers = routes.spillgate_filters(&received).peekable();
        numbers.peek()?;
        let mut alternatives = vec![SteeredAlternative {
            part: 1.0,
            outcome: SteeredOutcome::Forward(input.headers.0.to_vec()),
        }];
        for filter in numbers.filter_map(|number| self.filter(number)) {
            let through = alternatives.into_iter().flat_map(|before| {
                let made = match before.outcome {
                    SteeredOutcome::Forward(headers) => {
                        let input = SteeredInput {
                            headers: HeaderList(&headers),
                            ..input
                        };
                        filter.outcomes(routes, input)
                    }
                    SteeredOutcome::Respond(_) | SteeredOutcome::Unknown(_) => {
                        vec![SteeredAlternative {
                            part: 1.0,
                            ..before
                        }]
                    }
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

    /// The result of the last filter that the request passes, drawn by the seed. `None` if it passes no
    /// filter.
    #[must_use]
    pub fn draw(&self, routes: &RouteTable, input: SteeredInput<'_>) -> Option<DrawnResult> {
        let received = input.received();
        let numbers = routes.spillgate_filters(&received);
        let filter = numbers.filter_map(|number| self.filter(number)).last()?;
        filter.draw(routes, input)
    }

    /// The header with the session token of a request, and the cookie in it; `None` if no filter has
    /// sessions. Of several filters, the last one takes precedence.
    #[must_use]
    pub fn session_carrier<H: Headers>(
        &self,
        routes: &RouteTable,
        received: &ReceivedRequest<'_, H>,
    ) -> Option<(String, Option<String>)> {
        let numbers = routes.spillgate_filters(received);
        let carriers = numbers.filter_map(|number| self.filter(number)?.session_carrier());
        carriers.last()
    }

    fn filter(&self, number: usize) -> Option<&CompiledFilter> {
        self.filters.get(number)?.as_ref()
    }
}
