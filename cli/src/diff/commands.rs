//! Commands that repeat an example request.

use spillgate_diff::{RouteDiff, shown_example};
use spillgate_explain::shell_word;

use super::{answer::DiffAnswer, connection::ExampleConnection};
use crate::sides::Side;

/// The commands that explain the example request of a route on the old and on the new side.
pub(super) fn explain(answer: &DiffAnswer<'_>, route: &RouteDiff) -> [Option<String>; 2] {
    let connection = || ExampleConnection::of(answer.old, answer.new, route);
    let has_example = !route.example.is_empty();
    match has_example.then(connection).flatten() {
        Some(connection) => {
            [answer.old, answer.new].map(|side| explain_side(side, route, &connection))
        }
        None => [None, None],
    }
}

fn explain_side(side: &Side, route: &RouteDiff, connection: &ExampleConnection) -> Option<String> {
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
    command.push_str(&connection.options());
    Some(command)
}
