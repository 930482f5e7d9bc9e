//! What the playground and the command line write for Envoy, Envoy accepts: the playground's presets, the shipped
//! configurations and random models.

use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_config::Diagnostic;
use spillgate_config::envoy::{Format, ListenerConfig, ReadOptions, read_with};
use spillgate_config::filter::FilterForm;
use spillgate_config::write::Written;
use spillgate_core::model::{MaglevConfig, Model, Policy};
use spillgate_e2e::config::{
    Bootstrap, KEY_HEADER, SERVED_HEADER, hash_policy, http_listener, native, our_filters, plain,
    priority, to_cluster, to_cluster_by_header,
};
use spillgate_e2e::{
    Client, Envoy, Port, ReferenceEngine, Workdir, documents, refusal, sessions, spillgate,
};
use spillgate_export::{ExportSource, FileFormat, ScenarioQuestion, write_file};
use spillgate_scenario::{PRESETS, preset};
use spillgate_testkit::models::{Dice, Extent, listeners, model};
use spillgate_testkit::repository;

/// How many random models Envoy sees, half of them as YAML and half as JSON.
const MODELS: u64 = 200;
/// Envoys at a time.
const LANES: usize = 2;

#[test]
fn presets_of_the_page_are_accepted() -> Result<()> {
    let workdir = Workdir::new("exports_presets")?;
    for entry in PRESETS {
        let scenario = preset(entry.id).with_context(|| entry.id)?;
        accepted(&workdir, entry.id, scenario.model(), &[])?;
    }
    Ok(())
}

#[test]
fn shipped_configurations_are_accepted() -> Result<()> {
    let workdir = Workdir::new("exports_shipped")?;
    let project = repository().join("envoy-config");
    let mut seen = 0;
    for folder in fs::read_dir(project)? {
        let path = folder?.path().join("envoy.yaml");
        // Manifests for other systems have none.
        if !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let options = ReadOptions {
            regex: Some(spillgate_config::re2::compile),
            for_grpc: false,
        };
        let config = read_with(&text, Format::Yaml, &options).map_err(combined)?;
        let accepted = accepted(&workdir, "shipped", &config.model, &config.listeners);
        // The writer reports what is not modeled.
        let lacks = |warning: &Diagnostic| warning.code == "config/route-not-modeled";
        if config.warnings.iter().any(lacks) {
            ensure!(accepted.is_err(), "{}: a part is lost", path.display());
        } else {
            accepted.with_context(|| path.display().to_string())?;
            seen += 1;
        }
    }
    ensure!(seen >= 9, "{seen} configurations below envoy-config");
    Ok(())
}

#[test]
fn random_models_are_accepted() -> Result<()> {
    let workdir = Workdir::new("exports_random")?;
    // An Envoy that validates keeps one core busy.
    let refused = thread::scope(|scope| {
        let lane = |first| {
            let seeds = (first..MODELS).step_by(LANES);
            let workdir = &workdir;
            let refusal = move |seed| random(workdir, seed).err();
            scope.spawn(move || seeds.filter_map(refusal).collect::<Vec<_>>())
        };
        let lanes: Vec<_> = (0..LANES as u64).map(lane).collect();
        let ended = lanes.into_iter().map(thread::ScopedJoinHandle::join);
        ended.collect::<Result<Vec<_>, _>>()
    })
    .map_err(|_| anyhow!("a lane panicked"))?;
    let refused: Vec<_> = refused.into_iter().flatten().collect();
    ensure!(refused.is_empty(), "{refused:#?}");
    Ok(())
}

/// The output of `spillgate export` for a bootstrap of one cluster.
fn exported(source: &Path, arguments: &[&str]) -> Result<String> {
    let command = ["export", source.to_str().context("a path")?];
    let done = spillgate(command.iter().chain(arguments))?;
    ensure!(done.warnings.is_empty(), "{:?}", done.warnings);
    Ok(done.output)
}

#[test]
fn an_exported_filter_runs_with_its_exported_clusters() -> Result<()> {
    let workdir = Workdir::new("exports_filter")?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let hosts = priority("127.16.0", port.number(), "hhhhu")?;
    let shop = plain("shop", Policy::Maglev(MaglevConfig::default()), vec![hosts]);
    let bootstrap = json!({"static_resources": {"clusters": [native(&shop)?]}});
    let source = workdir.write("source.json", &bootstrap.to_string())?;
    let mut filter: Value = serde_json::from_str(&exported(&source, &["--to", "filter"])?)?;
    filter["hash_policy"] = hash_policy();
    for (fallback, without_list) in [("isolation", 503), ("availability", 200)] {
        let arguments = ["--to", "filter-clusters", "--fallback", fallback];
        let written = documents(&exported(&source, &arguments)?)?.remove(0);
        let clusters = written["static_resources"]["clusters"].as_array();
        let mut routes = [to_cluster("/off", "shop"), to_cluster_by_header()];
        routes[0]["typed_per_filter_config"] = json!({"spillgate": {
            "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true}});
        let listener = http_listener(
            "service",
            service.number(),
            &routes,
            our_filters(FilterForm::Wasm, &filter)?,
        );
        let mut bootstrap = Bootstrap::new().listener(listener).hosts_of(&shop);
        for cluster in clusters.context("no clusters")? {
            bootstrap = bootstrap.cluster(cluster.clone());
        }
        let _envoy = Envoy::start(&workdir, &bootstrap)?;
        let model = Model::new(vec![shop.clone()]).map_err(|faults| anyhow!("{faults:?}"))?;
        let engine = ReferenceEngine::new(&model);
        let mut client = Client::new(service.local());
        for number in 0..40 {
            let key = format!("user-{number}");
            let answer = client.get("/", &[(KEY_HEADER, &key)])?;
            let (served, expected) = (answer.header(SERVED_HEADER), engine.pick("shop", &key)?);
            ensure!(served == expected, "{key}: {served:?}, not {expected:?}");
        }
        let status = client.get("/off", &[])?.status;
        ensure!(status == without_list, "{fallback}: {status}");
    }
    Ok(())
}

#[test]
fn an_exported_native_bootstrap_runs_and_reads_back() -> Result<()> {
    let workdir = Workdir::in_form("exports_native", FilterForm::DynamicModule)?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let hosts = priority("127.17.0", port.number(), "hhhhu")?;
    let shop = plain("shop", Policy::Maglev(MaglevConfig::default()), vec![hosts]);
    let addresses = sessions::addresses("127.17.0", &port, 5);
    let _hosts = sessions::opened(&addresses)?;
    // The hash policy of the route becomes that of the filter.
    let mut route = to_cluster("/", "shop");
    route["route"]["hash_policy"] = hash_policy();
    let source = json!({"static_resources": {
        "clusters": [native(&shop)?],
        "listeners": [http_listener("source", service.number(), &[route], vec![])],
    }});
    let source = workdir.write("source.json", &source.to_string())?;
    for (fallback, undecided) in [("isolation", 503), ("availability", 200)] {
        let text = exported(&source, &["--to", "native", "--fallback", fallback])?;
        let again = read_with(&text, Format::Yaml, &ReadOptions::default()).map_err(combined)?;
        let filter = &again.listeners[0].spillgate[0];
        ensure!(filter.form == FilterForm::DynamicModule, "{filter:?}");
        let envoy = Envoy::start_with(&workdir, |node, admin| {
            let mut bootstrap = documents(&text)?.remove(0);
            bootstrap["node"] = json!({"id": node, "cluster": "test"});
            bootstrap["admin"] = json!({"address": {"socket_address": {
                "address": "127.0.0.1", "port_value": admin}}});
            let listener = &mut bootstrap["static_resources"]["listeners"][0];
            listener["address"]["socket_address"]["port_value"] = service.number().into();
            listener["enable_reuse_port"] = json!(false);
            let manager = &mut listener["filter_chains"][0]["filters"][0]["typed_config"];
            let routes = manager["route_config"]["virtual_hosts"][0]["routes"].as_array_mut();
            let mut off = to_cluster("/off", "shop");
            off["typed_per_filter_config"] = json!({"spillgate": {
                "@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true}});
            routes.context("no routes")?.insert(0, off);
            Ok(bootstrap.to_string())
        })?;
        let model = Model::new(vec![shop.clone()]).map_err(|faults| anyhow!("{faults:?}"))?;
        let engine = ReferenceEngine::new(&model);
        let mut client = Client::new(service.local());
        for number in 0..40 {
            let key = format!("user-{number}");
            let answer = client.get("/", &[(KEY_HEADER, &key)])?;
            let (served, expected) = (answer.header(SERVED_HEADER), engine.pick("shop", &key)?);
            ensure!(served == expected, "{key}: {served:?}, not {expected:?}");
        }
        let decided = envoy.total("spillgate.decisions.cluster.shop.")?;
        ensure!(decided == 40, "{decided} decisions");
        let status = client.get("/off", &[])?.status;
        ensure!(status == undecided, "{fallback}: {status}");
    }
    Ok(())
}

/// A random model with its routes.
fn random(workdir: &Workdir, seed: u64) -> Result<()> {
    let yaml = seed % 4 < 2;
    let extent = Extent {
        any_number: !yaml,
        // The largest tables take Envoy seconds; a few show that it takes them.
        largest_table: if seed.is_multiple_of(40) {
            u64::MAX
        } else {
            65_537
        },
        ..Extent::all(4)
    };
    let mut dice = Dice::new(seed);
    let model = model(&mut dice, extent);
    let listeners = listeners(&mut dice, &model, extent, spillgate_config::re2::compile);
    let (file, format) = match (yaml, seed % 8 < 6) {
        (true, _) => ("random.yaml", FileFormat::EnvoyYaml),
        (false, true) => ("random.json", FileFormat::EnvoyJson),
        (false, false) => ("scenario.json", FileFormat::Scenario),
    };
    let Written { text, .. } = write(&model, &listeners, format)?;
    let refused = refusal(workdir, &format!("{seed}-{file}"), &text)?;
    ensure!(
        refused.is_none(),
        "model {seed}: {}",
        refused.unwrap_or_default()
    );
    Ok(())
}

/// A file with a question, if the format has one.
fn write(model: &Model, listeners: &[ListenerConfig], format: FileFormat) -> Result<Written> {
    let question = ScenarioQuestion::from_screen("zone=a:40%\nload(P0) >= 60\nno 503");
    let source = ExportSource {
        listeners,
        question: &question,
        ..ExportSource::of(model)
    };
    write_file(&source, format).map_err(combined)
}

/// In every format.
fn accepted(
    workdir: &Workdir,
    name: &str,
    model: &Model,
    listeners: &[ListenerConfig],
) -> Result<()> {
    for format in [
        FileFormat::EnvoyYaml,
        FileFormat::EnvoyJson,
        FileFormat::Scenario,
    ] {
        let written = write(model, listeners, format)?;
        let file = format!("{name}{}", format.ending());
        let refused = refusal(workdir, &file, &written.text)?;
        ensure!(refused.is_none(), "{name}: {}", refused.unwrap_or_default());
    }
    Ok(())
}

fn combined(faults: Vec<Diagnostic>) -> anyhow::Error {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    anyhow::anyhow!(texts.join("\n"))
}
