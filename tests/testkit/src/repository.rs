//! Where the checkout is: what a test or a tool reads outside of its own package.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The folder of the workspace, in which `docs/`, `vectors/` and `envoy-config/` are: the nearest one above
/// the package that cargo runs, or else above this crate.
///
/// # Panics
/// If no such folder exists.
pub fn repository() -> &'static Path {
    static FOUND: LazyLock<PathBuf> = LazyLock::new(|| {
        // Cargo sets it for what it runs, `release --twice` for a program that works on another checkout.
        let running = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let found = running.into_iter().chain([built]).find_map(|package| {
            let mut above = package.ancestors();
            let folder = above.find(|folder| is_repository(folder));
            folder.map(Path::to_path_buf)
        });
        found.expect("a package of the repository")
    });
    &FOUND
}

fn is_repository(folder: &Path) -> bool {
    folder.join("Cargo.lock").is_file() && folder.join("envoy-config").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_above_every_package() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(package.starts_with(repository()));
        assert!(repository().join("vectors").is_dir());
    }
}
