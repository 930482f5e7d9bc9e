//! Which names of a capture say that their value is a secret.

use std::collections::HashMap;

use spillgate_config::secret_names::is_secret_name;

/// Answers for the names of one capture, most of which repeat.
#[derive(Debug, Default)]
pub(super) struct SecretNames(HashMap<String, bool>);

impl SecretNames {
    /// Whether the value of this name can be a secret.
    pub(super) fn contains(&mut self, name: &str) -> bool {
        if let Some(known) = self.0.get(name) {
            return *known;
        }
        let is_secret = is_secret_name(name);
        self.0.insert(name.to_owned(), is_secret);
        is_secret
    }
}
