//! Choosing within one priority, compared with the peers that do the same.

use divan::{Bencher, black_box};
use spillgate_bench::{Within, peers};
use spillgate_core::model::{MaglevConfig, Policy};

/// pingora's lists take up to 65,535 hosts.
const HOSTS: [usize; 3] = [10, 1_000, 50_000];
/// The crates that sort or build permutations are too slow for more.
const FEW: [usize; 2] = [10, 1_000];

fn run<T>(bencher: Bencher<'_, '_>, mut choose: impl FnMut() -> T) {
    bencher.bench_local(|| black_box(choose()));
}

/// A benchmark for each line: its name, what is run, and for how many hosts.
macro_rules! benches {
    ($($name:ident($hosts:ident) in $counts:ident = $what:expr;)*) => {$(
        #[divan::bench(args = $counts, max_time = 1)]
        fn $name(bencher: Bencher<'_, '_>, $hosts: usize) {
            run(bencher, $what);
        }
    )*};
}

benches! {
    round_robin(hosts) in HOSTS = Within::new(Policy::RoundRobin, hosts).round_robin();
    weighted_round_robin(hosts) in HOSTS =
        Within::new(Policy::RoundRobin, hosts).weighted_round_robin();
    random(hosts) in HOSTS = Within::new(Policy::Random, hosts).random();
    least_request(hosts) in HOSTS = Within::new(Policy::RoundRobin, hosts).least_request();
    full_scan(hosts) in FEW = Within::new(Policy::RoundRobin, hosts).full_scan();
    ring_hash(hosts) in HOSTS =
        Within::new(Policy::RingHash(Within::ring_config(hosts)), hosts).by_hash();
    maglev(hosts) in HOSTS =
        Within::new(Policy::Maglev(MaglevConfig::default()), hosts).by_hash();
    rendezvous(hosts) in FEW = Within::new(Policy::Rendezvous, hosts).by_hash();
    peer_pingora_round_robin(hosts) in HOSTS = peers::pingora_round_robin(hosts);
    peer_pingora_weighted_round_robin(hosts) in FEW = peers::pingora_weighted_round_robin(hosts);
    peer_pingora_random(hosts) in HOSTS = peers::pingora_random(hosts);
    peer_pingora_consistent(hosts) in FEW = peers::pingora_consistent(hosts);
    peer_pingora_ketama(hosts) in HOSTS = peers::pingora_ketama(hosts);
    peer_maglev(hosts) in FEW = peers::maglev(hosts);
    peer_maglev_hash(hosts) in FEW = peers::maglev_hash(hosts);
    peer_hrw_hash(hosts) in FEW = peers::hrw_hash(hosts);
    peer_rendezvous_hash(hosts) in FEW = peers::rendezvous_hash(hosts);
    peer_loadwise_round_robin(hosts) in FEW = peers::loadwise_round_robin(hosts);
    peer_loadwise_weighted_round_robin(hosts) in FEW =
        peers::loadwise_weighted_round_robin(hosts);
    peer_loadwise_random(hosts) in FEW = peers::loadwise_random(hosts);
    peer_loadwise_p2c(hosts) in FEW = peers::loadwise_p2c(hosts);
    peer_loadwise_least(hosts) in FEW = peers::loadwise_least(hosts);
    peer_tower_p2c(hosts) in FEW = peers::tower_p2c(hosts);
}
