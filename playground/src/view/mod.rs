//! The views of the playground: one component per file, all state from [`Shared`], every change an
//! [`Action`].
//!
//! Components compute no results and have no inline styles: geometry is in SVG attributes, everything
//! else in `www/style.css`, so that a strict content security policy works.
//!
//! Tests use stable attributes (PRIORITY is `P0`, or `shop-primary/P0` for a member of an aggregate):
//!
//! | attribute | element |
//! |---|---|
//! | `data-test="headline"`, `"reason"`, `"facts"` | the headline and the lines below it |
//! | `data-test="spillway"` | the figure |
//! | `data-test="load-PRIORITY"` | the button with the load of a priority, in the table |
//! | `data-test="hosts-PRIORITY"`, `"healthy-count-PRIORITY"`, `"availability-PRIORITY"`, `"traffic-PRIORITY"`, `"per-host-PRIORITY"`, `"panic-PRIORITY"`, `"change-PRIORITY"` | the other cells of its row |
//! | `data-test="share-cluster-NAME"`, `"change-cluster-NAME"` | the row of an aggregate's member |
//! | `data-test="by-host"` | the table of hosts; closed, it has no rows |
//! | `data-test="share-host-PRIORITY/INDEX"`, `"share-zone-PRIORITY/INDEX"` | the buttons with the share of a host and of a locality |
//! | `data-host="PRIORITY/INDEX"` | the cell of a host; `data-health` is its health |
//! | `data-test="healthy-PRIORITY"`, `"host-count-PRIORITY"` | slider and field; the number field of a slider has the suffix `-number` |
//! | `data-test="overprovisioning"`, `"panic-threshold"`, `"policy"` | settings of the shown cluster; suffix `-NAME` for a member of an aggregate |
//! | `data-test="add-priority"`, `"remove-priority"` | the same rule |
//! | `data-test="preset"`, `"cluster"` | the lists of scenarios and of clusters |
//! | `data-test="undo"`, `"redo"`, `"import"`, `"share"`, `"keys-open"` | the buttons in the header |
//! | `data-test="palette-text"`, `"palette-option"`, `"letter-keys"` | the palette, and the switch for keys without Ctrl |
//! | `data-test="import-text"`, `"import-clusters"`; suffixes `-file`, `-lines` | the fields of the import dialog, their files and line numbers |
//! | `data-test="import-example"`, `"import-progress"`, `"import-cancel"` | the example, and the progress of a reading |
//! | `data-test="import-search"`, `"import-places"`, `"import-report"`, `"import-missing"`, `"import-ignored"` | the search in the text, and what was read |
//! | `data-test="module-message"` | the message while a module loads or after a failure |
//! | `data-test="import-unsaved"`, `"import-keep"`, `"import-discard"` | the question before a text is discarded |
//! | `data-test="import-summary"`, `"import-fault"`, `"import-fix"`, `"import-next"`, `"import-previous"`, `"import-retry"`, `"import-cluster-search"`, `"import-cluster-count"`, `"import-cluster"`, `"import-chosen"`, `"import-apply"` | the rest of it; the clusters are radio buttons |
//! | `data-test="findings"`, `"finding"`, `"check-scenario"` | the findings in the imported text, and the button that checks an edited scenario |
//! | `data-test="text-toggle"`, `"text-panel"`, `"text"`, `"text-lines"`, `"text-mark"`, `"text-summary"`, `"text-fault"`, `"text-again"`, `"text-import"`, `"text-retry"` | the text next to the picture, its lines, faults and buttons |
//! | `data-test="share-link"`, `"share-copy"`, `"share-addresses"`, `"share-names"`, `"share-disclosure"` | the share dialog |
//! | `data-test="embed-kind"`, `"embed-view"`, `"embed-theme"`, `"embed-controls"`, `"embed-generator"`, `"embed-height"`, `"embed-preview"`; `"embed-code"`, `"embed-setup"` with the suffix `-copy` | its snippets for other pages |
//! | `data-test="download-FORMAT"`, `"copy-FORMAT"`, `"files-message"` | its files, by the names of `spillgate export` |
//! | `data-test="why"`, `"why-value"`, `"why-place"`, `"excerpt"`, `"why-toggle"` | the explanation; on a phone it opens and closes |
//! | `data-test="screen-build"`, `"screen-what-if"`, `"screen-trace"`, `"screen-learn"`, `"screen-live"` | the buttons that choose the screen |
//! | `data-test="part-what-if"`, `"part-incident"`, `"part-timeline"`, `"part-compare"`, `"part-fleet"` | the buttons that choose a part of the What-if screen |
//! | `data-test="compare-headline"`, `"compare-doubt"`, `"compare-old"`, `"compare-new"`, `"compare-keep"`, `"compare-forget"`, `"compare-swap"`, `"compare-import"` | the sides of the Compare screen, and how much differs |
//! | `data-test="compare-search"`, `"compare-clusters"`, `"compare-cluster"`, `"compare-more"` | its clusters |
//! | `data-test="compare-cluster-name"`, `"compare-effect"`, `"compare-before"`, `"compare-after"`, `"compare-rows"`, `"compare-command"` | the chosen one |
//! | `data-test="compare-priorities"`, `"compare-localities"`; suffixes `-sentence`, `-table` | its moved requests |
//! | `data-test="fleet-headline"`, `"fleet-senders"`, `"fleet-losses"`, `"fleet-cases"`, `"fleet-zones"`, `"fleet-priorities"`, `"fleet-traffic"`, `"fleet-hosts"`, `"fleet-imbalance"`, `"fleet-command"` | the result of the Fleet screen |
//! | `data-test="fleet-callers-ZONE"`, `"fleet-rps-NUMBER"`, `"fleet-bytes-NUMBER"`, `"fleet-capacity"`, `"fleet-price"`, `"fleet-lost"`, `"fleet-local"` | its callers, hosts and traffic |
//! | `data-test="what-if-losses"`, `"what-if-headline"`, `"what-if-reason"`, `"what-if-lost"`, `"what-if-facts"`, `"matrix"`, `"sweep-drag"`, `"sweep-table"` | the result of the What-if screen |
//! | `data-test="before"`, `"after"` | its two figures |
//! | `data-test="loss-of"`, `"loss-unit"`, `"loss"`, `"loss-number"`, `"loss-count"`, `"loss-remove"`; further losses have the suffix `-2` and so on; `"loss-add"` | the losses |
//! | `data-test="before-NAME"`, `"after-NAME"`, `"panics-NAME"` | the row of a priority, by its name |
//! | `data-test="expectation"`, `"expectation-text"`, `"expectation-add"`, `"expectation-message"`, `"command"`, `"command-copy"` | the expectations |
//! | `data-test="zones"`, `"zone-after-ZONE"`, `"zones-matrix"`, `"zones-losses"`, `"zones-show-ZONE"`, `"zones-copy-FORMAT"` | its zones, and those of a mesh |
//! | `data-test="trace-headline"`, `"trace-steps"`, `"trace-step-KIND"`, `"trace-counts"`, `"trace-count-ADDRESS"` | the result of the Trace screen |
//! | `data-test="trace-path-N"`, `"trace-previous"`, `"trace-play"`, `"trace-next"`, `"trace-all"`, `"trace-pace"`, `"trace-current"` | the walk through its steps |
//! | `data-test="trace-place-KIND"` | the line of the import that decides a step |
//! | `data-test="trace-command"`, `"trace-no-command"` | the command with the same decision, or the reason why no command has it |
//! | `data-test="trace-mode"`, `"trace-seed"`, `"trace-key"`, `"trace-criterion-KEY"`, `"trace-session"`, `"trace-session-host"`, `"trace-active"`, `"trace-keep"` | its request |
//! | `data-test="inspectors"`, `"inspector-ring"`, `"inspector-maglev"`, `"inspector-queue"`, `"inspector-samples"`, `"inspector-subsets"`, `"queue"`, `"samples"` | its inspectors, and the rows of their tables |
//! | `data-test="trace-loss"`, `"trace-moved"`, `"moved-keys"`, `"moved-avoidable"`, `"moved-envoy"`, `"moved-spillgate"` | what a change moves |
//! | `data-test="lesson"`, `"lesson-NUMBER"`, `"lesson-previous"`, `"lesson-next"`, `"lesson-progress"`, `"lesson-reset"` | the Learn screen: the title, the steps, and the progress |
//! | `data-test="lesson-option-NUMBER"`, `"lesson-check"`, `"lesson-again"`, `"lesson-verdict"`, `"lesson-explanation"` | its question and the answer |
//! | `data-test="lesson-caption"`, `"lesson-value-NUMBER"`, `"lesson-load-PRIORITY"`, `"lesson-share-NAME"`, `"lesson-row-NUMBER"`, `"lesson-yaml"`, `"lesson-copy"`, `"lesson-open"` | its figure, controls, table and configuration |
//! | `data-test="following"`, `"follow"`, `"live-age"` | whether the first screen follows a running Envoy, the button that changes it, and the age of the data |
//! | `data-test="live-headline"`, `"live-window"`, `"live-message"`, `"live-status"` | the sentences of the Live screen |
//! | `data-test="live-cluster"`, `"live-every"`, `"live-span"`, `"live-pause"`, `"live-read"`, `"live-freeze"` | its fields and buttons |
//! | `data-test="live-COLUMN-PRIORITY"`, `"live-hosts"`, `"live-host-COLUMN-ADDRESS"`, `"live-decisions"`, `"live-decisions-count-CLUSTER/PRIORITY/STEP/REASON"` | its tables; COLUMN is `hosts`, `health`, `requests`, `predicted`, `observed`, `band`, `difference` or `verdict` |
//! | `data-test="live-command-ID"`, `"live-command-copy-ID"`, `"live-snippet"`, `"live-copy"`, `"live-copied"`, `"live-retry"` | the demo's commands; what a page without `/live/` needs |
//! | `data-test="incident-headline"`, `"incident-answers"`, `"incident-doubts"`, `"incident-message"`, `"incident-times"`, `"incident-changes"`, `"incident-command"` | the result of the Incident screen |
//! | `data-test="incident-hosts-N"`, `"incident-kind-N"`, `"incident-amount-N"`, `"incident-from-N"`, `"incident-to-N"`, `"incident-remove-N"`, `"incident-add"`, `"incident-rps"`, `"incident-until"` | its script |
//! | `data-test="incident-MESSAGE"`, `"incident-MESSAGE-FIELD"`, `"incident-settings-reset"`, `"incident-time-N"` | its settings, and the lines of the configuration that state them |
//! | `data-test="incident-script"`, `"incident-heat"`, `"incident-load"`, `"incident-failures"` | its pictures |
//! | `data-test="incident-time"`, `"incident-time-number"`, `"incident-back"`, `"incident-play"`, `"incident-step"`, `"incident-next"`, `"incident-speed"`, `"incident-moment"`, `"incident-open"` | its shown time |
//! | `data-test="timeline-headline"`, `"timeline-world"`, `"timeline-instead"`, `"timeline-message"` | the sentences of the Timeline |
//! | `data-test="timeline-load"`, `"timeline-heat"`, `"timeline-sessions"`, `"timeline-phases"`, `"timeline-broken"` | its pictures, the table of phases, the broken rule |
//! | `data-test="timeline-source"`, `"timeline-seed"`, `"timeline-time"`, `"timeline-time-number"`, `"timeline-back"`, `"timeline-play"`, `"timeline-step"`, `"timeline-next"`, `"timeline-speed"` | the scenario and the shown time |
//! | `data-test="timeline-hosts"`, `"timeline-fail"`, `"timeline-recover"`, `"timeline-remove"`, `"timeline-return"`, `"timeline-host-NAME"` | the faults |
//! | `data-test="timeline-script"`, `"timeline-fault"`, `"timeline-undo"`, `"timeline-reset"`, `"timeline-command"`, `"timeline-copy"` | the script and the command |
//! | `data-test="notice"`, `"compute-anyway"`, `"status"` | the message at the top, its button, and the announcement for screen readers |

mod address;
mod answer;
mod app;
mod dialogs;
mod findings;
mod frame;
mod import;
mod lazy_part;
mod loaded_screen;
pub mod parts;
pub mod screens;
pub mod share;
mod shared;
mod stages;
mod text_panel;
mod topology;

pub use app::open;

use crate::state::Action;
use shared::{Act, Shared};
