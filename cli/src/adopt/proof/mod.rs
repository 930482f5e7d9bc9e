//! Compares the old configuration with the new one: errors of lint, then requests.
//!
//! The requests are those that the configuration can tell apart. Each is answered by both configurations,
//! as given and with hosts lost.

mod answers;
mod findings;
mod losses;
mod requests;

use spillgate_adopt::Adopted;
use spillgate_config::{
    NamedText, envoy::ListenerConfig, filter::FilterConfig, steered::steering_configs,
};
use spillgate_core::{model::Model, snapshot::Snapshot};

use self::{
    answers::{Comparison, part_of},
    losses::{Loss, losses},
    requests::{Asked, requests},
};
use crate::{
    clock::present,
    config::{Config, read_for_lint},
    inputs::Inputs,
};
use spillgate_answers::{
    input::Faults, pick::Answerer, steered::SteeringFilters, unknown::UnknownClusters,
};

/// Requests to compare at most, over all losses.
const MOST_ANSWERS: usize = 4000;

/// Lines to print at most.
const MOST_LINES: usize = 20;

/// What differs, one line each.
///
/// # Errors
/// The errors that lint finds in the new configuration only.
pub(super) fn compare(
    old: &[NamedText],
    new: &[NamedText],
    adopted: &Adopted,
) -> Result<Vec<String>, Faults> {
    let (before, after) = (read(old)?, read(new)?);
    findings::check(&before, &after)?;
    let mut comparison = Comparison::new(adopted.fallback);
    comparison.not_compared.extend(unknown_filters(&before));
    let chains = before.envoy.listeners.iter().zip(&after.envoy.listeners);
    let steered = |(old, new): &(&ListenerConfig, &ListenerConfig)| {
        old.spillgate.is_empty() && !new.spillgate.is_empty()
    };
    for (old, new) in chains.filter(steered) {
        let configs = steering_configs(new).configs;
        let Some(config) = configs.iter().flatten().next() else {
            continue;
        };
        chain(
            &mut comparison,
            (&before, old),
            (&after, new),
            config,
            &adopted.clusters,
        );
    }
    Ok(comparison.lines(MOST_LINES))
}

/// The HTTP filters whose effect on requests is not known.
fn unknown_filters(config: &Config) -> impl Iterator<Item = String> {
    let limits = config.envoy.limits();
    let of_filters = limits.filter(|limit| limit.path.contains(".http_filters["));
    of_filters.map(|limit| limit.message.clone())
}

/// Compares the requests of a filter chain.
fn chain(
    comparison: &mut Comparison,
    (before, old): (&Config, &ListenerConfig),
    (after, new): (&Config, &ListenerConfig),
    config: &FilterConfig,
    clusters: &[String],
) {
    let model = &before.envoy.model;
    let (asked, unreached) = requests(&old.routes, model, config);
    comparison.not_compared.extend(unreached);
    let losses = losses(model, clusters);
    let most = MOST_ANSWERS / asked.len().max(1);
    if losses.len() > most {
        let more = losses.len() - most;
        comparison
            .not_compared
            .insert(format!("{more} more losses of hosts: too many to compare"));
    }
    for loss in losses.iter().take(most.max(1)) {
        let was = answers(before, old, loss, &asked);
        let is = answers(after, new, loss, &asked);
        for ((asked, was), is) in asked.iter().zip(&was).zip(&is) {
            comparison.add(&asked.name, loss, was, is);
        }
    }
}

/// The answers of a configuration after a loss.
fn answers(
    config: &Config,
    chain: &ListenerConfig,
    loss: &Loss,
    asked: &[Asked],
) -> Vec<answers::Parts> {
    let model: Model = loss.of(&config.envoy.model);
    let snapshot = Snapshot::build(&model);
    let filters = SteeringFilters::new(steering_configs(chain), &model);
    let mut answerer = Answerer::new(&snapshot, &chain.routes)
        .at(present())
        .without_hosts_of(UnknownClusters::of(&config.envoy))
        .steered_by(filters);
    let parts = asked
        .iter()
        .map(|asked| part_of(answerer.answer(&asked.request)));
    parts.collect()
}

fn read(texts: &[NamedText]) -> Result<Config, Faults> {
    Inputs::of(texts.iter().cloned())
        .and_then(Inputs::envoy)
        .and_then(read_for_lint)
}
