//! Connections through a Unix socket.

use std::{
    fmt,
    io::{self, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
};

use ureq::{
    Error,
    unversioned::transport::{
        Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
    },
};

/// Connects to one socket, whatever the URL of the request is.
#[derive(Debug)]
pub(crate) struct UnixConnector {
    path: PathBuf,
}

/// An open connection.
pub(crate) struct UnixTransport {
    stream: UnixStream,
    buffers: LazyBuffers,
}

impl UnixConnector {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.into() }
    }
}

impl Connector<()> for UnixConnector {
    type Out = UnixTransport;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<Self::Out>, Error> {
        // Connecting to a local socket succeeds or fails at once.
        let stream = UnixStream::connect(&self.path)?;
        let config = details.config;
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        Ok(Some(UnixTransport { stream, buffers }))
    }
}

impl Transport for UnixTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let timeout = remaining(timeout.for_write())?;
        self.stream
            .set_write_timeout(timeout.not_zero().map(|time| *time))?;
        let output = self.buffers.output().get(..amount).unwrap_or_default();
        let written = self.stream.write_all(output);
        written.map_err(|error| timed_out(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let timeout = remaining(timeout.for_read())?;
        self.stream
            .set_read_timeout(timeout.not_zero().map(|time| *time))?;
        let input = self.buffers.input_append_buf();
        let read = self.stream.read(input);
        let amount = read.map_err(|error| timed_out(error, timeout))?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        // A kept connection is probed as the TCP transport does it: nothing may be readable.
        let probe = || -> io::Result<bool> {
            self.stream.set_nonblocking(true)?;
            let read = (&self.stream).read(&mut [0]);
            self.stream.set_nonblocking(false)?;
            Ok(matches!(read, Err(error) if error.kind() == io::ErrorKind::WouldBlock))
        };
        probe().unwrap_or(false)
    }
}

/// The remaining time. A server that sends byte by byte does not extend it.
fn remaining(timeout: NextTimeout) -> Result<NextTimeout, Error> {
    if timeout.after.is_zero() {
        Err(Error::Timeout(timeout.reason))
    } else {
        Ok(timeout)
    }
}

/// Systems report an expired socket timeout in two ways.
fn timed_out(error: io::Error, timeout: NextTimeout) -> Error {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Error::Timeout(timeout.reason),
        _ => Error::Io(error),
    }
}

impl fmt::Debug for UnixTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixTransport")
            .field("stream", &self.stream)
            .finish()
    }
}
