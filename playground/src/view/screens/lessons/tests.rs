//! The lessons: their texts, answers, tables and configurations.

use spillgate_config::envoy::{Format, read};
use spillgate_core::{
    model::Metadata,
    route::{RequestFilter, RouteAction},
    snapshot::Snapshot,
};

use super::*;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn a_lesson_has_at_most_120_words() {
    for lesson in LESSONS {
        let result = lesson.result(&lesson.initial());
        let explanation = (lesson.explain)(&result).replace('\u{a0}', "");
        let texts = [lesson.text, lesson.question, &explanation, lesson.note];
        let count: usize = texts.iter().map(|text| words(text)).sum();
        assert!(count <= 120, "{}: {count} words", lesson.name);
    }
}

#[test]
fn exactly_one_option_is_right_and_each_other_one_has_a_reply() {
    for lesson in LESSONS {
        let result = lesson.result(&lesson.initial());
        let verdicts = lesson.verdicts(&result);
        let right = verdicts.iter().filter(|right| **right).count();
        assert_eq!(right, 1, "{}: {verdicts:?}", lesson.name);
        for (option, right) in lesson.options.iter().zip(verdicts) {
            assert_eq!(
                option.reply().is_empty(),
                right,
                "{}: {option:?}",
                lesson.name
            );
        }
        let mut texts: Vec<String> = lesson.options.iter().map(|o| o.claim.text()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), lesson.options.len(), "{}", lesson.name);
    }
}

/// The right option is not always at the same place.
#[test]
fn right_options_have_different_places() {
    let mut places: Vec<usize> = LESSONS
        .iter()
        .filter_map(|lesson| {
            let verdicts = lesson.verdicts(&lesson.result(&lesson.initial()));
            verdicts.iter().position(|right| *right)
        })
        .collect();
    assert_eq!(places.len(), LESSONS.len());
    places.sort_unstable();
    places.dedup();
    assert!(places.len() > 2, "{places:?}");
}

#[test]
fn the_figure_ends_at_the_state_of_the_question() {
    for lesson in LESSONS {
        let end = lesson.end();
        let result = lesson.result(&end);
        match lesson.name {
            // The first requests of P1.
            "start" => {
                assert_eq!(end[0], 71);
                assert_eq!((result.load(0), result.load(1)), (99, 1));
            }
            name => assert_eq!(end, lesson.initial(), "{name}"),
        }
    }
}

#[test]
fn an_explanation_has_the_figures_of_its_result() {
    let explanation = |name: &str| {
        let lesson = LESSONS.iter().find(|lesson| lesson.name == name).unwrap();
        let text = (lesson.explain)(&lesson.result(&lesson.initial()));
        text.replace('\u{a0}', " ")
    };
    for (name, figures) in [
        ("health", &["25 healthy", "35 %", "65 %"][..]),
        (
            "spillover",
            &["50 % × 1.4 = 70 %", "30 % spill", "1.4 times"],
        ),
        (
            "start",
            &[
                "72 × 1.4 = 100.8",
                "100 %",
                "With 71 it is 99.4",
                "99 %",
                "1 %",
            ],
        ),
        (
            "normalization",
            &[
                "28 %",
                "42 %",
                "70 %",
                "P0 28 / 70 = 40 %",
                "P1 42 / 70 = 60 %",
            ],
        ),
        (
            "panic",
            &[
                "35 %",
                "reach 100 %",
                "65 %",
                "25 healthy",
                "the sum is 70 %, and both are",
            ],
        ),
        ("localities", &["50 % × 1.4 = 70 %", "0.7 of 2.7: 25.9 %"]),
        ("aggregates", &["70 %", "30 %"]),
        ("subsets", &["host1 and host2"]),
        ("sessions", &["25 % each", "gets a 503"]),
    ] {
        let text = explanation(name);
        for figure in figures {
            assert!(text.contains(figure), "{name}: {figure}: {text}");
        }
    }
    // The figures follow the result.
    let lesson = LESSONS[1];
    let text = (lesson.explain)(&lesson.result(&[60, 150])).replace('\u{a0}', " ");
    assert!(text.contains("60 % × 1.5 = 90 %"), "{text}");
}

#[test]
fn every_row_of_envoys_tables_has_the_figures_of_the_engine() {
    let mut compared = 0;
    for lesson in LESSONS {
        for table in lesson.tables {
            for row in table.rows {
                assert_eq!(lesson.valid(row.values), row.values, "{}", lesson.name);
                let found: Vec<String> = (table.figures)(lesson, row.values)
                    .iter()
                    .map(LessonCell::text)
                    .collect();
                assert_eq!(found.len(), table.outputs.len(), "{}", lesson.name);
                if table.page.is_empty() {
                    continue;
                }
                compared += 1;
                let documented: Vec<String> = row.documented.iter().map(LessonCell::text).collect();
                let place = format!("{}: {:?}", lesson.name, row.values);
                match row.differs {
                    "" => assert_eq!(found, documented, "{place}"),
                    _ => assert_ne!(found, documented, "{place}"),
                }
            }
        }
    }
    assert_eq!(compared, 5 + 6 + 6 + 7 + 5 + 6 + 6 + 9 + 6);
}

/// The rows in which Envoy 1.40 differs from its documentation.
#[test]
fn rows_that_differ_have_envoys_figures() {
    let mut found = Vec::new();
    for lesson in LESSONS {
        for table in lesson.tables {
            for row in table.rows.iter().filter(|row| !row.differs.is_empty()) {
                let cells = (table.figures)(lesson, row.values);
                let cells: Vec<String> = cells.iter().map(LessonCell::text).collect();
                found.push(format!(
                    "{} {:?}: {}",
                    lesson.name,
                    row.values,
                    cells.join(" ")
                ));
            }
        }
    }
    let found: Vec<String> = found.iter().map(|row| row.replace('\u{a0}', "")).collect();
    assert_eq!(
        found,
        [
            // All hosts serve: 5 healthy ones of 100.
            "health [5, 0]: 5% 0%",
            "normalization [25, 25, 20]: 37% 35% 28%",
            "panic [5, 65, 50]: 8% yes 92% no 98%",
            "localities [69, 1, 2]: 33% 67%",
            // The selector [v, stage] has created the node of [stage].
            "subsets [2, 5]: host1 and host2",
        ]
    );
}

#[test]
fn the_table_of_sessions_has_every_state() {
    let lesson = LESSONS[8];
    let table = &lesson.tables[0];
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| {
            let state = lesson.controls[0].text(row.values[0]);
            let cells = (table.figures)(lesson, row.values);
            let cells: Vec<String> = cells.iter().map(LessonCell::text).collect();
            format!("{state}: {}", cells.join(", "))
        })
        .collect();
    assert_eq!(
        rows,
        [
            "healthy: stays, stays",
            "degraded: stays, stays",
            "unhealthy: moves, 503",
            "draining: moves, 503",
            "removed: moves, 503",
        ]
    );
}

#[test]
fn a_row_is_current_if_the_controls_have_its_values() {
    let table = &LESSONS[1].tables[0];
    let current = |values: &[u32]| {
        let mut rows = table.rows.iter();
        rows.position(|row| table.is_current(row, values))
    };
    assert_eq!(current(&[71, 140]), Some(2));
    assert_eq!(current(&[71, 141]), None);
    assert_eq!(current(&[60, 140]), None);
    assert_eq!(table.chosen(&table.rows[3], &[0, 200]), [50, 140]);
    // The table of sessions has a column for strict ones, and no carriers.
    let table = &LESSONS[8].tables[0];
    assert!(table.is_current(&table.rows[2], &[2, 1, 1]));
    assert_eq!(table.chosen(&table.rows[4], &[2, 1, 1]), [4, 1, 1]);
}

/// The values of the controls: the initial ones, and the rows of the tables.
fn settings(lesson: &Lesson) -> Vec<Vec<u32>> {
    let rows = lesson
        .tables
        .iter()
        .flat_map(|table| table.rows)
        .map(|row| row.values.to_vec());
    std::iter::once(lesson.initial()).chain(rows).collect()
}

#[test]
fn the_configuration_reads_back_with_the_same_shares() {
    for lesson in LESSONS {
        for values in settings(lesson) {
            let result = lesson.result(&values);
            let yaml = lesson_yaml(&result.setup);
            let place = format!("{}: {values:?}", lesson.name);
            let config = read(&yaml, Format::Yaml).unwrap_or_else(|faults| {
                panic!("{place}: {faults:?}\n{yaml}");
            });
            let snapshot = Snapshot::build(&config.model);
            let name = result.scenario.name(0);
            let cluster = snapshot.cluster_id(name).unwrap();
            let mine = result.outcome.snapshot.cluster_id(name).unwrap();
            let criteria = match config.listeners.first() {
                None => Metadata::EMPTY,
                Some(listener) => {
                    let route = &listener.routes.virtual_hosts[0].routes[0];
                    let RouteAction::Forward(forward) = &route.action else {
                        panic!("{place}: no forwarding route");
                    };
                    let filters = &listener.routes.filters;
                    let session = result.setup.session.as_ref();
                    let written: Vec<RequestFilter> = session
                        .map(|session| RequestFilter::StatefulSession(session.filter.clone()))
                        .into_iter()
                        .collect();
                    assert_eq!(*filters, written, "{place}");
                    forward.criteria.clone()
                }
            };
            assert_eq!(criteria, result.setup.criteria, "{place}");
            let found = snapshot.distribution_for(cluster, &criteria, None);
            let expected =
                result
                    .outcome
                    .snapshot
                    .distribution_for(mine, &result.setup.criteria, None);
            assert_eq!(found.no_host, expected.no_host, "{place}");
            let shares = |of: &spillgate_core::shares::Distribution| -> Vec<f64> {
                of.shares.iter().map(|share| share.share).collect()
            };
            assert_eq!(shares(&found), shares(&expected), "{place}");
        }
    }
}

#[test]
fn the_settings_of_a_lesson_are_marked() {
    for lesson in LESSONS {
        let yaml = lesson_yaml(&lesson.result(&lesson.initial()).setup);
        let marked = yaml_lines(lesson, &yaml)
            .iter()
            .filter(|line| line.marked)
            .count();
        assert!(marked > 0, "{}:\n{yaml}", lesson.name);
    }
}

#[test]
fn equal_hosts_are_shown_once() {
    let lesson = LESSONS[1];
    let yaml = lesson_yaml(&lesson.result(&[50, 140]).setup);
    let lines = yaml_lines(lesson, &yaml);
    let more: Vec<&str> = lines
        .iter()
        .map(|line| line.text.trim())
        .filter(|text| text.starts_with('#'))
        .collect();
    assert_eq!(
        more,
        [
            "# 49 more hosts like this one",
            "# 49 more hosts like this one",
            "# 99 more hosts like this one",
        ]
    );
    assert!(lines.len() < 30, "{lines:?}");
    // Four hosts with their metadata.
    let lesson = LESSONS[7];
    let yaml = lesson_yaml(&lesson.result(&lesson.initial()).setup);
    let lines = yaml_lines(lesson, &yaml);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts.join("\n"), yaml.trim_end());
}

#[test]
fn every_lesson_has_hosts() {
    for lesson in LESSONS {
        let result = lesson.result(&lesson.initial());
        assert!(!result.hosts.is_empty(), "{}", lesson.name);
    }
}

#[test]
fn shares_and_503_sum_to_100() {
    for lesson in LESSONS {
        for values in settings(lesson) {
            let result = lesson.result(&values);
            let sum: f64 = result.hosts.iter().map(|host| host.share).sum();
            let sum = sum + result.no_host;
            assert!(
                (sum - 100.0).abs() < 1e-6,
                "{}: {values:?}: {sum}",
                lesson.name
            );
        }
    }
}

#[test]
fn captions_have_the_share_of_degraded_hosts() {
    let lesson = LESSONS[0];
    let caption = lesson
        .result(&[25, 65])
        .caption(lesson.figure)
        .replace('\u{a0}', " ");
    assert!(
        caption.contains("Healthy hosts get 35 %, degraded hosts 65 %."),
        "{caption}"
    );
}

#[test]
fn captions_name_the_hosts_of_a_session() {
    let lesson = LESSONS[8];
    let caption = |values: &[u32]| {
        let caption = lesson.result(values).caption(lesson.figure);
        caption.replace('\u{a0}', " ")
    };
    assert_eq!(caption(&[0, 0, 0]), "Host1 gets 100 %.");
    assert_eq!(
        caption(&[4, 0, 0]),
        "Host2 gets 25 %, host3 gets 25 %, host4 gets 25 %, host5 gets 25 %."
    );
    assert_eq!(caption(&[3, 1, 0]), "100 % of the requests get a 503.");
}
