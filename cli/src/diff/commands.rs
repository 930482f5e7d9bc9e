//! Commands that repeat an example request.

use spillgate_diff::{RouteDiff, shown_example};
use spillgate_explain::shell_word;

use crate::sides::Side;

/// The command that explains the example request of a route on one side.
pub(super) fn explain(side: &Side, route: &RouteDiff) -> Option<String> {
    let header = |name: &str| {
        let mut headers = route.example.iter();
        let found = headers.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    let path = header(":path")?;
    let mut command = format!("{} --path {}", side.explain.as_ref()?, shell_word(path));
    if let Some(host) = header(":authority") {
        command.push_str(&format!(" --host {}", shell_word(host)));
    }
    if let Some(method) = header(":method").filter(|method| *method != "GET") {
        command.push_str(&format!(" --method {}", shell_word(method)));
    }
    for (name, value) in shown_example(route).filter(|(name, _)| !name.starts_with(':')) {
        let header = shell_word(&format!("{name}: {value}"));
        command.push_str(&format!(" --header {header}"));
    }
    if !route.listener.is_empty() {
        command.push_str(&format!(" --listener {}", shell_word(&route.listener)));
    }
    Some(command)
}
