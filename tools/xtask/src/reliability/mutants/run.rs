//! Tries what is selected and has no outcome yet, and prints the figures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::folder::MutantsFolder;
use super::known::{FILE, KnownMutants};
use super::list::Mutant;
use super::outcomes::{JudgedBy, Outcome, Outcomes};
use super::report::MutantCounts;
use super::select::selected;
use super::{MutantsOptions, PACKAGES};
use crate::files;
use crate::project::Project;

/// A run of the command.
struct Run<'a> {
    root: &'a Path,
    options: &'a MutantsOptions,
    folder: MutantsFolder,
    outcomes: Outcomes,
    known: KnownMutants,
    /// The lines to change, if not all.
    difference: Option<PathBuf>,
    /// The names of survivors without a reason.
    survivors: Vec<String>,
}

/// Runs the command: exit code 1 if a change survived without a reason.
pub fn run(project: &Project, options: &MutantsOptions) -> Result<ExitCode> {
    let packages = packages(options)?;
    let folder = MutantsFolder::of(project)?;
    let mut outcomes = Outcomes::read(folder.outcomes())?;
    // Before the sources are copied again: these are what the outcomes are about.
    for package in PACKAGES {
        for step in [JudgedBy::Own, JudgedBy::Vectors] {
            folder.collect(package, step, &mut outcomes)?;
        }
    }
    folder.copy_sources(&project.root)?;
    let difference = match &options.changed {
        Some(commit) => Some(folder.write_difference(&project.root, commit)?),
        None => None,
    };
    let mut run = Run {
        root: &project.root,
        options,
        folder,
        outcomes,
        known: KnownMutants::of(&project.root)?,
        difference,
        survivors: Vec::new(),
    };
    let mut figures = Vec::new();
    for package in packages {
        figures.push((package, run.package(package)?));
    }
    Ok(run.print(&figures))
}

fn packages(options: &MutantsOptions) -> Result<Vec<&'static str>> {
    let unknown = options
        .packages
        .iter()
        .find(|it| !PACKAGES.contains(&it.as_str()));
    if let Some(unknown) = unknown {
        bail!(
            "unknown crate `{unknown}`, expected one of {}",
            PACKAGES.join(", ")
        );
    }
    let is_named =
        |it: &&str| options.packages.is_empty() || options.packages.iter().any(|name| name == it);
    Ok(PACKAGES.into_iter().filter(is_named).collect())
}

impl Run<'_> {
    fn package(&mut self, package: &str) -> Result<MutantCounts> {
        let all = self.folder.list(package, None)?;
        let candidates = match &self.difference {
            Some(difference) => self.folder.list(package, Some(difference))?,
            None => all.clone(),
        };
        let selected = selected(candidates, self.options);
        let known = self.known_among(&selected)?;

        let again = self.options.again;
        self.step(package, JudgedBy::Own, &all, &selected, |own| {
            own.is_none() || (again && own == Some(Outcome::Missed))
        })?;
        let survivors: Vec<Mutant> = selected
            .iter()
            .filter(|it| !known.contains_key(it.name.as_str()))
            .filter(|it| self.outcome(it, JudgedBy::Own) == Some(Outcome::Missed))
            .cloned()
            .collect();
        self.step(package, JudgedBy::Vectors, &all, &survivors, |vectors| {
            vectors.is_none()
        })?;

        let mut counts = MutantCounts {
            all: all.len(),
            ..MutantCounts::default()
        };
        for mutant in &selected {
            let [own, vectors] =
                [JudgedBy::Own, JudgedBy::Vectors].map(|step| self.outcome(mutant, step));
            let reason = known.get(mutant.name.as_str()).map(String::as_str);
            let noticed = matches!(vectors, Some(Outcome::Caught | Outcome::Timeout));
            if own == Some(Outcome::Missed) && !noticed && reason.is_none() {
                self.survivors.push(mutant.name.clone());
            }
            if reason.is_some() && matches!(own, Some(Outcome::Caught | Outcome::Timeout)) {
                println!("  {FILE} lists what a test notices: {}", mutant.name);
            }
            counts.add(own, vectors, reason);
        }
        Ok(counts)
    }

    /// Tries those changes whose outcome of a step is to be found out.
    fn step(
        &mut self,
        package: &str,
        step: JudgedBy,
        all: &[Mutant],
        mutants: &[Mutant],
        is_open: impl Fn(Option<Outcome>) -> bool,
    ) -> Result<()> {
        let open = mutants.iter().filter(|it| is_open(self.outcome(it, step)));
        let open: BTreeSet<&str> = open.map(|it| it.name.as_str()).collect();
        if open.is_empty() || self.options.figures {
            return Ok(());
        }
        self.folder
            .run(package, step, all, &open, &mut self.outcomes)
    }

    fn outcome(&self, mutant: &Mutant, step: JudgedBy) -> Option<Outcome> {
        let hash = self.folder.hash(&mutant.file)?;
        self.outcomes.of(mutant, step, &hash)
    }

    /// The kinds of reasons of the listed changes, by name.
    fn known_among(&self, mutants: &[Mutant]) -> Result<BTreeMap<String, String>> {
        let mut texts = BTreeMap::new();
        let mut known = BTreeMap::new();
        for mutant in mutants {
            if !texts.contains_key(&mutant.file) {
                texts.insert(&mutant.file, files::read(&self.root.join(&mutant.file))?);
            }
            let text = texts.get(&mutant.file).map_or("", String::as_str);
            let line = text
                .lines()
                .nth(mutant.line.saturating_sub(1))
                .unwrap_or("");
            if let Some(reason) = self.known.reason(mutant, line) {
                known.insert(mutant.name.clone(), reason.to_owned());
            }
        }
        Ok(known)
    }

    fn print(&self, figures: &[(&str, MutantCounts)]) -> ExitCode {
        for (package, counts) in figures {
            println!("{package}: {counts}");
        }
        let sum = figures
            .iter()
            .fold(MutantCounts::default(), |sum, (_, counts)| sum.and(counts));
        if figures.len() > 1 {
            println!("in all: {sum}");
        }
        for (reason, count) in &sum.known {
            let text = self.known.reasons.get(reason).map_or("", String::as_str);
            println!("equivalent: {count} {reason}: {text}");
        }
        if self.survivors.is_empty() {
            return ExitCode::SUCCESS;
        }
        for name in &self.survivors {
            println!("not noticed: {name}");
        }
        println!(
            "Each needs a test, or an entry in {FILE} with the reason why no test can notice it."
        );
        ExitCode::FAILURE
    }
}
