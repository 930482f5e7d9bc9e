//! Which names say that their value is a secret: one rule for keys of maps, header names, metadata and
//! runtime keys.

use alloc::{string::String, vec};

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

/// Whether the value of this name can be a secret.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        // The tables of Unicode would be a large part of the filter; all parts and words are ASCII.
        let capital = letter.is_ascii_uppercase();
        let of_word = letter.is_ascii_alphanumeric() || !letter.is_ascii();
        if !of_word || capital && after_small {
            words.push(String::new());
        }
        if let (true, Some(word)) = (of_word, words.last_mut()) {
            word.push(letter.to_ascii_lowercase());
        }
        after_small = of_word && !capital;
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
            assert!(is_secret_name(name), "{name}");
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
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
