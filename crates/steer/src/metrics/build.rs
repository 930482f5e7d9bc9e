//! The counter that names the version and the commit of the running filter. Release builds set the variables;
//! other builds need no git.

use crate::port::{CounterName, Plugin};

/// The number of digits of a commit in the name.
const COMMIT_DIGITS: usize = 12;

/// `spillgate.build.version.V.commit.C`, the counter of configurations that this build serves. The text is
/// complete at compile time, which keeps the filter small.
pub(crate) const BUILD_COUNTER: &str = match option_env!("SPILLGATE_BUILD_COUNTER") {
    Some(name) => name,
    None => concat!(
        "spillgate.build.version.",
        env!("CARGO_PKG_VERSION"),
        ".commit.unknown"
    ),
};

/// Counts a configuration in an environment that has labels: the counter `spillgate.build` with the same
/// values.
pub fn count_build(plugin: &impl Plugin) {
    let commit = option_env!("SPILLGATE_COMMIT").unwrap_or("unknown");
    let commit = commit.get(..COMMIT_DIGITS).unwrap_or(commit);
    let counter = plugin.counter(CounterName {
        kind: "spillgate.build",
        labels: &[("version", env!("CARGO_PKG_VERSION")), ("commit", commit)],
    });
    if let Some(counter) = counter {
        plugin.increment(counter);
    }
}
