//! The proxy-wasm ABI 0.2.1: the host's functions that this filter calls. The functions that the host
//! calls are in [`callbacks`](crate::callbacks).
//!
//! The Rust SDK is not used. It panics on errors that the host may return, which ends the VM for
//! every filter in it, and its traits put more than a hundred unused methods into the module.
//!
//! A foreign function cannot be called without unsafe code.
#![allow(unsafe_code, reason = "the host's functions are foreign")]

mod imports;

pub(crate) mod calls;

/// Whether Envoy continues with a request after a callback.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Continue = 0,
    Pause = 1,
}

/// The levels of the host's log.
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
