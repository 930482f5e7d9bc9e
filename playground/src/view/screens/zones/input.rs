//! The input of the screen, also as a text in links.

/// The destination and the loss.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ZonesInput {
    /// The destination; an unknown one chooses that of the shown cluster.
    pub destination: String,
    /// The zone that loses hosts; empty for none.
    pub zone: String,
    /// The lost part of it, in percent.
    pub percent: u32,
}

impl ZonesInput {
    /// Reads `ZONE:PERCENT%` and the destination on the next line.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut lines = text.lines();
        let loss = lines.next().and_then(|line| line.rsplit_once(':'));
        let (zone, percent) = loss.unwrap_or_default();
        let percent = percent.strip_suffix('%').and_then(|text| text.parse().ok());
        Self {
            zone: zone.into(),
            percent: percent.unwrap_or(100).min(100),
            destination: lines.next().unwrap_or_default().into(),
        }
    }

    /// The text that [`ZonesInput::from_text`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{}:{}%\n{}", self.zone, self.percent, self.destination)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_survives_its_text() {
        let input = ZonesInput {
            destination: "outbound|80||reviews".into(),
            zone: "eu/zone:1".into(),
            percent: 50,
        };
        assert_eq!(ZonesInput::from_text(&input.to_text()), input);
        let first = ZonesInput::from_text("");
        assert_eq!((first.zone.as_str(), first.percent), ("", 100));
        assert_eq!(ZonesInput::from_text("a:7x%").percent, 100);
    }
}
