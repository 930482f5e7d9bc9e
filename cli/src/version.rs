//! The version of the command, with the commit in builds of a release.

use std::sync::LazyLock;

/// `1.2.3`, or `1.2.3 (COMMIT)` if the build got the commit in `SPILLGATE_COMMIT`. Builds do not ask git, so
/// that an archive of the sources builds too.
pub(crate) fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        match option_env!("SPILLGATE_COMMIT") {
            Some(commit) => format!("{version} ({commit})"),
            None => version.to_owned(),
        }
    });
    &VERSION
}
