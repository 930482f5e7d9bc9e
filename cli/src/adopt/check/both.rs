//! Both configurations, one after the other.

use std::{
    collections::BTreeSet,
    fs, io,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::cast::Cast;
use super::fields::at;
use super::kinds::{MOST_KINDS, MOST_TRIED, kinds, requests};
use super::observe::{Observer, reaching};
use super::rows::{Results, Verdict};
use super::run::CheckRun;
use super::stage::{LISTENER, Stage};
use super::steering::Steering;
use spillgate_admin::local::{EnvoyLaunch, InterruptWatch, LocalEnvoy, TemporaryFolder};

/// The variable with the folder of dynamic modules.
const MODULES: &str = "ENVOY_DYNAMIC_MODULES_SEARCH_PATH";
/// Another process can take a free port before Envoy does.
const STARTS: u32 = 3;

/// What is checked.
#[derive(Debug)]
pub(super) struct CheckInput<'a> {
    /// The binary of Envoy.
    pub(super) program: &'a Path,
    pub(super) old: &'a Value,
    pub(super) new: &'a Value,
    pub(super) file: FilterFile,
    /// The session keys for the check.
    pub(super) keys: String,
    /// Why the shares of old and new may differ, if they may.
    pub(super) differs: Option<&'static str>,
}

/// The file of the filter.
#[derive(Debug)]
pub(super) enum FilterFile {
    /// `spillgate.wasm`: its name in the configuration, and its path on this machine.
    Wasm(String, PathBuf),
    /// The module: its name in the configuration, and the file.
    Module(String, PathBuf),
}

/// The result of a check.
#[derive(Debug)]
pub(in crate::adopt) struct CheckReport {
    /// The table.
    pub(in crate::adopt) lines: Vec<String>,
    pub(in crate::adopt) passed: bool,
}

/// Checks a configuration.
///
/// # Errors
/// If Envoy cannot start with the old or the new configuration, with the lines of its log; if no request
/// reaches a host; if the user interrupts the check.
pub(super) fn check(input: &CheckInput<'_>) -> Result<CheckReport, String> {
    let _watch = InterruptWatch::start();
    let steering = Steering::find(input.new).ok_or("the configuration has no Spillgate filter")?;
    let manager = steering.manager(input.new).unwrap_or(&Value::Null);
    let mut cast = Cast::open(input.old, &steering)?;
    let all = requests(manager);
    let possible = kinds(&all, input.old, &steering, &cast, MOST_TRIED);
    let modules = TemporaryFolder::new("modules")?;
    let start = Start {
        input,
        steering: &steering,
        modules: modules.path(),
    };
    start
        .provide()
        .map_err(|error| format!("the filter's file: {error}"))?;
    let is_steered_already = input.old == input.new;
    let (mut run, mut notes) = start
        .start(
            &cast,
            if is_steered_already {
                input.new
            } else {
                input.old
            },
        )
        .map_err(|error| {
            if is_steered_already {
                error
            } else {
                format!("the old configuration: {error}")
            }
        })?;
    let mut reached = reaching(&mut run, &possible)?;
    if reached.is_empty() && is_steered_already {
        // A steered configuration that no request gets through is a result.
        reached.extend(all.into_iter().take(1));
    }
    if reached.is_empty() {
        return Err("no request reaches a host: --check has no request for the routes".into());
    }
    let kinds = kinds(&reached, input.old, &steering, &cast, MOST_KINDS);
    let mut observer = Observer {
        kinds: &kinds,
        checked: cast.checked(input.old),
        cast: &mut cast,
    };
    let (old, new) = if is_steered_already {
        (
            None,
            observer.observe_new(&mut run, &steering.config, None)?,
        )
    } else {
        let old = observer.observe_old(&mut run)?;
        drop(run);
        let (mut run, further) = start
            .start(observer.cast, input.new)
            .map_err(|error| format!("the new configuration: {error}"))?;
        notes.extend(further);
        let before = Some((&old.0, old.1));
        let new = observer.observe_new(&mut run, &steering.config, before)?;
        (Some(old), new)
    };
    let lost = old.as_ref().map_or(0, |(_, lost)| *lost);
    let members = cast.members.iter().find(|(_, hosts)| hosts.contains(&lost));
    let results = Results {
        kinds: &kinds,
        filter: &steering.config,
        old: match (&old, input.differs) {
            (None, _) => Err("the filter steers the old configuration already"),
            (Some(_), Some(why)) => Err(why),
            (Some((old, _)), None) => Ok(old),
        },
        new: &new,
        lost: members.map_or_else(|| "a host".into(), |(name, _)| format!("a host of {name}")),
    };
    let rows = results.rows();
    let mut lines = vec![format!("check with {}:", input.program.display())];
    lines.extend(rows.iter().map(ToString::to_string));
    notes.insert("the hosts are test hosts on this machine".into());
    let notes: Vec<String> = notes.into_iter().collect();
    lines.push(format!("  in the check: {}", notes.join("; ")));
    Ok(CheckReport {
        lines,
        passed: rows.iter().all(|row| row.verdict != Verdict::Failed),
    })
}

/// How Envoys are started.
struct Start<'a> {
    input: &'a CheckInput<'a>,
    steering: &'a Steering,
    modules: &'a Path,
}

impl Start<'_> {
    /// Puts the module into the folder of modules.
    fn provide(&self) -> io::Result<()> {
        if let FilterFile::Module(name, file) = &self.input.file {
            fs::copy(file, self.modules.join(format!("lib{name}.so")))?;
        }
        Ok(())
    }

    /// Starts Envoy with a configuration.
    fn start(&self, cast: &Cast, config: &Value) -> Result<(CheckRun, BTreeSet<String>), String> {
        let mut variables = vec![(MODULES.to_owned(), self.modules.display().to_string())];
        let keys = at(&self.steering.config, &["affinity", "keys_from_env"]);
        if let Some(name) = keys.and_then(Value::as_str) {
            variables.push((name.to_owned(), self.input.keys.clone()));
        }
        let place = match &self.input.file {
            FilterFile::Wasm(name, file) => Some((name.as_str(), file.display().to_string())),
            FilterFile::Module(..) => None,
        };
        let mut starts = 0;
        loop {
            starts += 1;
            let stage = Stage {
                cast,
                steering: self.steering,
                admin: free_port().map_err(|error| format!("no free port: {error}"))?,
                file: place.as_ref().map(|(name, file)| (*name, file.as_str())),
            };
            let (staged, notes) = stage.set(config)?;
            let started = LocalEnvoy::start(&EnvoyLaunch {
                program: self.input.program,
                config: &staged.to_string(),
                variables: &variables,
            });
            match started {
                Err(error) if starts < STARTS && error.contains("Address already in use") => {}
                started => return Ok((CheckRun::new(started?, LISTENER)?, notes)),
            }
        }
    }
}

fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}
