//! What a user edits: the clusters of a scenario, edits, names and limits, with the results as rows,
//! sentences and geometry.
//!
//! The engine computes the results; this crate arranges them for the playground, the embedded element
//! and the exported files.

pub mod byte_text;
mod edit;
mod explain;
mod facts;
mod figure;
mod headline;
mod history;
mod import;
mod messages;
mod names;
mod outcome;
mod overprovisioning;
mod pattern;
mod presets;
mod priority_cells;
mod shipped;
mod spillway;
mod split_segment;
mod sweep_chart;
mod text_edit;

pub use edit::{HealthChoice, PolicyKind, ScenarioEdit, apply, with_health, with_healthy_count};
pub use explain::{ExplanationNode, TextPlace, explain, explain_derived};
pub use facts::facts;
pub use figure::PageFigure;
pub use headline::{Headline, SentencePart, plain_text};
pub use history::{EditControl, History};
#[cfg(test)]
use import::import_of;
pub use import::{
    ClusterList, ConfigLines, EXAMPLE_CONFIG, FoundClusters, ImportOrigin, ImportResult,
    ImportTexts, Imported, KeptImport, KeptState, LISTED_CLUSTERS, LISTED_FAULTS, LineView,
    ListedCluster, PlacedCluster, excerpt, import_result, limits_of, page_error, select,
    severity_counts, severity_name, unknown_clusters,
};
pub use messages::{PageMessage, ReloadLoss, message_examples};
pub use names::{ShortNames, cut, fit_class, text_width};
pub use outcome::{ClusterRow, HostRow, ScenarioOutcome, priority_at};
use overprovisioning::overprovisioning;
pub use pattern::{PATTERNS, color_class, pattern_id};
pub use presets::{PRESETS, Preset, preset};
pub use priority_cells::{healthy_cell, panic_cell, per_host_cell};
pub use shipped::{ShippedAnswer, ShippedDecision, ShippedRequest, ShippedSession, route_metadata};
pub use spillway::{
    LoadShape, MemberShape, PageLayout, PriorityShape, SpilloverLabel, Spillway, StreamShape,
    spillway,
};
pub use split_segment::{SplitSegment, split_segments};
pub use sweep_chart::{SweepBar, sweep_bars};
pub use text_edit::{
    LineRange, MAXIMUM_TEXT_HOSTS, MergedText, TextLines, TextRefusal, TextTooLong, changed_lines,
    merge_lines, text_is_complete, text_model, with_text,
};

pub use spillgate_codec::import::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportFault, ImportField, ImportLimit, TextPosition,
};
pub use spillgate_explain::{
    format::{change, count, decimal, fixed, percent, plural, whole},
    report::{LoadState, LocalityReport, PanicMode, PriorityReport, ResultSeverity, ResultVerdict},
    what_if::{Tone, taken},
};

pub use spillgate_codec::link;
pub use spillgate_codec::link::{
    HostAt, MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, PriorityAt, ScenarioError,
};

/// The clusters that the user edits, with the imported text if there is one.
pub type EditedScenario = spillgate_codec::link::Scenario<Option<std::rc::Rc<ImportOrigin>>>;
