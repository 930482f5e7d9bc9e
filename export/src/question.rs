//! The what-if question of a scenario.

use spillgate_config::node::{Node, NodeValue, read_json};

/// What `spillgate what-if` asks about a scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScenarioQuestion {
    /// The cluster in question.
    pub cluster: Option<String>,
    /// The lost hosts: `zone=a:40%`.
    pub lose: Vec<String>,
    /// The expectations after the loss: `load(P0) >= 60`.
    pub expect: Vec<String>,
}

/// The key of `node.metadata` with the question.
pub(crate) const KEY: &str = "spillgate";

impl ScenarioQuestion {
    /// The question of the What-if screen: `SELECTOR:PERCENT%` on the first line, then one expectation on
    /// each line. An empty text, or one without a selector, has no loss.
    #[must_use]
    pub fn from_screen(text: &str) -> Self {
        let mut lines = text.lines().map(str::to_owned);
        let first = lines.next().filter(|line| !line.starts_with(':'));
        Self {
            cluster: None,
            lose: first.into_iter().filter(|line| !line.is_empty()).collect(),
            expect: lines.filter(|line| !line.is_empty()).collect(),
        }
    }

    /// Whether it asks nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lose.is_empty() && self.expect.is_empty()
    }

    /// The question of a scenario file; `None` for another text.
    #[must_use]
    pub fn in_file(text: &str) -> Option<Self> {
        let document = read_json(text).ok()?;
        let [root] = document.roots.as_slice() else {
            return None;
        };
        let question = root.get("node")?.get("metadata")?.get(KEY)?;
        let cluster = match question.get("cluster").map(|node| &node.value) {
            Some(NodeValue::String(name)) => Some(name.as_ref().to_owned()),
            _ => None,
        };
        Some(Self {
            cluster,
            lose: texts(question, "lose"),
            expect: texts(question, "expect"),
        })
    }
}

/// The texts of a list.
fn texts(of: &Node<'_>, name: &str) -> Vec<String> {
    let Some(NodeValue::List(items)) = of.get(name).map(|node| &node.value) else {
        return Vec::new();
    };
    let text = |item: &Node<'_>| match &item.value {
        NodeValue::String(text) => Some(text.as_ref().to_owned()),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}
