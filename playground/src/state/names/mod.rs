//! Names in limited space: the parts that all siblings have in common become an ellipsis.
//!
//! Of `outbound|80||reviews.default.svc.cluster.local` and its siblings, `…reviews…` is enough to
//! distinguish them. Two names never have the same short form. The views show the whole name as the
//! title, and give it to screen readers.

mod cut;
mod fit_class;
mod short_names;
mod shorten;
mod text_width;

pub use cut::cut;
pub use fit_class::fit_class;
pub use short_names::ShortNames;
use shorten::shorten;
pub use text_width::text_width;
use text_width::{ELLIPSIS, letter_width};
