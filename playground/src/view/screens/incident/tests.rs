//! The screen without a browser, with the records of the module that simulates.

use std::rc::Rc;

use spillgate_codec::import::{IncidentReply, SettingSource};
use spillgate_core::model::CoarseHealth;
use spillgate_reader::incident_answer;
use spillgate_scenario::{EditedScenario, ScenarioOutcome, link::Disclosure, preset, select};

use super::*;
use crate::state::{CommandInput, import_text::import_of};

/// Two zones with health checks and outlier detection, and a route with retries.
const CONFIG: &str = include_str!("../../../../../tests/e2e/tests/browser/incident.yaml");

fn imported(config: &str) -> IncidentStage {
    let imported = import_of(config, "").imported.unwrap();
    IncidentStage::new(&Rc::new(select(&imported, 0).unwrap())).unwrap()
}

fn reply(stage: &IncidentStage, input: &IncidentInput) -> IncidentReply {
    let question = stage.question(input).to_bytes();
    let answer = incident_answer(stage.config().as_bytes(), &question);
    IncidentReply::from_bytes(&answer).unwrap()
}

fn shown(stage: &IncidentStage, input: &IncidentInput) -> ShownIncident {
    let reply = reply(stage, input);
    assert_eq!(reply.faults, []);
    ShownIncident::new(
        reply.record.unwrap(),
        &stage.events(input),
        stage.names.clone(),
    )
}

fn with_event(kind: HostAction, hosts: &str, from: u64, to: Option<u64>) -> IncidentInput {
    let event = OutageEvent {
        kind,
        amount: kind.first_amount(),
        hosts: hosts.into(),
        from,
        to,
    };
    IncidentInput {
        events: Some(vec![event]),
        ..IncidentInput::default()
    }
}

#[test]
fn an_input_survives_its_text() {
    assert_eq!(IncidentInput::default().to_text(), "");
    let event = |kind: HostAction, hosts: &str, to| OutageEvent {
        kind,
        amount: kind.first_amount(),
        hosts: hosts.into(),
        from: 1_500,
        to,
    };
    let input = IncidentInput {
        events: Some(vec![
            event(HostAction::Errors, "region=eu west,zone=a", Some(60_000)),
            event(HostAction::Fail, "host=10.0.0.1:80", None),
        ]),
        changes: vec![
            ("health_checks".into(), "on".into()),
            ("health_checks.interval".into(), "1.5s".into()),
        ],
        rps: Some(250),
        service_time: Some(20),
        sessions: Some(500),
        until: Some(180_000),
        at: Some(12_500),
    };
    assert_eq!(IncidentInput::from_text(&input.to_text()), input);
    let none = IncidentInput {
        events: Some(Vec::new()),
        ..IncidentInput::default()
    };
    assert_eq!(IncidentInput::from_text(&none.to_text()), none);
    for broken in [
        "e_fail",
        "e_burn f1 zone=a",
        "e_fail fx zone=a",
        "e_fail f5 t5 zone=a",
        "c:other:x",
        "at-1",
        "service0",
        "sessions0",
    ] {
        assert_eq!(
            IncidentInput::from_text(broken),
            IncidentInput::default(),
            "{broken}"
        );
    }
}

#[test]
fn a_message_that_is_off_has_no_changed_fields() {
    let input = IncidentInput::default()
        .with_change("outlier_detection.interval", "1s".into())
        .with_change("outlier_detection", "on".into());
    assert_eq!(
        input.change_texts(),
        ["outlier_detection=on", "outlier_detection.interval=1s"]
    );
    let off = input.with_change("outlier_detection", "off".into());
    assert_eq!(off.change_texts(), ["outlier_detection=off"]);
}

#[test]
fn an_import_has_its_own_settings_with_their_lines() {
    let stage = imported(CONFIG);
    let run = shown(&stage, &IncidentInput::default());
    let setting = |name: &str| {
        let mut settings = run.record.settings.iter();
        settings.find(|of| of.name == name).cloned().unwrap()
    };
    let interval = setting("health_checks.interval");
    assert_eq!(
        (&*interval.value, interval.by),
        ("2s", SettingSource::Config)
    );
    assert_eq!(setting("outlier_detection").value, "on");
    let line = CONFIG
        .lines()
        .position(|line| line.contains("interval: 2s"));
    let lines = run.record.times.iter().filter_map(|of| of.position);
    let lines: Vec<u32> = lines.map(|at| at.line).collect();
    assert!(lines.contains(&(line.unwrap() as u32 + 1)), "{lines:?}");
    assert!(
        run.record
            .verdict
            .starts_with("Envoy notices 2 failing hosts within"),
        "{}",
        run.record.verdict
    );
}

#[test]
fn changed_settings_change_the_answer() {
    let stage = imported(CONFIG);
    let slow = IncidentInput::default()
        .with_change("outlier_detection", "off".into())
        .with_change("health_checks.interval", "20s".into());
    let run = shown(&stage, &slow);
    let setting = |name: &str| {
        let mut settings = run.record.settings.iter();
        settings
            .find(|of| of.name == name)
            .map(|of| (of.value.clone(), of.by))
    };
    let changed = |value: &str| Some((value.to_owned(), SettingSource::Changed));
    assert_eq!(setting("health_checks.interval"), changed("20s"));
    assert_eq!(setting("outlier_detection"), changed("off"));
    assert_eq!(setting("outlier_detection.interval"), None);
    // Three checks of 20 s each: most of a minute passes with both hosts failing.
    let row = run.row_at(30_000).unwrap();
    assert_eq!(row.usable, (4, 4));
    assert!(row.failed + row.retried > 0.0);
    let wrong = IncidentInput::default().with_change("health_checks.interval", "soon".into());
    let faults = reply(&stage, &wrong).faults;
    assert_eq!(faults[0].change, Some(0));
    assert!(faults[0].message.starts_with("not a time"), "{faults:?}");
}

#[test]
fn clusters_without_settings_have_an_example_check() {
    let stage = IncidentStage::new(&Rc::new(preset("documented").unwrap())).unwrap();
    let run = shown(&stage, &IncidentInput::default());
    let by = run.record.settings.iter();
    let by = by.filter(|of| of.name.starts_with("health_checks."));
    assert!(by.clone().count() == 4 && by.clone().all(|of| of.by == SettingSource::Example));
    let doubt = &run.record.doubts[0];
    let start = "there is no imported configuration with health checks here";
    assert!(
        doubt.starts_with(start) && doubt.contains("an example"),
        "{doubt}"
    );
    let off = IncidentInput::default().with_change("health_checks", "off".into());
    let run = shown(&stage, &off);
    assert!(
        run.record.verdict.contains("does not notice"),
        "{}",
        run.record.verdict
    );
}

#[test]
fn an_event_without_hosts_is_an_error_of_that_event() {
    let stage = imported(CONFIG);
    let mut input = with_event(HostAction::Fail, "zone=a", 10_000, None);
    let other = with_event(HostAction::Fail, "zone=nowhere", 10_000, None);
    input.events.as_mut().unwrap().extend(other.events.unwrap());
    let reply = reply(&stage, &input);
    assert_eq!(reply.record, None);
    assert_eq!(reply.faults[0].event, Some(1));
}

#[test]
fn the_moment_is_what_the_workers_see() {
    let stage = imported(CONFIG);
    let input = with_event(HostAction::Fail, "zone=a", 10_000, Some(70_000));
    let run = shown(&stage, &input);
    let usable = |millis: u64| {
        let hosts = run.hosts_at(millis).into_iter().flatten();
        let usable = hosts.filter(|health| health.coarse() != CoarseHealth::Unhealthy);
        usable.count()
    };
    for row in &run.record.rows {
        let millis = row.from.div_ceil(1_000);
        let shown = run.row_at(millis).unwrap();
        assert_eq!(usable(millis), shown.usable.0, "{millis}");
    }
    assert_eq!((usable(0), usable(40_000)), (4, 2));
    let moment = scenario_at(&stage, &run, 40_000);
    let outcome = ScenarioOutcome::of(&moment);
    let loads = |outcome: &ScenarioOutcome| {
        let rows = outcome.priorities().iter();
        rows.map(|of| of.row.load()).collect::<Vec<_>>()
    };
    let row = run.row_at(40_000).unwrap();
    let expected: Vec<u32> = row.priorities.iter().map(|(load, _)| *load).collect();
    assert_eq!(loads(&outcome), expected);
    let sentence = moment_sentence(&run, 40_000);
    let start = "At 40\u{a0}s: Envoy considers 2 of 4\u{a0}hosts usable";
    assert!(sentence.starts_with(start), "{sentence}");
}

#[test]
fn removed_hosts_are_absent_in_the_moment() {
    let stage = imported(CONFIG);
    // Envoy keeps removed hosts while they pass their checks.
    let input = with_event(HostAction::Remove, "zone=b", 10_000, Some(70_000))
        .with_change("health_checks", "off".into());
    let run = shown(&stage, &input);
    let hosts = |millis: u64| {
        let moment: EditedScenario = scenario_at(&stage, &run, millis);
        let priorities = moment.clusters()[0].priorities().to_vec();
        priorities
            .iter()
            .map(|of| of.endpoints.len())
            .sum::<usize>()
    };
    assert_eq!((hosts(0), hosts(40_000)), (4, 2));
    let bars = run.tracks.iter().flat_map(|track| &track.bars);
    assert!(bars.clone().any(|bar| bar.class == "absent"));
}

#[test]
fn stacks_fill_the_whole_time() {
    let stage = imported(CONFIG);
    let run = shown(&stage, &IncidentInput::default());
    let area = |bars: &[TrackBar]| -> f64 { bars.iter().map(|bar| bar.width * bar.height).sum() };
    for track in &run.tracks {
        assert!((area(&track.bars) - 10_000.0).abs() < 1e-6, "{track:?}");
    }
    assert!((area(&load_bars(&run.record)) - 10_000.0).abs() < 1e-6);
    let failures = failure_bars(&run.record);
    let top = failures.iter().map(|bar| bar.y).fold(100.0, f64::min);
    assert!(top.abs() < 1e-6, "the most failures have the full height");
}

#[test]
fn an_unchanged_import_has_a_command() {
    let stage = imported(CONFIG);
    let command = CommandInput::of(&stage.scenario, Disclosure::Addresses);
    let input = IncidentInput {
        rps: Some(50),
        until: Some(90_500),
        ..with_event(HostAction::Errors, "zone=a", 10_000, None)
    };
    let line = |input: &IncidentInput| {
        let run = shown(&stage, input);
        incident_command(&stage, input, &command, &run)
    };
    assert_eq!(
        line(&input).unwrap(),
        "spillgate incident envoy.yaml --cluster shop --errors 'zone=a:50%@10s..' --rps 50 --until 90500ms"
    );
    let changed = input.with_change("health_checks.interval", "1s".into());
    assert_eq!(line(&changed), None);
}

#[test]
fn figures_begin_when_the_workers_have_a_change() {
    let stage = imported(include_str!(
        "../../../../../cli/tests/cli/examples/incident.yaml"
    ));
    let run = shown(&stage, &IncidentInput::default());
    let lines = change_lines(&run.record);
    for line in &lines {
        assert!(line.state.is_none_or(|row| row.from == line.at), "{line:?}");
    }
    let ejected = |line: &ChangeLine<'_>| line.text.starts_with("ejected");
    let last = lines.iter().rposition(ejected).unwrap();
    let [last, reached] = &lines[last..last + 2] else {
        panic!("{lines:?}");
    };
    assert_eq!(last.state, None);
    assert_eq!(reached.text, "updated hosts reach the workers");
    assert_eq!(reached.state.unwrap().usable, (3, 6));
    // The same as the sentences about both times.
    let usable = |micros: u64| run.row_at(micros.div_ceil(1_000)).unwrap().usable;
    assert_ne!(usable(last.at), (3, 6));
    assert_eq!(usable(reached.at), (3, 6));
}

#[test]
fn an_event_after_the_end_is_an_error_of_that_event() {
    let stage = imported(CONFIG);
    let mut input = with_event(HostAction::Fail, "zone=a", 1_000, None);
    let late = with_event(HostAction::Fail, "zone=b", 10_000, Some(70_000));
    input.events.as_mut().unwrap().extend(late.events.unwrap());
    input.until = Some(5_000);
    let reply = reply(&stage, &input);
    assert_eq!(reply.record, None);
    let [fault] = &*reply.faults else {
        panic!("{:?}", reply.faults);
    };
    assert_eq!(fault.event, Some(1));
    assert!(
        fault.message.starts_with(
            "the event is after the simulated time: found \"10s..70s\", expected a start before 5s"
        ),
        "{fault:?}"
    );
}

#[test]
fn a_percentage_above_100_is_an_error_of_its_setting() {
    let stage = imported(CONFIG);
    let input = IncidentInput::default()
        .with_change("outlier_detection.max_ejection_percent", "150".into());
    let faults = reply(&stage, &input).faults;
    assert_eq!(faults[0].change, Some(0));
    assert!(
        faults[0]
            .message
            .ends_with("expected a number from 0 to 100"),
        "{faults:?}"
    );
}

#[test]
fn the_shown_time_is_exact() {
    let run = shown(&imported(CONFIG), &IncidentInput::default());
    let shown = |at: u64| run.shown_millis(Some(at), run.scale.interval_at(Some(at)));
    assert_eq!([10_201, 40_000].map(shown), [10_201, 40_000]);
    assert_eq!(shown(u64::MAX), run.scale.millis(run.scale.last));
    assert_eq!(run.shown_millis(Some(10_201), 22), 11_000, "playback");
}

#[test]
fn sessions_that_move_are_lines_only_with_other_figures() {
    let config = include_str!("../../../../../cli/tests/cli/examples/sessions.yaml");
    let stage = imported(config);
    assert!(stage.has_sessions());
    let input = IncidentInput {
        sessions: Some(1_000),
        ..with_event(HostAction::Fail, "zone=a", 10_000, Some(70_000))
    };
    let run = shown(&stage, &input);
    let moves = run.record.rows.iter().filter(|row| row.only_moves_sessions);
    assert!(moves.count() > 5);
    let lines = change_lines(&run.record);
    let moves = lines.iter().filter(|line| line.text == "sessions move");
    assert!(moves.count() < 3, "{lines:?}");
    let bars = session_bars(&run.record);
    assert_eq!(bars.first().map(|bar| bar.height), Some(50.0));
}
