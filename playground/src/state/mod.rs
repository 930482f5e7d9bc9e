//! The state of the playground without a browser: screens, history, commands and what goes to its modules.
//!
//! Nothing here depends on Yew or a browser, so everything is tested natively. Time is an argument.

mod command_input;
mod compared;
mod demo;
mod direction;
mod file_reply;
#[cfg(test)]
pub(crate) mod import_text;
mod palette;
mod screen;
mod screen_input;
mod share_input;
mod store;

pub use command_input::{CommandInput, unchanged_import};
pub use compared::{ComparedSide, ComparisonDoubts, SideSource};
pub use demo::{demo_commands, is_demo_host};
pub use direction::Direction;
pub use file_reply::FileReply;
pub use palette::{
    NamedCommand, PageCommand, all_commands, command_of_key, keyed_commands, matching,
};
pub use screen::{CompareChange, PageView, Screen, ScreenAction};
pub use screen_input::ScreenInput;
pub use share_input::ShareInput;
pub use store::{Action, Store};
