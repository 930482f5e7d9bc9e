//! The files of the playground's presets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use spillgate_config::node::{Scalars, read_json, read_yaml};
use spillgate_export::{
    ExportSource, FileFormat, PictureColors, ScenarioQuestion, picture, write_file,
};
use spillgate_scenario::{EditedScenario, PRESETS, preset};

fn file(scenario: &EditedScenario, format: FileFormat) -> String {
    let model = scenario.model();
    let source = ExportSource {
        target: Some(scenario.name(scenario.root())),
        ..ExportSource::of(model)
    };
    let written = write_file(&source, format).unwrap();
    assert_eq!(written.warnings, []);
    written.text
}

#[test]
fn every_preset_has_every_file() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        for format in FileFormat::ALL {
            let text = file(&scenario, format);
            assert!(
                text.ends_with('\n') && !text.contains('\u{a0}') || format == FileFormat::Svg,
                "{}",
                format.name()
            );
        }
    }
}

#[test]
fn comments_explain_the_loads() {
    let text = file(&preset("documented").unwrap(), FileFormat::EnvoyYaml);
    let start = "static_resources:\n  clusters:\n  # shop: Spillover: P0 takes 70 % of the traffic, P1 takes \
                 30 %. P0: 5 of 10 hosts × 1.4 = 70 %.\n  #   load(P0) = ";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("  - name: shop\n"), "{text}");
    let aggregate = file(&preset("shop").unwrap(), FileFormat::EnvoyYaml);
    for comment in [
        "  # shop: Spillover: shop-primary takes 84 % of the traffic, shop-secondary takes 16 %.",
        "  # shop-primary: Overload: hosts available for 84 % of the traffic take all of it.",
    ] {
        assert!(aggregate.contains(comment), "{aggregate}");
    }
}

#[test]
fn names_cannot_end_a_comment() {
    let mut scenario = preset("documented").unwrap();
    let mut plain = scenario.plain(0).unwrap().clone();
    plain.priorities.truncate(1);
    let name = "a\nstatic_resources: {}\r\u{2028}\u{85}\u{feff}# <b>";
    let cluster = spillgate_core::model::Cluster::plain(name, plain);
    scenario = EditedScenario::new(vec![cluster], 0).unwrap();
    let text = file(&scenario, FileFormat::EnvoyYaml);
    let documents = read_yaml(&text, Scalars::Envoy).unwrap();
    assert_eq!(documents.warnings, [], "{text}");
    assert!(
        text.contains("# a\\u000astatic_resources: {}\\u000d\\u2028\\u0085\\ufeff# <b>: "),
        "{text}"
    );
    let svg = file(&scenario, FileFormat::Svg);
    assert!(!svg.contains("<b>"), "{svg}");
    let markdown = file(&scenario, FileFormat::Markdown);
    assert!(!markdown.contains("\nstatic_resources"), "{markdown}");
    let csv = file(&scenario, FileFormat::Csv);
    for text in [svg, markdown, csv] {
        let lines = text.replace('\n', "");
        assert!(
            !lines.contains(spillgate_core::visible::is_hidden),
            "{text}"
        );
        assert!(text.contains("\\u2028"), "{text}");
    }
}

#[test]
fn a_scenario_has_its_question_in_the_metadata_of_the_node() {
    let scenario = preset("shop").unwrap();
    let model = scenario.model();
    let question = ScenarioQuestion::from_screen("zone=a:40%\nload(P0) >= 60\nno panic");
    assert_eq!(question.lose, ["zone=a:40%"]);
    let source = ExportSource {
        target: Some("shop"),
        question: &question,
        ..ExportSource::of(model)
    };
    let text = write_file(&source, FileFormat::Scenario).unwrap().text;
    let start = "{\n  \"node\": {\"metadata\": {\"spillgate\":{\"cluster\":\"shop\",\"lose\":[\"zone=a:40%\"],\
                 \"expect\":[\"load(P0) >= 60\",\"no panic\"]}}},\n  \"static_resources\": {";
    assert!(text.starts_with(start), "{text}");
    assert!(read_json(&text).is_ok());
    let asked = ScenarioQuestion::in_file(&text).unwrap();
    assert_eq!(asked.cluster.as_deref(), Some("shop"));
    assert_eq!(asked.expect, question.expect);
    for none in ["", "not json", "{}", "{\"node\": {\"metadata\": {}}}"] {
        assert_eq!(ScenarioQuestion::in_file(none), None, "{none}");
    }
    assert!(ScenarioQuestion::from_screen("").is_empty());
    assert!(ScenarioQuestion::from_screen(":40%").is_empty());
}

#[test]
fn tables_have_loads_and_hosts() {
    let text = file(&preset("documented").unwrap(), FileFormat::Markdown);
    let start = "**Spillover: P0 takes 70 % of the traffic, P1 takes 30 %.** P0: 5 of 10 hosts × 1.4 = \
                 70 %.\n\n| priority | hosts |";
    assert!(text.starts_with(start), "{text}");
    assert!(
        text.contains("| P0 | 10 | 5 | 0 | 70 % | 70 % | 70.0 % | no |\n"),
        "{text}"
    );
    assert!(text.contains("| cluster | priority |"), "{text}");
}

#[test]
fn a_picture_is_self_contained_and_says_what_it_shows() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        let svg = picture(&scenario, PictureColors::OfViewer);
        for outside in ["href", "url(http", "@import", "<script", "var(--", "NaN"] {
            assert!(!svg.contains(outside), "{}: {outside}", entry.id);
        }
        // Every referenced pattern is in the file.
        for reference in svg.split("url(#").skip(1) {
            let id = reference.split(')').next().unwrap();
            assert!(svg.contains(&format!("id=\"{id}\"")), "{}: {id}", entry.id);
        }
    }
    let scenario = preset("documented").unwrap();
    let svg = picture(&scenario, PictureColors::OfViewer).replace('\u{a0}', " ");
    assert!(
        svg.contains("<title id=\"sg-title\">Traffic of shop</title>"),
        "{svg}"
    );
    let words =
        "<desc id=\"sg-description\">Spillover: P0 takes 70 % of the traffic, P1 takes 30 %. P0";
    assert!(svg.contains(words), "{svg}");
    assert!(svg.contains("prefers-color-scheme"));
    assert!(!picture(&scenario, PictureColors::Light).contains("prefers-color-scheme"));
}
