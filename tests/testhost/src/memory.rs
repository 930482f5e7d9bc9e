//! The guest's memory, seen from a hostcall.

use crate::state::State;
use crate::status::Status;
use wasmi::{Caller, Error};

/// Why a hostcall does not answer `Ok`: a status for the guest, or a trap that ends its callback.
pub(crate) enum Fault {
    Status(Status),
    Trap(Error),
}

pub(crate) type Outcome<T = ()> = Result<T, Fault>;

impl From<Status> for Fault {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Trap(error)
    }
}

/// The guest that called, with its memory and the host's state.
pub(crate) struct Guest<'a>(Caller<'a, State>);

impl<'a> Guest<'a> {
    pub(crate) fn new(caller: Caller<'a, State>) -> Self {
        Self(caller)
    }

    pub(crate) fn state(&mut self) -> &mut State {
        self.0.data_mut()
    }

    fn memory(&self) -> Outcome<wasmi::Memory> {
        // Missing only while the module's own start function runs.
        self.0
            .data()
            .memory
            .ok_or(Fault::Status(Status::InternalFailure))
    }

    pub(crate) fn read(&self, at: u32, length: u32) -> Outcome<Vec<u8>> {
        let memory = self.memory()?.data(&self.0);
        let start = at as usize;
        let bytes = start
            .checked_add(length as usize)
            .and_then(|end| memory.get(start..end))
            .ok_or(Status::InvalidMemoryAccess)?;
        Ok(bytes.to_vec())
    }

    /// A text from the guest: names and keys, which must be UTF-8 here.
    pub(crate) fn read_text(&self, at: u32, length: u32) -> Outcome<String> {
        String::from_utf8(self.read(at, length)?).map_err(|_| Status::BadArgument.into())
    }

    pub(crate) fn write(&mut self, at: u32, bytes: &[u8]) -> Outcome {
        self.memory()?
            .write(&mut self.0, at as usize, bytes)
            .map_err(|_| Status::InvalidMemoryAccess.into())
    }

    pub(crate) fn write_u32(&mut self, at: u32, number: u32) -> Outcome {
        self.write(at, &number.to_le_bytes())
    }

    pub(crate) fn write_u64(&mut self, at: u32, number: u64) -> Outcome {
        self.write(at, &number.to_le_bytes())
    }

    /// Passes data to the guest: allocates memory there, copies, and stores address and length
    /// where the guest expects them. Without bytes the address is null, as in Envoy.
    pub(crate) fn give(&mut self, data: &[u8], address_at: u32, length_at: u32) -> Outcome {
        let length = u32::try_from(data.len()).map_err(|_| Status::InternalFailure)?;
        let mut address = 0;
        if length > 0 {
            let allocate = self.0.data().allocate.ok_or(Status::InternalFailure)?;
            address = allocate.call(&mut self.0, length)?;
            if address == 0 {
                return Err(Error::new("the guest's allocator returned null").into());
            }
            self.write(address, data)?;
        }
        self.write_u32(address_at, address)?;
        self.write_u32(length_at, length)
    }
}
