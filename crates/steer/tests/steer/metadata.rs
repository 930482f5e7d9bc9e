//! Endpoint metadata that the poller reads from `/config_dump`.

use crate::environment::Proxy;

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s",
    "metadata_interval": "4s"}]}"#;
const DYNAMIC: &str = "/config_dump?include_eds&resource=dynamic";
const STATIC: &str = "/config_dump?include_eds&resource=static";
const OMITTED: &str = r#"{"configs": []}"#;

fn config(health: &str) -> String {
    format!(
        r#"{{"clusters": [{{"name": "c", "lb_policy": "ROUND_ROBIN"}}], "target": "c",
            "criteria": [{{"key": "v", "header": "x-v"}}], "subset_chain": [{{"keys": ["v"]}}],
            "health": {{"source": "admin", "cluster": "admin", "stale_after": "10s"{health}}}}}"#
    )
}

/// A dump of endpoints: their last octets, and the values of their metadata key `v`.
pub(crate) fn dump(endpoints: &[(u8, &str)]) -> String {
    let endpoints = endpoints.iter().map(|(host, version)| {
        format!(
            r#"{{"endpoint": {{"address": {{"socket_address":
                {{"address": "10.0.0.{host}", "port_value": 80}}}}}},
                "metadata": {{"filter_metadata": {{"envoy.lb": {{"v": "{version}"}}}}}}}}"#
        )
    });
    let endpoints: Vec<String> = endpoints.collect();
    format!(
        r#"{{"configs": [{{"endpoint_config": {{"cluster_name": "c",
            "endpoints": [{{"lb_endpoints": [{}]}}]}}}}]}}"#,
        endpoints.join(", ")
    )
}

/// An Envoy: the VM of the poller and that of one worker.
pub(crate) struct Site {
    pub(crate) poller: Proxy,
    pub(crate) proxy: Proxy,
}

impl Site {
    fn start(health: &str) -> Self {
        Self::polled_by(POLLER, health)
    }

    /// With this poller.
    pub(crate) fn polled_by(poller: &str, health: &str) -> Self {
        let poller = Proxy::polling(poller);
        let proxy = Proxy::serving_with(&poller, &config(health));
        Self { poller, proxy }
    }

    /// Advances the clock of both VMs; the poller reports these healthy hosts if a poll is due.
    pub(crate) fn second(&mut self, hosts: &[u8]) {
        let lines = hosts
            .iter()
            .map(|host| format!("c::10.0.0.{host}:80::health_flags::healthy\n"));
        self.second_with(&lines.collect::<String>());
    }

    /// The same with these lines of hosts.
    pub(crate) fn second_with(&mut self, lines: &str) {
        self.poller.tick_after(1);
        let text = format!("c::added_via_api::true\n{lines}");
        self.poller.respond_to("/clusters", "200", &text);
        self.deliver(1);
    }

    /// Answers the queries for metadata: by Envoy, one of them omits the cluster.
    pub(crate) fn dump(&mut self, dynamic: &str) {
        self.poller.respond_to(STATIC, "200", OMITTED);
        self.poller.respond_to(DYNAMIC, "200", dynamic);
        self.deliver(0);
    }

    pub(crate) fn deliver(&mut self, seconds: u64) {
        let shared = self.poller.worker.shared.borrow().clone();
        self.proxy.worker.shared.replace(shared);
        self.proxy.tick_after(seconds);
    }

    /// The host of a request for this version, or the details of the local response.
    pub(crate) fn serves(&self, version: &str) -> String {
        let exchange = self.proxy.request(&[("x-v", version)]);
        let details = exchange
            .local
            .as_ref()
            .map(|(_, details, _)| details.clone());
        details.unwrap_or_else(|| exchange.hosts().unwrap().to_owned())
    }

    fn failures(&self) -> u64 {
        self.poller
            .worker
            .metric("spillgate.health.metadata_failures")
    }
}

#[test]
fn without_metadata_the_hosts_of_criteria_are_unknown() {
    let mut site = Site::start("");
    site.second(&[1, 2]);
    assert_eq!(site.serves("1"), "spillgate_hosts_unknown");
    site.dump(&dump(&[(1, "1"), (2, "2")]));
    assert_eq!(site.serves("1"), "10.0.0.1:80");
    assert_eq!(site.serves("3"), "spillgate_no_host");
}

#[test]
fn metadata_that_arrive_before_the_first_hosts_describe_them() {
    let mut site = Site::start("");
    site.dump(&dump(&[(1, "1"), (2, "2")]));
    site.second(&[1, 2]);
    assert_eq!(site.serves("1"), "10.0.0.1:80");
    assert_eq!(site.serves("2"), "10.0.0.2:80");
}

#[test]
fn equal_metadata_are_published_once() {
    let mut site = Site::start("");
    let mut versions = Vec::new();
    for _ in 0..3 {
        for _ in 0..4 {
            site.second(&[1]);
        }
        site.dump(&dump(&[(1, "1")]));
        let shared = site.poller.worker.shared.borrow();
        let stored = &shared["spillgate.3.assignment.admin/c"];
        versions.push(stored.revision);
    }
    assert_eq!(versions, [versions[0]; 3]);
}

#[test]
fn metadata_that_are_never_polled_are_logged() {
    let mut site = Site::start("");
    for _ in 0..45 {
        site.second(&[1]);
    }
    assert_eq!(site.serves("1"), "spillgate_hosts_unknown");
    let logged = site.proxy.worker.log.borrow().clone();
    let unknown = "spillgate: metadata of c is unknown; no poll has returned them";
    assert_eq!(logged, [unknown]);
}

#[test]
fn old_metadata_fall_under_on_stale() {
    for (on_stale, serves) in [
        ("keep", "10.0.0.1:80"),
        ("refuse", "spillgate_hosts_unknown"),
    ] {
        let mut site = Site::start(&format!(r#", "on_stale": "{on_stale}""#));
        let endpoints = dump(&[(1, "1")]);
        site.second(&[1]);
        site.dump(&endpoints);
        let age = "spillgate.health.cluster.c.metadata_age_ms";
        let stale = "spillgate.health.cluster.c.stale";
        // The limit is stale_after and one metadata_interval.
        for second in 1..=13 {
            site.second(&[1]);
            assert_eq!(site.serves("1"), "10.0.0.1:80", "after {second} s");
        }
        assert_eq!(site.proxy.worker.metric(stale), 0);
        site.second(&[1]);
        site.second(&[1]);
        assert_eq!(site.serves("1"), serves);
        assert_eq!(site.proxy.worker.metric(stale), 1);
        let measured = site.proxy.worker.metric(age);
        assert!((14_000..=16_000).contains(&measured), "{measured}");
        let logged = site.proxy.worker.log.borrow().join("\n");
        assert!(logged.contains("metadata of c is stale"), "{logged}");
        // The calls that were open all the time are answered, and the next poll is new.
        site.dump(&endpoints);
        for _ in 0..4 {
            site.second(&[1]);
        }
        site.dump(&endpoints);
        assert_eq!(site.serves("1"), "10.0.0.1:80");
        let logged = site.proxy.worker.log.borrow().join("\n");
        assert!(
            logged.contains("metadata of c is current again"),
            "{logged}"
        );
    }
}

#[test]
fn failed_polls_of_metadata_are_counted_and_logged_once_a_minute() {
    let mut site = Site::start("");
    site.second(&[1]);
    site.dump(&dump(&[(1, "1")]));
    for second in 0..40 {
        site.second(&[1]);
        if second % 4 == 3 {
            site.poller.respond_to(STATIC, "200", OMITTED);
            site.poller.respond_to(DYNAMIC, "500", "");
        }
    }
    assert_eq!(site.failures(), 10);
    assert_eq!(
        site.poller.worker.metric("spillgate.health.poll_failures"),
        10
    );
    let logged = site.poller.worker.log.borrow().clone();
    assert_eq!(logged.len(), 1, "{logged:#?}");
    assert!(
        logged[0].contains("poll of metadata of c through admin failed"),
        "{logged:#?}"
    );
    // Neither response has the endpoints.
    site.dump(OMITTED);
    assert_eq!(site.failures(), 10, "the calls are closed already");
    for _ in 0..4 {
        site.second(&[1]);
    }
    site.dump(OMITTED);
    assert_eq!(site.failures(), 11);
    for _ in 0..4 {
        site.second(&[1]);
    }
    site.dump(&dump(&[(1, "1")]));
    assert_eq!(site.failures(), 11);
    let logged = site.poller.worker.log.borrow().clone();
    assert!(
        logged[1].contains("metadata of c through admin succeeded again"),
        "{logged:#?}"
    );
}
