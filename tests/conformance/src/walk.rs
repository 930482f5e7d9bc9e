//! Finds the units below paths and compares them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use spillgate_answers::input::{self, Faults};
use spillgate_config::Diagnostic;

use super::{
    ConformanceReport, Unit,
    envoy::{self, Replayed},
    lint, scenario, vectors,
};

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct ConformanceRun<'a> {
    /// Vector files, scenario folders, and folders with them.
    pub paths: &'a [PathBuf],
    /// The vector kinds and scenario families; an empty list selects all.
    pub families: &'a [String],
    /// The present, for the expiry of session cookies: seconds since the Unix epoch.
    pub now: u64,
}

impl ConformanceRun<'_> {
    /// Compares the engine with all vectors and recordings, in the order of the paths and by name within a
    /// folder, and calls `observe` with each compared unit.
    ///
    /// # Errors
    /// If a path is unreadable, or there is nothing to compare.
    pub fn compare(&self, observe: &mut dyn FnMut(&Unit)) -> Result<ConformanceReport, Faults> {
        self.walk(None, observe)
    }

    /// Replays every scenario folder on another Envoy and compares the results with the recording. The
    /// report lists units that cannot be replayed, including all vector files.
    ///
    /// # Errors
    /// As for [`Self::compare`], and if `envoy` is not a file.
    pub fn replay(
        &self,
        envoy: &Path,
        observe: &mut dyn FnMut(&Unit),
    ) -> Result<ConformanceReport, Faults> {
        let program = match envoy.canonicalize() {
            Ok(program) if program.is_file() => program,
            found => {
                let why = found.map_or_else(
                    |error| format!("--envoy: cannot read file: {error}"),
                    |_| "--envoy: not a file".into(),
                );
                let fault =
                    Diagnostic::error("conformance/envoy", why).expected("an Envoy executable");
                return Err(Faults::one(&input::name_of(envoy), &fault));
            }
        };
        self.walk(Some(&program), observe)
    }

    /// Compares or replays everything below the paths.
    fn walk(
        &self,
        envoy: Option<&Path>,
        observe: &mut dyn FnMut(&Unit),
    ) -> Result<ConformanceReport, Faults> {
        let Self {
            paths,
            families,
            now,
        } = *self;
        let mut walk = Walk {
            observe,
            report: ConformanceReport::default(),
            families,
            envoy,
            now,
            faults: Faults::default(),
        };
        for path in paths {
            walk.visit(path, 0);
        }
        let Walk { report, faults, .. } = walk;
        if !faults.is_empty() {
            return Err(faults);
        }
        if report.units.is_empty() && report.left_out.is_empty() {
            let names: Vec<String> = paths.iter().map(|path| input::name_of(path)).collect();
            let fault = Diagnostic::error("conformance/nothing", "no vectors or scenarios found");
            let fault = match families {
                [] => fault.expected("a vector file, a scenario folder or a folder of them"),
                _ => fault.expected(format!("vectors of {}", families.join(", "))),
            };
            return Err(Faults::one(&names.join(", "), &fault));
        }
        Ok(report)
    }
}

/// The maximum depth of folders, which also ends cycles of symbolic links.
const DEEPEST: usize = 16;

/// The state of a run.
struct Walk<'a> {
    observe: &'a mut dyn FnMut(&Unit),
    report: ConformanceReport,
    families: &'a [String],
    /// The Envoy that replays the scenarios; `None` to compare the engine.
    envoy: Option<&'a Path>,
    now: u64,
    faults: Faults,
}

impl Walk<'_> {
    /// Visits a file or a folder.
    fn visit(&mut self, path: &Path, depth: usize) {
        if path.is_dir() {
            self.visit_folder(path, depth);
            return;
        }
        match input::read_text(path) {
            Ok(text) => self.check_file(path, &text.text),
            Err(faults) => self.faults.extend(faults),
        }
    }

    /// Visits a scenario folder, or all entries of another folder.
    fn visit_folder(&mut self, folder: &Path, depth: usize) {
        if scenario::is_scenario(folder) {
            self.check_scenario(folder);
            return;
        }
        // Field cases check the output of commands, so the tests of the command run them.
        if folder.join("case.json").is_file() {
            return;
        }
        let entries = fs::read_dir(folder).and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()
        });
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                let fault =
                    Diagnostic::error("input/unreadable", format!("cannot read folder: {error}"));
                self.faults.push(&input::name_of(folder), &fault);
                return;
            }
        };
        entries.sort();
        for entry in entries {
            let json = entry.extension().is_some_and(|ext| ext == "json");
            if json || lint::rule_of(&entry).is_some() || (entry.is_dir() && depth < DEEPEST) {
                self.visit(&entry, depth + 1);
            }
        }
    }

    /// Compares the vectors of a file.
    fn check_file(&mut self, path: &Path, text: &str) {
        if self.envoy.is_some() {
            let why = "only scenario folders can be replayed";
            self.report
                .left_out
                .push((input::name_of(path), why.into()));
            return;
        }
        if let Some(rule) = lint::rule_of(path) {
            let (id, faults) = lint::check(path, rule, text);
            return self.add(path, id, "lint".into(), || faults);
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for checked in vectors::check(text, &stem) {
            self.add(path, checked.id, checked.kind, || checked.faults);
        }
    }

    /// Compares or replays a scenario folder.
    fn check_scenario(&mut self, folder: &Path) {
        let name = match folder.canonicalize() {
            Ok(full) => full.file_name().map(|n| n.to_string_lossy().into_owned()),
            Err(_) => None,
        };
        let name = name.unwrap_or_else(|| input::name_of(folder));
        let family = scenario::family(folder, &name);
        let now = self.now;
        let Some(envoy) = self.envoy else {
            self.add(folder, name, family, || scenario::check(folder, now));
            return;
        };
        if !self.families.is_empty() && !self.families.contains(&family) {
            return;
        }
        match envoy::replay(folder, envoy, now) {
            Replayed::Compared(faults) => self.add(folder, name, family, || faults),
            Replayed::Skipped(reason) => self.report.left_out.push((name, reason)),
        }
    }

    /// Adds a unit. `check` runs only for selected families.
    fn add(
        &mut self,
        path: &Path,
        name: String,
        family: String,
        check: impl FnOnce() -> Vec<String>,
    ) {
        if !self.families.is_empty() && !self.families.contains(&family) {
            return;
        }
        let unit = Unit {
            source: input::name_of(path),
            faults: check(),
            name,
            family,
        };
        (self.observe)(&unit);
        self.report.units.push(unit);
    }
}
