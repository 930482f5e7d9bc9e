//! The exact distribution of requests over hosts.

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
    /// `hash` is the request hash. Without it, shares of hash policies are averages over uniformly
    /// distributed hashes. Shares are percent of all requests; together with
    /// [`Distribution::no_host`] they sum to 100. An unknown cluster has 100 percent `no_host`.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::Snapshot};
    ///
    /// let host = |address: &str, weight| Endpoint {
    ///     weight: Weight::new(weight).unwrap(),
    ///     ..Endpoint::new(address)
    /// };
    /// let shop = PlainCluster {
    ///     priorities: vec![Priority::single_locality(vec![
    ///         host("10.0.0.1:80", 1),
    ///         host("10.0.0.2:80", 3),
    ///     ])],
    ///     ..PlainCluster::default()
    /// };
    /// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let shop = snapshot.cluster_id("shop").unwrap();
    /// let shares = snapshot.distribution(shop, None).shares;
    /// assert_eq!((shares[0].share, shares[1].share), (25.0, 75.0));
    /// ```
    #[must_use]
    pub fn distribution(&self, cluster: ClusterId, hash: Option<u64>) -> Distribution {
        self.distribution_for(cluster, &Metadata::EMPTY, hash)
    }

    /// As [`Snapshot::distribution`], for requests with these subset criteria.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::Snapshot};
    ///
    /// let criteria = |version: &str| Metadata::new([("version", Value::Text(version.into()))]);
    /// let host = |address: &str, version| Endpoint {
    ///     metadata: criteria(version),
    ///     ..Endpoint::new(address)
    /// };
    /// let selector = SubsetSelector::new(["version"], SelectorFallback::NotDefined, false);
    /// let shop = PlainCluster {
    ///     subsets: Some(SubsetConfig {
    ///         selectors: vec![selector.unwrap()],
    ///         ..SubsetConfig::default()
    ///     }),
    ///     priorities: vec![Priority::single_locality(vec![
    ///         host("10.0.0.1:80", "1"),
    ///         host("10.0.0.2:80", "2"),
    ///     ])],
    ///     ..PlainCluster::default()
    /// };
    /// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let shop = snapshot.cluster_id("shop").unwrap();
    /// let found = snapshot.distribution_for(shop, &criteria("2"), None);
    /// assert_eq!((found.shares[0].host, found.shares[0].share), (1, 100.0));
    /// assert_eq!(snapshot.distribution_for(shop, &criteria("3"), None).no_host, 100.0);
    /// ```
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
        Weighing::of(self, &request.facts(), hash, &|_, _| None).all(cluster)
    }

    /// The percentage of requests without a host: [`Distribution::no_host`] of
    /// [`Snapshot::distribution_for`], without the cost of computing all shares.
    #[must_use]
    pub fn no_host(&self, cluster: ClusterId, criteria: &Metadata) -> f64 {
        let request = Request {
            criteria,
            ..Request::new(cluster, &())
        };
        Weighing::of(self, &request.facts(), None, &|_, _| None).no_host(cluster)
    }

    /// The shares of the hosts for one request: over all random draws and scheduler positions.
    /// `hash` replaces the request hash if the hash policies yield none.
    ///
    /// A retry whose choice is rejected chooses again: round robin and schedules go on from a position
    /// that is taken as uniform, a ring moves on by one entry, a Maglev table changes the hash, and
    /// other policies draw again. With a hash table, further choices stay in the priority of the first
    /// one.
    #[must_use]
    pub fn distribution_of<H: Headers>(
        &self,
        request: &Request<'_, H>,
        hash: Option<u64>,
    ) -> Distribution {
        let (headers, connection) = (request.headers, &request.connection);
        let hash = request_hash(request.hash_policies, headers, connection).or(hash);
        let own = |policies: &[HashPolicy], in_aggregate| {
            request_hash(policies, headers, &connection.passed_on(in_aggregate))
        };
        Weighing::of(self, &request.facts(), hash, &own)
            .asked_by(connection.proxy)
            .all(request.cluster)
    }
}
