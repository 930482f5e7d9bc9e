//! The views of the page: one component per file, all state from [`Shared`], every change an
//! [`Action`].
//!
//! Components compute no results and have no inline styles: geometry is in SVG attributes, everything
//! else in `www/style.css`, so that a strict content security policy works.
//!
//! Tests use stable attributes (PRIORITY is `P0`, or `shop-primary/P0` for a member of an aggregate):
//!
//! | attribute | element |
//! |---|---|
//! | `data-test="headline"`, `"consequence"`, `"facts"` | the headline and the lines below it |
//! | `data-test="spillway"` | the figure |
//! | `data-test="load-PRIORITY"` | the button with the load of a priority, in the table |
//! | `data-test="hosts-PRIORITY"`, `"healthy-count-PRIORITY"`, `"availability-PRIORITY"`, `"traffic-PRIORITY"`, `"per-host-PRIORITY"`, `"panic-PRIORITY"`, `"change-PRIORITY"` | the other cells of its row |
//! | `data-test="share-cluster-NAME"`, `"change-cluster-NAME"` | the row of an aggregate's member |
//! | `data-test="share-host-PRIORITY/INDEX"` | the button with the share of a host |
//! | `data-host="PRIORITY/INDEX"` | the cell of a host; `data-health` is its health |
//! | `data-test="healthy-PRIORITY"`, `"host-count-PRIORITY"` | slider and field; the number field of a slider has the suffix `-number` |
//! | `data-test="overprovisioning"`, `"panic-threshold"`, `"policy"` | settings of the shown cluster; suffix `-NAME` for a member of an aggregate |
//! | `data-test="add-priority"`, `"remove-priority"` | the same rule |
//! | `data-test="preset"`, `"cluster"` | the lists of scenarios and of clusters |
//! | `data-test="undo"`, `"redo"`, `"import"`, `"share"` | the buttons in the header |
//! | `data-test="import-text"`, `"import-clusters"`; suffix `-file` | the fields of the import dialog, and their files |
//! | `data-test="import-summary"`, `"import-fault"`, `"import-fix"`, `"import-next"`, `"import-previous"`, `"import-retry"`, `"import-cluster"`, `"import-apply"` | the rest of it |
//! | `data-test="findings"`, `"finding"` | the findings in the imported text |
//! | `data-test="share-link"`, `"share-copy"`, `"share-addresses"` | the share dialog |
//! | `data-test="why"`, `"why-value"`, `"why-place"`, `"excerpt"` | the explanation |
//! | `data-test="screen-build"`, `"screen-what-if"`, `"screen-zones"` | the buttons that choose the screen |
//! | `data-test="what-if-headline"`, `"what-if-lost"`, `"what-if-facts"`, `"matrix"` | the result of the What-if screen |
//! | `data-test="loss-of"`, `"loss"`, `"loss-number"` | the selection and its loss |
//! | `data-test="before-NAME"`, `"after-NAME"`, `"panics-NAME"` | the row of a priority, by its name |
//! | `data-test="expectation"`, `"expectation-text"`, `"expectation-add"`, `"expectation-message"`, `"command"`, `"command-copy"` | the expectations |
//! | `data-test="notice"`, `"status"` | the message at the top, and the announcement for screen readers |

mod address;
mod answer;
mod app;
mod frame;
mod import;
pub mod parts;
mod screens;
mod shared;
mod topology;

pub use app::App;

use crate::state::Action;
use shared::{Act, Everything, Shared};
