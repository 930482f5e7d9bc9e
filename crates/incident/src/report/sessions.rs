//! The sessions of the clients in a report: how often they move, and where they are at the end.

use alloc::{format, string::String};

use spillgate_explain::format::{fixed, plural};

use super::{FigureBand, figure_text::about};
use crate::{run::IncidentRun, setup::IncidentSetup};

/// The least difference of parts that a sentence names, in percent.
const DIFFERS: f64 = 0.5;

/// What became of the sessions in all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedSessions {
    /// The clients, each with a session.
    pub clients: u32,
    /// How often a session moved to another host.
    pub moved: FigureBand,
    /// The sessions on hosts of the script at the start, in percent.
    pub before: f64,
    /// The same at the end.
    pub after: FigureBand,
    strict: bool,
}

impl ReportedSessions {
    /// `None` without sessions.
    pub(super) fn new(setup: &IncidentSetup, runs: &[IncidentRun]) -> Option<Self> {
        let rules = setup.sessions?;
        let found = || runs.iter().filter_map(|run| run.sessions);
        let first = found().next()?;
        Some(Self {
            clients: first.clients,
            moved: FigureBand::of(found().map(|of| of.moved)),
            before: first.before,
            after: FigureBand::of(found().map(|of| of.after)),
            strict: rules.strict,
        })
    }

    /// The answer.
    pub(super) fn sentence(&self) -> String {
        let clients = plural(self.clients as usize, "client");
        let mut text = if self.moved.most < 0.05 {
            format!("The sessions of {clients} stay on their hosts.")
        } else {
            let moved = about(&self.moved);
            format!("Sessions of {clients} move to another host {moved} times.")
        };
        if self.strict {
            text.push_str(" Requests fail while the host of their session cannot serve (strict).");
        }
        if (self.after.mean - self.before).abs() > DIFFERS {
            text.push_str(&format!(
                " The hosts of the script have {} % of the sessions at the end, {} % at the start: sessions that moved do not return.",
                fixed(self.after.mean),
                fixed(self.before)
            ));
        }
        text
    }
}
