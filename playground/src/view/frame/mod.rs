//! Header, footer, messages and the share dialog.

mod footer;
mod header;
mod notice;
mod share;

pub(crate) use footer::footer;
pub(crate) use header::header;
pub(crate) use notice::notice_bar;
pub(crate) use share::Share;
