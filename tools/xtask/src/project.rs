//! Where things are: the checkout, the target folder, outputs and caches; and what is decided once in
//! a process: the toolchain and wasm-opt.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, anyhow};
use serde_json::Value;

use spillgate_testkit::repository;

use crate::identity::{BuildIdentity, workspace_version};
use crate::process;
use crate::toolchain::{self, Toolchain, ToolchainRequest, WasmOpt};

/// The checkout and its folders.
pub struct Project {
    /// The folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// What a release names as its origin; missing in every other build.
    pub identity: OnceLock<BuildIdentity>,
    request: Option<ToolchainRequest>,
    /// The error is kept too: one that takes an installer minutes should not come twice.
    toolchain: OnceLock<Result<Toolchain, String>>,
    wasm_opt: OnceLock<Option<WasmOpt>>,
}

impl Project {
    /// The checkout that this command was started in.
    pub fn find(request: Option<ToolchainRequest>) -> Result<Self> {
        let root = repository().to_path_buf();
        let target = target_folder(&root)?;
        Ok(Self::new(root, target, request))
    }

    /// A checkout at `root` that builds into `target`.
    pub fn new(root: PathBuf, target: PathBuf, request: Option<ToolchainRequest>) -> Self {
        Self {
            root,
            target,
            identity: OnceLock::new(),
            request,
            toolchain: OnceLock::new(),
            wasm_opt: OnceLock::new(),
        }
    }

    /// The toolchain for WebAssembly; the first call decides, installs if necessary, and prints.
    pub fn toolchain(&self) -> Result<&Toolchain> {
        let decide = || toolchain::choose(self.request).map_err(|error| format!("{error:#}"));
        let decided = self.toolchain.get_or_init(decide);
        decided.as_ref().map_err(|error| anyhow!(error.clone()))
    }

    /// wasm-opt, where there is one; the first call finds or installs it.
    pub fn wasm_opt(&self) -> Option<&WasmOpt> {
        let found = self.wasm_opt.get_or_init(WasmOpt::find_or_install);
        found.as_ref()
    }

    /// A cargo command in the checkout, with the toolchain that runs this program. It and its
    /// children use the same target folder and the same toolchain for WebAssembly as this process.
    pub fn cargo(&self) -> Command {
        let mut command = process::cargo(&self.root);
        command.env("CARGO_TARGET_DIR", &self.target);
        if let Some(identity) = self.identity.get() {
            identity.pass(&mut command);
        }
        let decided = match self.toolchain.get() {
            Some(Ok(toolchain)) => Some(toolchain.path()),
            _ => self.request.map(|request| request.path),
        };
        if let Some(path) = decided {
            command.env(toolchain::VARIABLE, path.name());
        }
        command
    }

    /// The commit of a release; empty in every other build.
    pub fn commit(&self) -> &str {
        self.identity.get().map_or("", |identity| &identity.commit)
    }

    /// The version, with the commit of a release.
    pub fn build_text(&self) -> Result<String> {
        let version = workspace_version(&self.root)?;
        Ok(format!("{version} {}", self.commit()).trim().to_owned())
    }

    /// The built filter and page, of the toolchain that built last.
    pub fn out(&self) -> PathBuf {
        self.target.join("spillgate")
    }

    /// The filter as it ships.
    pub fn filter_wasm(&self) -> PathBuf {
        self.out().join("spillgate.wasm")
    }

    /// The dynamic module as it ships.
    pub fn dynamic_module(&self) -> PathBuf {
        self.out().join("libspillgate.so")
    }

    /// The dynamic module with deliberate panics.
    pub fn faulty_module(&self) -> PathBuf {
        self.out().join("faulty/libspillgate.so")
    }

    /// The commands' answers as a module, for the test that compares them.
    pub fn twin_wasm(&self) -> PathBuf {
        self.out().join("twin.wasm")
    }

    /// The playground as it ships.
    pub fn www(&self) -> PathBuf {
        self.out().join("www")
    }

    /// The documentation site. Servers have it in the folder `docs` of the playground.
    pub fn docs(&self) -> PathBuf {
        self.out().join("docs")
    }

    /// The playground in a single file, as it ships.
    pub fn page_file(&self) -> PathBuf {
        self.out().join("playground.html")
    }

    /// Intermediate files of a build.
    pub fn stage(&self) -> PathBuf {
        self.out().join("stage")
    }

    /// A folder that lasts longer than a checkout, for what is downloaded: the user's cache, or
    /// `.tools/` where that cannot be written.
    pub fn cache(&self) -> PathBuf {
        let user = env::var_os("XDG_CACHE_HOME")
            .filter(|dir| Path::new(dir).is_absolute())
            .map(PathBuf::from)
            .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
        if let Some(user) = user {
            let ours = user.join("spillgate");
            if std::fs::create_dir_all(&ours).is_ok() {
                return ours;
            }
        }
        self.root.join(".tools")
    }

    /// `path` as it is best shown: relative to the checkout where it is inside it.
    pub fn show<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

/// Cargo's target folder as cargo itself finds it: from its environment or its configuration, which
/// may be a file in the user's home.
fn target_folder(root: &Path) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["metadata", "--no-deps", "--format-version=1"])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"));
    let metadata: Value = serde_json::from_str(&process::output(&mut command)?)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder
        .context("`cargo metadata` names no target folder")?
        .into())
}
