//! Filters whose decisions do not reach Envoy's load balancer: the prediction from the dump is what that
//! Envoy does.

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_answers::{
    pick::{Answerer, PickOutput, PickRequest},
    steered::SteeringFilters,
};
use spillgate_config::envoy::{Format, read};
use spillgate_config::filter::FilterForm::{DynamicModule, Wasm};
use spillgate_config::steered::{envoy_model, steering_configs};
use spillgate_core::model::{Cluster, Policy};
use spillgate_core::snapshot::Snapshot;
use spillgate_e2e::config::{
    Bootstrap, SAW_TOO_MUCH, assignment, http_listener, isolated, our_filters, plain, priority,
    to_chosen_cluster, to_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, Workdir, figure};

/// Requests to each Envoy.
const REQUESTS: u32 = 300;
/// Four standard deviations of a share of one half.
const TOLERANCE: f64 = 0.12;

#[test]
fn a_list_that_nothing_reads_is_503_for_all() -> Result<()> {
    let (refused, predicted) = refused("wiring_unread", Wasm, &["a"], |site| {
        site.filters = 1;
        to_cluster("/", "a")
    })?;
    ensure!((refused, predicted) == (1.0, 1.0), "{refused} {predicted}");
    Ok(())
}

#[test]
fn a_weighted_route_in_front_of_the_wasm_filter_draws_again() -> Result<()> {
    let (refused, predicted) = refused("wiring_weighted", Wasm, &["a", "b"], |_| weighted(2))?;
    ensure!((predicted - 0.5).abs() < 1e-9, "{predicted}");
    ensure!((refused - predicted).abs() < TOLERANCE, "{refused}");
    Ok(())
}

#[test]
fn a_weighted_route_takes_another_cluster_if_the_module_asks_again() -> Result<()> {
    let (of_two, predicted) = refused("wiring_module_two", DynamicModule, &["a", "b"], |_| {
        weighted(2)
    })?;
    ensure!((of_two, predicted) == (0.0, 0.0), "{of_two} {predicted}");
    let names = ["a", "b", "c"];
    let (of_three, predicted) = refused("wiring_module_three", DynamicModule, &names, |_| {
        weighted(3)
    })?;
    ensure!(predicted > 0.2, "{predicted}");
    ensure!(
        (of_three - predicted).abs() < TOLERANCE,
        "{of_three}, not {predicted}"
    );
    figure(format_args!(
        "{:.0} % of the requests refused with three clusters, {:.0} % predicted",
        100.0 * of_three,
        100.0 * predicted
    ));
    Ok(())
}

/// A cluster without the module's policy has no hosts for its filter.
#[test]
fn the_module_refuses_or_passes_what_lacks_its_policy() -> Result<()> {
    let (passed, predicted) = refused("wiring_bare_passed", DynamicModule, &["a", "b"], |site| {
        site.bare = Some("b");
        to_chosen_cluster(DynamicModule)
    })?;
    ensure!((passed, predicted) == (0.0, 0.0), "{passed} {predicted}");
    let (of_half, predicted) =
        refused("wiring_bare_refused", DynamicModule, &["a", "b"], |site| {
            site.bare = Some("b");
            site.configuration["health"] =
                json!({"source": "admin", "cluster": "admin", "on_unknown": "refuse"});
            to_chosen_cluster(DynamicModule)
        })?;
    ensure!((predicted - 0.5).abs() < 1e-9, "{predicted}");
    ensure!((of_half - predicted).abs() < TOLERANCE, "{of_half}");
    Ok(())
}

/// What a fault can change.
struct Site {
    /// How many of our filters there are.
    filters: usize,
    /// The configuration of the filter.
    configuration: Value,
    /// A cluster with a policy of Envoy.
    bare: Option<&'static str>,
}

/// Equal weights for the first clusters.
fn weighted(count: usize) -> Value {
    let clusters: Vec<Value> = ["a", "b", "c"]
        .iter()
        .take(count)
        .map(|name| json!({"name": name, "weight": 1}))
        .collect();
    json!({"match": {"prefix": "/"}, "route": {"weighted_clusters": {"clusters": clusters}}})
}

/// The part of the requests that get 503, and the predicted part. The filter has equal weights.
fn refused(
    name: &str,
    form: spillgate_config::filter::FilterForm,
    names: &[&str],
    route: impl FnOnce(&mut Site) -> Value,
) -> Result<(f64, f64)> {
    let workdir = Workdir::in_form(name, form)?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let clusters: Vec<Cluster> = (0..)
        .zip(names)
        .map(|(number, name)| {
            let hosts = priority(&format!("127.0.{}", 40 + number), port.number(), "hh")?;
            Ok(plain(name, Policy::RoundRobin, vec![hosts]))
        })
        .collect::<Result<_>>()?;
    let own: Vec<Value> = clusters
        .iter()
        .map(|cluster| {
            Ok(match form {
                Wasm => json!({"name": cluster.name, "load_assignment": assignment(cluster)?}),
                DynamicModule => json!({"name": cluster.name}),
            })
        })
        .collect::<Result<_>>()?;
    let target: Vec<Value> = names
        .iter()
        .map(|name| json!({"cluster": name, "weight": 1}))
        .collect();
    let configuration = json!({"clusters": own, "weighted": target});
    let mut site = Site {
        filters: usize::MAX,
        configuration,
        bare: None,
    };
    let route = route(&mut site);
    let mut filters = our_filters(form, &site.configuration)?;
    filters.truncate(site.filters);
    let listener = http_listener("service", service.number(), &[route], filters);
    let mut bootstrap = Bootstrap::new().listener(listener);
    for cluster in &clusters {
        let mut message = isolated(form, cluster)?;
        if let (Some(name), Some(fields)) = (site.bare, message.as_object_mut())
            && cluster.name == name
        {
            fields.remove("load_balancing_policy");
        }
        bootstrap = bootstrap.cluster(message).hosts_of(cluster);
    }
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let mut client = Client::new(service.local());
    let mut refused = 0;
    for _ in 0..REQUESTS {
        let answer = client.get("/", &[])?;
        // Without the route's own removal, hosts see the filter's cluster header.
        let expected = [200, SAW_TOO_MUCH, 503];
        ensure!(expected.contains(&answer.status), "{}", answer.status);
        refused += u32::from(answer.status == 503);
    }
    let part = f64::from(refused) / f64::from(REQUESTS);
    Ok((part, predicted(&envoy)?))
}

/// The predicted part of the requests without a host.
fn predicted(envoy: &Envoy) -> Result<f64> {
    let dump = envoy.admin("/config_dump?include_eds")?;
    let config = read(&dump, Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
    let mut listeners = config.listeners.iter();
    let listener = listeners
        .find(|listener| listener.name == "service")
        .context("the listener with the filter")?;
    let model = envoy_model(&config);
    let snapshot = Snapshot::build(&model);
    let filters = SteeringFilters::new(steering_configs(listener), &model);
    let mut answerer = Answerer::new(&snapshot, &listener.routes).steered_by(filters);
    let headers = [(":method", "GET"), (":authority", "a"), (":path", "/")];
    let answer = answerer.answer(&PickRequest {
        headers: headers
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..PickRequest::plain()
    });
    Ok(match answer {
        PickOutput::Determined { .. } => 0.0,
        PickOutput::Random { no_host, .. } => no_host / 100.0,
        PickOutput::NoHost { .. } => 1.0,
        PickOutput::Unknown { why, .. } => return Err(anyhow!("unknown: {why}")),
    })
}
