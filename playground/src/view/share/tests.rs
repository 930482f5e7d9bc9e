//! The files and what they disclose.

use std::rc::Rc;

use spillgate_codec::link::Disclosure;
use spillgate_core::model::Metadata;
use spillgate_export::FileFormat;
use spillgate_scenario::{ImportTexts, ShippedRequest, import_result, preset, select};

use super::{
    files::{Wanted, file, reply},
    filter_run::run,
};
use crate::state::{Action, FileReply, Screen, ShareInput, Store};

fn input(disclosure: Disclosure) -> ShareInput {
    ShareInput {
        disclosure,
        view: vec![
            ("screen".into(), "trace".into()),
            (
                "what-if".into(),
                "zone=b:40%\nload(cluster=shop-primary) >= 60".into(),
            ),
            ("trace".into(), "seed=7\n".into()),
        ],
    }
}

#[test]
fn the_question_is_about_the_disclosed_names() {
    let scenario = preset("shop").unwrap();
    let text = |disclosure| {
        let written = file(
            &scenario,
            &input(disclosure),
            Wanted::File(FileFormat::Scenario),
        );
        written.unwrap().text
    };
    let all = text(Disclosure::Addresses);
    assert!(
        all.contains("[\"zone=b:40%\"]") && all.contains("\"cluster\":\"shop\""),
        "{all}"
    );
    let shape = text(Disclosure::Shape);
    assert!(shape.contains("[\"zone=zone-2:40%\"]"), "{shape}");
    assert!(
        shape.contains("[\"load(cluster=c2) >= 60\"]") && !shape.contains("shop"),
        "{shape}"
    );
}

#[test]
fn every_file_is_written() {
    let scenario = preset("shop").unwrap();
    let formats = FileFormat::ALL.map(Wanted::File);
    for wanted in formats.into_iter().chain([Wanted::Image]) {
        let input = input(Disclosure::Names);
        let written = file(&scenario, &input, wanted).unwrap();
        let expected = FileReply::Written {
            text: written.text,
            omitted: String::new(),
        };
        assert_eq!(reply(&scenario, &input, wanted), expected, "{wanted:?}");
    }
}

/// The state of the playground after the import of a text; `None` if it has errors.
fn imported(text: &str) -> Option<Store> {
    let answer = spillgate_reader::answer(text.as_bytes(), b"");
    let texts = ImportTexts {
        config: text.into(),
        clusters: String::new(),
    };
    let imported = import_result(texts, &answer).imported?;
    let scenario = select(&imported, imported.proposed).ok()?;
    Some(Store::open("").after(Action::Import(Rc::new(scenario), 0.0)))
}

#[test]
fn an_exported_scenario_opens_its_screen_with_its_input() {
    let inputs = [
        (Screen::Trace, "seed=7\nkey=ann\nhost=10.0.1.1:80\nstep=2\n"),
        (Screen::WhatIf, "zone=a:60%\nload(P0) >= 60\nno 503"),
        (Screen::WhatIf, ":40%\nno 503"),
        (Screen::WhatIf, "priority=0:3\nzone=a:60%\nno 503"),
        (
            Screen::Timeline,
            "seed=3\nadded:\n- {at: 1s, hosts: priority=0, status: UNHEALTHY}\n",
        ),
    ];
    let scenario = preset("documented").unwrap();
    for (screen, text) in inputs {
        let store = Store::open("")
            .after(Action::Open(Rc::new(scenario.clone()), 0.0))
            .after(Action::Show(screen))
            .after(Action::SetInput(screen, text.into(), 0.0));
        let input = ShareInput {
            disclosure: Disclosure::Addresses,
            view: store.shared_view(),
        };
        let wanted = Wanted::File(FileFormat::Scenario);
        let written = file(store.scenario(), &input, wanted).unwrap();
        let again = imported(&written.text).unwrap();
        assert_eq!(again.view, store.view, "{}", written.text);
        assert_eq!(again.view.screen, screen);
        assert_eq!(again.scenario().root(), scenario.root());
    }
}

#[test]
fn the_screen_stays_after_the_import_of_a_text_without_a_question() {
    let text = "name: shop\nload_assignment: {cluster_name: shop, endpoints: [{lb_endpoints: [{endpoint: \
                {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n";
    let store = imported(text).unwrap();
    assert_eq!(store.view, Store::open("").view);
}

#[test]
fn documented_scenarios_open_the_timeline_with_their_text() {
    let scenarios = [
        (
            include_str!("../../../../docs/scenarios/epoch.yaml"),
            "shop",
        ),
        (
            include_str!("../../../../docs/scenarios/failover.yaml"),
            "shop",
        ),
        (
            include_str!("../../../../docs/scenarios/hot-host.yaml"),
            "shop",
        ),
        (
            include_str!("../../../../docs/scenarios/rolling-drain.yaml"),
            "shop",
        ),
        (
            include_str!("../../../../docs/scenarios/rotation.yaml"),
            "shop",
        ),
    ];
    for (text, target) in scenarios {
        let store = imported(text).unwrap();
        assert_eq!(store.view.screen, Screen::Timeline);
        assert_eq!(store.view.input(Screen::Timeline), format!("text:\n{text}"));
        let scenario = store.scenario();
        assert_eq!(scenario.name(scenario.root()), target);
    }
}

#[test]
fn a_run_of_the_filter_is_about_the_undisclosed_hosts() {
    let scenario = Rc::new(preset("shop").unwrap());
    let written = run(&scenario, &ShippedRequest::default(), &Metadata::EMPTY).unwrap();
    assert_eq!(written.omitted, "");
    let plain = scenario
        .shown()
        .into_iter()
        .find_map(|at| scenario.plain(at));
    let host = &plain.unwrap().priorities[0].endpoints[0];
    let (address, _) = host.address.rsplit_once(':').unwrap();
    assert!(written.texts[0].contains(address), "{}", written.texts[0]);
}

#[test]
fn a_run_has_its_own_request_and_the_configuration_of_its_scenario() {
    let [shop, other] = ["shop", "panic"].map(|id| Rc::new(preset(id).unwrap()));
    let request = |key: &str, trace| ShippedRequest {
        key: key.into(),
        trace,
        ..ShippedRequest::default()
    };
    let texts = |scenario, request| run(scenario, &request, &Metadata::EMPTY).unwrap().texts;
    let first = texts(&shop, request("ann", false));
    let second = texts(&shop, request("bob", false));
    assert_eq!(first[0], second[0]);
    assert!(first.contains(&"ann".into()) && second.contains(&"bob".into()));
    // What the configuration depends on.
    assert_ne!(texts(&shop, request("ann", true))[0], first[0]);
    assert_ne!(texts(&other, request("ann", false))[0], first[0]);
    assert_eq!(texts(&shop, request("ann", false)), first);
}
