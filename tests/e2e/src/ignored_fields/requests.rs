//! Random requests, one route after the other.

use super::configuration::Numbers;

/// The routes of `tests/e2e/ignored_fields/ablation.json`.
const ROUTES: [&str; 16] = [
    "/maglev",
    "/regex",
    "/ring-path",
    "/ring-cookie",
    "/ring-host",
    "/ring-fwd",
    "/retry-ring",
    "/retry-rr",
    "/subset",
    "/override",
    "/original",
    "/aggregate",
    "/weighted",
    "/header",
    "/direct",
    "/other",
];

/// A request.
pub(super) struct AblationRequest {
    pub(super) path: String,
    pub(super) headers: Vec<(&'static str, String)>,
}

/// The request of this number.
pub(super) fn request(number: usize, port: u16, numbers: &mut Numbers) -> AblationRequest {
    let mut below = |end| numbers.below(end);
    let route = ROUTES[number % ROUTES.len()];
    let path = format!("{route}/{}?q={}", below(99), below(9));
    let cluster = ["maglev", "second", "first"][below(3) as usize];
    let mut headers = vec![
        ("x-n", number.to_string()),
        ("x-user", format!("u{}", below(50))),
        ("cookie", format!("c=v{}", below(40))),
        ("x-host", format!("127.0.13.{}:{port}", 1 + below(11))),
        ("x-random", below(10_000).to_string()),
        ("x-cluster", cluster.into()),
        (
            "x-envoy-original-dst-host",
            format!("127.0.20.{}:{port}", 1 + below(8)),
        ),
        ("x-forwarded-for", format!("10.0.0.{}", below(9))),
    ];
    if below(3) == 0 {
        headers.push(("x-stage", "dev".into()));
    }
    AblationRequest { path, headers }
}
