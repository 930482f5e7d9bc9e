//! The browser: its interfaces, behind a few plain functions.
//!
//! A browser may not support or may refuse any of this (no clipboard on plain HTTP, no history in a
//! sandboxed frame). The functions then do nothing, or report it in their result.

mod address;
mod caret;
mod clipboard;
mod clock;
mod dialog;
mod field;
mod file;
mod focus;
mod keys;
mod listener;
mod media;
mod mount;
mod reader;
mod reason;
mod screens;

pub use address::{Opened, fragment, link_to, name_screen, on_open, push_screen, replace_fragment};
pub use caret::{caret, has_focus, place_caret, replace_text, set_text};
pub use clipboard::copy;
pub use clock::{Timer, after, mark_interactive, now};
pub use dialog::{close_dialog, open_dialog};
pub use field::{checked, show_choice, text_of, text_of_change};
pub use file::{File, allow_drop, chosen_file, dropped_file, read_file};
pub use focus::{cell_index, columns, focus_field, focus_host, focus_id, select_all};
pub use keys::{Shortcut, fault_key, on_shortcut};
pub use listener::EventListener;
pub use media::{layout, on_layout_change};
pub use mount::mount;
pub use reader::{call_reader, load_reader};
use reason::reason;
pub use screens::{ShownScreen, load_screens};
