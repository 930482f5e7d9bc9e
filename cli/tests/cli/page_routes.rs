//! The playground routes requests as `explain` does: same routes, clusters and hashes.

use spillgate_answers::{
    configuration::options,
    explain::{AskedKind, AskedRequest, decide},
    pick::PickRequest,
    unknown::UnknownClusters,
};
use spillgate_codec::import::{RouteAnswer, RouteQuestion};
use spillgate_config::envoy::{Format, read_with};
use spillgate_core::{
    decide::BalancerState,
    draw::{Draw as _, SplitMix64},
    hash::xxh64,
    snapshot::Snapshot,
    trace::StepData,
};
use spillgate_explain::sentence;
use spillgate_reader::route_answer;
use spillgate_testkit::models::Dice;

/// What both say about a request: its route, its status without a cluster, and its cluster.
type Routed = (Option<String>, Option<u16>, Option<String>);

/// The first random number of a request, as `explain --seed 0` draws it.
fn number(snapshot: &Snapshot) -> u64 {
    let mut draw = SplitMix64::new(0);
    let _ = BalancerState::new(snapshot, &mut draw);
    draw.draw()
}

fn in_page(text: &str, request: &PickRequest, number: u64) -> RouteAnswer {
    let own = |name: &str| {
        let mut headers = request.headers.iter();
        let found = headers.find(|(have, _)| have == name);
        found.map(|(_, value)| value.clone()).unwrap()
    };
    let further = request.headers.iter();
    let further = further.filter(|(name, _)| !name.starts_with(':'));
    let question = RouteQuestion {
        listener: 0,
        host: own(":authority"),
        path: own(":path"),
        method: own(":method"),
        headers: further.cloned().collect(),
        source: request.source.clone(),
        number,
    };
    let answer = route_answer(text.as_bytes(), &question.to_bytes());
    RouteAnswer::from_bytes(&answer).unwrap()
}

/// Asserts that both agree, and returns the answer of the playground.
fn compared(text: &str, request: &PickRequest) -> RouteAnswer {
    let config = read_with(text, Format::Yaml, &options(false)).unwrap();
    let snapshot = Snapshot::build(&config.model);
    let page = in_page(text, request, number(&snapshot));
    let asked = AskedRequest {
        snapshot: &snapshot,
        routes: &config.listeners[0].routes,
        kind: &AskedKind::Request,
        request,
        unknown: &UnknownClusters::default(),
        session_host: None,
        now: 0,
    };
    let command = decide(&asked, 0);
    if command.reason == "not_modeled" {
        assert!(!page.limits.is_empty(), "{request:?}\n{text}");
        assert_eq!((&page.reply, &page.cluster), (&None, &None));
        return page;
    }
    let route = command.steps.iter().find(|step| {
        let data = &step.data;
        matches!(
            data,
            StepData::RouteMatched { .. } | StepData::NoRoute { .. }
        )
    });
    let cluster = command.cluster.clone();
    let cluster = cluster.filter(|name| snapshot.cluster_id(name).is_some());
    let of_command: Routed = (
        route.map(|step| sentence(&snapshot, &step.data)),
        command.status.filter(|_| cluster.is_none()),
        cluster,
    );
    let of_page: Routed = (
        page.steps.first().map(|step| step.sentence.clone()),
        page.reply.as_ref().map(|reply| reply.status),
        page.cluster.clone(),
    );
    assert_eq!(of_page, of_command, "{request:?}\n{text}");
    if let (Some(hash), Some(decision)) = (page.hash, command.decision) {
        assert!([0, hash].contains(&decision.hash), "{request:?}\n{text}");
    }
    page
}

fn request(host: &str, path: &str, headers: &[(&str, &str)]) -> PickRequest {
    let own = [(":method", "GET"), (":authority", host), (":path", path)];
    let all = own.iter().chain(headers);
    PickRequest {
        headers: all
            .map(|&(name, value)| (name.into(), value.into()))
            .collect(),
        ..PickRequest::plain()
    }
}

/// Expressions, and texts that some of them match.
const EXPRESSIONS: [&str; 12] = [
    r"/a.*",
    r"(?i)/[AB]",
    r"[^/]+",
    r"\w+",
    r".*\.org",
    r"(\w+)-(\w+)",
    r"/?[[:alpha:]]\d*",
    r"é|\x{e9}+",
    r"\pL+",
    r"(?U)/?a+?(b|)",
    r"\Qa.\E[org]{3}",
    r"(?s)^.{1,3}$",
];
const TEXTS: [&str; 9] = ["a", "A1", "b7", "ab", "a-b", "a.org", "x/y", "é", ""];

/// A route to a cluster by an expression, or by two.
fn random_route(dice: &mut Dice) -> String {
    let mut expression = || dice.one(&EXPRESSIONS);
    let [path, header, query, cookie] = [(); 4].map(|()| expression());
    let conditions = format!(
        "headers: [{{name: x-h, string_match: {{safe_regex: {{regex: '{header}'}}}}, invert_match: {}}}]",
        dice.chance(30)
    );
    let condition = match dice.below(4) {
        0 => format!("{{safe_regex: {{regex: '{path}'}}}}"),
        1 => format!("{{safe_regex: {{regex: '{path}'}}, {conditions}}}"),
        2 => format!(
            "{{prefix: /, query_parameters: [{{name: q, string_match: {{safe_regex: {{regex: '{query}'}}}}}}]}}"
        ),
        _ => format!(
            "{{prefix: /, cookies: [{{name: k, string_match: {{safe_regex: {{regex: '{cookie}'}}}}}}]}}"
        ),
    };
    let cluster = dice.one(&["p", "h", "q", "k"]);
    let rewrite = dice.one(&["", r"\0-\0", "x"]);
    format!(
        "    - {{match: {condition}, route: {{cluster: {cluster}, hash_policy: [{{header: {{header_name: x-h, regex_rewrite: \
         {{pattern: {{regex: '{header}'}}, substitution: '{rewrite}'}}}}}}]}}}}\n"
    )
}

#[test]
fn random_expressions_lead_to_the_same_clusters() {
    let mut by_expression = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let routes: String = (0..3).map(|_| random_route(&mut dice)).collect();
        let text =
            configuration("/never").replace("    routes:\n", &format!("    routes:\n{routes}"));
        for _ in 0..6 {
            let [path, query, cookie, header] = [(); 4].map(|()| dice.one(&TEXTS));
            let headers = [("x-h", header), ("cookie", &format!("k={cookie}"))];
            let asked = request("a", &format!("/{path}?q={query}"), &headers);
            let answer = compared(&text, &asked);
            by_expression += usize::from(answer.cluster.is_some_and(|name| name != "rest"));
        }
    }
    assert!(by_expression > 300, "{by_expression}");
}

/// Routes by expressions: of the path, a header, a query parameter and a cookie; one hashes a part of a header.
fn configuration(path: &str) -> String {
    let host = |name: &str, address: &str| {
        format!(
            "- {{name: {name}, lb_policy: MAGLEV, load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: \
             [{{endpoint: {{address: {{socket_address: {{address: {address}, port_value: 80}}}}}}}}]}}]}}}}\n"
        )
    };
    let path = serde_json::to_string(path).unwrap();
    let clusters = ["p", "h", "q", "k", "rest"].iter().enumerate();
    let clusters: String = clusters
        .map(|(at, name)| host(name, &format!("10.0.0.{at}")))
        .collect();
    clusters
        + "- name: r\n  virtual_hosts:\n  - name: v\n    domains: ['*']\n    routes:\n"
        + &format!("    - {{match: {{safe_regex: {{regex: {path}}}}}, route: {{cluster: p}}}}\n")
        + r"    - {match: {prefix: /, headers: [{name: x-h, string_match: {safe_regex: {regex: '(?i)ab+'}}}]}, route: {cluster: h}}
    - {match: {prefix: /, query_parameters: [{name: q, string_match: {safe_regex: {regex: '[^a-c]\d'}}}]}, route: {cluster: q}}
    - {match: {prefix: /, cookies: [{name: k, string_match: {safe_regex: {regex: '\w+|é'}}}]}, route: {cluster: k}}
    - match: {prefix: /}
      route:
        cluster: rest
        hash_policy: [{header: {header_name: x-user, regex_rewrite: {pattern: {regex: '^v(\d+)-.*$'}, substitution: '\1'}}}]
"
}

#[test]
fn expressions_match_as_in_the_command() {
    for (path, asked, matches) in [
        (r"/x[0-9]+", "/x12", true),
        (r"/x[0-9]+", "/x12/y", false),
        (r"/x[0-9]+", "/x12?y=1", true),
        (r"/a|/ab", "/ab", true),
        (r"(?i)/CART", "/cart", true),
        (r"(?i)/[^k]", "/K", false),
        (r"/\pL+", "/abc", true),
        (r"/\p{Greek}*", "/abc", false),
        (r"/[[:alpha:]]{2,3}", "/abc", true),
        (r"/\Qa.b\E", "/a.b", true),
        (r"/\Qa.b\E", "/axb", false),
        (r"/a&&b", "/a&&b", true),
        (r"(?U)/a+?", "/aaa", true),
    ] {
        let answer = compared(&configuration(path), &request("a", asked, &[]));
        let cluster = if matches { "p" } else { "rest" };
        assert_eq!(answer.cluster.as_deref(), Some(cluster), "{path} {asked}");
        assert_eq!(answer.limits, [""; 0]);
    }
    let text = configuration("/never");
    for (asked, headers, cluster) in [
        ("/", [("x-h", "ABB")], "h"),
        ("/", [("x-h", "aBBc")], "rest"),
        ("/?q=x1", [("x-h", "")], "q"),
        ("/?q=a1", [("x-h", "")], "rest"),
        ("/", [("cookie", "k=a_1")], "k"),
        ("/", [("cookie", "k=\u{e9}")], "k"),
        ("/", [("cookie", "k=-")], "rest"),
    ] {
        let answer = compared(&text, &request("a", asked, &headers));
        assert_eq!(
            answer.cluster.as_deref(),
            Some(cluster),
            "{asked} {headers:?}"
        );
    }
    let hash = |user| compared(&text, &request("a", "/", &[("x-user", user)])).hash;
    assert_eq!(hash("v42-abc"), Some(xxh64(b"42", 0)));
    assert_eq!(hash("v42-abc"), hash("v42-xyz"));
}
