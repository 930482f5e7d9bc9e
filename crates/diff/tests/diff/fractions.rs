//! Routes with fractions before weighted clusters: one random number of a request decides about both.

use spillgate_config::envoy::EnvoyConfig;

use super::common;

/// A fraction in percent, and the weights of the clusters `with`, which has a host, and `without`.
type Split = (u32, [u32; 2]);

const WEIGHTS: [[u32; 2]; 8] = [
    [1, 1],
    [50, 50],
    [9, 1],
    [90, 10],
    [1, 3],
    [25, 75],
    [2, 1],
    [700, 300],
];

/// A fraction of the requests goes to cluster `with`, the others by weight.
fn config((fraction, [with, without]): Split) -> EnvoyConfig {
    let address = "{socket_address: {address: 10.0.0.1, port_value: 80}}";
    let clusters = format!(
        "{{name: with, load_assignment: {{cluster_name: with, endpoints: \
         [{{lb_endpoints: [{{endpoint: {{address: {address}}}}}]}}]}}}}, \
         {{name: without, load_assignment: {{cluster_name: without}}}}"
    );
    let routes = format!(
        "{{match: {{prefix: /, runtime_fraction: {{default_value: {{numerator: {fraction}}}}}}}, route: {{cluster: with}}}}, \
         {{match: {{prefix: /}}, route: {{weighted_clusters: {{clusters: \
         [{{name: with, weight: {with}}}, {{name: without, weight: {without}}}]}}}}}}"
    );
    common::config(&clusters, "'*'", &routes)
}

/// The percentage of requests without a host, by all random numbers.
fn unserved((fraction, [with, without]): Split) -> f64 {
    let total = with + without;
    let numbers = 0..100 * total;
    let all = f64::from(numbers.end);
    let without = numbers.filter(|number| number % 100 >= fraction && number % total >= with);
    without.count() as f64 * 100.0 / all
}

#[test]
fn shares_after_a_fraction_are_those_of_all_random_numbers() {
    for (fraction, next) in [(50, 50), (30, 30), (50, 20), (7, 93)] {
        for (old, new) in WEIGHTS
            .iter()
            .flat_map(|old| WEIGHTS.map(|new| (*old, new)))
        {
            let splits: [Split; 2] = [(fraction, old), (next, new)];
            let [before, after] = splits.map(config);
            let report = common::compare(&before, &after);
            let [expected_before, expected_after] = splits.map(unserved);
            let change = (expected_after - expected_before).abs();
            // Equal shares are proved only if the weights have the same numbers, too.
            let effect = report.routes.first().and_then(|of| of.effect.as_ref());
            let Some(effect) = effect else {
                assert!(change < 1e-9, "{splits:?}: {report:?}");
                assert_eq!(report.routes.is_empty(), splits[0] == splits[1]);
                continue;
            };
            let found = [effect.unserved.before, effect.unserved.after];
            let expected = [expected_before, expected_after];
            let is_near = found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(is_near, "{splits:?}: {found:?} {expected:?}");
            let moved = effect.moved.unwrap();
            assert!(
                (moved - change).abs() < 1e-9,
                "{splits:?}: {moved} {change}"
            );
        }
    }
}
