//! The question of a text: what to ask about its clusters, and what the playground shows of them.
//!
//! A scenario file is an Envoy bootstrap with the question in `node.metadata`, which Envoy does not interpret. A
//! scenario of `spillgate simulate` asks for a run of its own text.

use alloc::{
    borrow::ToOwned as _,
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use crate::{
    envoy::{Format, is_simulation},
    node::{Node, NodeValue},
};

/// What `spillgate what-if` asks about a scenario, and what the playground shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScenarioQuestion {
    /// The cluster in question.
    pub cluster: Option<String>,
    /// The lost hosts: `zone=a:40%`.
    pub lose: Vec<String>,
    /// The expectations after the loss: `load(P0) >= 60`.
    pub expect: Vec<String>,
    /// The settings of the playground, by name, as in links: `screen`, and the input of each screen by its name.
    pub view: Vec<(String, String)>,
}

/// The key of `node.metadata` with the question.
pub const QUESTION_KEY: &str = "spillgate";

/// The name of the What-if screen, whose input is the question.
const WHAT_IF: &str = "what-if";

/// The largest scenario of `spillgate simulate` whose text the playground keeps as the input of the Timeline.
const LARGEST_SIMULATION: usize = 1_000_000;

impl ScenarioQuestion {
    /// The question of the What-if screen: `SELECTOR:AMOUNT` on the first lines, then one expectation on
    /// each line. An empty text, or one without a selector, has no loss.
    #[must_use]
    pub fn from_screen(text: &str) -> Self {
        let (losses, expectations) = screen_lines(text);
        let has_hosts = |line: &&&str| !line.is_empty() && !line.starts_with(':');
        let owned = |line: &&str| (*line).to_owned();
        Self {
            lose: losses.iter().filter(has_hosts).map(owned).collect(),
            expect: expectations.iter().map(owned).collect(),
            ..Self::default()
        }
    }

    /// The question of the playground's settings.
    #[must_use]
    pub fn from_view(view: Vec<(String, String)>) -> Self {
        let asked = view.iter().find(|(name, _)| name == WHAT_IF);
        let asked = Self::from_screen(asked.map_or("", |(_, text)| text));
        Self { view, ..asked }
    }

    /// Whether it asks nothing about losses.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lose.is_empty() && self.expect.is_empty()
    }

    /// The question of a scenario file; `None` for another text.
    #[must_use]
    pub fn in_file(text: &str) -> Option<Self> {
        if !text.contains(QUESTION_KEY) {
            return None;
        }
        let document = Format::guess("", text).parse(text).ok()?;
        match document.roots.as_slice() {
            [root] => Self::in_root(root),
            _ => None,
        }
    }

    /// As [`in_file`](Self::in_file). A scenario of `spillgate simulate` asks for its own run on the Timeline.
    #[must_use]
    pub fn of_import(text: &str) -> Option<Self> {
        let document = Format::guess("", text).parse(text).ok()?;
        let [root] = document.roots.as_slice() else {
            return None;
        };
        if !is_simulation(root) {
            return Self::in_root(root);
        }
        let mut view = vec![("screen".into(), "timeline".into())];
        if text.len() <= LARGEST_SIMULATION {
            view.push(("timeline".into(), format!("text:\n{text}")));
        }
        Some(Self {
            cluster: root.get("target").and_then(string),
            view,
            ..Self::default()
        })
    }

    fn in_root(root: &Node<'_>) -> Option<Self> {
        let question = root.get("node")?.get("metadata")?.get(QUESTION_KEY)?;
        Some(Self {
            cluster: question.get("cluster").and_then(string),
            lose: texts(question, "lose"),
            expect: texts(question, "expect"),
            view: settings(question),
        })
    }

    /// The settings of the playground for this question: those of the file, with its losses and expectations as the
    /// input of the What-if screen.
    #[must_use]
    pub fn page_view(self) -> Vec<(String, String)> {
        let is_empty = self.is_empty();
        // Without a loss, the slider of the screen keeps its percentage.
        let kept = self.view.iter().find(|(name, _)| name == WHAT_IF);
        let slider = kept
            .and_then(|(_, text)| text.lines().next())
            .filter(|line| line.starts_with(':'))
            .unwrap_or(":0%");
        let mut lines = self.lose;
        if lines.is_empty() {
            lines.push(slider.to_owned());
        }
        lines.extend(self.expect);
        let input = lines.join("\n");
        let mut view = self.view;
        let has = |name: &str| view.iter().position(|(other, _)| other == name);
        match (has(WHAT_IF), has("screen")) {
            (Some(at), _) => {
                if let Some((_, kept)) = view.get_mut(at) {
                    *kept = input;
                }
            }
            (None, _) if is_empty => {}
            (None, screen) => {
                view.push((WHAT_IF.into(), input));
                if screen.is_none() {
                    view.push(("screen".into(), WHAT_IF.into()));
                }
            }
        }
        view
    }
}

/// The losses and the expectations of the input of the What-if screen. The first line is a loss, and so
/// are those after it that end with an amount: `zone=a:40%` or `zone=a:3`.
#[must_use]
pub fn screen_lines(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut lines = text.lines();
    let mut losses: Vec<&str> = lines.next().into_iter().collect();
    let mut expectations = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if expectations.is_empty() && ends_with_amount(line) {
            losses.push(line);
        } else {
            expectations.push(line);
        }
    }
    (losses, expectations)
}

fn ends_with_amount(line: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_digit() || c == '.';
    line.rsplit_once(':').is_some_and(|(_, amount)| {
        let figures = amount.strip_suffix('%').unwrap_or(amount);
        !figures.is_empty() && figures.chars().all(is_figure)
    })
}

fn string(node: &Node<'_>) -> Option<String> {
    match &node.value {
        NodeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The texts of a list.
fn texts(of: &Node<'_>, name: &str) -> Vec<String> {
    let Some(NodeValue::List(items)) = of.get(name).map(|node| &node.value) else {
        return Vec::new();
    };
    items.iter().filter_map(string).collect()
}

/// The texts of the map `view`.
fn settings(of: &Node<'_>) -> Vec<(String, String)> {
    let Some(NodeValue::Map(entries)) = of.get("view").map(|node| &node.value) else {
        return Vec::new();
    };
    let setting =
        |entry: &crate::node::Entry<'_>| Some((entry.key.name.to_string(), string(&entry.node)?));
    entries.iter().filter_map(setting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(question: &str) -> String {
        format!("node: {{metadata: {{spillgate: {question}}}}}\nstatic_resources: {{}}\n")
    }

    #[test]
    fn the_settings_of_the_page_follow_an_edited_question() {
        let kept = "{cluster: shop, lose: ['zone=a:40%'], expect: [no panic], \
                    view: {screen: trace, what-if: \"zone=a:40%\\nno panic\", trace: \"seed=7\\n\"}}";
        let question = ScenarioQuestion::in_file(&file(kept)).unwrap();
        assert_eq!(question.cluster.as_deref(), Some("shop"));
        assert_eq!(question.clone().page_view(), question.view);
        assert_eq!(question.view[0], ("screen".into(), "trace".into()));
        let edited = kept.replace("40%']", "60%']");
        let question = ScenarioQuestion::in_file(&file(&edited)).unwrap();
        let view = question.page_view();
        assert!(view.contains(&("what-if".into(), "zone=a:60%\nno panic".into())));
        assert!(view.contains(&("trace".into(), "seed=7\n".into())));
        // A file of the command line has no settings.
        let question = ScenarioQuestion::in_file(&file("{lose: ['P0:10%']}")).unwrap();
        let expected = [("what-if", "P0:10%"), ("screen", "what-if")];
        assert_eq!(
            question.page_view(),
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert_eq!(
            ScenarioQuestion::from_view(vec![("trace".into(), "seed=1\n".into())]).page_view(),
            [("trace".to_owned(), "seed=1\n".to_owned())]
        );
    }

    #[test]
    fn a_screen_has_several_losses_before_its_expectations() {
        let text = "priority=0:3\nzone=b:100%\nshare(host=10.0.0.1:80) <= 5\nno 503";
        let view = vec![
            ("what-if".to_owned(), text.to_owned()),
            ("screen".to_owned(), "what-if".to_owned()),
        ];
        let question = ScenarioQuestion::from_view(view.clone());
        assert_eq!(question.lose, ["priority=0:3", "zone=b:100%"]);
        assert_eq!(question.expect, ["share(host=10.0.0.1:80) <= 5", "no 503"]);
        assert_eq!(question.page_view(), view);
        // The first line is a loss, whatever its amount.
        assert_eq!(
            screen_lines("zone=a:x%\nno 503"),
            (vec!["zone=a:x%"], vec!["no 503"])
        );
    }

    #[test]
    fn a_simulation_is_the_input_of_the_timeline() {
        let text = "clusters: []\ntarget: shop\nevents: []\n";
        let question = ScenarioQuestion::of_import(text).unwrap();
        assert_eq!(question.cluster.as_deref(), Some("shop"));
        assert_eq!(
            question.page_view()[1],
            ("timeline".into(), format!("text:\n{text}"))
        );
        for other in ["", "name: shop", "static_resources: {clusters: []}", "a: ["] {
            assert_eq!(ScenarioQuestion::of_import(other), None, "{other}");
        }
    }
}
