//! The page without a browser: scenarios, edits, history, results, sentences, geometry and links.
//!
//! Nothing here depends on Yew or a browser, so everything is tested natively. Time is an argument.
//! The engine computes the results; this module arranges them.

mod command_input;
mod demo;
mod edit;
mod explain;
mod facts;
mod figure;
mod history;
mod import;
mod margin;
mod messages;
mod outcome;
mod presets;
mod screen;
mod sentence;
mod spillway;
mod store;

pub use command_input::CommandInput;
pub use demo::demo_commands;
pub use edit::{HealthChoice, PolicyKind, ScenarioEdit, apply};
pub use explain::{ExplanationNode, TextPlace, explain};
pub use facts::facts;
pub use figure::PageFigure;
pub use history::History;
pub use import::{
    Direction, ImportOrigin, ImportResult, ImportTexts, Imported, LineView, QuickFix, caret_offset,
    excerpt, failed_import, import_result, next_fault, position_at, quick_fix, select,
    severity_counts, severity_name,
};
#[cfg(test)]
use import::{import_of, import_with_clusters};
pub use margin::{Margins, PriorityLoss, ZoneMargin};
pub use messages::{PageMessage, message_examples};
pub use outcome::{ClusterRow, HostRow, ScenarioOutcome, priority_at};
pub use presets::{PRESETS, Preset, preset};
pub use screen::{PageView, Screen, ScreenAction};
pub use sentence::{SentencePart, consequence, headline, plain_text};
pub use spillway::{
    Basin, MemberShape, Size, SpilloverLabel, Spillway, StreamShape, Water, spillway,
};
pub use store::{Action, Store};

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

/// The clusters that the user edits, with the imported text if there is one.
pub type PageScenario = spillgate_codec::link::LinkScenario<Option<std::rc::Rc<ImportOrigin>>>;
