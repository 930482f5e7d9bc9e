//! The browser: its interfaces, behind a few plain functions.
//!
//! A browser may not support or may refuse any of this (no clipboard on plain HTTP, no history in a
//! sandboxed frame). The functions then do nothing, or report it in their result.

mod address;
mod build;
mod caret;
mod clipboard;
mod clock;
mod details;
mod dialog;
mod embed;
mod field;
mod file;
mod focus;
mod keys;
mod lines;
mod listener;
mod live;
mod media;
mod mount;
mod paste;
mod pointer;
mod print;
mod progress;
mod question;
mod reader;
mod reason;
mod save;
mod session;
mod shipped;

pub use address::{
    AddressChange, fragment, link_to, name_screen, on_open, push_screen, replace_fragment,
};
pub use build::build_commit;
pub use caret::{
    caret, has_focus, place_caret, replace_text, rewrite_text, scrolled_by, select_in_place,
    select_text, selection, set_text,
};
pub use clipboard::copy;
pub use clock::{Timer, after, mark_interactive, now};
pub use details::is_open;
pub use dialog::{close_dialog, open_dialog};
pub use embed::load_embed;
pub use field::{checked, show_choice, text_of, text_of_change};
pub use file::{File, allow_drop, chosen_files, dropped_files, on_files_dropped, read_files};
pub use focus::{cell_index, columns, focus_field, focus_host, focus_id, rest_focus, select_all};
pub use keys::{
    SearchKey, fault_key, has_letter_keys, is_escape, on_shortcut, on_step_key, search_key,
    set_letter_keys,
};
pub use lines::{line_top, reveal_lines, show_line_numbers};
pub use listener::EventListener;
pub use live::{
    LiveReply, is_hidden, is_live, is_on_server, live_service, on_visibility_change, read_live,
};
pub use media::{layout, on_layout_change, reduces_motion};
pub use mount::mount;
pub use paste::on_paste;
pub use pointer::{hold_pointer, share_of_width};
pub use print::on_print;
pub use progress::{keep_progress, kept_progress};
pub use question::AskedModule;
pub use reader::{ReaderReply, cancel_reading, load_reader, read_texts};
use reason::reason;
pub use save::{save_png, save_text};
pub use session::{forget_import, keep_import, keep_state, kept_import, kept_state};
pub use shipped::run_shipped;
