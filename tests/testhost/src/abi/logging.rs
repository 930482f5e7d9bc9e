//! Hostcalls on the log.

use crate::log::GuestLogLevel;
use crate::memory::{Guest, Outcome};
use crate::status::Status;

pub(super) fn log(guest: &mut Guest<'_>, level: u32, at: u32, length: u32) -> Outcome {
    let level = GuestLogLevel::from_number(level).ok_or(Status::BadArgument)?;
    let message = guest.read(at, length)?;
    let message = String::from_utf8_lossy(&message).into_owned();
    guest.state().log(level, message);
    Ok(())
}

pub(super) fn get_level(guest: &mut Guest<'_>, out: u32) -> Outcome {
    let level = guest.state().log_level as u32;
    guest.write_u32(out, level)
}
