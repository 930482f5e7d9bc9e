//! The browser: everything that names its interfaces, behind a few plain functions.
//!
//! A browser may lack or refuse any of this (no clipboard on plain http, no history in a sandboxed
//! frame); nothing here fails loudly then, and callers learn it from the result where it matters.

mod address;
mod clipboard;
mod clock;
mod dialog;
mod field;
mod focus;
mod keys;
mod listener;
mod media;
mod mount;

pub use address::{fragment, link_to, on_fragment_change, replace_fragment};
pub use clipboard::copy;
pub use clock::{Timer, after, mark_interactive, now};
pub use dialog::{close_dialog, open_dialog};
pub use field::{checked, show_choice, text_of, text_of_change};
pub use focus::{cell_index, columns, focus_field, focus_host, place_caret, select_all};
pub use keys::{Shortcut, on_shortcut};
pub use listener::Listener;
pub use media::{is_narrow, on_narrow_change};
pub use mount::mount;
