//! The metadata of hosts and routes.

/// A value in metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum LentValue {
    /// A text, which need not be UTF-8.
    Text(Box<[u8]>),
    /// A number.
    Number(f64),
    /// A truth value.
    Bool(bool),
    /// A list, a structure or null, which the ABI does not pass.
    Nested,
}

/// Values by namespace and key. A key appears once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LentFields(Vec<(String, String, LentValue)>);

impl LentFields {
    pub(crate) fn set(&mut self, namespace: &str, key: &str, value: LentValue) {
        self.0
            .retain(|(space, known, _)| (&**space, &**known) != (namespace, key));
        self.0.push((namespace.to_owned(), key.to_owned(), value));
    }

    pub(crate) fn get(&self, namespace: &str, key: &str) -> Option<&LentValue> {
        let is_it = |(space, known, _): &&(String, String, LentValue)| {
            (&**space, &**known) == (namespace, key)
        };
        self.0.iter().find(is_it).map(|(_, _, value)| value)
    }

    /// The keys of a namespace.
    pub(crate) fn keys(&self, namespace: &str) -> impl Iterator<Item = &str> {
        let found = self
            .0
            .iter()
            .filter(move |(space, _, _)| space == namespace);
        found.map(|(_, key, _)| &**key)
    }
}

impl From<&str> for LentValue {
    fn from(text: &str) -> Self {
        Self::Text(text.as_bytes().into())
    }
}
