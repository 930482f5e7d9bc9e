//! Scenarios through their text and the reader, as in a browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use proptest::prelude::*;
use spillgate_config::write::envoy_yaml;
use spillgate_core::model::{ClusterKind, HealthFlags};
use spillgate_testkit::{
    amount,
    models::{Dice, Extent, model},
};

use spillgate_scenario::{
    EditedScenario, HealthChoice, HostAt, ImportTexts, Imported, MAXIMUM_TEXT_HOSTS, PageFigure,
    PriorityAt, ScenarioEdit, TextLines, apply, changed_lines, import_result, merge_lines, preset,
    text_is_complete, text_model, with_text,
};

/// How many scenarios go through their text, in short and in full form.
const SCENARIOS: [u32; 2] = [400, 4_000];

fn text_of(scenario: &EditedScenario) -> String {
    let model = text_model(scenario).unwrap();
    envoy_yaml(&model, &[]).unwrap().text
}

fn read(text: &str) -> Imported {
    let answer = spillgate_reader::answer(text.as_bytes(), b"");
    let texts = ImportTexts {
        config: text.into(),
        clusters: String::new(),
    };
    let result = import_result(texts, &answer);
    result
        .imported
        .unwrap_or_else(|| panic!("{text}\n{:#?}", result.faults))
}

fn edited(scenario: &EditedScenario, text: &str) -> EditedScenario {
    with_text(scenario, None, &read(text).origin).unwrap()
}

fn refused(scenario: &EditedScenario, text: &str) -> String {
    let refusal = with_text(scenario, None, &read(text).origin);
    refusal.unwrap_err().to_string()
}

fn shop() -> EditedScenario {
    preset("shop").unwrap()
}

const P0: PriorityAt = PriorityAt {
    cluster: 0,
    priority: 0,
};

/// Any clusters, some with flags that only `/clusters` has; `None` if the page cannot show any of them.
fn scenario(seed: u64, size: usize) -> Option<EditedScenario> {
    let dice = &mut Dice::new(seed);
    let extent = Extent {
        largest_table: 4_096,
        any_number: false,
        ..Extent::all(size)
    };
    let model = model(dice, extent);
    let mut clusters: Vec<_> = model.clusters().iter().map(|one| (**one).clone()).collect();
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        let hosts = plain.priorities.iter_mut();
        for host in hosts.flat_map(|priority| &mut priority.endpoints) {
            if dice.chance(30) {
                host.health.flags = HealthFlags::from_bits(dice.below(64) as u8);
            }
        }
    }
    let roots = 0..clusters.len();
    roots
        .filter_map(|root| EditedScenario::new(clusters.clone(), root).ok())
        .next()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(amount(SCENARIOS[0], SCENARIOS[1]))
    })]

    #[test]
    fn a_text_without_an_edit_changes_nothing(seed: u64, size in 1..5_usize) {
        let Some(scenario) = scenario(seed, size) else { return Ok(()) };
        let text = text_of(&scenario);
        let read = read(&text);
        let back = with_text(&scenario, Some(&read.origin), &read.origin);
        let back = back.map_err(|refusal| TestCaseError::fail(format!("{refusal}\n{text}")))?;
        for (back, cluster) in back.clusters().iter().zip(scenario.clusters()) {
            prop_assert_eq!(back, cluster);
        }
        prop_assert_eq!(back.clusters().len(), scenario.clusters().len());
        prop_assert_eq!(back.root(), scenario.root());
    }

    #[test]
    fn a_merge_without_a_conflict_has_the_change_and_the_lines_of_the_user(seed: u64, size in 1..4_usize, count in 0..5_usize) {
        let Some(scenario) = scenario(seed, size) else { return Ok(()) };
        let at = PriorityAt { cluster: scenario.shown().first().copied().unwrap_or(scenario.root()), priority: 0 };
        let Some(next) = apply(&scenario, &ScenarioEdit::HealthyCount(at, count)) else { return Ok(()) };
        let (old, new) = (text_of(&scenario), text_of(&next));
        let user = annotated(&old);
        let merged = merge_lines(&old, &user, &new);
        prop_assert_eq!(&merge_lines(&old, &old, &new).text, &new);
        prop_assert_eq!(&merge_lines(&old, &user, &old).text, &user);
        if !merged.has_conflict {
            let read = read(&merged.text);
            let back = with_text(&next, Some(&read.origin), &read.origin);
            let back = back.map_err(|refusal| TestCaseError::fail(format!("{refusal}\n{}", merged.text)))?;
            prop_assert_eq!(back, next, "{}", merged.text);
            let comments = |text: &str| text.matches("# by hand").count();
            prop_assert_eq!(comments(&merged.text), comments(&user));
        }
    }

    #[test]
    fn the_lines_of_a_host_lead_back_to_it(seed: u64, size in 1..4_usize) {
        let Some(scenario) = scenario(seed, size) else { return Ok(()) };
        let text = text_of(&scenario);
        let read = read(&text);
        let lines = TextLines::new(&read.origin);
        for cluster in 0..scenario.clusters().len() {
            let priorities = scenario.clusters()[cluster].priorities();
            for (priority, of) in priorities.iter().enumerate() {
                for host in 0..of.endpoints.len() {
                    let figure = PageFigure::Host(HostAt { priority: PriorityAt { cluster, priority }, host });
                    // The text has no clusters that the shown one does not reach.
                    let Some(range) = lines.of(&scenario, figure) else {
                        prop_assert!(cluster != scenario.root());
                        continue;
                    };
                    prop_assert!(range.first <= range.last);
                    for line in [range.first, range.last] {
                        prop_assert_eq!(lines.figure_at(&scenario, line), Some(figure));
                    }
                }
            }
        }
    }
}

#[test]
fn an_edit_of_the_text_is_an_edit_of_the_scenario() {
    let scenario = preset("two-priorities").unwrap();
    let fail = ScenarioEdit::Health {
        priority: P0,
        hosts: vec![1],
        health: HealthChoice::Degraded,
    };
    let edits = [
        fail,
        ScenarioEdit::Factor(0, 120),
        ScenarioEdit::Threshold(0, 20),
        ScenarioEdit::HostCount(P0, 3),
        ScenarioEdit::AddPriority(0),
    ];
    for edit in edits {
        let next = apply(&scenario, &edit).unwrap();
        assert_eq!(edited(&scenario, &text_of(&next)), next, "{edit:?}");
        assert_eq!(edited(&next, &text_of(&scenario)), scenario, "{edit:?}");
    }
}

#[test]
fn other_clusters_and_their_order_stay() {
    let shop = shop();
    let root = shop.root();
    let first = shop.shown()[0];
    let member = shop.with_root(first).unwrap();
    let text = text_of(&member);
    let line = format!("name: {}\n", shop.name(root));
    assert!(!text.contains(&line), "{text}");
    let factor = apply(&member, &ScenarioEdit::Factor(first, 200)).unwrap();
    let next = edited(&member, &text_of(&factor));
    assert_eq!(next, factor);
    assert_eq!(next.clusters().len(), shop.clusters().len());
    let taken = text.replace(member.name(first), shop.name(root));
    assert!(refused(&member, &taken).contains("another cluster"));
}

#[test]
fn a_misspelled_member_can_be_corrected() {
    let shop = shop();
    let text = text_of(&shop);
    let member = shop.name(shop.shown()[0]).to_owned();
    let misspelled = text.replacen(
        &format!("clusters: [{member},"),
        "clusters: [misspelled,",
        1,
    );
    assert_ne!(misspelled, text);
    let written = read(&text);
    let wrong = with_text(&shop, Some(&written.origin), &read(&misspelled).origin).unwrap();
    assert_eq!(wrong.clusters().len(), shop.clusters().len());
    // The shown cluster no longer reaches the member, whose text is still there.
    let written = read(&misspelled);
    let corrected = with_text(&wrong, Some(&written.origin), &read(&text).origin);
    assert_eq!(corrected.unwrap(), shop);
}

#[test]
fn a_text_can_be_corrected_after_another_cluster_was_chosen() {
    let shop = shop();
    let text = text_of(&shop);
    let written = read(&text);
    let member = shop.shown()[0];
    let chosen = shop.with_root(member).unwrap();
    assert!(text_is_complete(&chosen, &written.origin));
    let factor = apply(&shop, &ScenarioEdit::Factor(member, 200)).unwrap();
    let edit = read(&text_of(&factor));
    let next = with_text(&chosen, Some(&written.origin), &edit.origin).unwrap();
    assert_eq!(next.clusters(), factor.clusters());
    assert_eq!(next.root(), member, "the chosen cluster stays");
    // So does one that the text does not have.
    let mut other = preset("two-priorities").unwrap().clusters()[0].clone();
    std::sync::Arc::make_mut(&mut other).name = "other".into();
    let mut clusters = shop.clusters().to_vec();
    clusters.push(std::sync::Arc::clone(&other));
    let more = EditedScenario::new(clusters, shop.clusters().len()).unwrap();
    let next = with_text(&more, Some(&written.origin), &edit.origin).unwrap();
    assert_eq!(next.name(next.root()), "other");
    assert!(!text_is_complete(&next, &edit.origin));
    assert_eq!(next.clusters()[..shop.clusters().len()], *factor.clusters());
    // A text of clusters that the scenario no longer has replaces the shown ones.
    let elsewhere = EditedScenario::new(vec![other], 0).unwrap();
    let next = with_text(&elsewhere, Some(&written.origin), &written.origin).unwrap();
    assert_eq!(next.clusters(), shop.clusters());
}

#[test]
fn a_text_with_too_many_hosts_is_refused() {
    let text = |hosts: usize| {
        let endpoint =
            "      - endpoint: {address: {socket_address: {address: ADDRESS, port_value: 80}}}\n";
        let address = |host: usize| format!("10.0.{}.{}", host / 250, host % 250 + 1);
        let hosts = (0..hosts).map(|host| endpoint.replace("ADDRESS", &address(host)));
        let head =
            "name: shop\nload_assignment:\n  cluster_name: shop\n  endpoints:\n  - lb_endpoints:\n";
        head.chars()
            .chain(hosts.collect::<String>().chars())
            .collect::<String>()
    };
    let scenario = preset("two-priorities").unwrap();
    let most = edited(&scenario, &text(MAXIMUM_TEXT_HOSTS));
    assert_eq!(
        most.priority(P0).unwrap().endpoints.len(),
        MAXIMUM_TEXT_HOSTS
    );
    let refused = refused(&scenario, &text(MAXIMUM_TEXT_HOSTS + 1));
    assert_eq!(
        refused,
        "the text has 2001 hosts, and may have at most 2000; import the text to see all of them"
    );
}

/// A text as users write them: with comments and with fields that balance nothing.
fn annotated(text: &str) -> String {
    let mut lines: Vec<String> = vec!["# The shop.".into()];
    for line in text.lines() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        let is_policy =
            |name: &str| line.trim_start().starts_with(name) && !line.contains("filter_metadata");
        if ["lb_policy:", "load_balancing_policy:"]
            .into_iter()
            .any(is_policy)
        {
            lines.push(format!("{indent}connect_timeout: 2s # not the default"));
        }
        match line.trim_start() {
            "health_status: UNHEALTHY" => lines.push(format!("{line} # broken")),
            _ => lines.push(line.into()),
        }
        if line.contains("port_value:") {
            lines.push(format!("{indent}# by hand"));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_change_of_the_scenario_keeps_the_other_lines_of_the_user() {
    let scenario = preset("documented").unwrap();
    let old = text_of(&scenario);
    let user = annotated(&old);
    let marks = ["# The shop.", "connect_timeout: 2s # not", "# by hand"];
    let health = |host, health| ScenarioEdit::Health {
        priority: P0,
        hosts: vec![host],
        health,
    };
    let edits = [
        health(1, HealthChoice::Healthy),
        health(0, HealthChoice::Degraded),
        health(0, HealthChoice::Unhealthy),
        ScenarioEdit::Factor(0, 120),
        ScenarioEdit::Threshold(0, 20),
        ScenarioEdit::HostCount(P0, 3),
        ScenarioEdit::HostCount(P0, 30),
        ScenarioEdit::HealthyCount(P0, 9),
        ScenarioEdit::AddPriority(0),
    ];
    for edit in edits {
        let next = apply(&scenario, &edit).unwrap();
        let new = text_of(&next);
        let merged = merge_lines(&old, &user, &new);
        assert!(!merged.has_conflict, "{edit:?}\n{}", merged.text);
        assert_eq!(edited(&next, &merged.text), next, "{edit:?}");
        let kept = marks.iter().all(|mark| merged.text.contains(mark));
        assert!(kept, "{edit:?}\n{}", merged.text);
        // Undo makes the change the other way.
        let back = merge_lines(&new, &merged.text, &old);
        assert_eq!(edited(&scenario, &back.text), scenario, "{edit:?}");
        assert_eq!(merge_lines(&old, &old, &new).text, new);
    }
}

#[test]
fn a_line_that_both_change_is_that_of_the_change() {
    let merged = |user: &str| merge_lines("a: 1\nb: 2\nc: 3\n", user, "a: 1\nb: 9\nc: 3\n");
    assert_eq!(merged("a: 1\nb: 3\nc: 4\n").text, "a: 1\nb: 9\nc: 4\n");
    assert!(merged("a: 1\nb: 3\nc: 3\n").has_conflict);
    assert!(
        !merged("a: 1\nb: 9\nc: 3\n").has_conflict,
        "the same change"
    );
    let comment = merged("a: 1\nb: 2 # two\nc: 3\n");
    assert_eq!(comment.text, "a: 1\nb: 9 # two\nc: 3\n");
    assert!(!comment.has_conflict);
    let above = merged("a: 1\n# two\nb: 2\n# three\nc: 3\n");
    assert_eq!(above.text, "a: 1\n# two\nb: 9\n# three\nc: 3\n");
    assert!(!above.has_conflict);
    // So does the user with a comment, and with lines that only the user changes.
    let same = merged("# a\na: 1\n# two\nb: 9 # nine\nc: 4\n");
    assert_eq!(same.text, "# a\na: 1\n# two\nb: 9 # nine\nc: 4\n");
    assert!(!same.has_conflict);
    // In one place, lines that belong to the line before them stay below it.
    let inserted = merge_lines("a:\nc: 3\n", "a:\n  own: 1\nc: 3\n", "a:\nb: 2\nc: 3\n");
    assert_eq!(inserted.text, "a:\n  own: 1\nb: 2\nc: 3\n");
}

#[test]
fn comments_stay_with_their_lines() {
    let old = "a: '1 # no'\n- b: 2\n  health: X\n- c: 3\n";
    let user =
        "a: '1 # no' # one\n- b: 2 # two\n  # by hand\n  health: X # broken\n- c: 3 # three\n";
    let merged = |new: &str| {
        let merged = merge_lines(old, user, new);
        assert!(!merged.has_conflict, "{}", merged.text);
        merged.text
    };
    // A changed line, also of a text with a number sign.
    assert_eq!(
        merged("a: '4 # no'\n- b: 2\n  health: Y\n- c: 3\n"),
        "a: '4 # no' # one\n- b: 2 # two\n  # by hand\n  health: Y # broken\n- c: 3 # three\n"
    );
    // Removed lines, and their comments with them.
    assert_eq!(
        merged("a: '1 # no'\n- c: 3\n"),
        "a: '1 # no' # one\n- c: 3 # three\n"
    );
    // Two lines that become one.
    assert_eq!(
        merged("a: '1 # no'\n- {b: 2, health: Y}\n- c: 3\n"),
        "a: '1 # no' # one\n  # by hand\n# two\n# broken\n- {b: 2, health: Y}\n- c: 3 # three\n"
    );
    // A field in the middle of them is another change.
    let field = merge_lines(
        old,
        &user.replace("# by hand", "weight: 7"),
        "a: '1 # no'\n- c: 3\n",
    );
    assert!(field.has_conflict);
    assert_eq!(field.text, "a: '1 # no' # one\n- c: 3 # three\n");
}

#[test]
fn a_renamed_cluster_stays_the_shown_one_and_keeps_what_no_text_has() {
    let mut clusters = preset("two-priorities").unwrap().clusters().to_vec();
    let name = clusters[0].name.clone();
    let cluster = std::sync::Arc::make_mut(&mut clusters[0]);
    let ClusterKind::Plain(plain) = &mut cluster.kind else {
        panic!("a cluster with hosts");
    };
    let host = &mut plain.priorities[0].endpoints[0];
    host.health.flags.failed_active_hc = true;
    host.reported_weight = Some(7);
    let scenario = EditedScenario::new(clusters, 0).unwrap();
    let text = text_of(&scenario);
    let next = edited(&scenario, &text.replace(&name, "other"));
    assert_eq!(next.name(next.root()), "other");
    assert_eq!(next.priority(P0), scenario.priority(P0));
    // The health of the text wins over flags.
    let next = edited(&scenario, &text.replacen("UNHEALTHY", "HEALTHY", 1));
    let health = next.priority(P0).unwrap().endpoints[0].health;
    assert_eq!(health.flags, HealthFlags::default());
}

#[test]
fn a_text_whose_figures_could_differ_is_refused() {
    let scenario = preset("two-priorities").unwrap();
    let name = scenario.name(0);
    let text = text_of(&scenario);
    let unknown =
        format!("name: {name}\ntype: EDS\neds_cluster_config: {{eds_config: {{ads: {{}}}}}}\n");
    assert!(refused(&scenario, &unknown).contains("unknown"));
    assert_eq!(edited(&scenario, &text), scenario);
}

#[test]
fn a_long_text_is_not_written() {
    let many = ScenarioEdit::HostCount(P0, MAXIMUM_TEXT_HOSTS + 1);
    let many = apply(&preset("two-priorities").unwrap(), &many).unwrap();
    assert!(text_model(&many).is_err());
}

#[test]
fn a_figure_has_the_lines_of_its_setting() {
    let scenario = preset("two-priorities").unwrap();
    let scenario = apply(&scenario, &ScenarioEdit::Factor(0, 120)).unwrap();
    let scenario = apply(&scenario, &ScenarioEdit::Threshold(0, 20)).unwrap();
    let text = text_of(&scenario);
    let read = read(&text);
    let lines = TextLines::new(&read.origin);
    let shown = |figure| {
        let range = lines.of(&scenario, figure).unwrap();
        let (first, last) = (range.first as usize, range.last as usize);
        let shown: Vec<&str> = text.lines().collect();
        shown[first - 1..last].join("\n")
    };
    assert!(shown(PageFigure::Panic(P0)).contains("20"));
    assert!(shown(PageFigure::Availability(P0)).contains("120"));
    let second = PriorityAt {
        cluster: 0,
        priority: 1,
    };
    let second = shown(PageFigure::Priority(second));
    assert!(
        second.contains("priority: 1") && !second.contains("priority: 2"),
        "{second}"
    );
    let first = shown(PageFigure::Priority(P0));
    let hosts = scenario.priority(P0).unwrap().endpoints.len();
    assert_eq!(first.matches("port_value").count(), hosts, "{first}");
}

#[test]
fn changed_lines_are_the_smallest_range() {
    let range =
        |old: &str, new: &str| changed_lines(old, new).map(|range| (range.first, range.last));
    assert_eq!(range("a\nb\nc", "a\nb\nc"), None);
    assert_eq!(range("a\nb\nc", "a\nx\nc"), Some((2, 2)));
    assert_eq!(range("a\nc", "a\nx\ny\nc"), Some((2, 3)));
    assert_eq!(range("a\nb\nc", "a\nc"), Some((1, 1)), "the line before");
    assert_eq!(range("a\nb", "a"), Some((1, 1)));
    assert_eq!(range("a\na\na", "a\na"), Some((2, 2)));
    assert_eq!(range("a", ""), Some((1, 1)));
}
