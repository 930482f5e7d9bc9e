//! One side of a comparison: a configuration of any shape.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use spillgate_answers::{input::Faults, limits::is_limit};
use spillgate_config::{Diagnostic, NamedText, write::envoy_yaml};
use spillgate_core::model::Model;
use spillgate_explain::{
    format::{plain, plural},
    shell_word,
};
use spillgate_lint::Finding;

use super::{args::DiffArgs, git};
use crate::{
    command::Done,
    config::{Config, ConfigArgs, read_source_and_lint},
    config_source::{ConfigSource, HostsSource},
    inputs::{Inputs, check_stdin},
    link::read_scenario,
    running::AdminArgs,
};

/// A read side.
pub(super) struct Side {
    /// As written in the arguments.
    pub(super) name: String,
    /// The start of a command that explains one of its requests; `None` if no single command does.
    pub(super) explain: Option<String>,
    pub(super) config: Config,
    /// The clusters that requests reach.
    pub(super) model: Model,
    /// The names of clusters with unknown hosts.
    pub(super) unknown: BTreeSet<String>,
    pub(super) findings: Vec<Finding>,
}

/// A side that is not read yet.
#[derive(Clone)]
pub(super) struct Given {
    name: String,
    explain: Option<String>,
    source: Result<ConfigSource, Faults>,
}

/// The old and the new side.
///
/// # Errors
/// Every error of both.
pub(super) fn read(
    (old, new): (Given, Given),
    args: &DiffArgs,
    done: &mut Done,
) -> Result<(Side, Side), Faults> {
    let view = [("--as", &args.mesh.zone), ("--proxy", &args.mesh.proxy)];
    let view: String = view
        .into_iter()
        .filter_map(|(option, value)| Some(format!(" {option} {}", shell_word(value.as_ref()?))))
        .collect();
    let mut read = |given: Given| {
        let source = given.source;
        let read = source.and_then(|source| read_source_and_lint(source, &args.mesh))?;
        let explain = given.explain.map(|command| command + &view);
        Ok(Side::new(given.name, explain, read, done))
    };
    match (read(old), read(new)) {
        (Ok(old), Ok(new)) => Ok((old, new)),
        (old, new) => {
            let mut faults: Faults = old.err().unwrap_or_default();
            faults.extend(new.err().unwrap_or_default());
            Err(faults)
        }
    }
}

/// The sides that the arguments name.
///
/// # Errors
/// If they are not two. Faults of their files are in the sides.
pub(super) fn given(args: &DiffArgs) -> Result<(Given, Given), Faults> {
    if let Some(revision) = &args.git {
        let paths: Vec<PathBuf> = args.sides.iter().map(PathBuf::from).collect();
        let quoted: Vec<String> = args.sides.iter().map(|path| shell_word(path)).collect();
        let of_revision = |path: &str| format!("{revision}:{path}");
        // Standard input takes one file.
        let shown = match args.sides.as_slice() {
            [path] if !Path::new(path).is_dir() => {
                let object = shell_word(&of_revision(path));
                Some(format!("git show {object} | spillgate explain -"))
            }
            _ => None,
        };
        let old = Given {
            name: of_revision(&args.sides.join(" ")),
            explain: shown,
            source: Ok(of_files(git::inputs(revision, &args.sides))),
        };
        let new = Given {
            name: args.sides.join(" "),
            explain: Some(format!("spillgate explain {}", quoted.join(" "))),
            source: Ok(of_files(Inputs::read(&paths))),
        };
        return Ok((old, new));
    }
    let [old, new] = args.sides.as_slice() else {
        let fault = Diagnostic::error("diff/sides", "a comparison has two sides")
            .found(plain(&plural(args.sides.len(), "argument")))
            .expected("OLD and NEW, or --git REV with the files of the new side");
        return Err(Faults::one("CONFIG", &fault));
    };
    check_stdin(&[PathBuf::from(old), PathBuf::from(new)], "OLD or NEW")?;
    Ok((Given::of(old), Given::of(new)))
}

impl Given {
    /// The texts, if they are documents of a mesh.
    pub(super) fn of_mesh(&self) -> Option<Inputs> {
        let inputs = self.source.as_ref().ok()?.inputs.as_ref().ok()?;
        inputs.is_mesh().then(|| inputs.clone())
    }

    fn of(argument: &str) -> Self {
        let explain = if argument == "-" || is_link(argument) {
            None
        } else if is_url(argument) {
            Some(format!(
                "spillgate explain --admin {}",
                shell_word(argument)
            ))
        } else {
            Some(format!("spillgate explain {}", shell_word(argument)))
        };
        Self {
            name: argument.to_owned(),
            explain,
            source: source(argument),
        }
    }
}

/// Whether an argument is the admin interface of a running Envoy.
fn is_url(argument: &str) -> bool {
    let mut schemes = ["http://", "https://", "unix:"].into_iter();
    schemes.any(|scheme| argument.starts_with(scheme))
}

/// The source of an argument.
fn source(argument: &str) -> Result<ConfigSource, Faults> {
    if is_link(argument) {
        return of_link(argument).map(|text| of_files(Inputs::of([text])));
    }
    if is_url(argument) {
        let admin = AdminArgs {
            url: Some(argument.to_owned()),
            timeout: None,
        };
        if let Some(running) = admin.read()? {
            return Ok(running.into());
        }
    }
    ConfigArgs::of(PathBuf::from(argument)).source()
}

fn of_files(inputs: Result<Inputs, Faults>) -> ConfigSource {
    ConfigSource {
        inputs,
        hosts: HostsSource::Configured,
        missing: Vec::new(),
    }
}

/// Whether an argument is a link of the playground.
fn is_link(argument: &str) -> bool {
    argument.contains('#') && !Path::new(argument).exists()
}

/// The configuration of a link.
fn of_link(link: &str) -> Result<NamedText, Faults> {
    let written = envoy_yaml(read_scenario(link)?.model(), &[]);
    let written = written.map_err(|faults| Faults::all("LINK", &faults))?;
    Ok(NamedText {
        name: String::from("LINK"),
        text: written.text,
    })
}

impl Side {
    fn new(
        name: String,
        explain: Option<String>,
        (config, findings): (Config, Vec<Finding>),
        done: &mut Done,
    ) -> Self {
        config.warn(done);
        let served = config.effective_model(done);
        let unknown = config.unknown_clusters(&served);
        let model = served.into_owned();
        let names = model.clusters().iter().map(|cluster| &cluster.name);
        let unknown = names.filter(|name| unknown.contains(name)).cloned();
        Self {
            unknown: unknown.collect(),
            findings,
            name,
            explain,
            model,
            config,
        }
    }

    /// What each setting that is not modeled can change.
    pub(super) fn limits(&self) -> Vec<String> {
        let others = self.config.others.iter().flat_map(|(_, found)| found);
        let all = self.config.envoy.warnings.iter().chain(others);
        let limits = all.filter(|found| is_limit(found));
        let texts = limits.map(|limit| match &limit.found {
            Some(found) => format!("{}; found {found}", limit.message),
            None => limit.message.clone(),
        });
        texts.collect()
    }
}
