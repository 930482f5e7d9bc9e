//! Hostile clients, hosts and configurations, in every order of hooks that Envoy can produce.
//!
//! With the address sanitizer (`cargo xtask reliability native-asan`), the run also finds texts that the
//! module keeps too long. The same seed gives the same run, except for tokens and random picks.

mod configurations;
mod dice;
mod random_hosts;
mod report;
mod requests;
mod run;

use spillgate_testkit::{amount, figure};

use crate::run::{Figures, HostileRun};

#[test]
fn no_order_of_hooks_and_no_input_breaks_the_module() {
    let seeds: u64 = amount(60, 1_000);
    let steps = amount(100, 400);
    let mut sum = Figures::default();
    for seed in 0..seeds {
        let run = std::panic::catch_unwind(|| HostileRun::start(seed).steps(steps));
        match run {
            Ok(figures) => sum.add(&figures),
            Err(panic) => {
                eprintln!("seed {seed}");
                std::panic::resume_unwind(panic);
            }
        }
        if (seed + 1) % 100 == 0 {
            println!("{} seeds: {sum}", seed + 1);
        }
    }
    assert!(sum.forged_tokens > 0 && sum.refused_configurations > 0);
    assert!(
        sum.decided * 4 > sum.requests,
        "few requests have hosts: {sum}"
    );
    figure(format!("{seeds} seeds: {sum}"));
}
