//! Which names say that their value is a secret: one rule for keys of maps, header names, metadata and
//! runtime keys.

use std::collections::HashMap;

/// Parts of such names, without what separates words: `X-Api-Key`, `x_api_key` and `xApiKey` have `apikey`.
const PARTS: [&str; 15] = [
    "accesskey",
    "apikey",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "encryptionkey",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "sharedkey",
    "signingkey",
    "token",
];

/// Words that are also parts of harmless ones, such as `authority`.
const WORDS: [&str; 3] = ["auth", "jwt", "pwd"];

/// Answers for the names of one capture, most of which repeat.
#[derive(Debug, Default)]
pub(super) struct SecretNames(HashMap<String, bool>);

impl SecretNames {
    /// Whether the value of this name can be a secret.
    pub(super) fn contains(&mut self, name: &str) -> bool {
        if let Some(known) = self.0.get(name) {
            return *known;
        }
        let is_secret = is_secret(name);
        self.0.insert(name.to_owned(), is_secret);
        is_secret
    }
}

fn is_secret(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        let capital = letter.is_uppercase();
        if !letter.is_alphanumeric() || capital && after_small {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        after_small = letter.is_alphanumeric() && !capital;
    }
    let joined = words.concat();
    PARTS.iter().any(|part| joined.contains(part))
        || words.iter().any(|word| WORDS.contains(&&**word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_separators_make_no_difference() {
        for name in [
            "api-key",
            "X_API_KEY",
            "xApiKey",
            "APIKey",
            "x.api.key",
            "Proxy-Authorization",
            "set-cookie",
            "x.token",
            "sessionToken",
            "DB_PASSWD",
            "x-auth",
            "xAuthHeader",
            "jwt",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_harmless() {
        for name in [
            "",
            "tenant",
            "authority",
            "author",
            "ext_authz",
            "key",
            "hash_key",
            "stage",
            "pass",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
