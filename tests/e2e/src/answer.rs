//! What a test looks at in an answer: the status and the host that gave it.

use anyhow::Result;

use crate::Client;
use crate::config::{KEY_HEADER, SERVED_HEADER};

/// Who answered a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServedAnswer {
    /// The status code.
    pub status: u16,
    /// The host, or nothing where Envoy or the filter answered in its place.
    pub host: Option<String>,
}

impl ServedAnswer {
    /// Asks for a path with a key.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn of(client: &mut Client, path: &str, key: &str) -> Result<Self> {
        let response = client.get(path, &[(KEY_HEADER, key)])?;
        Ok(Self {
            status: response.status,
            host: response.header(SERVED_HEADER).map(str::to_owned),
        })
    }
}
