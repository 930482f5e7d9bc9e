//! A fixed amount of work for an instruction counter.

use std::hint::black_box;

use spillgate_bench::{Case, Worker, peers};

/// How many choices the counted function makes; `cargo xtask bench` divides by it.
const CHOICES: u32 = 1_000;

/// Runs a case, or the bare round robin of the peer under the name `pingora_round_robin`.
pub(crate) fn run(case: &str, hosts: &str) {
    let hosts: usize = hosts.parse().expect("the number of hosts is a number");
    if case == "pingora_round_robin" {
        return counted(&mut peers::pingora_round_robin(hosts));
    }
    let found = Case::ALL.into_iter().find(|known| known.name() == case);
    let mut worker = Worker::new(found.expect("a case of that name"), hosts);
    counted(&mut || worker.pick());
}

/// callgrind counts while this function runs. It knows it by its name. What chooses is only lent,
/// so that taking it down does not count.
#[inline(never)]
fn counted<T>(choose: &mut impl FnMut() -> T) {
    for _ in 0..CHOICES {
        black_box(choose());
    }
}
