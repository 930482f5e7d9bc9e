//! The texts that `--help` prints.

/// Printed by `cargo xtask` and `cargo xtask --help`.
pub const MAIN: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  demo          build the filter and the page and run both with a real Envoy
  scenario      run another configuration of envoy-config/ with a real Envoy
  test          run every test
  build         build the filter and the page into target/spillgate/
  dist          build the release files into dist/
  bench         run the benchmarks
  differential  compare the engine with the real Envoy over random topologies
  fuzz          run many cases of every fuzz target
  tokens        try many forged session tokens
  toolchain     print the toolchain for WebAssembly and why it is used

Options of every command:
  --toolchain rustup|debian  which toolchain builds WebAssembly
                             (`cargo xtask toolchain --help` explains both)

`cargo xtask <COMMAND> --help` explains each command. A command installs what it needs and does not
find (the wasm target, Envoy, a browser) where it can, and prints each step.
";

/// Printed by `cargo xtask demo --help`.
pub const DEMO: &str = "\
Usage: cargo xtask demo [OPTIONS]
       cargo xtask demo kill HOST...
       cargo xtask demo heal HOST...
       cargo xtask demo hosts

Builds the filter and the page, starts Envoy with envoy-config/demo on loopback addresses and
prints what to try; until Ctrl-C.

Options:
  --page-port PORT     port of the page on 127.0.0.1 (8080)
  --service-port PORT  port of the steered service on 127.0.0.1 (8081)
  --hosts-port PORT    port of the hosts on 127.0.1.x and 127.0.2.x (8090)
  --admin-port PORT    port of Envoy's admin on 127.0.0.1 (9901)
  --check              use free ports, send real requests, check the answers and the page, stop;
                       exit code 0 or 1

kill and heal change the health of hosts in the running demo: the file that Envoy reads its
endpoints from and the file that the filter reads its configuration from are rewritten, and both
follow at once. HOST is an address (127.0.1.3 or 127.0.1.3:8090), a cluster (shop-primary), or
`all`. hosts lists them.

  --state DIR          the folder of a demo's state files (target/spillgate/demo)
";

/// Printed by `cargo xtask scenario --help`.
pub const SCENARIO: &str = "\
Usage: cargo xtask scenario NAME [--check]
       cargo xtask scenario --list

Builds the filter, copies envoy-config/NAME to target/spillgate/scenarios/NAME and starts Envoy
there, on the ports that the files name; prints the commands of the scenario's README; until Ctrl-C.

Options:
  --list    name all scenarios
  --check   use free ports, run the commands of the README, compare what they print with what it
            shows, stop; exit code 0 or 1
  --record  the same, and write what they print into the README
";

/// Printed by `cargo xtask test --help`.
pub const TEST: &str = "\
Usage: cargo xtask test [--only GROUP]...

Runs every test. Prints a table with the time and the results of each section, then a line for each
failure and each skip with its reason, and at last `N passed, M failed, K skipped`. Exit code 1 if a
test failed.

Groups:
  unit     unit and property tests of all crates
  vectors  golden vectors and recorded Envoy scenarios, with `spillgate conformance`
  filter   the built filter in the test host
  envoy    the built filter in a real Envoy, random topologies, and `demo --check`
  browser  the built page in a real browser
  grpc     the engine's model of gRPC compared with gRPC's own client
  no-std   core, config and link built with core and alloc alone
  ledger   instructions of decisions, builds, tokens and reading, compared with the recorded ones
  tidy     rules on sources, and limits on the sizes of the filter and the page
";

/// Printed by `cargo xtask build --help`.
pub const BUILD: &str = "\
Usage: cargo xtask build [--filter]

Builds target/spillgate/spillgate.wasm (the filter) and target/spillgate/www/ (the page).

  --filter  the filter alone
";

/// Printed by `cargo xtask dist --help`.
pub const DIST: &str = "\
Usage: cargo xtask dist

Builds what is released:
  dist/spillgate.wasm   the filter for Envoy
  dist/www/             the page, for any static file server
  dist/playground.html  the page in a single file, which opens without a server
  dist/spillgate        the command line
";

/// Printed by `cargo xtask bench --help`.
pub const BENCH: &str = "\
Usage: cargo xtask bench [OPTIONS]

Measures figures, each as a ratio to another crate, in turns in one run; then prints the tables of all
benchmarks, what the filter adds to a request in a real Envoy, and what live health costs there.
Prints the machine and its load with them. Exit code 1 if a figure exceeds its limit.

Options:
  --only PART     engine (compared with other crates), filter (in Envoy) or polls (live health in Envoy)
  --figures-only  no tables
  --runs N        measure the figures of the engine N times and print medians (3)
  --instructions  count the instructions of decisions among few and many hosts too (needs valgrind)
  --json FILE     write all figures to FILE too
";

/// Printed by `cargo xtask differential --help`.
pub const DIFFERENTIAL: &str = "\
Usage: cargo xtask differential [OPTIONS]

Makes random topologies, lets a real Envoy choose the hosts of real requests, and compares: picks
that are determined one by one, those that are drawn by their counts. What differs is made smaller
and written as a scenario folder, on which `spillgate conformance` fails. Exit code 1 when anything
differed.

Options:
  --scenarios N      how many topologies (1000)
  --requests M       requests to all of them together (200 a topology)
  --seed S           repeats a run; without it a fresh one is taken and printed
  --seconds T        stop after the batch in which so many seconds are over
  --features A,-B,+C what topologies are made of: names, or `all`; a list that begins with
                     + or - changes the default, which is all
  --list-features    print the names and stop
  --findings DIR     where scenario folders go (target/e2e/differential-findings)
  --shrink N         how many failures are made smaller (10)
";

/// Printed by `cargo xtask fuzz --help`.
pub const FUZZ: &str = "\
Usage: cargo xtask fuzz [OPTIONS]

Runs cases of every fuzz target, the same for the same seed: texts near legal ones are read, and a
panic or a wrong answer ends the run. It needs no libFuzzer and follows no coverage (fuzz/README.md
says how to have both). Exit code 1 when it took more than 512 MB of memory, 101 after a panic.

Options:
  --executions N  cases of all targets together (100000)
  --seed S        which ones (1)
  --target NAME   only this one, several times: yaml, proto_json, clusters, config_dump, requests,
                  session
  --show N        print a case instead
  --file FILE     print and run the bytes of a finding instead
  --findings DIR  where the bytes of a case go that panics (target/fuzz-findings)
";

/// Printed by `cargo xtask tokens --help`.
pub const TOKENS: &str = "\
Usage: cargo xtask tokens [OPTIONS]

Tries tokens that nobody sealed, the same for the same seed: random ones, those that say whose key
sealed them, sealed ones with bits turned or with parts of others. Exit code 1 if one is accepted.

Options:
  --count N    how many (1000000)
  --seed S     which ones, and of which keys (1)
  --threads N  at a time (one for each processor)
";

/// Printed by `cargo xtask toolchain --help`.
pub const TOOLCHAIN: &str = "\
Usage: cargo xtask toolchain [--toolchain rustup|debian]

Prints which toolchain builds the filter and the page and why; installs it if necessary. Exit code 1
if this machine cannot have it, with the reason and the command to get it.

Toolchains:
  rustup  the active toolchain with its prebuilt standard library for wasm32-unknown-unknown, as
          `rustup target add` installs it
  debian  Debian's packages rustc-web, cargo-web, rust-web-src and lld-22, which build the standard
          library from source; the page is smaller

The option --toolchain of every command chooses one; without it, the environment variable
SPILLGATE_TOOLCHAIN does. Without both: the active toolchain if it has the target, else Debian's if it
is installed, else the target is installed with rustup, else Debian's packages.
";
