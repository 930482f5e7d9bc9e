//! What the page shows, without a page: scenarios, edits, history, results, sentences, geometry
//! and links.
//!
//! Nothing here knows Yew or a browser, so all of it is tested natively. Time is an argument. The
//! engine answers; this module only arranges what it says.

mod demo;
mod edit;
mod explain;
mod figure;
mod history;
mod import;
mod margin;
mod outcome;
mod presets;
mod sentence;
mod spillway;
mod store;
pub mod what_if;

pub use demo::demo_commands;
pub use edit::{HealthChoice, PolicyKind, ScenarioEdit, apply};
pub use explain::{ExplanationNode, TextPlace, explain};
pub use figure::PageFigure;
pub use history::History;
pub use import::{
    Direction, ImportOrigin, Imported, LineView, QuickFix, Reading, Texts, caret_offset, excerpt,
    next_fault, position_at, quick_fix, select, severity_name, take_in, tally, unreadable,
};
#[cfg(test)]
use import::{import_of, reading_of};
pub use margin::{MarginNotes, facts};
pub use outcome::{ClusterRow, HostRow, ScenarioOutcome, priority_at};
pub use presets::{PRESETS, Preset, preset};
pub use sentence::{SentencePart, consequence, headline, plain_text};
pub use spillway::{Basin, MemberShape, Size, Spill, Spillway, StreamShape, Water, spillway};
pub use store::{Action, Notice, Store};

pub use spillgate_codec::import::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportFault, ImportField, TextPosition,
};
pub use spillgate_explain::{
    format::{change, count, decimal, fixed, percent, plural, whole},
    report::{LocalityReport, PanicMode, PriorityReport},
    what_if::Tone,
};

pub use spillgate_codec::link;
pub use spillgate_codec::link::{
    HostAt, MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, PriorityAt, ScenarioError,
};

/// What the user edits, with the text that it was read from, if it was.
pub type PageScenario = spillgate_codec::link::LinkScenario<Option<std::rc::Rc<ImportOrigin>>>;
