//! The few WASI calls that filters make.

use crate::memory::{Fault, Guest, Outcome};
use crate::status::Status;

/// Seeded, so that a test sees the same draws on every run.
pub(super) fn random_get(guest: &mut Guest<'_>, at: u32, length: u32) -> Outcome {
    let bytes = guest.state().random.bytes(length as usize);
    guest.write(at, &bytes)
}

/// The wall clock is 0 and the monotonic one 1; Envoy offers no others.
pub(super) fn clock_time_get(
    guest: &mut Guest<'_>,
    clock: u32,
    _precision: u64,
    out: u32,
) -> Outcome {
    let state = guest.state();
    let now = match clock {
        0 => state.clock_ns,
        1 if state.offers_monotonic => state.monotonic_ns,
        _ => return Err(Fault::Status(Status::Unimplemented)),
    };
    guest.write_u64(out, now)
}

/// The number of environment variables, and the size of their texts.
pub(super) fn environ_sizes_get(guest: &mut Guest<'_>, count_at: u32, size_at: u32) -> Outcome {
    let texts = texts(guest);
    let size: usize = texts.iter().map(Vec::len).sum();
    guest.write_u32(count_at, length(texts.len()))?;
    guest.write_u32(size_at, length(size))
}

/// The address of each text, and the texts: `NAME=VALUE` and a zero byte.
pub(super) fn environ_get(guest: &mut Guest<'_>, addresses_at: u32, texts_at: u32) -> Outcome {
    let (mut address_at, mut text_at) = (addresses_at, texts_at);
    for text in texts(guest) {
        guest.write_u32(address_at, text_at)?;
        guest.write(text_at, &text)?;
        address_at += 4;
        text_at += length(text.len());
    }
    Ok(())
}

fn texts(guest: &mut Guest<'_>) -> Vec<Vec<u8>> {
    let variables = guest.state().environment.iter();
    let texts = variables.map(|(name, value)| [name.as_bytes(), b"=", value, b"\0"].concat());
    texts.collect()
}

fn length(length: usize) -> u32 {
    u32::try_from(length).expect("less than 4 GiB of test data")
}
