//! The scenarios in the documentation are those of the files that they name, and their fallbacks have the same figures.

use std::{fs, path::Path};

use serde_json::Value;

use spillgate_testkit::repository;

use crate::{help::shell, manual::pages};

const START: &str = "<spillgate-split ";
const FILE: &str = " data-config=\"";
const STATE: &str = " state=\"";
const END: &str = "</spillgate-split>";

/// The state of the scenario in a file, and its loads as the fallback for readers without JavaScript.
fn scenario(file: &str, root: &Path) -> (String, String) {
    let (_, link, _) = shell(
        &format!("spillgate link encode {file} --include-names"),
        root,
    );
    let (_, split, stderr) = shell(&format!("spillgate split {file} --format json"), root);
    let split: Value = serde_json::from_str(&split).expect(&stderr);
    let cluster = &split["clusters"][0];
    let mut table =
        "<table>\n<tr><th>priority</th><th>healthy hosts</th><th>load</th></tr>\n".to_owned();
    for priority in cluster["priorities"].as_array().unwrap() {
        let name = match priority["cluster"].as_str() {
            Some(cluster) => format!("{cluster} P{}", priority["cluster_priority"]),
            None => format!("P{}", priority["priority"]),
        };
        let load = priority["healthy_load"].as_u64().unwrap()
            + priority["degraded_load"].as_u64().unwrap();
        let (healthy, hosts) = (&priority["healthy"], &priority["hosts"]);
        table.push_str(&format!(
            "<tr><td>{name}</td><td>{healthy} of {hosts}</td><td>{load} %</td></tr>\n"
        ));
    }
    (
        link.trim().trim_start_matches('#').to_owned(),
        table + "</table>\n",
    )
}

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(name)?
        .1
        .split_once('"')
        .map(|(value, _)| value)
}

/// The text with the present states and fallbacks, and the number of scenarios.
fn rendered(text: &str, root: &Path) -> (String, usize) {
    let mut parts = text.split(START);
    let mut out = parts.next().unwrap().to_owned();
    let mut count = 0;
    for part in parts {
        out.push_str(START);
        let tag = part.split('>').next().unwrap();
        let Some(file) = attribute(tag, FILE) else {
            out.push_str(part);
            continue;
        };
        let old = attribute(tag, STATE).expect("a scenario has a state");
        let (_, rest) = part.split_once(END).expect("a scenario has an end");
        let (state, fallback) = scenario(file, root);
        let tag = tag.replace(&format!("{STATE}{old}\""), &format!("{STATE}{state}\""));
        out.push_str(&format!("{tag}>\n{fallback}{END}{rest}"));
        count += 1;
    }
    (out, count)
}

/// `SPILLGATE_GOLDEN=write` updates the pages.
#[test]
fn the_scenarios_of_the_pages_are_those_of_their_files() {
    let root = repository();
    let mut scenarios = 0;
    for page in pages("docs/concepts") {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let (now, count) = rendered(&text, root);
        assert!(count > 0, "{page} has no scenario");
        scenarios += count;
        if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(root.join(&page), now).unwrap();
            continue;
        }
        for (at, (kept, now)) in text.lines().zip(now.lines()).enumerate() {
            assert_eq!(kept, now, "line {} of {page}", at + 1);
        }
        assert!(text == now, "{page} differs in length");
    }
    assert!(scenarios >= 6, "{scenarios}");
}
