//! Requests stay in their subset.

use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    model::{
        ClusterKind, Endpoint, Metadata, Model, PlainCluster, SelectorFallback, SubsetConfig,
        SubsetSelector,
    },
    route::HeaderList,
    snapshot::Snapshot,
    trace::NoTrace,
};
use spillgate_testkit::{
    amount, every_case, figure,
    models::{Dice, pair},
};

use super::{EXTENT, SHORT, criteria};

/// Requests of each cluster and criteria.
const REQUESTS: u64 = 20;

fn carries(endpoint: &Endpoint, wanted: &Metadata) -> bool {
    let mut fields = wanted.fields().iter();
    fields.all(|field| endpoint.metadata.get(&field.key) == Some(&field.value))
}

/// Criteria for the keys of a selector with the values of a host, or random ones.
fn wanted(plain: &PlainCluster, dice: &mut Dice) -> Metadata {
    let hosts: Vec<&Endpoint> = plain
        .priorities
        .iter()
        .flat_map(|of| &of.endpoints)
        .collect();
    let selectors = plain.subsets.iter().flat_map(|config| &config.selectors);
    let selectors: Vec<_> = selectors.collect();
    if hosts.is_empty() || selectors.is_empty() || dice.chance(20) {
        return criteria(dice);
    }
    let (host, selector) = (dice.one(&hosts), dice.one(&selectors));
    let values = selector
        .keys()
        .iter()
        .map(|key| Some((key.clone(), host.metadata.get(key)?.clone())));
    let values: Option<Vec<_>> = values.collect();
    values.map_or_else(|| criteria(dice), Metadata::new)
}

/// The rule for hosts that a request may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Only hosts with all values of the criteria.
    Subset,
    /// None.
    Nothing,
    /// The settings are not in this simple form.
    Open,
}

/// A second implementation for criteria that have exactly the keys of a selector, host by host.
fn rule(plain: &PlainCluster, config: &SubsetConfig, criteria: &Metadata) -> Rule {
    let keys = || criteria.fields().iter().map(|field| &field.key);
    let mut selectors: Vec<_> = config.selectors.iter().collect();
    if config.allow_redundant_keys {
        selectors.sort_by_key(|selector| std::cmp::Reverse(selector.keys().len()));
    }
    let mut selectors = selectors.into_iter();
    // Envoy loses the fallback policy of a selector if an earlier one begins with its keys
    // (SubsetLoadBalancer::initSubsetSelectorMap).
    let begins =
        |selector: &&SubsetSelector| selector.keys().iter().take(keys().count()).eq(keys());
    let selector = selectors.find(begins);
    let is_own = |selector: &&SubsetSelector| selector.keys().len() == keys().count();
    let Some(selector) = selector.filter(is_own).filter(|_| {
        !(criteria.fields().is_empty()
            || config.fallback_list
            || config.panic_mode_any
            || config.list_as_any)
    }) else {
        return Rule::Open;
    };
    let mut hosts = plain.priorities.iter().flat_map(|of| &of.endpoints);
    match (
        hosts.any(|host| carries(host, criteria)),
        selector.fallback(),
    ) {
        (true, _) => Rule::Subset,
        (false, SelectorFallback::NoFallback) => Rule::Nothing,
        (false, _) => Rule::Open,
    }
}

#[test]
fn no_pick_is_outside_of_the_subset() {
    let count = amount(SHORT, 30_000_000);
    let checked = every_case(count.div_ceil(4 * REQUESTS), |number| {
        let mut dice = Dice::of(4, number);
        let model = pair(&mut dice, 0, EXTENT);
        checked(&model, &mut dice)
    });
    assert!(checked > count / 20, "{checked}");
    figure(format_args!("{checked} picks within a subset"));
}

/// Requests with random criteria to the plain clusters; how many had a rule.
fn checked(model: &Model, dice: &mut Dice) -> u64 {
    const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let snapshot = Snapshot::build(model);
    let mut draw = SplitMix64::new(dice.bits());
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let mut checked = 0;
    for ((cluster, _), of) in snapshot.clusters().zip(model.clusters()) {
        let ClusterKind::Plain(plain) = &of.kind else {
            continue;
        };
        for _ in 0..4 {
            let criteria = wanted(plain, dice);
            let rule = match &plain.subsets {
                Some(config) => rule(plain, config, &criteria),
                None => Rule::Open,
            };
            if rule == Rule::Open {
                continue;
            }
            let request = Request {
                criteria: &criteria,
                ..Request::new(cluster, &NO_HEADERS)
            };
            for _ in 0..REQUESTS {
                let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
                if let Some(host) = decision.host_ref() {
                    let endpoint = &plain.priorities[host.priority].endpoints[host.host];
                    assert!(
                        rule == Rule::Subset && carries(endpoint, &criteria),
                        "{rule:?} {criteria}: {endpoint:?} of {plain:#?}"
                    );
                }
                checked += 1;
            }
        }
    }
    checked
}
