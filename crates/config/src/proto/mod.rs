//! Reads proto3 JSON messages from a tree and reports all faults.
//!
//! Accepts what Envoy 1.40 accepts: snake_case and camelCase names, wrapper types as bare values or
//! as `{value: ...}`, numbers as strings, enums by name in any case or by number, null as absent,
//! one element in place of a list. The module knows no particular message, except for the types of
//! fields that are not read: a [`Schema`] lists a message's fields and a [`Message`] returns their
//! values.

mod duration;
mod field_limit;
mod findings;
mod irrelevance;
mod list;
mod message;
mod names;
mod number;
mod path;
mod report;
mod scalars;
mod schema;
#[cfg(all(feature = "mesh", feature = "unread"))]
mod unread_notes;
#[cfg(feature = "unread")]
mod unread_values;

pub(crate) use crate::field_name::same_name;
pub(crate) use duration::duration_of;
pub use field_limit::{FieldLimit, limit};
pub use irrelevance::Irrelevance;
pub use list::Elements;
#[cfg(feature = "mesh")]
pub(crate) use message::wrong_type;
pub use message::{Any, Message, field_of};
pub use names::nearest;
pub(crate) use number::integer_of;
#[cfg(feature = "yaml")]
pub(crate) use number::number_of;
pub use path::Path;
pub(crate) use report::{HeldLimit, ReadHeaders};
pub use report::{HostsKnown, Purpose, ReaderOptions, RegexCompiler, Report, TextOrigin};
#[cfg(feature = "mesh")]
pub(crate) use scalars::integer;
#[cfg(all(feature = "mesh", feature = "unread"))]
pub(crate) use schema::FieldClass;
pub use schema::Schema;
#[cfg(all(feature = "mesh", feature = "unread"))]
pub(crate) use unread_notes::{Noted, NotedValue};
#[cfg(feature = "unread")]
pub(crate) use unread_values::UnreadPlace;
#[cfg(feature = "unread")]
pub use unread_values::{UnreadField, UnreadValues};
