//! What the page looks like: one component a file, all state from [`Shared`], every change an
//! [`Action`].
//!
//! No component computes a result, and none carries an inline style: geometry is in SVG
//! attributes, everything else in `www/style.css`, so that a strict content security policy holds.
//!
//! Tests find their way by attributes that do not change (PRIORITY is `P0`, or `shop-primary/P0` for
//! a member of an aggregate):
//!
//! | attribute | what it is on |
//! |---|---|
//! | `data-test="headline"`, `"consequence"`, `"facts"` | the answer and the lines below it |
//! | `data-test="spillway"` | the figure |
//! | `data-test="load-PRIORITY"` | the button with the load of a priority, in the table |
//! | `data-test="hosts-PRIORITY"`, `"healthy-count-PRIORITY"`, `"availability-PRIORITY"`, `"traffic-PRIORITY"`, `"per-host-PRIORITY"`, `"panic-PRIORITY"`, `"change-PRIORITY"` | the other cells of its row |
//! | `data-test="share-cluster-NAME"`, `"change-cluster-NAME"` | the row of an aggregate's member |
//! | `data-test="share-host-PRIORITY/INDEX"` | the button with the share of a host |
//! | `data-host="PRIORITY/INDEX"` | the cell of a host; `data-health` tells its health |
//! | `data-test="healthy-PRIORITY"`, `"host-count-PRIORITY"` | slider and field; the number field beside a slider has `-number` after its name |
//! | `data-test="overprovisioning"`, `"panic-threshold"`, `"policy"` | settings of the cluster shown; `-NAME` after them for a member of an aggregate |
//! | `data-test="add-priority"`, `"remove-priority"` | the same rule |
//! | `data-test="preset"`, `"cluster"` | the lists of scenarios and of clusters |
//! | `data-test="undo"`, `"redo"`, `"import"`, `"share"` | the header's buttons |
//! | `data-test="import-text"`, `"import-clusters"`; `-file` after them | the fields of the import dialog, and their files |
//! | `data-test="import-summary"`, `"import-fault"`, `"import-fix"`, `"import-next"`, `"import-previous"`, `"import-retry"`, `"import-cluster"`, `"import-apply"` | the rest of it |
//! | `data-test="findings"`, `"finding"` | what is doubtful in the imported text |
//! | `data-test="share-link"`, `"share-copy"`, `"share-addresses"` | the share dialog |
//! | `data-test="why"`, `"why-value"`, `"why-place"`, `"excerpt"` | the explanation |
//! | `data-test="screen-build"`, `"screen-what-if"` | the buttons that choose the screen |
//! | `data-test="what-if-headline"`, `"what-if-lost"`, `"what-if-facts"`, `"matrix"` | the answer of the What-if screen |
//! | `data-test="loss-of"`, `"loss"`, `"loss-number"` | what is lost, and how much of it |
//! | `data-test="before-NAME"`, `"after-NAME"`, `"panics-NAME"` | the row of a priority, by its name |
//! | `data-test="promise"`, `"promise-text"`, `"promise-add"`, `"promise-message"`, `"command"`, `"command-copy"` | the promises |
//! | `data-test="notice"`, `"status"` | the message at the top, and what screen readers hear |

mod address;
mod answer;
mod app;
mod frame;
mod import;
mod parts;
mod shared;
mod topology;
mod what_if;

pub use app::App;

use crate::state::Action;
use shared::{Act, Shared};
