//! The options and the script file as one script: all values are read, and all errors are reported.

use std::{rc::Rc, time::Duration};

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{Diagnostic, NamedText, envoy::Format};
use spillgate_incident::{
    ErrorAnswers, HostBehavior, HostEvent, IncidentExpectation, IncidentScript, RequestLoad,
    SettingSweep, StatedExpectation, read_script, read_time,
};
use spillgate_sim::{SpecFault, spec::Piece};

use super::args::IncidentArgs;
use crate::{
    command::Done,
    spec::{diagnostic, faults},
};

/// The script and what is asked about it.
pub(super) struct Asked {
    pub(super) script: IncidentScript,
    /// Where each event of the script was stated.
    pub(super) places: Vec<EventPlace>,
    /// The names and patterns of clusters; empty for all.
    pub(super) clusters: Vec<String>,
    pub(super) expectations: Vec<IncidentExpectation>,
    pub(super) sweep: Option<SettingSweep>,
}

/// Where an event was stated.
pub(super) enum EventPlace {
    /// An option and its text.
    Option(&'static str, String),
    /// The event with this number in the file.
    File(Rc<NamedText>, usize),
}

impl EventPlace {
    /// The fault of a selector, at its place.
    pub(super) fn faults(&self, fault: &SpecFault) -> Faults {
        match self {
            Self::Option(option, text) => faults(option, text, std::slice::from_ref(fault)),
            Self::File(file, event) => {
                let path = format!("events[{event}]");
                let found = Diagnostic {
                    path,
                    position: None,
                    ..diagnostic(fault)
                };
                Faults::one(&**file, &found)
            }
        }
    }
}

impl Asked {
    /// Reads the options and the file. Options replace the load, the end and the clusters of the file; events and
    /// expectations add to it.
    ///
    /// # Errors
    /// Every error in them, and a script without events.
    pub(super) fn new(args: &IncidentArgs, done: &mut Done) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let mut asked = Self {
            script: IncidentScript::default(),
            places: Vec::new(),
            clusters: Vec::new(),
            expectations: Vec::new(),
            sweep: None,
        };
        if let Err(found) = asked.read_file(args, done) {
            wrong.extend(found);
        }
        asked.read_events(args, &mut wrong);
        asked.read_load(args, &mut wrong);
        if !args.clusters.is_empty() {
            asked.clusters.clone_from(&args.clusters);
        }
        for text in &args.expect {
            match IncidentExpectation::parse(text) {
                Ok(expectation) => asked.expectations.push(expectation),
                Err(found) => wrong.extend(faults("--expect", text, &found)),
            }
        }
        if let Some(text) = &args.sweep {
            match SettingSweep::parse(text) {
                Ok(sweep) => asked.sweep = Some(sweep),
                Err(found) => wrong.extend(faults("--sweep", text, &found)),
            }
        }
        asked.check_starts(&mut wrong);
        if wrong.is_empty() && asked.script.events.is_empty() {
            let fault = Diagnostic::error("incident/no-event", "nothing happens to hosts");
            let fault = fault.expected("--fail, --errors, --slow, --timeout, --flap, --degraded, --remove, --add or --script");
            wrong.push("incident", &fault);
        }
        if wrong.is_empty() {
            Ok(asked)
        } else {
            Err(wrong)
        }
    }

    fn read_file(&mut self, args: &IncidentArgs, done: &mut Done) -> Result<(), Faults> {
        let Some(path) = &args.script else {
            return Ok(());
        };
        args.config.check_stdin(path, "--script")?;
        let text = Rc::new(read_text(path)?);
        let format = Format::guess(&text.name, &text.text);
        let read = read_script(&text.text, format);
        let file = read.map_err(|found| Faults::all(&*text, &found))?;
        done.warn(&*text, &file.warnings);
        let mut wrong = Faults::default();
        for StatedExpectation {
            text: stated,
            path,
            position,
        } in &file.expect
        {
            match IncidentExpectation::parse(stated) {
                Ok(expectation) => self.expectations.push(expectation),
                Err(found) => {
                    let at = |fault| diagnostic(fault).at(path.clone(), *position);
                    let found: Vec<Diagnostic> = found.iter().map(at).collect();
                    wrong.extend(Faults::all(&*text, &found));
                }
            }
        }
        for event in 0..file.script.events.len() {
            self.places.push(EventPlace::File(Rc::clone(&text), event));
        }
        self.script = file.script;
        self.clusters = file.clusters;
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn read_events(&mut self, args: &IncidentArgs, wrong: &mut Faults) {
        let lists = [
            ("--fail", &args.fail, HostBehavior::Refuse),
            (
                "--errors",
                &args.errors,
                HostBehavior::Errors(ErrorAnswers::ALL),
            ),
            ("--slow", &args.slow, HostBehavior::Slow(Duration::ZERO)),
            ("--timeout", &args.silent, HostBehavior::Silent),
            ("--flap", &args.flap, HostBehavior::Flap(Duration::ZERO)),
            ("--degraded", &args.degraded, HostBehavior::Degraded),
            ("--remove", &args.remove, HostBehavior::Remove),
            ("--add", &args.add, HostBehavior::Add),
        ];
        for (option, texts, behavior) in lists {
            for text in texts {
                match HostEvent::parse(behavior, text) {
                    Ok(event) => {
                        self.script.events.push(event);
                        self.places.push(EventPlace::Option(option, text.clone()));
                    }
                    Err(found) => wrong.extend(faults(option, text, &found)),
                }
            }
        }
    }

    /// An event after the end of the simulated time would change nothing.
    fn check_starts(&self, wrong: &mut Faults) {
        for (event, place) in self.script.events.iter().zip(&self.places) {
            let stated = match place {
                EventPlace::Option(_, text) => text.clone(),
                EventPlace::File(..) => event.span.to_string(),
            };
            let whole = Piece::whole(&stated);
            let span = whole.rsplit_once('@').map_or(whole, |(_, span)| span);
            let fault = self.script.late_start(event, span);
            wrong.extend(fault.map(|fault| place.faults(&fault)).unwrap_or_default());
        }
    }

    fn read_load(&mut self, args: &IncidentArgs, wrong: &mut Faults) {
        if let Some(rps) = args.rps {
            if (0.0..=1e9).contains(&rps) {
                self.script.load = RequestLoad::constant(rps);
            } else {
                let fault = Diagnostic::error("incident/rps", "out of range");
                let fault = fault
                    .found(rps.to_string())
                    .expected("requests per second from 0 to 1000000000");
                wrong.push("--rps", &fault);
            }
        }
        let Self { script, .. } = self;
        script.sessions = args.sessions.unwrap_or(script.sessions);
        for (option, stated, time) in [
            ("--until", &args.until, &mut script.until),
            (
                "--service-time",
                &args.service_time,
                &mut script.service_time,
            ),
        ] {
            let Some(stated) = stated else { continue };
            match read_time(Piece::whole(stated.trim())) {
                Ok(found) => *time = Some(found),
                Err(fault) => wrong.extend(faults(option, stated, &[fault])),
            }
        }
    }
}
