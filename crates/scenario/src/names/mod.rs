//! Names in limited space: the parts that all siblings have in common become an ellipsis.
//!
//! Of `outbound|80||reviews.default.svc.cluster.local` and its siblings, `…reviews…` is enough to
//! distinguish them. Two names never have the same short form. The views show the whole name as the
//! title, and give it to screen readers.
//!
//! CSS can only cut the end of a name, which is the same for all siblings. The picture is laid out
//! without a browser, for the playground, the files and the tests, so texts are measured with a table of
//! the widths of the playground's font, Inter, at its heaviest weight, and with an upper estimate for
//! other characters. Sentences get short names by replacement after they are written, so their
//! writers, which the command line also uses, know nothing of it.

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
