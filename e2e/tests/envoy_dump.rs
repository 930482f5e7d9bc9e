//! The same configuration as YAML, as JSON and as the real Envoy dumps it: equal answers to every
//! question of every recorded scenario.

use anyhow::{Result, ensure};
use spillgate_config::envoy::Format;
use spillgate_e2e::oracle::{Answers, OracleScenario, scenarios};
use spillgate_e2e::{Envoy, Workdir};

fn equal(what: &str, scenario: &OracleScenario, one: &Answers, other: &Answers) -> Result<()> {
    let name = &scenario.name;
    ensure!(
        one.split == other.split,
        "{name}: split from {what} differs:\n{:#?}\n{:#?}",
        one.split,
        other.split
    );
    for (one, other) in one.pick.iter().zip(&other.pick) {
        ensure!(one == other, "{name}: pick from {what}:\n{one}\n{other}");
    }
    ensure!(
        one.pick.len() == other.pick.len(),
        "{name}: rows are missing"
    );
    Ok(())
}

#[test]
fn yaml_json_and_dump_give_equal_answers() -> Result<()> {
    let workdir = Workdir::new("dump_equal")?;
    let scenarios = scenarios()?;
    ensure!(scenarios.len() >= 40, "{} scenarios", scenarios.len());
    for scenario in &scenarios {
        let yaml = scenario.answers(&scenario.yaml, Format::YamlAsJson, None)?;
        ensure!(!yaml.split.is_empty() && !yaml.pick.is_empty());
        let json = scenario.answers(&scenario.json.to_string(), Format::Json, None)?;
        equal("JSON", scenario, &yaml, &json)?;

        let envoy = Envoy::start_with(&workdir, |node, admin| {
            Ok(scenario.bootstrap(node, admin)?.to_string())
        })?;
        let dump = envoy.admin("/config_dump?include_eds")?;
        let dumped = scenario.answers(&dump, Format::Json, None)?;
        equal("config_dump", scenario, &yaml, &dumped)?;
        // Not every dump is asked for with its endpoints.
        let dump = envoy.admin("/config_dump")?;
        let dumped = scenario.answers(&dump, Format::Json, None)?;
        equal("config_dump without EDS", scenario, &yaml, &dumped)?;
        for clusters in ["/clusters", "/clusters?format=json"] {
            let health = envoy.admin(clusters)?;
            let laid_over = scenario.answers(&scenario.yaml, Format::YamlAsJson, Some(&health))?;
            equal(clusters, scenario, &yaml, &laid_over)?;
        }
    }
    println!("{} scenarios", scenarios.len());
    Ok(())
}
