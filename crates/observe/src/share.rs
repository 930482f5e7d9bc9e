//! A part of the observed requests.

use super::ConfidenceBand;

/// The requests of a priority or host, among all requests of its cluster or aggregate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ObservedShare {
    /// The requests of the part.
    pub count: u64,
    /// All requests.
    pub total: u64,
}

/// Whether a predicted share fits the observed requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// There are no requests to compare with.
    NoRequests,
    /// The predicted share is in the confidence band.
    Inside,
    /// It is not: with 95 % confidence, Envoy does something else than predicted.
    Outside,
}

impl ObservedShare {
    /// The share, from 0 to 1; `None` without requests.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }

    /// The shares that fit the count with a confidence of 95 %; `None` without requests.
    #[must_use]
    pub fn band(&self) -> Option<ConfidenceBand> {
        ConfidenceBand::of(self.count, self.total)
    }

    /// Compares a predicted share, from 0 to 1.
    #[must_use]
    pub fn agreement(&self, predicted: f64) -> Agreement {
        match self.band() {
            None => Agreement::NoRequests,
            Some(band) if band.contains(predicted) => Agreement::Inside,
            Some(_) => Agreement::Outside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_agrees_within_its_band() {
        let share = ObservedShare {
            count: 694,
            total: 1_000,
        };
        assert_eq!(share.share(), Some(0.694));
        assert_eq!(share.agreement(0.7), Agreement::Inside);
        assert_eq!(share.agreement(0.75), Agreement::Outside);
        assert_eq!(share.agreement(0.65), Agreement::Outside);
    }

    #[test]
    fn without_requests_nothing_is_flagged() {
        let nothing = ObservedShare::default();
        assert_eq!(nothing.share(), None);
        assert_eq!(nothing.agreement(1.0), Agreement::NoRequests);
    }
}
