//! The dump of an Envoy that runs our filter: what the commands answer from it is what that Envoy does.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use spillgate_answers::{
    pick::{Answerer, PickOutput, PickRequest},
    split::split,
    steered::SteeringFilters,
};
use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_config::steered::{effective_model, envoy_model, steering_configs};
use spillgate_core::model::Metadata;
use spillgate_core::snapshot::Snapshot;
use spillgate_e2e::Workdir;
use spillgate_e2e::config::KEY_HEADER;
use spillgate_e2e::shop::Shop;

const USERS: usize = 200;

#[rstest]
fn each_user_gets_the_host_that_the_dump_leads_to(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("steered_dump", form)?;
    let mut shop = Shop::open(&workdir, "hhhhhhhhhh", "hhhhh")?;
    let config = dumped(&shop)?;
    let mut right = 0;
    each_answer(&config, |user, answer| {
        let visit = shop.visit(user, &[])?;
        let PickOutput::Determined { cluster, outcome } = answer else {
            anyhow::bail!("{user}: {answer:?}");
        };
        ensure!(
            outcome.endpoint == visit.host,
            "{user}: {outcome:?}, not {}",
            visit.host
        );
        ensure!(
            cluster == "primary" && outcome.owner == "primary",
            "{outcome:?}"
        );
        right += 1;
        Ok(())
    })?;
    ensure!(right == USERS, "{right}");
    Ok(())
}

#[rstest]
fn the_members_of_an_aggregate_that_the_filter_computes_have_their_shares(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("steered_split", form)?;
    let mut shop = Shop::open(&workdir, "hhhhhuuuuu", "hhhhh")?;
    let config = dumped(&shop)?;
    let served = effective_model(&config).context("a filter")?;
    let shown = split(&served.model, &["shop".to_owned()], &Metadata::EMPTY)
        .map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
    let members: Vec<(&str, f64)> = shown
        .clusters
        .iter()
        .flat_map(|cluster| &cluster.members)
        .map(|member| (member.cluster.as_str(), member.share))
        .collect();
    ensure!(
        members == [("primary", 70.0), ("secondary", 30.0)],
        "{members:?}"
    );
    each_answer(&config, |user, answer| {
        let visit = shop.visit(user, &[])?;
        let PickOutput::Random { distribution, .. } = answer else {
            anyhow::bail!("{user}: {answer:?}");
        };
        let shares: Vec<f64> = distribution.iter().map(|outcome| outcome.share).collect();
        ensure!(shares == [70.0, 30.0], "{user}: {distribution:?}");
        let known = distribution
            .iter()
            .any(|outcome| outcome.endpoint == visit.host);
        ensure!(known, "{user}: {} is not in {distribution:?}", visit.host);
        Ok(())
    })
}

fn dumped(shop: &Shop<'_>) -> Result<EnvoyConfig> {
    let dump = shop.envoy.admin("/config_dump?include_eds")?;
    read(&dump, Format::Json).map_err(|faults| anyhow::anyhow!("{faults:?}"))
}

/// Answers a request of each user from the configuration.
fn each_answer(
    config: &EnvoyConfig,
    mut check: impl FnMut(&str, PickOutput) -> Result<()>,
) -> Result<()> {
    let mut listeners = config.listeners.iter();
    let listener = listeners
        .find(|listener| listener.name == "service")
        .context("the listener with the filter")?;
    let configs = steering_configs(listener);
    ensure!(configs.warnings.is_empty(), "{:?}", configs.warnings);
    let model = envoy_model(config);
    let snapshot = Snapshot::build(&model);
    let filters = SteeringFilters::new(configs, &model);
    let mut answerer = Answerer::new(&snapshot, &listener.routes).steered_by(filters);
    for number in 0..USERS {
        let user = format!("user-{number}");
        let headers = [
            (":method", "GET"),
            (":authority", "shop.example"),
            (":path", "/"),
            (KEY_HEADER, user.as_str()),
        ];
        let request = PickRequest {
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..PickRequest::plain()
        };
        check(&user, answerer.answer(&request))?;
    }
    Ok(())
}
