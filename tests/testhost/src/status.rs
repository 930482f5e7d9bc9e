//! What hostcalls answer.

/// What a hostcall answers, with the numbers of proxy-wasm (`WasmResult`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// There is nothing under this name.
    NotFound = 1,
    /// An argument makes no sense now: for one, the headers of a phase that is over.
    BadArgument = 2,
    /// A value exists that has no byte form.
    SerializationFailure = 3,
    /// The guest's bytes could not be parsed.
    ParseFailure = 4,
    /// A pointer lies outside the guest's memory.
    InvalidMemoryAccess = 6,
    /// The queue is empty.
    Empty = 7,
    /// Another VM changed the shared value since it was read.
    CasMismatch = 8,
    /// The host could not do it.
    InternalFailure = 10,
    /// The host does not support the call.
    Unimplemented = 12,
}
