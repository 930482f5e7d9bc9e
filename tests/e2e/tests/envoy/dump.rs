//! The same configuration as YAML, as JSON and as the real Envoy dumps it: equal answers to every
//! question of every recorded scenario.

use anyhow::{Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_admin::{CapturedNames, capture};
use spillgate_config::envoy::Format;
use spillgate_e2e::oracle::{CommandAnswers, OracleScenario, scenarios};
use spillgate_e2e::{Envoy, Workdir};

/// What `spillgate capture` writes for these responses.
fn capture_of(dump: &str, clusters: &str) -> Result<String> {
    let statuses =
        spillgate_config::clusters::read(clusters).map_err(|faults| anyhow!("{faults:?}"))?;
    let captured = capture(dump, &statuses, None, CapturedNames::Original);
    captured.map_err(|fault| anyhow!("{fault}"))
}

fn equal(
    what: &str,
    scenario: &OracleScenario,
    one: &CommandAnswers,
    other: &CommandAnswers,
) -> Result<()> {
    let name = &scenario.name;
    for (one, other) in one.split.iter().zip(&other.split) {
        let [one, other] = [one, other].map(|split| format!("{split:#}"));
        let mut lines = one.lines().zip(other.lines());
        let first = lines.find(|(one, other)| one != other);
        ensure!(
            one == other,
            "{name}: split from {what}: first difference {first:?} in\n{other}"
        );
    }
    for (one, other) in one.pick.iter().zip(&other.pick) {
        ensure!(one == other, "{name}: pick from {what}:\n{one}\n{other}");
    }
    ensure!(
        one.split.len() == other.split.len() && one.pick.len() == other.pick.len(),
        "{name}: answers are missing from {what}"
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
        let health = envoy.admin("/clusters")?;
        let captured = capture_of(&dump, &health)?;
        let captured = scenario.answers(&captured, Format::Json, None)?;
        equal("a capture", scenario, &yaml, &captured)?;
        for clusters in ["/clusters", "/clusters?format=json"] {
            let health = envoy.admin(clusters)?;
            let laid_over = scenario.answers(&scenario.yaml, Format::YamlAsJson, Some(&health))?;
            equal(clusters, scenario, &yaml, &laid_over)?;
        }
    }
    println!("{} scenarios", scenarios.len());
    Ok(())
}

/// What EDS sends is in no configuration: only the running Envoy has it.
#[test]
fn endpoints_that_eds_sent_come_back_with_the_dump() -> Result<()> {
    const ASSIGNMENT: &str = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";
    let workdir = Workdir::new("dump_eds")?;
    let mut compared = 0;
    for scenario in &scenarios()? {
        let (scenario, assignments) = scenario.with_eds(workdir.path());
        if assignments.is_empty() {
            continue;
        }
        for (number, assignment) in assignments.iter().enumerate() {
            let mut typed = assignment.clone();
            typed["@type"] = json!(ASSIGNMENT);
            let response = json!({"version_info": "1", "resources": [typed]});
            workdir.write(&format!("eds-{number}.json"), &response.to_string())?;
        }
        let mut stated = vec![scenario.json.clone()];
        stated.extend(assignments);
        let stated = Value::Array(stated).to_string();
        let drains = stated.contains("DRAINING");
        let stated = scenario.answers(&stated, Format::Json, None)?;

        let envoy = Envoy::start_with(&workdir, |node, admin| {
            Ok(scenario.bootstrap(node, admin)?.to_string())
        })?;
        let dump = envoy.admin("/config_dump?include_eds")?;
        let health = envoy.admin("/clusters")?;
        let mut stated = stated;
        let mut dumped = scenario.answers(&dump, Format::Json, Some(&health))?;
        let guesses = dumped.warnings.contains(&"config/dump-status");
        if guesses {
            // Statuses that sessions distinguish and a dump does not: the reader warns.
            stated.pick.clear();
            dumped.pick.clear();
        }
        equal("config_dump and /clusters", &scenario, &stated, &dumped)?;
        let captured = capture_of(&dump, &health)?;
        let mut captured = scenario.answers(&captured, Format::Json, None)?;
        if guesses {
            captured.pick.clear();
        }
        equal("a capture", &scenario, &stated, &captured)?;

        let mut dumped = scenario.answers(&dump, Format::Json, None)?;
        if guesses {
            dumped.pick.clear();
        }
        if drains {
            // In a dump such a host is merely unhealthy, and the reader warns.
            ensure!(
                dumped.warnings.contains(&"config/dump-health"),
                "{}: {:?}",
                scenario.name,
                dumped.warnings
            );
        } else {
            equal("config_dump", &scenario, &stated, &dumped)?;
        }
        compared += 1;
    }
    ensure!(compared >= 30, "{compared} scenarios");
    Ok(())
}
