//! What `www/filter.js` is to run.

/// A run of the shipped filter, or why the filter cannot run the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShippedRun {
    /// The run.
    Ready {
        /// What the configuration omits, as sentences; empty if it is complete.
        omitted: String,
        /// What `www/filter.js` reads: the configuration of the filter, the seed, the time in seconds since
        /// 1970, the number of requests, the names of the headers with the host list, the cluster and
        /// the decision, then the names and values of the request headers.
        texts: Vec<String>,
    },
    /// The settings that the filter does not support, as sentences.
    Refused(String),
}

impl ShippedRun {
    /// The texts that cross to `www/filter.js`; only a refusal is a single text.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        match self {
            Self::Ready { omitted, mut texts } => {
                texts.insert(0, omitted);
                texts
            }
            Self::Refused(reason) => vec![reason],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_text() {
        let ready = ShippedRun::Ready {
            omitted: String::new(),
            texts: vec!["{}".into(), "7".into()],
        };
        assert_eq!(ready.into_texts(), ["", "{}", "7"]);
        let refused = ShippedRun::Refused("slow_start".into());
        assert_eq!(refused.into_texts(), ["slow_start"]);
    }
}
