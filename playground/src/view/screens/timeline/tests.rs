//! The screen without a browser, with the recordings of the module that runs scenarios.

use spillgate_codec::import::{
    TimelineAnswer, TimelineHealth, TimelineQuestion, TimelineRecording,
};
use spillgate_core::model::ClusterKind;
use spillgate_reader::simulation_answer;
use spillgate_scenario::{EditedScenario, link::Disclosure, preset, select};

use super::*;
use crate::state::import_text::import_of;

fn run(script: &str, question: &TimelineQuestion) -> TimelineAnswer {
    let answer = simulation_answer(script.as_bytes(), &question.to_bytes());
    TimelineAnswer::from_bytes(&answer).unwrap()
}

fn recording(script: &str) -> TimelineRecording {
    let answer = run(script, &TimelineQuestion::default());
    assert_eq!(answer.faults, [], "{script}");
    answer.recording.unwrap()
}

fn failover() -> TimelineRecording {
    recording(scenario_named("failover").unwrap().text)
}

#[test]
fn every_documented_scenario_is_in_the_list() {
    let folder = spillgate_testkit::repository().join("docs/scenarios");
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut listed: Vec<String> = SCENARIOS.map(|one| format!("{}.yaml", one.name)).into();
    listed.sort();
    assert_eq!(listed, names);
    for scenario in SCENARIOS {
        assert!(!recording(scenario.text).intervals.is_empty());
    }
}

#[test]
fn an_input_survives_its_text() {
    let source = scenario_named("failover").unwrap().text;
    let first = TimelineInput::default();
    assert_eq!(first.to_text(), "");
    let chosen = TimelineInput {
        source: "failover".into(),
        seed: Some(7),
        at: Some(62_000),
        ..first.clone()
    };
    let script = format!("{source}- {{at: 70s, keys: {{rotate: true}}}}\n");
    let added = chosen.with_script(source, &script);
    assert!(
        added.to_text().len() < 100,
        "only the added line: {}",
        added.to_text()
    );
    let whole = chosen.with_script(source, "drawn: true\nadded:\nseed=9\n");
    for input in [first, chosen.clone(), added.clone(), whole.clone()] {
        assert_eq!(TimelineInput::from_text(&input.to_text()), input);
    }
    assert_eq!(added.script(source), script);
    assert_eq!(whole.script(source), "drawn: true\nadded:\nseed=9\n");
    assert!(added.with_script(source, source).is_unchanged());
    assert_eq!(added.without_last_line(), Some(chosen.clone()));
    assert_eq!(chosen.without_last_line(), None);
    for other in ["x", "seed=x\n", "at=\n", "source=radio\n", "volume=1\n"] {
        assert_eq!(TimelineInput::from_text(other), TimelineInput::default());
    }
}

#[test]
fn events_are_added_where_the_list_is() {
    let event = |script: &str| with_event(script, 61_500, "host=10.0.0.1:80", HostFault::Fail);
    let line = "- {at: 61500ms, hosts: \"host=10.0.0.1:80\", status: UNHEALTHY}\n";
    assert_eq!(
        event("events:\n- {at: 1s}"),
        Some(format!("events:\n- {{at: 1s}}\n{line}"))
    );
    assert_eq!(
        event("steps: 9\n"),
        Some(format!("steps: 9\nevents:\n{line}"))
    );
    assert_eq!(
        event("events: # none\n  - at: 1s\n    vanish: true\n\nsteps: 9\n"),
        Some(format!(
            "events: # none\n  - at: 1s\n    vanish: true\n\n  {line}steps: 9\n"
        ))
    );
    assert_eq!(event("events: [{at: 1s}]\n"), None);
    assert_eq!(event("{\"steps\": 9}"), None);
}

#[test]
fn every_click_is_an_event_of_the_run() {
    let source = scenario_named("failover").unwrap().text;
    let before = recording(source);
    let host = |run: &TimelineRecording, at: usize| run.intervals[at].states[4].health;
    assert_eq!(host(&before, 60), TimelineHealth::Healthy);
    let mut script = source.to_owned();
    let mut expected = Vec::new();
    for (at, health, next) in [
        (130_000, TimelineHealth::Healthy, TimelineHealth::Unhealthy),
        (140_000, TimelineHealth::Unhealthy, TimelineHealth::Healthy),
        (150_000, TimelineHealth::Draining, TimelineHealth::Absent),
        (160_000, TimelineHealth::Absent, TimelineHealth::Healthy),
    ] {
        let selector = &before.hosts[4].selector;
        script = with_event(&script, at, selector, HostFault::of(health)).unwrap();
        expected.push(next);
    }
    let run = recording(&script);
    let found: Vec<TimelineHealth> = [65, 70, 75, 80].iter().map(|&at| host(&run, at)).collect();
    assert_eq!(found, expected);
    assert_eq!(run.phases.len(), before.phases.len() + 4);
    assert_eq!(run.intervals[..65], before.intervals[..65]);
}

#[test]
fn the_clusters_of_the_page_can_be_simulated() {
    for id in ["documented", "degraded", "panic", "aggregate", "shop"] {
        let scenario = preset(id).unwrap();
        for disclosure in Disclosure::ALL {
            let page = SimulatedClusters::new(&scenario, disclosure);
            let question = TimelineQuestion {
                clusters: page.clusters.clone(),
                ..TimelineQuestion::default()
            };
            let answer = run(&page.script, &question);
            assert_eq!(answer.faults, [], "{id}: {}", page.script);
            let run = answer.recording.unwrap();
            assert_eq!((run.phases.len(), run.broken), (3, None), "{id}");
            assert!(run.phases[1].requests > 0);
        }
    }
}

/// The demo, with addresses of its own.
fn with_own_addresses() -> EditedScenario {
    let shop = preset("shop").unwrap();
    let clusters = shop.clusters().iter().map(|cluster| {
        let mut own = (**cluster).clone();
        if let ClusterKind::Plain(plain) = &mut own.kind {
            let priorities = plain.priorities.iter_mut();
            for endpoint in priorities.flat_map(|priority| &mut priority.endpoints) {
                endpoint.address = endpoint.address.replace("198.18", "10.0");
            }
        }
        own
    });
    EditedScenario::new(clusters.collect(), shop.root()).unwrap()
}

#[test]
fn the_page_shows_its_own_names_and_the_figures_of_the_link() {
    let scenario = with_own_addresses();
    let own = SimulatedClusters::new(&scenario, Disclosure::Addresses);
    for disclosure in [Disclosure::Shape, Disclosure::Names] {
        let page = SimulatedClusters::new(&scenario, disclosure);
        assert_eq!(page.clusters, own.clusters);
        let lines = "- {at: 50s, hosts: \"cluster=shop-secondary\", drain: 5s}\n";
        let script = format!("{}{lines}", page.script);
        let input = TimelineInput::default().with_script(&page.script, &script);
        let question = |clusters: &[_], disclosed: &[_]| TimelineQuestion {
            clusters: clusters.to_vec(),
            disclosed: disclosed.to_vec(),
            ..TimelineQuestion::default()
        };
        let shown = run(&script, &question(&page.clusters, &page.disclosed));
        let shown = shown.recording.unwrap();
        let text = page.disclosed_script(&input);
        let linked = run(&text, &question(&page.disclosed, &[]))
            .recording
            .unwrap();
        assert_eq!(shown.intervals, linked.intervals);
        assert_eq!(shown.phases[2].requests, linked.phases[2].requests);
        let address = scenario.clusters()[1].priorities()[0].endpoints[0]
            .address
            .clone();
        assert_eq!(shown.hosts[0].address, address);
        assert_ne!(linked.hosts[0].address, address);
        assert_eq!(shown.priorities, ["shop-primary P0", "shop-secondary P0"]);
        assert!(
            shown.phases[1].name.contains("shop-primary"),
            "{}",
            shown.phases[1].name
        );
    }
}

#[test]
fn names_are_quoted_in_the_script() {
    let mut clusters =
        SimulatedClusters::new(&preset("documented").unwrap(), Disclosure::Addresses).clusters;
    clusters[0].name = "outbound|80||a \"b\" \\c: #d".into();
    let question = TimelineQuestion {
        clusters: clusters.clone(),
        ..TimelineQuestion::default()
    };
    let answer = run(&page_script(&clusters, 0), &question);
    assert_eq!(answer.faults, []);
    assert!(answer.recording.is_some());
    assert_eq!(page_script(&clusters, 9), "");
}

#[test]
fn bars_fill_each_interval() {
    for scenario in SCENARIOS {
        let run = recording(scenario.text);
        let bars = load_bars(&run);
        let width = 100.0 / run.intervals.len() as f64;
        for (at, interval) in run.intervals.iter().enumerate() {
            let middle = (at as f64 + 0.5) * width;
            let here = bars
                .iter()
                .filter(|bar| (bar.x..bar.x + bar.width).contains(&middle));
            let height: f64 = here.map(|bar| bar.height).sum();
            let expected = match figures::requests(interval) {
                0 => 0.0,
                _ => 100.0,
            };
            assert!(
                (height - expected).abs() < 1e-6,
                "{}: {at}: {height}",
                scenario.name
            );
        }
        let bars = session_bars(&run);
        assert!(most_sessions(&run) > 0 && bars.iter().all(|bar| bar.y > -1e-6));
    }
}

#[test]
fn a_host_has_a_row_with_its_health() {
    let run = failover();
    let rows = host_rows(&run);
    assert_eq!(rows.len(), 5);
    assert_eq!(
        (&*rows[0].name, &*rows[0].selector),
        ("10.0.0.1:80", "host=10.0.0.1:80")
    );
    let unhealthy = rows[0]
        .paths
        .iter()
        .find(|path| path.class == "unhealthy")
        .unwrap();
    assert_eq!(
        unhealthy.d.matches('M').count(),
        30,
        "60 s to 120 s in intervals of 2 s"
    );
    let text = row_text(&run, &rows[3]);
    assert!(text.contains("absent from 180\u{a0}s"), "{text}");
    let sum: u32 = rows.iter().flat_map(|row| &row.requests).sum();
    let sums: u32 = periods(&run)
        .iter()
        .flat_map(|period| period.hosts.clone())
        .sum();
    assert_eq!(sum, sums);
    assert!(periods(&run).len() <= PERIODS);
}

#[test]
fn many_hosts_share_rows() {
    let mut run = failover();
    let host = run.hosts[0].clone();
    run.hosts = vec![host; 100];
    for interval in &mut run.intervals {
        interval.hosts = vec![1; 100];
        interval.states = vec![run.start[0]; 100];
    }
    let rows = host_rows(&run);
    assert_eq!((rows.len(), rows[0].hosts.clone()), (34, 0..3));
    assert_eq!(rows[33].hosts, 99..100);
    assert!(rows[0].name.ends_with("and 2 more") && rows[0].selector.is_empty());
    assert!(heat_caption(&rows, 100).ends_with("Each row has up to 3\u{a0}hosts."));
}

#[test]
fn sentences_have_the_figures() {
    let run = failover();
    assert_eq!(headline(&run, 0), "At 0\u{a0}s: no request yet.");
    let at = |seconds: u64| headline(&run, (seconds * 1_000 / run.width) as usize);
    assert!(at(50).starts_with("At 50\u{a0}s: primary P0 takes 100\u{a0}%; no session moves"));
    assert!(
        at(80).contains("secondary P0 takes 100\u{a0}%"),
        "{}",
        at(80)
    );
    let moved: u64 = run
        .phases
        .iter()
        .flat_map(|phase| &phase.moved)
        .map(|why| why.count)
        .sum();
    assert_eq!(moved, 1_481, "docs/simulate.md");
    assert!(sessions_caption(&run).contains("1481 move to another one, at most "));
    assert!(load_caption(&run).contains("primary P0 takes 0\u{a0}% to 100\u{a0}%"));
}

#[test]
fn commands_have_the_scenario() {
    let page = SimulatedClusters::new(&preset("documented").unwrap(), Disclosure::Names);
    let source = scenario_named("failover").unwrap().text;
    let input = TimelineInput {
        source: "failover".into(),
        ..TimelineInput::default()
    };
    assert_eq!(
        command("failover", &input, source, 7, &page),
        "spillgate simulate docs/scenarios/failover.yaml --seed 7"
    );
    let changed = input.with_script(source, &format!("{source}# END\nEND\n"));
    let line = command("failover", &changed, &changed.script(source), 7, &page);
    assert!(
        line.starts_with("printf '%s\\n' '# The whole")
            && line.ends_with(" '# END' END | spillgate simulate - --seed 7"),
        "{line}"
    );
    let line = command("", &TimelineInput::default(), &page.script, 1, &page);
    let start = format!(
        "spillgate link decode {} > envoy.yaml && printf '%s\\n' ",
        page.link
    );
    assert!(
        line.starts_with(&start) && line.contains(" 'config: envoy.yaml' "),
        "{line}"
    );
}

#[test]
fn clusters_of_unknown_hosts_are_not_said_to_fail() {
    let imported = import_of("name: shop\ntype: EDS\n", "").imported.unwrap();
    let scenario: EditedScenario = select(&imported, 0).unwrap();
    let page = SimulatedClusters::new(&scenario, Disclosure::Names);
    let question = TimelineQuestion {
        clusters: page.clusters.clone(),
        ..TimelineQuestion::default()
    };
    let faults = run(&page.script, &question).faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(without_unknown_hosts(&faults), []);
}
