//! The proxy-wasm ABI 0.2.1: the functions of the host that this filter calls. The functions that
//! the host calls are in [`callbacks`](crate::callbacks).
//!
//! The filter does not use the Rust SDK: it panics on errors that the host may return, which ends
//! the VM for every filter in it, and its traits add more than a hundred unused methods to the
//! module.
#![allow(unsafe_code, reason = "calls of foreign functions are unsafe")]

mod imports;

pub(crate) mod calls;

/// Whether Envoy continues with a request after a callback.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Continue = 0,
    Pause = 1,
}

/// The severities in the host's log.
#[repr(u32)]
#[derive(Clone, Copy)]
pub(crate) enum LogLevel {
    Info = 2,
    Warn = 3,
    Error = 4,
    Critical = 5,
}

/// The header maps in use.
#[repr(u32)]
#[derive(Clone, Copy)]
pub(crate) enum HeaderMap {
    Request = 0,
    Response = 2,
    CallResponse = 6,
}

/// The buffers in use.
#[repr(u32)]
#[derive(Clone, Copy)]
pub(crate) enum Buffer {
    CallResponseBody = 4,
    PluginConfiguration = 7,
}

/// The kinds of metrics in use.
#[repr(u32)]
#[derive(Clone, Copy)]
pub(crate) enum MetricKind {
    Counter = 0,
    Gauge = 1,
}

/// The outcome of a write to shared data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SharedDataWrite {
    Stored,
    /// The value has another revision.
    Conflict,
    Failed,
}
