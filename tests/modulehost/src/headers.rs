//! Headers, as Envoy lends them.

/// A text in an allocation of its own.
type HeaderText = Box<[u8]>;

/// Names and values in order; a name may appear more than once.
#[derive(Debug, Clone, Default)]
pub struct HostHeaders(Vec<(HeaderText, HeaderText)>);

/// A request of a client.
#[derive(Debug, Clone)]
pub struct HostRequest(pub(crate) HostHeaders);

impl HostRequest {
    /// A GET request.
    #[must_use]
    pub fn get(path: &str) -> Self {
        let headers = HostHeaders::default()
            .with(b":method", b"GET")
            .with(b":authority", b"shop.example")
            .with(b":path", path.as_bytes());
        Self(headers)
    }

    /// The request with another header. Envoy passes names in lower case.
    #[must_use]
    pub fn header(self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        let name = name.as_ref().to_ascii_lowercase();
        Self(self.0.with(&name, value.as_ref()))
    }
}

impl HostHeaders {
    /// The headers with another one.
    #[must_use]
    pub fn with(mut self, name: &[u8], value: &[u8]) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The values of a header.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let is_it = move |known: &[u8]| known.eq_ignore_ascii_case(name.as_bytes());
        let found = self.0.iter().filter(move |(known, _)| is_it(known));
        found.map(|(_, value)| &**value)
    }

    /// All headers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Replaces all values of a header by this one; `None` removes the header.
    pub(crate) fn set(&mut self, name: &str, value: Option<&[u8]>) {
        self.0
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name.as_bytes()));
        if let Some(value) = value {
            self.0.push((name.as_bytes().into(), value.into()));
        }
        self.move_texts();
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, name: &str, value: &[u8]) {
        self.0.push((name.as_bytes().into(), value.into()));
        self.move_texts();
    }

    /// After a change, all lent texts are void.
    fn move_texts(&mut self) {
        self.0 = self.0.clone();
    }
}
