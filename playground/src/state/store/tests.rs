//! Tests of the state and its actions.

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, PanicThreshold, PlainCluster, Priority,
    PriorityLocality,
};
use spillgate_scenario::{KeptImport, KeptState, PRESETS, PriorityAt, ReloadLoss, ScenarioEdit};

use super::*;

const P0: PriorityAt = PriorityAt {
    cluster: 0,
    priority: 0,
};

fn healthy(store: &Store, count: usize, now: f64) -> Store {
    store.after(Action::Edit(ScenarioEdit::HealthyCount(P0, count), now))
}

#[test]
fn the_page_opens_with_the_documented_example() {
    let store = Store::open("");
    assert_eq!(store.outcome.priorities()[0].row.load(), 70);
    assert!(store.notice.is_none() && !store.link_is_live);
    let p1 = PriorityAt {
        cluster: 0,
        priority: 1,
    };
    assert_eq!(store.selected, Some(PageFigure::Priority(p1)));
}

#[test]
fn a_bad_link_is_reported_and_kept_until_an_edit() {
    let store = Store::open("#1g.AAAA");
    assert!(store.notice.is_some() && !store.link_is_live);
    assert_eq!(store.outcome.priorities()[0].row.load(), 70);
    let store = healthy(&store, 9, 0.0);
    assert!(store.notice.is_none() && store.link_is_live);
}

/// A valid link whose aggregate names a cluster of 100 hosts this often.
fn large_link(members: usize) -> String {
    let mut plain = PlainCluster::default();
    let at = PriorityAt {
        cluster: 1,
        priority: 0,
    };
    plain.priorities = vec![Priority {
        localities: vec![PriorityLocality::default()],
        endpoints: (0..100)
            .map(|host| Endpoint {
                address: link::address(at, host),
                ..Endpoint::default()
            })
            .collect(),
    }];
    let aggregate = AggregateCluster {
        members: vec!["a".into(); members],
        panic_threshold: PanicThreshold::from_percent(50.0),
        flatten: false,
    };
    let clusters = [
        ("all", ClusterKind::Aggregate(aggregate)),
        ("a", ClusterKind::Plain(plain)),
    ]
    .map(|(name, kind)| Cluster {
        name: name.into(),
        kind,
    });
    link::write(&EditedScenario::new(clusters.into(), 0).unwrap())
}

#[test]
fn a_large_link_is_computed_on_request_only() {
    let link = large_link(200);
    assert!(link.len() < 1_000, "{}", link.len());
    let fresh = Store::open(&link);
    let later = Store::open("").after(Action::OpenLink(link.clone(), 0.0));
    for store in [&fresh, &later] {
        assert_eq!(store.scenario(), Store::open("").scenario());
        assert_eq!(store.depth(), (0, 0));
        assert!(
            store
                .notice
                .as_ref()
                .is_some_and(|text| text.contains("20\u{202f}000 hosts"))
        );
        // The address bar keeps the link.
        assert!(!store.link_is_live);
        let computed = store.after(Action::OpenWaiting(0.0));
        assert_eq!(computed.outcome.priorities().len(), 200);
        assert!(computed.notice.is_none() && computed.waiting.is_none());
        assert_eq!(computed.fragment(Disclosure::Addresses), link);
    }
    for action in [Action::Dismiss, Action::Preset("shop".into(), 0.0)] {
        let store = fresh.after(action);
        assert!(store.notice.is_none() && store.waiting.is_none());
        let same = store.after(Action::OpenWaiting(0.0));
        assert_eq!(same.scenario(), store.scenario());
    }
}

#[test]
fn the_input_of_a_screen_counts() {
    let link = link::write(&preset("shop").unwrap());
    let what_if = |lines: usize| {
        let input = format!("zone=a:40%{}", "\nno 503".repeat(lines));
        let view = [
            ("screen".into(), "what-if".into()),
            ("what-if".into(), input),
        ];
        Store::open(&link::with_view(link.clone(), &view))
    };
    assert!(what_if(10).waiting.is_none());
    let large = what_if(1_000);
    assert!(large.waiting.is_some() && large.view.screen == Screen::Build);
    let opened = large.after(Action::OpenWaiting(0.0));
    assert!(opened.view.screen == Screen::WhatIf && opened.waiting.is_none());
}

#[test]
fn links_of_presets_open_at_once() {
    for entry in PRESETS {
        let store = Store::open(&link::write(&preset(entry.id).unwrap()));
        assert!(
            store.waiting.is_none() && store.notice.is_none(),
            "{}",
            entry.id
        );
    }
}

#[test]
fn a_link_opens_and_the_same_link_again_is_no_step() {
    let scenario = preset("shop").unwrap();
    let link = link::write(&scenario);
    let store = Store::open(&format!("#{link}"));
    assert_eq!(**store.scenario(), scenario);
    let again = store.after(Action::OpenLink(link, 0.0));
    assert_eq!(again.depth(), (0, 0));
}

#[test]
fn an_opened_scenario_is_one_step_that_undo_reverts() {
    let scenario = Rc::new(preset("shop").unwrap());
    let store = Store::open("").after(Action::Open(Rc::clone(&scenario), 0.0));
    assert_eq!(store.scenario(), &scenario);
    assert_eq!(store.depth(), (1, 0));
    let back = store.after(Action::Undo);
    assert_eq!(back.scenario(), Store::open("").scenario());
}

#[test]
fn a_followed_state_is_no_step_and_keeps_the_address() {
    let scenario = Rc::new(preset("panic").unwrap());
    let store = Store::open("").after(Action::Follow(Rc::clone(&scenario)));
    assert_eq!(store.scenario(), &scenario);
    assert_eq!(store.depth(), (0, 0));
    assert!(!store.link_is_live, "a reload follows again");
    let edited = healthy(&store, 3, 0.0);
    assert!(edited.link_is_live);
    assert_eq!(edited.after(Action::Undo).scenario(), &scenario);
}

#[test]
fn other_fragments_are_ignored() {
    let store = healthy(&Store::open("#answer"), 9, 0.0);
    let after = store.after(Action::OpenLink("#answer".into(), 0.0));
    assert!(after.notice.is_none());
    assert_eq!(after.depth(), (1, 0), "the edit stays");
}

#[test]
fn a_link_has_the_screen_its_input_and_the_figure() {
    let p0 = PageFigure::Priority(P0);
    let store = Store::open("")
        .after(Action::Select(p0))
        .after(Action::Show(Screen::WhatIf))
        .after(Action::SetInput(Screen::WhatIf, "zone=a:40%".into(), 0.0));
    assert!(store.link_is_live);
    let again = Store::open(&store.fragment(Disclosure::Addresses));
    assert_eq!(again.view, store.view);
    assert_eq!(again.selected, Some(p0));
    let start = Store::open("").fragment(Disclosure::Addresses);
    assert_eq!(start.matches('.').count(), 1, "no view: {start}");
}

#[test]
fn undo_restores_the_input_of_a_screen_and_opens_it() {
    let set = |store: &Store, input: &str, now| {
        store.after(Action::SetInput(Screen::WhatIf, input.into(), now))
    };
    let edited = healthy(&Store::open(""), 6, 0.0);
    let store = set(
        &edited.after(Action::Show(Screen::WhatIf)),
        "zone=a:40%",
        0.0,
    );
    let store = set(&set(&store, "zone=a:41%", 100.0), "zone=a:50%", 9_000.0);
    assert_eq!(store.depth(), (3, 0), "a drag is one step");
    assert_eq!(store.before(), edited.before(), "of the scenario");

    let back = store.after(Action::Show(Screen::Build)).after(Action::Undo);
    assert_eq!(back.view.input(Screen::WhatIf), "zone=a:41%");
    assert_eq!(back.view.screen, Screen::WhatIf);
    assert_eq!(back.announcement, "Undone. The input of What-if is back.");
    assert_eq!(back.scenario(), edited.scenario());
    let first = back.after(Action::Undo);
    assert_eq!(first.view.input(Screen::WhatIf), "");
    let scenario = first.after(Action::Undo);
    assert_eq!(scenario.outcome.priorities()[0].row.load(), 70);
    let again = (0..3).fold(scenario, |store, _| store.after(Action::Redo));
    assert_eq!(again.view, store.view);
    assert_eq!(again.scenario(), store.scenario());
    let same = set(&again, "zone=a:50%", 20_000.0);
    assert_eq!(same.depth(), (3, 0), "an equal input is no step");
}

#[test]
fn changes_are_against_the_step_before() {
    let store = healthy(&healthy(&Store::open(""), 6, 0.0), 7, 100.0);
    assert_eq!(store.depth(), (1, 0), "a drag is one step");
    assert_eq!(store.before(), Some(Store::open("").scenario()));
    assert_eq!(
        store.previous.as_ref().unwrap().priorities()[0].row.load(),
        70
    );
    assert_eq!(store.outcome.priorities()[0].row.load(), 98);
    let back = store.after(Action::Undo);
    assert_eq!(back.outcome.priorities()[0].row.load(), 70);
    assert!(back.previous.is_none() && back.before().is_none());
    assert!(back.announcement.starts_with("Undone."));
    let again = back.after(Action::Redo);
    assert_eq!(again.outcome.priorities()[0].row.load(), 98);
    let other = again.after(Action::Preset("panic".into(), 0.0));
    assert!(other.before().is_none(), "another scenario is no change");
}

#[test]
fn a_removed_selection_falls_back() {
    let p2 = PriorityAt {
        cluster: 0,
        priority: 2,
    };
    let store = Store::open("")
        .after(Action::Select(PageFigure::Priority(p2)))
        .after(Action::Edit(ScenarioEdit::RemovePriority(0), 0.0));
    assert!(matches!(store.selected, Some(PageFigure::Priority(at)) if at != p2));
}

#[test]
fn a_reload_keeps_the_import() {
    let subsets =
        "lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [v]}]}\n";
    let text = format!(
        "{subsets}name: shop\nload_assignment: {{cluster_name: shop, endpoints: [{}]}}\n",
        "{lb_endpoints: [\
        {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}, \
        {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}"
    );
    let imported = crate::state::import_text::import_of(&text, "")
        .imported
        .unwrap();
    let scenario = spillgate_scenario::select(&imported, 0).unwrap();
    let store = Store::open("");
    assert_eq!(store.state_to_keep(), None);
    let store = store.after(Action::Import(Rc::new(scenario), 0.0));
    let store = healthy(&store, 1, 1.0);
    for disclosure in Disclosure::ALL {
        let store = store.after(Action::Disclose(disclosure));
        a_reload_keeps(&store, &imported.origin);
    }
}

fn a_reload_keeps(store: &Store, imported: &Rc<spillgate_scenario::ImportOrigin>) {
    let disclosure = store.disclosure;
    let link = store.state_to_keep().unwrap();
    let import = KeptImport::of(imported);
    let fragment = format!("#{}", link.shown);
    let again = Store::reopen(&fragment, &link, || import.clone()).unwrap();
    assert_eq!(
        again.scenario(),
        store.scenario(),
        "with its addresses and subsets"
    );
    assert_eq!(again.disclosure, disclosure);
    assert_eq!(again.fragment(again.disclosure), link.shown);
    let origin = again.scenario().origin.as_ref().unwrap();
    assert_eq!(origin.texts.config, imported.texts.config);
    assert_eq!(again.notice, None);
    // Without room for the text, all but the lines and findings stay, also after a second reload.
    let lost = || KeptImport {
        answer: "lost".into(),
        ..KeptImport::default()
    };
    let again = Store::reopen(&fragment, &link, lost).unwrap();
    assert_eq!(again.scenario(), store.scenario());
    assert!(again.scenario().origin.is_none());
    let notice = PageMessage::Lost(ReloadLoss::Text).to_string();
    assert_eq!(again.notice, Some(notice));
    if disclosure != Disclosure::Addresses {
        assert_eq!(again.state_to_keep().unwrap(), link);
    }
    // Without room for the scenario, only the link is left.
    let only_link = KeptState {
        shown: link.shown.clone(),
        ..KeptState::default()
    };
    let again = Store::reopen(&fragment, &only_link, lost).unwrap();
    let notice = PageMessage::Lost(ReloadLoss::Names).to_string();
    assert_eq!(again.notice, Some(notice));
    // Another link is not a reload.
    assert!(Store::reopen("#1g.AAAA", &link, || import.clone()).is_none());
    assert!(Store::reopen("", &KeptState::default(), || import).is_none());
}
