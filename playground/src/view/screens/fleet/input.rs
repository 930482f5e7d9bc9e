//! What the user sets, also as a text in links.
//!
//! The text is made of words without spaces or points, and of keys of selectors before names: a link with generated names
//! replaces whole words that are names of the scenario.

use spillgate_core::{decimal, model::Locality};
use spillgate_sim::fleet::LostCallers;

/// The largest amount: more is a typing error.
const MOST: f64 = 1e12;

/// The callers, their requests, and what hosts and traffic need.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FleetInput {
    /// What each host can take, in requests per second; `None` if not known.
    pub capacity: Option<f64>,
    /// The price of a GB (10^9 bytes) between zones; `None` if not known.
    pub price: Option<f64>,
    /// What the callers of a lost zone do.
    pub lost_callers: LostCallers,
    /// Whether zone-aware routing counts the callers as the hosts of the local cluster; `None` for what the scenario
    /// suggests.
    pub zone_aware: Option<bool>,
    /// The changed callers, by the key of their locality: `region=eu,zone=a`.
    pub zones: Vec<(String, ZoneCallers)>,
}

/// The callers of a zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZoneCallers {
    /// The number of proxies.
    pub callers: u32,
    /// The requests per second that each sends; `None` counts as 0.
    pub rps: Option<f64>,
    /// The bytes of a request and its response; `None` if not known.
    pub bytes: Option<f64>,
}

impl ZoneCallers {
    /// The initial callers: ten proxies with ten requests per second each.
    #[must_use]
    pub const fn first() -> Self {
        Self {
            callers: 10,
            rps: Some(10.0),
            bytes: None,
        }
    }

    /// The requests per second of all of them.
    #[must_use]
    pub fn requests(&self) -> f64 {
        f64::from(self.callers) * self.rps.unwrap_or(0.0)
    }
}

impl FleetInput {
    /// The largest number of callers of a zone on the screen; the command takes more.
    pub const MOST_CALLERS: u32 = 10_000;

    /// Reads the text of [`FleetInput::to_text`]. What cannot be read has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            let (words, key) = words_and_key(line);
            if key.is_empty() {
                words.for_each(|word| read.set(word));
            } else {
                read.set_zone(key.into(), callers_of(words));
            }
        }
        read
    }

    /// The text for links; empty for the initial input.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut words = Vec::new();
        words.extend(word("capacity", self.capacity));
        words.extend(word("price", self.price));
        words.extend(match self.lost_callers {
            LostCallers::Stay => None,
            LostCallers::Fail => Some("lost_fail".into()),
            LostCallers::Move => Some("lost_move".into()),
        });
        words.extend(self.zone_aware.map(|on| {
            let word = if on { "local_on" } else { "local_off" };
            word.into()
        }));
        let mut lines = Vec::new();
        if !words.is_empty() {
            lines.push(words.join(" "));
        }
        for (key, of) in &self.zones {
            let mut words = vec![format!("n{}", of.callers)];
            words.extend(word("r", of.rps));
            words.extend(word("b", of.bytes));
            lines.push(format!("{} {key}", words.join(" ")));
        }
        lines.join("\n")
    }

    /// The callers of the zone with this key.
    #[must_use]
    pub fn zone(&self, key: &str) -> ZoneCallers {
        let found = self.zones.iter().find(|(known, _)| known == key);
        found.map_or(ZoneCallers::first(), |(_, callers)| *callers)
    }

    /// The input with other callers of a zone.
    #[must_use]
    pub fn with_zone(&self, key: &str, callers: ZoneCallers) -> Self {
        let mut next = self.clone();
        next.set_zone(key.into(), callers);
        next
    }

    fn set_zone(&mut self, key: String, callers: ZoneCallers) {
        match self.zones.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = callers,
            None => self.zones.push((key, callers)),
        }
    }

    fn set(&mut self, word: &str) {
        match word {
            "lost_fail" => self.lost_callers = LostCallers::Fail,
            "lost_move" => self.lost_callers = LostCallers::Move,
            "local_on" => self.zone_aware = Some(true),
            "local_off" => self.zone_aware = Some(false),
            word => {
                if let Some(amount) = word.strip_prefix("capacity") {
                    self.capacity = positive(amount_of_word(amount));
                } else if let Some(amount) = word.strip_prefix("price") {
                    self.price = amount_of_word(amount);
                }
            }
        }
    }
}

/// The key of a locality in texts: `region=eu,zone=a`, as in selectors.
pub(super) fn locality_key(of: &Locality) -> String {
    let parts = [
        ("region", &of.region),
        ("zone", &of.zone),
        ("sub_zone", &of.sub_zone),
    ];
    let known = parts.iter().filter(|(_, name)| !name.is_empty());
    let texts: Vec<String> = known.map(|(part, name)| format!("{part}={name}")).collect();
    if texts.is_empty() {
        "zone=".into()
    } else {
        texts.join(",")
    }
}

/// An amount that a user enters: `None` for no number from 0, `Some(None)` for an empty text.
#[must_use]
pub fn amount_of_text(text: &str) -> Option<Option<f64>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(None);
    }
    let value = decimal::parse(text)?;
    // A negative zero would keep its sign.
    (0.0..=MOST).contains(&value).then_some(Some(value + 0.0))
}

/// A host without capacity would have no utilization.
pub(super) fn positive(amount: Option<f64>) -> Option<f64> {
    amount.filter(|amount| *amount > 0.0)
}

/// The words of a line, and the key at its end: all from the first word with `=`.
fn words_and_key(line: &str) -> (impl Iterator<Item = &str>, &str) {
    let start = match line.find('=') {
        None => line.len(),
        Some(equals) => {
            let before = line.get(..equals).unwrap_or_default();
            before.rfind(' ').map_or(0, |space| space + 1)
        }
    };
    let (words, key) = line.split_at_checked(start).unwrap_or((line, ""));
    (words.split_whitespace(), key)
}

fn callers_of<'w>(words: impl Iterator<Item = &'w str>) -> ZoneCallers {
    let mut read = ZoneCallers {
        callers: 0,
        rps: None,
        bytes: None,
    };
    for word in words {
        if let Some(count) = word.strip_prefix('n') {
            read.callers = count.parse().unwrap_or(0).min(FleetInput::MOST_CALLERS);
        } else if let Some(amount) = word.strip_prefix('r') {
            read.rps = amount_of_word(amount);
        } else if let Some(amount) = word.strip_prefix('b') {
            read.bytes = amount_of_word(amount);
        }
    }
    read
}

/// `capacity0_5`; `None` without an amount.
fn word(name: &str, amount: Option<f64>) -> Option<String> {
    let amount = amount?.to_string().replace('.', "_");
    Some(format!("{name}{amount}"))
}

fn amount_of_word(text: &str) -> Option<f64> {
    amount_of_text(&text.replace('_', ".")).flatten()
}
