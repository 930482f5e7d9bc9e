//! Entry points: the shares of a cluster's hosts.

use super::{Distribution, weigh::Weighing};
use crate::{
    decide::Request,
    model::Metadata,
    route::{HashPolicy, Headers, request_hash},
    snapshot::{ClusterId, Snapshot},
};

impl Snapshot {
    /// The shares of the hosts of a cluster, for requests without criteria.
    ///
    /// `hash` is the request hash; without one, hash policies are averaged over uniformly
    /// distributed hashes. An unknown cluster has no host.
    #[must_use]
    pub fn distribution(&self, cluster: ClusterId, hash: Option<u64>) -> Distribution {
        self.distribution_for(cluster, &Metadata::EMPTY, hash)
    }

    /// The same for requests with these subset criteria.
    #[must_use]
    pub fn distribution_for(
        &self,
        cluster: ClusterId,
        criteria: &Metadata,
        hash: Option<u64>,
    ) -> Distribution {
        let request = Request {
            criteria,
            ..Request::new(cluster, &())
        };
        Weighing::of(self, &request.facts(), hash, &|_| None).all(cluster)
    }

    /// Percent of the requests for a cluster that find no host: the same figure as in
    /// [`Snapshot::distribution_for`], without the time that the shares of all hosts take.
    #[must_use]
    pub fn no_host(&self, cluster: ClusterId, criteria: &Metadata) -> f64 {
        let request = Request {
            criteria,
            ..Request::new(cluster, &())
        };
        Weighing::of(self, &request.facts(), None, &|_| None).no_host(cluster)
    }

    /// The shares of the hosts that may get this very request: many of its kind, or all turns
    /// and draws of the one. `hash` stands in for the request hash where its policies make none.
    ///
    /// A retry whose choice is rejected is taken to choose anew, independently of the choice
    /// before; only with turns that is not exactly so.
    #[must_use]
    pub fn distribution_of<H: Headers>(
        &self,
        request: &Request<'_, H>,
        hash: Option<u64>,
    ) -> Distribution {
        let made =
            |policies: &[HashPolicy]| request_hash(policies, request.headers, &request.connection);
        let hash = made(request.hash_policies).or(hash);
        Weighing::of(self, &request.facts(), hash, &made).all(request.cluster)
    }
}
