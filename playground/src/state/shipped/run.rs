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
    /// The texts that cross from the module that writes files.
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

    /// The run of such texts.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let first = texts.next().unwrap_or_default();
        let texts: Vec<String> = texts.collect();
        match texts.is_empty() {
            true => Self::Refused(first),
            false => Self::Ready {
                omitted: first,
                texts,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_crosses_as_texts() {
        let ready = ShippedRun::Ready {
            omitted: String::new(),
            texts: vec!["{}".into(), "7".into()],
        };
        for run in [ready, ShippedRun::Refused("slow_start".into())] {
            assert_eq!(ShippedRun::from_texts(run.clone().into_texts()), run);
        }
    }
}
