//! The amount of a loss.

use core::fmt;

use spillgate_core::decimal;

use crate::fault::{Piece, SpecFault};

/// A percentage or a number of hosts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// A percentage, 0 to 100, rounded half up to whole hosts.
    Percent(f64),
    /// A number of hosts.
    Hosts(usize),
}

impl Amount {
    /// Reads `40%` or `3`; `None` for other texts.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix('%') {
            Some(percent) => {
                let percent = decimal::parse(percent.trim_end());
                let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
                percent.map(Self::Percent)
            }
            None => text.parse().ok().map(Self::Hosts),
        }
    }

    pub(super) fn read(piece: Piece<'_>) -> Result<Self, SpecFault> {
        Self::parse(piece.text).ok_or_else(|| {
            SpecFault::new(
                "what-if/amount",
                piece,
                "invalid amount",
                "0% to 100%, or a number of hosts",
            )
        })
    }

    /// The number of lost hosts out of `hosts`; `None` if there are not enough.
    #[must_use]
    pub fn of(self, hosts: usize) -> Option<usize> {
        match self {
            // The product is exact for whole percentages, so halves round up.
            Self::Percent(percent) => Some(((hosts as f64 * percent + 50.0) / 100.0) as usize),
            Self::Hosts(count) => Some(count).filter(|count| *count <= hosts),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => {
                // Two decimals suffice for whole hosts.
                let hundredths = (percent * 100.0 + 0.5) as u64;
                let (whole, rest) = (hundredths / 100, hundredths % 100);
                match (rest, rest % 10) {
                    (0, _) => write!(f, "{whole}%"),
                    (_, 0) => write!(f, "{whole}.{}%", rest / 10),
                    _ => write!(f, "{whole}.{rest:02}%"),
                }
            }
            Self::Hosts(count) => write!(f, "{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    fn read(text: &str) -> Option<Amount> {
        Amount::read(Piece::whole(text)).ok()
    }

    #[test]
    fn percentages_are_rounded_half_up() {
        let of = |percent, hosts| Amount::Percent(percent).of(hosts).unwrap();
        // Integer arithmetic gives the same result for every whole percentage of up to 300 hosts.
        for percent in 0..=100 {
            for hosts in 0..=300 {
                assert_eq!(of(percent as f64, hosts), (hosts * percent + 50) / 100);
            }
        }
        assert_eq!((of(12.5, 4), of(12.4, 4), of(33.3, 3)), (1, 0, 1));
    }

    #[test]
    fn a_count_is_at_most_the_number_of_hosts() {
        assert_eq!(Amount::Hosts(3).of(3), Some(3));
        assert_eq!(Amount::Hosts(4).of(3), None);
    }

    #[test]
    fn amounts_are_read_and_written() {
        for text in ["0%", "40%", "12.5%", "0.25%", "100%", "0", "17"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        for text in ["", "%", "101%", "-1%", "-1", "1.5", "4 0", "all", "nan%"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
