//! The answers of all zones in each format: what the zones have in common, then each zone, changed ones first.

use serde_json::{Value, json};
use spillgate_answers::split::json_text;
use spillgate_diff::DiffRow;

use super::{ZonesAnswer, one_sided, traffic};
use crate::{
    color::output_style,
    diff::{
        args::{DiffArgs, DiffFormat},
        json::expectation as expectation_json,
        markdown,
        sarif::NewFindings,
        summary::{NOT_COMPARED, expectation},
        text,
    },
    markdown_text::escaped,
};

pub(super) fn write(answer: ZonesAnswer<'_>, args: &DiffArgs) -> String {
    match args.format {
        DiffFormat::Json => json_text(&value(&answer)),
        DiffFormat::Sarif => {
            NewFindings::merged(answer.answers.into_iter().map(|(_, of)| of.findings)).log()
        }
        DiffFormat::Text => in_text(&answer, args),
        DiffFormat::Markdown => in_markdown(&answer),
    }
}

fn value(answer: &ZonesAnswer<'_>) -> Value {
    let values = answer.answers.iter().map(|(zone, answer)| {
        let mut value = answer.value.clone();
        if let Some(value) = value.as_object_mut() {
            value.insert("zone".into(), json!(zone));
        }
        value
    });
    let expectations = answer.expectations.iter().map(expectation_json);
    json!({
        "zones": values.collect::<Value>(),
        "added_zones": answer.zones.added,
        "removed_zones": answer.zones.removed,
        "traffic": traffic::json(&answer.zones.traffic),
        "expectations": expectations.collect::<Value>(),
    })
}

fn in_text(answer: &ZonesAnswer<'_>, args: &DiffArgs) -> String {
    let style = output_style();
    let mut output = String::new();
    for (heading, rows) in common(answer) {
        if !rows.is_empty() {
            output.push_str(&text::list(heading, &rows, args.all, style));
            output.push('\n');
        }
    }
    for (zone, of) in whole(answer) {
        output.push_str(&format!("zone {zone}: {of}\n"));
    }
    for (zone, what) in lines(answer) {
        output.push_str(&format!("zone {zone}: {what}\n"));
    }
    if !answer.expectations.is_empty() {
        output.push('\n');
    }
    for expected in &answer.expectations {
        output.push_str(&format!("{}\n", expectation(expected)));
    }
    format!("{}\n", output.trim_end())
}

fn in_markdown(answer: &ZonesAnswer<'_>) -> String {
    let mut output = String::new();
    for (heading, rows) in common(answer) {
        if !rows.is_empty() {
            output.push_str(&markdown::list(heading, &rows));
            output.push('\n');
        }
    }
    for (zone, of) in whole(answer) {
        output.push_str(&format!("## zone {}\n\n{of}\n", escaped(zone)));
    }
    for (zone, what) in lines(answer) {
        output.push_str(&format!("- zone {}: {what}\n", escaped(zone)));
    }
    if !answer.expectations.is_empty() {
        output.push('\n');
    }
    for expected in &answer.expectations {
        output.push_str(&format!("- {}\n", escaped(&expectation(expected))));
    }
    output
}

/// What all zones have in common: headings with rows.
fn common(answer: &ZonesAnswer<'_>) -> [(&'static str, Vec<DiffRow>); 2] {
    let fields = answer.not_compared.iter();
    let fields = fields.map(|field| DiffRow {
        name: String::new(),
        text: field.clone(),
    });
    [
        (traffic::HEADING, traffic::rows(&answer.zones.traffic)),
        (NOT_COMPARED, fields.collect()),
    ]
}

/// The zones with a difference of their own, and their whole answer.
fn whole<'a>(answer: &'a ZonesAnswer<'_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let differ = answer.answers.iter();
    let differ = differ.filter(|(_, of)| !of.has_equal_choices || of.negative);
    differ.map(|(zone, of)| (*zone, of.output.as_str()))
}

/// The other zones, and what is said of each.
fn lines<'a>(answer: &'a ZonesAnswer<'_>) -> impl Iterator<Item = (&'a str, &'static str)> {
    let equal = answer.answers.iter().filter(|(_, of)| !of.negative);
    let equal = equal.filter_map(|(zone, of)| {
        let what = match (of.is_equal, of.has_equal_choices) {
            (true, _) => "no request differs (proved)",
            (false, true) => "every request gets the same route and host (proved)",
            (false, false) => return None,
        };
        Some((*zone, what))
    });
    let added = answer.zones.added.iter();
    let added = added.map(|zone| (zone.as_str(), one_sided::ADDED));
    let removed = answer.zones.removed.iter();
    let removed = removed.map(|zone| (zone.as_str(), one_sided::REMOVED));
    equal.chain(added).chain(removed)
}
