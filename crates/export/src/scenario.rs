//! Scenarios: Envoy bootstraps that carry a what-if question in `node.metadata`, which Envoy does not
//! interpret. So every reader of Envoy configurations reads them.

use spillgate_config::question::{QUESTION_KEY, ScenarioQuestion};
use spillgate_core::json::Writer;

/// The start of the bootstraps that `spillgate-config` writes, with and without a node.
const WITH_NODE: &str = "{\n  \"node\": {";
const WITHOUT_NODE: &str = "{\n";

/// A bootstrap with a question about a cluster.
pub(crate) fn with_question(
    bootstrap: &str,
    cluster: Option<&str>,
    question: &ScenarioQuestion,
) -> String {
    let metadata = metadata(cluster, question);
    match (
        bootstrap.strip_prefix(WITH_NODE),
        bootstrap.strip_prefix(WITHOUT_NODE),
    ) {
        (Some(rest), _) => format!("{WITH_NODE}\"metadata\": {metadata}, {rest}"),
        (None, Some(rest)) => {
            format!("{WITHOUT_NODE}  \"node\": {{\"metadata\": {metadata}}},\n{rest}")
        }
        (None, None) => bootstrap.to_owned(),
    }
}

fn metadata(cluster: Option<&str>, question: &ScenarioQuestion) -> String {
    let mut json = Writer::new();
    json.begin_object();
    json.key(QUESTION_KEY);
    json.begin_object();
    if let Some(cluster) = cluster {
        json.key("cluster");
        json.string(cluster);
    }
    for (name, texts) in [("lose", &question.lose), ("expect", &question.expect)] {
        json.key(name);
        json.begin_list();
        texts.iter().for_each(|text| json.string(text));
        json.end_list();
    }
    if !question.view.is_empty() {
        json.key("view");
        json.begin_object();
        for (name, value) in &question.view {
            json.key(name);
            json.string(value);
        }
        json.end_object();
    }
    json.end_object();
    json.end_object();
    json.finish()
}
