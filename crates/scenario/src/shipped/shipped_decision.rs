//! What the shipped filter decided.

/// The answer of `www/filter.js` to a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShippedAnswer {
    /// The size of `spillgate.wasm` in bytes.
    pub size: usize,
    /// Its SHA-256 in hexadecimal; empty if the browser does not compute it.
    pub sha256: String,
    /// What the filter logged when it refused the configuration; `None` if it accepted it.
    pub refusal: Option<String>,
    /// The decisions, one for each request; none if the filter refused the configuration.
    pub decisions: Vec<ShippedDecision>,
}

/// What Envoy gets from the filter for one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShippedDecision {
    /// The status of the local response; `None` if Envoy forwards the request.
    pub status: Option<u16>,
    /// The details of the local response (`%RESPONSE_CODE_DETAILS%`).
    pub details: String,
    /// The host list in `x-spillgate-host`.
    pub hosts: String,
    /// The cluster of the hosts in `x-spillgate-cluster`.
    pub cluster: String,
    /// The decision as JSON; empty if it is not requested.
    pub json: String,
}

/// The number of texts of a decision.
const TEXTS: usize = 5;

impl ShippedAnswer {
    /// The answer of texts; `None` if they are not an answer.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Option<Self> {
        let mut texts = texts.into_iter();
        let mut text = || texts.next();
        let (size, sha256) = (text()?.parse().ok()?, text()?);
        let (outcome, log) = (text()?, text()?);
        let refusal = match outcome.as_str() {
            "accepted" => None,
            "refused" => Some(log),
            _ => return None,
        };
        let rest: Vec<String> = texts.collect();
        let decisions = rest.chunks(TEXTS).map(ShippedDecision::of);
        Some(Self {
            size,
            sha256,
            refusal,
            decisions: decisions.collect::<Option<_>>()?,
        })
    }
}

impl ShippedDecision {
    /// The first host of the list; empty without one.
    #[must_use]
    pub fn first_host(&self) -> &str {
        self.hosts.split(',').next().unwrap_or_default()
    }

    fn of(texts: &[String]) -> Option<Self> {
        let [status, details, hosts, cluster, json] = texts else {
            return None;
        };
        Some(Self {
            status: match status.as_str() {
                "" => None,
                status => Some(status.parse().ok()?),
            },
            details: details.clone(),
            hosts: hosts.clone(),
            cluster: cluster.clone(),
            json: json.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(texts: &[&str]) -> Option<ShippedAnswer> {
        ShippedAnswer::from_texts(texts.iter().map(|&text| text.to_owned()).collect())
    }

    #[test]
    fn an_answer_has_five_texts_for_each_request() {
        let all = [
            "588203",
            "ab",
            "accepted",
            "",
            "",
            "",
            "10.0.0.1:80,10.0.0.2:80",
            "shop",
            "{}",
            "503",
            "spillgate_no_host",
            "",
            "",
            "",
        ];
        let found = answer(&all).unwrap();
        assert_eq!((found.size, found.decisions.len()), (588_203, 2));
        assert_eq!(found.decisions[0].hosts, "10.0.0.1:80,10.0.0.2:80");
        assert_eq!(found.decisions[1].status, Some(503));
        for end in 0..all.len() {
            let whole = end == 4 || end == 9;
            assert_eq!(answer(&all[..end]).is_some(), whole, "{end}");
        }
        assert_eq!(answer(&["1", "", "maybe", ""]), None);
    }

    #[test]
    fn a_refused_configuration_has_no_decisions() {
        let found = answer(&["1", "", "refused", "config/missing"]).unwrap();
        assert_eq!(found.refusal.as_deref(), Some("config/missing"));
        assert_eq!(found.decisions, []);
    }
}
