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
    /// distributed hashes. An unknown cluster has no host. Shares are percent of all requests;
    /// together with [`Distribution::no_host`] they come to 100.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::Snapshot};
    ///
    /// let host = |address: &str, weight| Endpoint {
    ///     address: address.into(),
    ///     weight: Weight::new(weight).unwrap(),
    ///     ..Endpoint::default()
    /// };
    /// let cluster = Cluster {
    ///     name: "shop".into(),
    ///     kind: ClusterKind::Plain(PlainCluster {
    ///         priorities: vec![Priority {
    ///             localities: vec![PriorityLocality::default()],
    ///             endpoints: vec![host("10.0.0.1:80", 1), host("10.0.0.2:80", 3)],
    ///         }],
    ///         ..PlainCluster::default()
    ///     }),
    /// };
    /// let snapshot = Snapshot::build(&Model::new(vec![cluster]).unwrap());
    /// let shop = snapshot.cluster_id("shop").unwrap();
    /// let shares = snapshot.distribution(shop, None).shares;
    /// assert_eq!((shares[0].share, shares[1].share), (25.0, 75.0));
    /// ```
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
