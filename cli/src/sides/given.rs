//! Reading of both sides from the arguments that name them.

use std::{panic::resume_unwind, path::PathBuf, thread};

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, write::envoy_yaml};
use spillgate_explain::{
    format::{plain, plural},
    shell_word,
};

use super::{git, side::Side};
use crate::{
    command::Done,
    config::{ConfigArgs, read_source_and_lint},
    config_source::{ConfigSource, HostsSource},
    given_link::{is_link, read_scenario},
    inputs::{Inputs, check_stdin},
    mesh::MeshArgs,
    running::AdminArgs,
};

/// The arguments that name two sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GivenSides<'a> {
    /// OLD and NEW; with `git` only NEW, of one or more files.
    pub(crate) sides: &'a [String],
    /// The revision of the old side.
    pub(crate) git: Option<&'a str>,
    pub(crate) mesh: &'a MeshArgs,
}

/// A side that is not read yet.
#[derive(Clone)]
pub(crate) struct GivenSide {
    name: String,
    explain: Option<String>,
    source: Result<ConfigSource, Faults>,
}

impl GivenSides<'_> {
    /// The old and the new side.
    ///
    /// # Errors
    /// Every error of both.
    pub(crate) fn read(&self, done: &mut Done) -> Result<(Side, Side), Faults> {
        read_sides(self.given()?, self.mesh, done)
    }

    /// The sides before they are read.
    ///
    /// # Errors
    /// If they are not two. Faults of their files are in the sides.
    pub(crate) fn given(&self) -> Result<(GivenSide, GivenSide), Faults> {
        given(self)
    }
}

/// Reads both sides from this point of view.
///
/// # Errors
/// Every error of both.
pub(crate) fn read_sides(
    (old, new): (GivenSide, GivenSide),
    mesh: &MeshArgs,
    done: &mut Done,
) -> Result<(Side, Side), Faults> {
    let view = [("--as", &mesh.zone), ("--proxy", &mesh.proxy)];
    let view: String = view
        .into_iter()
        .filter_map(|(option, value)| Some(format!(" {option} {}", shell_word(value.as_ref()?))))
        .collect();
    let [old_source, new_source] = [old.source, new.source];
    // Most of the time of a comparison is in reading, and the sides do not depend on each other.
    let read = both(
        || read_source_and_lint(old_source?, mesh),
        || read_source_and_lint(new_source?, mesh),
    );
    let mut side = |name, explain: Option<String>, read| {
        Side::new(name, explain.map(|command| command + &view), read, done)
    };
    match read {
        (Ok(of_old), Ok(of_new)) => {
            let old = side(old.name, old.explain, of_old);
            Ok((old, side(new.name, new.explain, of_new)))
        }
        (old, new) => {
            let mut faults: Faults = old.err().unwrap_or_default();
            faults.extend(new.err().unwrap_or_default());
            Err(faults)
        }
    }
}

/// The results of two functions that run at the same time.
fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => resume_unwind(panic),
        }
    })
}

/// The sides that the arguments name.
fn given(args: &GivenSides<'_>) -> Result<(GivenSide, GivenSide), Faults> {
    if let Some(revision) = args.git {
        let paths: Vec<PathBuf> = args.sides.iter().map(PathBuf::from).collect();
        let quoted: Vec<String> = args.sides.iter().map(|path| shell_word(path)).collect();
        let (inputs, commands) = match git::read_files(revision, args.sides) {
            Ok(files) => (Ok(files.inputs), files.commands),
            Err(faults) => (Err(faults), Vec::new()),
        };
        // Standard input takes one file.
        let explain = match (commands.as_slice(), args.sides) {
            ([show], [_]) => Some(format!("{show} | spillgate explain -")),
            _ => None,
        };
        let old = GivenSide {
            name: format!("{revision}:{}", args.sides.join(" ")),
            explain,
            source: Ok(of_files(inputs)),
        };
        let new = GivenSide {
            name: args.sides.join(" "),
            explain: Some(format!("spillgate explain {}", quoted.join(" "))),
            source: Ok(of_files(Inputs::read(&paths))),
        };
        return Ok((old, new));
    }
    let [old, new] = args.sides else {
        let fault = Diagnostic::error("diff/sides", "a comparison has two sides")
            .found(plain(&plural(args.sides.len(), "argument")))
            .expected("OLD and NEW, or --git REV with the files of the new side");
        return Err(Faults::one("CONFIG", &fault));
    };
    check_stdin(&[PathBuf::from(old), PathBuf::from(new)], "OLD or NEW")?;
    Ok((GivenSide::of(old), GivenSide::of(new)))
}

impl GivenSide {
    /// A side of texts that are no files.
    #[cfg(test)]
    pub(crate) fn of_texts(name: &str, inputs: Inputs) -> Self {
        Self {
            name: name.to_owned(),
            explain: None,
            source: Ok(of_files(Ok(inputs))),
        }
    }

    /// The texts, if they are documents of a mesh.
    pub(crate) fn of_mesh(&self) -> Option<Inputs> {
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

/// The configuration of a link.
fn of_link(link: &str) -> Result<NamedText, Faults> {
    let written = envoy_yaml(read_scenario(link)?.model(), &[]);
    let written = written.map_err(|faults| Faults::all("LINK", &faults))?;
    Ok(NamedText {
        name: String::from("LINK"),
        text: written.text,
    })
}
