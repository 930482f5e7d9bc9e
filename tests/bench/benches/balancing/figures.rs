//! The figures that must hold, each a ratio of two times measured in one run.

use spillgate_bench::{Flip, Shape, Within, Worker, WorkerCase, model, peers, within};
use spillgate_core::{
    model::{MaglevConfig, Policy},
    snapshot::Snapshot,
};

use crate::pair::{Pair, pair};

/// The number of hosts at which choices are compared.
const HOSTS: usize = 1_000;
/// The crate `maglev` needs 512 kB for each host to build a table.
const FEW: usize = 100;

/// Measures all figures.
pub(crate) fn run() {
    within_a_priority();
    other_crates();
    whole_decisions();
    builds();
}

/// Prints one line of JSON. `bar` is the highest ratio that passes; without one the figure is only
/// printed.
fn print_figure(group: &str, name: &str, other: &str, bar: Option<f64>, pair: Pair) {
    let bar = bar.map_or("null".into(), |bar| bar.to_string());
    let Pair {
        ratio,
        ours,
        other: other_ns,
    } = pair;
    println!(
        "{{\"group\":\"{group}\",\"name\":\"{name}\",\"other\":\"{other}\",\"bar\":{bar},\
         \"ratio\":{ratio:.4},\"ours_ns\":{ours:.2},\"other_ns\":{other_ns:.2}}}"
    );
}

fn of(policy: Policy) -> Within {
    Within::new(policy, HOSTS)
}

fn maglev() -> Within {
    of(Policy::Maglev(MaglevConfig::default()))
}

fn ring() -> Within {
    of(Policy::RingHash(Within::ring_config(HOSTS)))
}

fn within_a_priority() {
    const GROUP: &str = "within a priority";
    const ROUND_ROBIN: &str = "pingora round robin";
    let bare = || peers::pingora_round_robin(HOSTS);
    let (round_robin, random) = (of(Policy::RoundRobin), of(Policy::Random));
    let bar = Some(1.5);
    print_figure(
        GROUP,
        "round robin",
        ROUND_ROBIN,
        bar,
        pair(round_robin.round_robin(), bare()),
    );
    print_figure(
        GROUP,
        "random",
        ROUND_ROBIN,
        bar,
        pair(random.random(), bare()),
    );
    print_figure(
        GROUP,
        "maglev",
        ROUND_ROBIN,
        bar,
        pair(maglev().by_hash(), bare()),
    );
    let ketama = peers::pingora_ketama(HOSTS);
    print_figure(
        GROUP,
        "ring",
        "pingora-ketama",
        Some(0.8),
        pair(ring().by_hash(), ketama),
    );
}

fn other_crates() {
    const GROUP: &str = "other crates";
    let print_figure = |name, other, pair| print_figure(GROUP, name, other, Some(1.0), pair);
    let round_robin = || of(Policy::RoundRobin).round_robin();
    let random = || of(Policy::Random).random();
    let weighted = || of(Policy::RoundRobin).weighted_round_robin();
    let rendezvous = || of(Policy::Rendezvous).by_hash();
    let two = || of(Policy::RoundRobin).least_request();
    let least = || of(Policy::RoundRobin).full_scan();
    let few = Within::new(Policy::Maglev(MaglevConfig::default()), FEW).by_hash();
    print_figure(
        "round robin",
        "pingora",
        pair(round_robin(), peers::pingora_round_robin(HOSTS)),
    );
    print_figure(
        "round robin",
        "loadwise",
        pair(round_robin(), peers::loadwise_round_robin(HOSTS)),
    );
    print_figure(
        "random",
        "pingora",
        pair(random(), peers::pingora_random(HOSTS)),
    );
    print_figure(
        "random",
        "loadwise",
        pair(random(), peers::loadwise_random(HOSTS)),
    );
    print_figure(
        "ring",
        "pingora consistent",
        pair(ring().by_hash(), peers::pingora_consistent(HOSTS)),
    );
    print_figure("maglev", "maglev, 100 hosts", pair(few, peers::maglev(FEW)));
    print_figure(
        "maglev",
        "maglev-hash",
        pair(maglev().by_hash(), peers::maglev_hash(HOSTS)),
    );
    print_figure(
        "rendezvous",
        "hrw-hash",
        pair(rendezvous(), peers::hrw_hash(HOSTS)),
    );
    print_figure(
        "rendezvous",
        "rendezvous_hash",
        pair(rendezvous(), peers::rendezvous_hash(HOSTS)),
    );
    print_figure(
        "least request",
        "tower p2c",
        pair(two(), peers::tower_p2c(HOSTS)),
    );
    print_figure(
        "least request",
        "loadwise p2c",
        pair(two(), peers::loadwise_p2c(HOSTS)),
    );
    print_figure(
        "full scan",
        "loadwise least load",
        pair(least(), peers::loadwise_least(HOSTS)),
    );
    let smooth = peers::loadwise_weighted_round_robin(HOSTS);
    print_figure(
        "weighted round robin",
        "loadwise smooth",
        pair(weighted(), smooth),
    );
    let list = peers::pingora_weighted_round_robin(HOSTS);
    // pingora walks a list that contains a host of weight 8 eight times in a row; our even order
    // costs a queue. No bar, because the work differs.
    let pair = pair(weighted(), list);
    self::print_figure(GROUP, "weighted round robin", "pingora list", None, pair);
}

fn whole_decisions() {
    for case in WorkerCase::ALL {
        let bar = case.bar();
        let mut worker = Worker::new(case, HOSTS);
        let pair = pair(|| worker.pick(), peers::pingora_round_robin(HOSTS));
        print_figure(
            "whole decision",
            case.name(),
            "pingora round robin",
            bar,
            pair,
        );
    }
}

fn builds() {
    const GROUP: &str = "builds";
    let ring = pair(within::ring(HOSTS), peers::pingora_ketama_build(HOSTS));
    print_figure(
        GROUP,
        "ring of 160 points a host",
        "pingora-ketama",
        Some(1.0),
        ring,
    );
    let maglev = pair(within::maglev(HOSTS), peers::maglev_hash_build(HOSTS));
    print_figure(
        GROUP,
        "maglev table of 65537",
        "maglev-hash",
        Some(1.0),
        maglev,
    );
    let maglev = pair(within::maglev(FEW), peers::maglev_build(FEW));
    print_figure(
        GROUP,
        "maglev table, 100 hosts",
        "maglev",
        Some(1.0),
        maglev,
    );
    let (many, few) = (
        model(vec![Shape::large(100_000).cluster("c")]),
        model(vec![Shape::large(10_000).cluster("c")]),
    );
    let linear = pair(|| Snapshot::build(&many), || Snapshot::build(&few));
    print_figure(
        GROUP,
        "100,000 hosts, 8 priorities, 1,000 subsets",
        "10,000 hosts",
        Some(12.0),
        linear,
    );
    for (subsets, name) in [
        (0, "flip of 1 in 10,000 hosts"),
        (1_000, "the same with 1,000 subsets"),
    ] {
        let mut shape = Shape::new(Policy::RoundRobin, 10_000);
        (shape.priorities, shape.subsets) = (1, subsets);
        let (mut flip, full) = (Flip::new(&shape), Flip::new(&shape));
        let pair = pair(|| flip.flip(), || full.full());
        print_figure(GROUP, name, "full build", Some(0.05), pair);
    }
}
