//! The page without a browser: scenarios, edits, history, results, sentences, geometry and links.
//!
//! Nothing here depends on Yew or a browser, so everything is tested natively. Time is an argument.
//! The engine computes the results; this module arranges them.

mod byte_text;
mod command_input;
mod demo;
mod direction;
mod edit;
mod explain;
mod facts;
mod figure;
mod file_reply;
mod history;
mod import;
mod messages;
mod names;
mod outcome;
mod palette;
mod pattern;
mod presets;
mod priority_cells;
mod screen;
mod screen_input;
mod sentence;
mod share_input;
mod shipped;
mod spillway;
mod split_segment;
mod store;
mod sweep_chart;

pub use command_input::{CommandInput, unchanged_import};
pub use demo::demo_commands;
pub use direction::Direction;
pub use edit::{HealthChoice, PolicyKind, ScenarioEdit, apply, with_health, with_healthy_count};
pub use explain::{ExplanationNode, TextPlace, explain, explain_derived};
pub use facts::facts;
pub use figure::PageFigure;
pub use file_reply::FileReply;
pub use history::History;
pub use import::{
    ConfigLines, EXAMPLE_CONFIG, ImportInput, ImportOrigin, ImportReply, ImportResult, ImportTexts,
    Imported, KeptImport, KeptState, LISTED_FAULTS, LineView, PlacedCluster, excerpt,
    import_result, limits_of, page_error, select, severity_counts, severity_name,
};
#[cfg(test)]
use import::{import_of, import_with_clusters};
pub use messages::{PageMessage, message_examples};
pub use names::{ShortNames, cut, fit_class, text_width};
pub use outcome::{ClusterRow, HostRow, ScenarioOutcome, priority_at};
pub use palette::{
    NamedCommand, PageCommand, all_commands, command_of_key, keyed_commands, matching,
};
pub use pattern::{PATTERNS, color_class, pattern_id};
pub use presets::{PRESETS, Preset, preset};
pub use priority_cells::{healthy_cell, panic_cell, per_host_cell};
pub use screen::{PageView, Screen, ScreenAction};
pub use screen_input::ScreenInput;
pub use sentence::{SentencePart, consequence, headline, plain_text};
pub use share_input::ShareInput;
pub use shipped::{
    ShippedAnswer, ShippedDecision, ShippedRequest, ShippedRun, ShippedSession, route_metadata,
    struct_bytes,
};
pub use spillway::{
    Basin, MemberShape, Size, SpilloverLabel, Spillway, StreamShape, Water, spillway,
};
pub use split_segment::{SplitSegment, split_segments};
pub use store::{Action, Store};
pub use sweep_chart::{SweepBar, sweep_bars};

pub use spillgate_codec::import::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportFault, ImportField, ImportLimit, TextPosition,
};
pub use spillgate_explain::{
    format::{change, count, decimal, fixed, percent, plural, whole},
    report::{LoadState, LocalityReport, PanicMode, PriorityReport},
    what_if::{Tone, taken},
};

pub use spillgate_codec::link;
pub use spillgate_codec::link::{
    HostAt, MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, PriorityAt, ScenarioError,
};

/// The clusters that the user edits, with the imported text if there is one.
pub type PageScenario = spillgate_codec::link::LinkScenario<Option<std::rc::Rc<ImportOrigin>>>;
