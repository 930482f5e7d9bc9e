//! Header, footer, messages, the share dialog and the palette.

mod footer;
mod header;
mod notice;
mod palette;
mod share;

pub(crate) use footer::footer;
pub(crate) use header::header;
pub(crate) use notice::notice_bar;
pub(crate) use palette::{Palette, PaletteProps};
pub(crate) use share::{Share, ShareProps};
