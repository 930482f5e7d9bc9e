//! Deliberate panics, in the build for the tests of faults.

/// Panics if the folder `$SPILLGATE_PANICS` has a file with the name of this hook.
///
/// The file makes one call panic: the call removes it first.
#[cfg(feature = "deliberate-panics")]
#[allow(clippy::panic, reason = "the purpose of this build")]
pub(super) fn panic_on_request(hook: &str) {
    use std::{env, fs, path::PathBuf, sync::OnceLock};

    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| env::var_os("SPILLGATE_PANICS").map(PathBuf::from));
    if let Some(folder) = folder
        && fs::remove_file(folder.join(hook)).is_ok()
    {
        panic!("deliberate panic");
    }
}

/// The shipped module has no deliberate panics.
#[cfg(not(feature = "deliberate-panics"))]
pub(super) const fn panic_on_request(_hook: &str) {}
