//! The secrets of a scenario, in the places that its files have for them.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::fresh_secret;

/// Begins a place for a secret, up to the closing brace.
const BEGINS: &str = "${SPILLGATE_KEY_";
/// The environment variable with the token keys.
pub(super) const VARIABLE: &str = "SPILLGATE_KEYS";

/// The secret of each place. It is never shown.
#[derive(Default)]
pub struct Secrets {
    by_place: BTreeMap<String, String>,
    /// The secret in [`VARIABLE`], if a file reads keys from there.
    in_variable: Option<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_place.keys()).finish()
    }
}

impl Secrets {
    /// A text with 32 random bytes in base64 in each place, the same ones where the place has the
    /// same name.
    ///
    /// # Errors
    /// When a place does not end, or the system has no random bytes.
    pub fn put_into(&mut self, text: &str) -> Result<String> {
        let reads_variable = text.contains(&format!("keys_from_env: {VARIABLE}"));
        if reads_variable && self.in_variable.is_none() {
            self.in_variable = Some(fresh_secret()?);
        }
        let mut parts = text.split(BEGINS);
        let mut all = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').context("a ${ without its }")?;
            let place = format!("{BEGINS}{name}}}");
            if !self.by_place.contains_key(&place) {
                self.by_place.insert(place.clone(), fresh_secret()?);
            }
            all.push_str(&self.by_place[&place]);
            all.push_str(rest);
        }
        Ok(all)
    }

    /// The value of [`VARIABLE`], the same for all Envoys of the scenario: one key. `None` if no file
    /// reads it.
    #[must_use]
    pub fn variable(&self) -> Option<String> {
        let secret = self.in_variable.as_ref()?;
        Some(json!([{"id": 1, "secret": secret}]).to_string())
    }

    /// A text in which the names of the places replace their secrets.
    #[must_use]
    pub fn take_out(&self, text: &str) -> String {
        let places = self.by_place.iter();
        let text = places.fold(text.to_owned(), |text, (place, secret)| {
            text.replace(secret, place)
        });
        match &self.in_variable {
            Some(secret) => text.replace(secret, VARIABLE),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;
    use base64::prelude::{BASE64_STANDARD, Engine as _};

    #[test]
    fn each_place_has_a_secret_of_its_own_that_is_not_shown() -> Result<()> {
        let text = "a ${SPILLGATE_KEY_1} b ${SPILLGATE_KEY_2} c ${SPILLGATE_KEY_1}";
        let mut secrets = Secrets::default();
        let filled = secrets.put_into(text)?;
        let words: Vec<&str> = filled.split(' ').collect();
        ensure!(words[1] == words[5] && words[1] != words[3], "{words:?}");
        ensure!(BASE64_STANDARD.decode(words[3])?.len() == 32);
        ensure!(secrets.take_out(&filled) == text);
        ensure!(!format!("{secrets:?}").contains(words[1]));
        ensure!(
            Secrets::default().put_into(text)? != filled,
            "two runs share secrets"
        );
        ensure!(secrets.put_into("${SPILLGATE_KEY_1").is_err());
        Ok(())
    }

    #[test]
    fn the_variable_has_one_key_for_all_files_that_read_it() -> Result<()> {
        let mut secrets = Secrets::default();
        secrets.put_into("keys: []")?;
        ensure!(secrets.variable().is_none());
        let text = "affinity: {keys_from_env: SPILLGATE_KEYS}";
        ensure!(secrets.put_into(text)? == text);
        let value = secrets.variable().context("no value")?;
        secrets.put_into(text)?;
        ensure!(secrets.variable().as_ref() == Some(&value));
        let keys: serde_json::Value = serde_json::from_str(&value)?;
        let secret = keys[0]["secret"].as_str().context("no secret")?;
        ensure!(BASE64_STANDARD.decode(secret)?.len() == 32);
        ensure!(!secrets.take_out(&value).contains(secret));
        ensure!(!format!("{secrets:?}").contains(secret));
        Ok(())
    }
}
