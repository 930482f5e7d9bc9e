//! Rules of routes: shares of nothing or everything, replaced headers, host lists, retries, conditions.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::routes::{one, route, split, table};
use spillgate_core::{
    model::{Metadata, OverrideHostSource},
    route::{
        AddedHeader, AddressDetection, AppendAction, ClientAddress, Connection, ConnectionManager,
        CookieMatch, FormatPart, FractionDenominator, FractionalPercent, HashPolicy, HashSource,
        HeaderFormat, HeaderList, HeaderMatch, HeaderMatcher, HeaderMutations, RandomNumbers,
        RetryCap, RetryPolicy, Route, RouteAction, RouteOutcome, RouteTable, RouteTarget, SplitBy,
        StringMatch, TextMatch, WeightedClusters,
    },
};

#[test]
fn a_share_is_nothing_at_0_and_everything_from_the_denominator_on() {
    let of = |numerator| FractionalPercent::new(numerator, FractionDenominator::TenThousand);
    let facts = |share: FractionalPercent| (share.is_never(), share.is_always());
    let numerators = [0, 1, 9_999, 10_000, 10_001];
    let found = numerators.map(|numerator| facts(of(numerator)));
    let some = (false, false);
    assert_eq!(
        found,
        [(true, false), some, some, (false, true), (false, true)]
    );
}

#[test]
fn no_request_is_retried_only_if_neither_a_number_nor_a_part_is_allowed() {
    let budget = |percent, least| RetryCap::Budget { percent, least };
    for (cap, none) in [
        (RetryCap::Most(0), true),
        (RetryCap::Most(1), false),
        (budget(0.0, 0), true),
        (budget(0.0, 1), false),
        (budget(0.5, 0), false),
        (budget(20.0, 3), false),
    ] {
        assert_eq!(cap.allows_none(), none, "{cap:?}");
    }
}

fn text(text: TextMatch) -> StringMatch {
    StringMatch {
        text,
        ignore_case: false,
    }
}

#[test]
fn every_text_contains_an_empty_one() {
    let contains = |part: &str| text(TextMatch::Contains(part.into()));
    assert!(contains("").matches(b"abc") && contains("").matches(b""));
    assert!(contains("bc").matches(b"abc") && !contains("cb").matches(b"abc"));
}

#[test]
fn a_retry_policy_with_conditions_retries_the_requests_that_meet_one() {
    let condition = |name: &str| HeaderMatch {
        name: name.into(),
        matcher: HeaderMatcher::Present(true),
        invert: false,
        missing_as_empty: false,
    };
    let policy = |names: &[&str]| RetryPolicy {
        request_headers: names.iter().map(|name| condition(name)).collect(),
        ..RetryPolicy::NONE
    };
    let headers = HeaderList(&[("x-b", "1")]);
    assert!(policy(&[]).retries_request(&headers));
    assert!(policy(&["x-a", "x-b"]).retries_request(&headers));
    assert!(!policy(&["x-a"]).retries_request(&headers));
}

#[test]
fn a_header_is_replaced_if_nothing_of_the_client_is_left_in_it() {
    use AppendAction::{
        AddIfAbsent, AppendIfExistsOrAdd, OverwriteIfExists, OverwriteIfExistsOrAdd,
    };
    let fixed = || FormatPart::Text("v".into());
    let adding = |name: &str, part: FormatPart, action| HeaderMutations {
        removed: Vec::new(),
        added: vec![AddedHeader {
            name: name.into(),
            value: HeaderFormat(vec![part]),
            action,
            keep_empty: false,
        }],
    };
    let removing = |name: &str| HeaderMutations {
        removed: vec![name.into()],
        added: Vec::new(),
    };
    for (mutations, replaces) in [
        (HeaderMutations::default(), false),
        (removing("x-a"), true),
        (removing("x-b"), false),
        (adding("x-a", fixed(), OverwriteIfExistsOrAdd), true),
        (adding("x-a", fixed(), OverwriteIfExists), true),
        (adding("x-a", fixed(), AppendIfExistsOrAdd), false),
        (adding("x-a", fixed(), AddIfAbsent), false),
        (adding("x-b", fixed(), OverwriteIfExists), false),
        (
            adding("x-a", FormatPart::RouteName, OverwriteIfExists),
            false,
        ),
    ] {
        assert_eq!(mutations.replaces("x-a"), replaces, "{mutations:?}");
        let is_empty = mutations == HeaderMutations::default();
        assert_eq!(mutations.is_empty(), is_empty, "{mutations:?}");
    }
}

/// The lists of hosts in a header of a request.
fn listed(text: &str) -> Vec<String> {
    let table = table(vec![route(one("a"))]);
    let headers = [(":authority", "shop"), (":path", "/"), ("x-hosts", text)];
    let headers = HeaderList(&headers);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("the route forwards");
    };
    let sources = [OverrideHostSource::Header("x-hosts".into())];
    routed.override_host_list(&routed.choose(0), &sources)
}

#[test]
fn a_host_list_has_commas_and_may_have_empty_places() {
    assert_eq!(listed("a:1"), ["a:1"]);
    assert_eq!(listed(" a:1 ,, b:2, "), ["a:1", "b:2"]);
    assert_eq!(listed(""), [""; 0]);
}

#[test]
fn weighted_clusters_have_the_shares_of_their_weights() {
    let clusters = [("a", 1), ("none", 0), ("b", 3)];
    let table = table(vec![route(split(&clusters, SplitBy::Random))]);
    let headers = HeaderList(&[(":authority", "shop"), (":path", "/")]);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("the route forwards");
    };
    let shares = routed.destinations().map(|to| (to.cluster, to.share));
    let shares: Vec<_> = shares.collect();
    assert_eq!(shares, [(Some("a"), 0.25), (Some("b"), 0.75)]);
    let chosen = [0, 1, 3, 4].map(|number| routed.choose(number));
    let chosen = chosen.map(|to| (to.cluster, to.share));
    let [a, b] = [(Some("a"), 0.25), (Some("b"), 0.75)];
    assert_eq!(chosen, [a, b, b, a]);
}

#[test]
fn a_routed_request_has_the_status_and_the_rules_of_its_route() {
    let policy = HashPolicy {
        source: HashSource::SourceIp,
        terminal: true,
    };
    let mut of = route(one("a"));
    let RouteAction::Forward(forward) = &mut of.action else {
        panic!("the route forwards");
    };
    forward.cluster_not_found = 404;
    forward.hash_policies = vec![policy.clone()];
    forward.retry.refreshes_cluster = true;
    let table = table(vec![of]);
    let headers = HeaderList(&[(":authority", "shop"), (":path", "/")]);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("the route forwards");
    };
    assert_eq!(routed.cluster_not_found(), 404);
    assert_eq!(routed.hash_policies(), [policy]);
    assert!(routed.retry().refreshes_cluster);
    assert_eq!(routed.total_weight(), 1);
}

#[test]
fn a_request_without_fractions_has_one_outcome() {
    let table = table(vec![route(one("a"))]);
    let headers = HeaderList(&[(":authority", "shop"), (":path", "/")]);
    let received = table.receive(&headers, Connection::default());
    let alternatives = table.alternatives(&received);
    assert!(matches!(alternatives.as_slice(), [only] if only.numbers.is_all()));
    let other = HeaderList(&[(":authority", "shop"), (":path", "other")]);
    let received = table.receive(&other, Connection::default());
    assert!(table.route_of(&received).is_none());
}

#[test]
fn a_route_for_tunnels_matches_only_requests_for_one() {
    let mut tunnel = route(one("tunnel"));
    tunnel.matcher.unmodeled = Some("connect_matcher");
    let table = table(vec![tunnel, route(one("a"))]);
    for (method, expected) in [("CONNECT", None), ("GET", Some("a"))] {
        let headers = [(":method", method), (":authority", "shop"), (":path", "/")];
        let headers = HeaderList(&headers);
        let received = table.receive(&headers, Connection::default());
        let cluster = match table.route(&received) {
            RouteOutcome::Forward(routed) => routed.choose(0).cluster,
            _ => None,
        };
        assert_eq!(cluster, expected, "{method}");
    }
}

#[test]
fn a_table_reads_the_headers_that_its_conditions_and_hashes_depend_on() {
    let reads = |table: &RouteTable, name: &str| table.read_headers().contains(name);
    let with = |change: &dyn Fn(&mut Route)| {
        let mut route = route(one("a"));
        change(&mut route);
        let mut table = table(vec![route]);
        table.manager = Some(ConnectionManager {
            client: ClientAddress::Headers(vec![AddressDetection::Hops {
                skip: 0,
                append: true,
            }]),
            ..ConnectionManager::default()
        });
        table
    };
    let plain = with(&|_| {});
    assert!(!reads(&plain, "cookie") && !reads(&plain, "x-forwarded-for"));
    let cookies = with(&|route| {
        route.matcher.cookies = vec![CookieMatch {
            name: "c".into(),
            text: text(TextMatch::Exact("1".into())),
            invert: false,
        }];
    });
    assert!(reads(&cookies, "cookie"));
    let hashed = |source: HashSource| {
        with(&|route| {
            if let RouteAction::Forward(forward) = &mut route.action {
                forward.hash_policies = vec![HashPolicy {
                    source: source.clone(),
                    terminal: false,
                }];
            }
        })
    };
    assert!(reads(&hashed(HashSource::SourceIp), "x-forwarded-for"));
    let key = HashSource::FilterState { key: "k".into() };
    assert!(!reads(&hashed(key), "x-forwarded-for"));
    // Without detection in headers, the address is that of the connection.
    let mut direct = hashed(HashSource::SourceIp);
    direct.manager = Some(ConnectionManager::default());
    let own = matches!(
        ConnectionManager::default().client,
        ClientAddress::Headers(_)
    );
    assert_eq!(reads(&direct, "x-forwarded-for"), own);
    let internal = with(&|route| {
        route.matcher.headers = vec![HeaderMatch {
            name: "x-envoy-internal".into(),
            matcher: HeaderMatcher::Present(true),
            invert: false,
            missing_as_empty: false,
        }];
    });
    assert!(reads(&internal, "x-forwarded-for"));
}

#[test]
fn headers_of_a_condition_are_common_and_those_of_a_hash_are_of_the_route() {
    let condition = |name: &str| HeaderMatch {
        name: name.into(),
        matcher: HeaderMatcher::Present(true),
        invert: false,
        missing_as_empty: false,
    };
    let mut hashing = route(one("a"));
    hashing.matcher.headers = vec![condition("x-condition")];
    if let RouteAction::Forward(forward) = &mut hashing.action {
        let hashed = |source| HashPolicy {
            source,
            terminal: false,
        };
        let header = HashSource::Header {
            name: "x-hashed".into(),
            rewrite: None,
        };
        forward.hash_policies = vec![hashed(header), hashed(HashSource::SourceIp)];
        forward.retry.request_headers = vec![condition("x-retried")];
    }
    let own = hashing.read_headers();
    let mut table = table(vec![hashing]);
    table.manager = Some(ConnectionManager {
        client: ClientAddress::Headers(vec![AddressDetection::Hops {
            skip: 0,
            append: true,
        }]),
        ..ConnectionManager::default()
    });
    let (all, common) = (table.read_headers(), table.common_read_headers());
    for (name, of_all, of_common, of_route) in [
        (":path", true, true, false),
        ("x-condition", true, true, false),
        ("x-hashed", true, false, true),
        ("x-retried", true, false, true),
        ("x-forwarded-for", true, true, false),
        ("x-forwarded-proto", false, false, false),
    ] {
        let found = [&all, &common, &own].map(|names| names.contains(name));
        assert_eq!(found, [of_all, of_common, of_route], "{name}");
    }
}

#[test]
fn clusters_share_the_requests_that_a_route_with_a_fraction_leaves() {
    let mut some = route(one("x"));
    some.matcher.fraction = Some(FractionalPercent::new(30, FractionDenominator::Hundred));
    let table = table(vec![
        some,
        route(split(&[("a", 1), ("b", 1)], SplitBy::Random)),
    ]);
    let headers = HeaderList(&[(":authority", "shop"), (":path", "/")]);
    let received = table.receive(&headers, Connection::default());
    let shares = table.alternatives(&received).into_iter().map(|of| {
        let RouteOutcome::Forward(routed) = of.outcome else {
            panic!("the route forwards");
        };
        let shares: Vec<f64> = routed.destinations().map(|to| to.share).collect();
        (of.numbers.share(), shares)
    });
    let shares: Vec<_> = shares.collect();
    assert_eq!(shares, [(0.3, vec![1.0]), (0.7, vec![0.5, 0.5])]);
}

/// The numbers of one class of each period, counted one by one.
#[test]
fn shares_of_fractions_and_weights_are_those_of_all_numbers() {
    let hundred = |numerator| FractionalPercent::new(numerator, FractionDenominator::Hundred);
    let many = |numerator| FractionalPercent::new(numerator, FractionDenominator::TenThousand);
    for (fractions, total) in [
        (&[hundred(30)][..], 3),
        (&[hundred(30)], 150),
        (&[hundred(77), hundred(93)], 250),
        (&[hundred(10), many(2_345)], 70),
        (&[many(9_999)], 30),
    ] {
        let (mut left, mut taken) = (RandomNumbers::all(), Vec::new());
        for fraction in fractions {
            let (hit, rest) = left.split(*fraction);
            taken.push(hit);
            left = rest;
        }
        taken.push(left);
        // All of these repeat after so many numbers.
        let period: u64 = 10_000 * total;
        for numbers in &taken {
            for range in [0..1, 1..total / 2, total / 2..total] {
                let fits =
                    |number: &u64| numbers.contains(*number) && range.contains(&(number % total));
                let expected = (0..period).filter(fits).count() as f64 / period as f64;
                let found = numbers.share_of(range.clone(), total);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{fractions:?} {total} {range:?}"
                );
            }
        }
    }
}

#[test]
fn criteria_of_a_weighted_cluster_are_found_by_its_name() {
    let mut target = split(&[("a", 1), ("b", 1)], SplitBy::Random);
    let labels = common::labels("v=b");
    if let RouteTarget::Weighted(clusters) = &mut target {
        let mut all = clusters.clusters().to_vec();
        all[1].criteria = labels.clone();
        *clusters = WeightedClusters::new(all, SplitBy::Random).unwrap();
    }
    let route = route(target);
    let RouteAction::Forward(forward) = &route.action else {
        panic!("the route forwards");
    };
    let of = ["a", "b", "c"].map(|name| forward.criteria_to(name));
    assert_eq!(of, [&Metadata::EMPTY, &labels, &Metadata::EMPTY]);
}
