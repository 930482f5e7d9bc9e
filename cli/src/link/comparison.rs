//! The link that compares two configurations in the playground.

use spillgate_answers::{input::Faults, names::unknown_cluster};
use spillgate_codec::link::{
    ComparisonGaps, Disclosure, Scenario, SharedPair, left_out, old_side_setting, proposed,
    with_view, write,
};
use spillgate_core::model::{FallbackChain, LocalInfo, Model};
use spillgate_diff::one_sided;

use super::encoded_link::{EncodedLink, not_shown, too_long};
use crate::sides::Side;

/// The link that opens a comparison, with the selected cluster or the worst one.
///
/// # Errors
/// An unknown cluster, a side that the playground cannot show, or a link that it refuses.
pub(crate) fn comparison_link(
    old: &Side,
    new: &Side,
    cluster: Option<&str>,
    disclosure: Disclosure,
) -> Result<EncodedLink, Faults> {
    let mut faults = Faults::default();
    let mut scenario_of = |side: &Side| -> Option<Scenario> {
        let clusters = side.model.clusters();
        let found = Scenario::new(clusters.to_vec(), proposed(clusters));
        found
            .map_err(|error| faults.extend(Faults::one(&side.config, &not_shown(&error))))
            .ok()
    };
    let scenarios = (scenario_of(old), scenario_of(new));
    if let Some(name) = cluster
        && [old, new]
            .iter()
            .all(|side| side.model.cluster(name).is_none())
    {
        let fault = unknown_cluster("link/unknown-cluster", name, &new.model);
        faults.extend(Faults::one(&new.config, &fault));
    }
    let ((Some(before), Some(after)), true) = (scenarios, faults.is_empty()) else {
        return Err(faults);
    };
    let dropped = dropped(old, &before, new, &after);
    let limits = (old.limits(), new.limits());
    let limits = one_sided(&limits.0, &limits.1, |limit| limit);
    let gaps = ComparisonGaps {
        dropped: dropped.iter().map(|name| String::from(*name)).collect(),
        unknown_old: unknown(old),
        unknown_new: unknown(new),
        open_limits: limits.new.len() + limits.gone.len(),
        missing_clusters: 0,
        generated_addresses: disclosure != Disclosure::Addresses,
    };
    let shared = SharedPair::new(&before, &after, disclosure);
    let shown = cluster.map(|name| shared.new.text(name).into_owned());
    let mut view = vec![("screen".to_owned(), "compare".to_owned())];
    view.extend(shown.clone().map(|name| ("compare".to_owned(), name)));
    view.push(old_side_setting(&shared.old, &gaps));
    let scenario = &shared.new.scenario;
    let fragment = with_view(write(scenario), &view);
    if let Some(fault) = too_long(&fragment) {
        return Err(Faults::one(&new.config, &fault));
    }
    Ok(EncodedLink {
        fragment,
        cluster: shown.unwrap_or_else(|| scenario.name(scenario.root()).to_owned()),
        left_out: dropped,
    })
}

/// The settings of either side that the link drops.
fn dropped(old: &Side, before: &Scenario, new: &Side, after: &Scenario) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (scenario, model) in [(before, &old.model), (after, &new.model)] {
        for name in left_out(scenario).into_iter().chain(of_model(model)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What a model has beyond its clusters.
fn of_model(model: &Model) -> impl Iterator<Item = &'static str> {
    let own = [
        (
            "the proxy's own locality and cluster",
            *model.local() != LocalInfo::default(),
        ),
        ("subset_chain", *model.chain() != FallbackChain::default()),
    ];
    own.into_iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
}

/// The places of the clusters whose hosts are not known.
fn unknown(side: &Side) -> Vec<usize> {
    let clusters = side.model.clusters().iter().enumerate();
    let unknown = clusters.filter(|(_, cluster)| side.sources.unknown.contains_key(&cluster.name));
    unknown.map(|(at, _)| at).collect()
}
