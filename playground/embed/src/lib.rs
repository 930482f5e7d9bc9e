//! The module behind the custom element `<spillgate-split>`, which shows a scenario in documentation.
//!
//! It takes a [`WidgetRequest`] as text (a link of the playground, the view and the changes by the reader)
//! and returns one JSON text with markup, sentences and figures: [`answer`]. It contains no parsers of
//! configurations and no views of the playground, so that it stays small. It does not depend on a browser,
//! keeps no state between requests, and makes no requests of its own. `www/embed.js` uses only
//! [`exports`].
//!
//! The feature `sweep` adds the view of losses; without it, that view is the bar.
//!
//! The figures come from the engine, the sentences, edits and shapes from the playground.
//!
//! Authors count kilobytes, so there is neither Yew nor wasm-bindgen: a request is a text, the
//! answer JSON with markup and figures. The script keeps the controls in the document and replaces
//! the picture and the table, so the focus stays in the slider. Edits are counted from the state of
//! the link, so a slider that returns to its place restores the scenario. Every name in the markup
//! is escaped here; the script writes all other texts as text.

#[cfg(target_family = "wasm")]
mod allocator;
mod answer;
mod control;
pub mod exports;
mod markup;
mod request;
mod shares;
#[cfg(feature = "sweep")]
mod stage;
mod view;

pub use answer::{Widget, answer};
pub use control::{Control, ControlEdit, ControlKind};
pub use request::{WidgetRequest, WidgetView};

#[cfg(test)]
mod tests;
