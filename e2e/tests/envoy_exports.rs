//! What is written for Envoy, Envoy accepts: the page's presets, the shipped configurations and
//! random models.

use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use spillgate_config::Diagnostic;
use spillgate_config::envoy::{Format, ListenerConfig, ReadOptions, read_with};
use spillgate_config::write::{Written, envoy_json, envoy_yaml};
use spillgate_core::model::Model;
use spillgate_e2e::{Workdir, refusal};
use spillgate_playground::state::{PRESETS, preset};
use spillgate_testkit::models::{Dice, Extent, listeners, model};

/// How many random models Envoy sees, half of them as YAML and half as JSON.
const MODELS: u64 = 200;
/// Envoys at a time.
const LANES: usize = 2;

#[test]
fn presets_of_the_page_are_accepted() -> Result<()> {
    let workdir = Workdir::new("exports_presets")?;
    for entry in PRESETS {
        let scenario = preset(entry.id).with_context(|| entry.id)?;
        accepted(&workdir, entry.id, &scenario.model(), &[])?;
    }
    Ok(())
}

#[test]
fn shipped_configurations_are_accepted() -> Result<()> {
    let workdir = Workdir::new("exports_shipped")?;
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../envoy-config");
    let mut seen = 0;
    for folder in fs::read_dir(project)? {
        let path = folder?.path().join("envoy.yaml");
        // Manifests for other systems have none.
        if !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let options = ReadOptions {
            regex: Some(spillgate::compile_regex),
        };
        let config = read_with(&text, Format::Yaml, &options).map_err(combined)?;
        let accepted = accepted(&workdir, "shipped", &config.model, &config.listeners);
        // The writer reports what is not modeled.
        let lacks = |warning: &Diagnostic| warning.code == "config/route-not-modelled";
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
    });
    let refused = refused.map_err(|_| anyhow!("a lane panicked"))?;
    let refused: Vec<_> = refused.into_iter().flatten().collect();
    ensure!(refused.is_empty(), "{refused:#?}");
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
    let listeners = listeners(&mut dice, &model, extent, spillgate::compile_regex);
    let (file, written) = match yaml {
        true => ("random.yaml", envoy_yaml(&model, &listeners)),
        false => ("random.json", envoy_json(&model, &listeners)),
    };
    let Written { text, .. } = written.map_err(combined)?;
    let refused = refusal(workdir, &format!("{seed}-{file}"), &text)?;
    ensure!(
        refused.is_none(),
        "model {seed}: {}",
        refused.unwrap_or_default()
    );
    Ok(())
}

/// In both languages.
fn accepted(
    workdir: &Workdir,
    name: &str,
    model: &Model,
    listeners: &[ListenerConfig],
) -> Result<()> {
    let yaml = envoy_yaml(model, listeners).map_err(combined)?;
    let json = envoy_json(model, listeners).map_err(combined)?;
    for (ending, written) in [("yaml", yaml), ("json", json)] {
        let refused = refusal(workdir, &format!("{name}.{ending}"), &written.text)?;
        ensure!(refused.is_none(), "{name}: {}", refused.unwrap_or_default());
    }
    Ok(())
}

fn combined(faults: Vec<Diagnostic>) -> anyhow::Error {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    anyhow::anyhow!(texts.join("\n"))
}
