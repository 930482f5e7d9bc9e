//! The texts that `--help` prints.

/// Printed by `cargo xtask` and `cargo xtask --help`.
pub const MAIN: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  demo          build the filter and the playground and run both with a real Envoy
  scenario      run another configuration of envoy-config/ with a real Envoy
  test          run every test
  build         build the filter in both forms and the playground into target/spillgate/
  dist          build everything into dist/
  release       build all files of a release into dist/release/, and check the crates
  deny          check licenses, sources and known faults of all dependencies
  bench         run the benchmarks
  differential  compare the engine with the real Envoy over random topologies
  descriptors   write the messages of Envoy's API again, from its binary
  fuzz          fuzz every reader with libFuzzer
  tokens        try many forged session tokens
  reliability   list the checks that take long, or run some in full
  toolchain     print the toolchain for WebAssembly and why it is used
  where         find the files of a behavior

Options of every command:
  --toolchain rustup|debian  which toolchain builds WebAssembly
                             (`cargo xtask toolchain --help` explains both)

`cargo xtask <COMMAND> --help` explains each command. A command installs missing tools (the wasm
target, Envoy, a browser) where it can, and prints each step.
";

/// Printed by `cargo xtask demo --help`.
pub const DEMO: &str = "\
Usage: cargo xtask demo [OPTIONS]
       cargo xtask demo kill HOST...
       cargo xtask demo heal HOST...
       cargo xtask demo hosts

Builds the filter and the first screen of the playground, starts Envoy with envoy-config/demo on loopback
addresses and prints commands to try. Then it builds what the playground loads later and the
documentation. Runs until Ctrl-C.

Options:
  --native             run the filter as a dynamic module, with envoy-config/native/demo
  --page-port PORT     port of the playground on 127.0.0.1 (8080)
  --service-port PORT  port of the steered service on 127.0.0.1 (8081)
  --hosts-port PORT    port of the hosts on 127.0.1.x and 127.0.2.x (8090)
  --admin-port PORT    port of Envoy's admin on 127.0.0.1 (9901)
  --check              use free ports, send real requests, check the answers and the playground, stop;
                       exit code 0 or 1

kill and heal change the health of hosts in the running demo: they rewrite the files with Envoy's
endpoints and, for the Wasm filter, the file with its configuration. Envoy applies them at once.
HOST is an address (127.0.1.3 or 127.0.1.3:8090), a cluster (shop-primary), or `all`. hosts lists
them.

  --state DIR          the folder of a demo's state files (target/spillgate/demo)
";

/// Printed by `cargo xtask scenario --help`.
pub const SCENARIO: &str = "\
Usage: cargo xtask scenario NAME [--check]
       cargo xtask scenario --list

Builds the filter and the dynamic module, copies envoy-config/NAME to target/spillgate/scenarios/NAME
and starts Envoy there, on the ports of its files. Prints the commands of the scenario's README. Runs until Ctrl-C.

Options:
  --list    list all scenarios
  --check   use free ports, run the commands of the README, compare their output with the README
            and stop; exit code 0 or 1
  --record  the same, and write their output into the README
";

/// Printed by `cargo xtask test --help`.
pub const TEST: &str = "\
Usage: cargo xtask test [--only GROUP]...

Runs every test. Prints a table with the time and the results of each section, then a line for each
failure and each skip with its reason, and finally `N passed, M failed, K skipped`. Exit code 1 if a
test failed.

Groups:
  unit     unit and property tests of all crates
  vectors  golden vectors and recorded Envoy scenarios, with `spillgate conformance`
  twin     the commands built for WebAssembly, compared with those of this machine
  filter   the built filter in the test host
  envoy    the built filter in a real Envoy, random topologies, and `demo --check`
  browser  the built playground in a real browser
  axe      the built playground in a real browser, checked by axe-core
  engines  the built playground in Firefox and WebKit: every screen, an import, a link, no network
  grpc     the engine's model of gRPC compared with gRPC's own client
  no-std   core, config and others compiled with core and alloc alone
  ledger   instructions of decisions, builds, tokens and reading, compared with the recorded ones
  tidy     rules on sources, and limits on the sizes of the filter and the playground
";

/// Printed by `cargo xtask build --help`.
pub const BUILD: &str = "\
Usage: cargo xtask build [--filter]

Builds into target/spillgate/: spillgate.wasm (the filter), libspillgate.so (the filter as a dynamic module
of Envoy) and www/ (the playground).

  --filter  spillgate.wasm alone
";

/// Printed by `cargo xtask dist --help`.
pub const DIST: &str = "\
Usage: cargo xtask dist

Builds the release files:
  dist/spillgate.wasm   the filter for Envoy
  dist/libspillgate.so  the filter as a dynamic module of Envoy
  dist/www/             the playground, for any static file server, with the documentation in docs/
  dist/playground.html  the playground in a single file, which opens without a server
  dist/spillgate        the command line
";

/// Printed by `cargo xtask release --help`.
pub const RELEASE: &str = "\
Usage: cargo xtask release VERSION [--allow-dirty] [--folder DIR]
       cargo xtask release --check
       cargo xtask release --twice

Builds all files of a release into dist/release/, opens each of them, and prints the list: the command
for linux-gnu and linux-musl with completions and manual pages, a Debian package, the Wasm filter (as a
file, and as an OCI image layout in the forms that Istio and Envoy Gateway pull), the dynamic module, the
playground, the npm package of the custom element, a bill of materials and SHA256SUMS. VERSION must be the one
in Cargo.toml, and everything must be committed. Two builds of a commit with the same toolchain are
identical. Nothing is uploaded.

Options:
  --allow-dirty  permit uncommitted changes, for a trial; the commit is marked
  --folder DIR   where the files go (dist/release)
  --check        package and build all crates to publish, without publishing; check the minimum Rust
                 version and, against the last published version, semantic versioning
  --twice        build the release in two clones of this commit, and compare all files
";

/// Printed by `cargo xtask deny --help`.
pub const DENY: &str = "\
Usage: cargo xtask deny

Checks all dependencies in Cargo.lock with cargo-deny and .cargo/deny.toml: licenses, second versions of
a crate, registries, and known faults (advisories). Without the database of advisories it prints NOT
CHECKED. Builds cargo-deny first, once. Exit code 1 if a check fails.
";

/// Printed by `cargo xtask bench --help`.
pub const BENCH: &str = "\
Usage: cargo xtask bench [OPTIONS]

Measures figures, each as a ratio to another crate in one run, then the tables of all benchmarks, the
cost of the filter for a request in a real Envoy, the cost of live health there, the time of a command
that reads a running Envoy, the speed of the playground in Chromium, and its scores by Lighthouse. Also prints
the machine and its load. Exit code 1 if a figure exceeds its limit.

Options:
  --only PART     engine (compared with other crates), filter (in Envoy), polls (live health in
                  Envoy), admin (`spillgate split --admin`), page (in Chromium) or lighthouse
  --figures-only  no tables
  --runs N        measure the figures of the engine N times and print medians (3)
  --instructions  also count the instructions of decisions among few and many hosts, and those that
                  the dynamic module adds to a request in Envoy (needs valgrind)
  --json FILE     also write all figures to FILE
";

/// Printed by `cargo xtask differential --help`.
pub const DIFFERENTIAL: &str = "\
Usage: cargo xtask differential [OPTIONS]

Compares the engine with a real Envoy over random topologies: deterministic picks one by one, random
picks by their counts. Reduces a failing scenario and writes it as a scenario folder, on which
`spillgate conformance` fails. Exit code 1 if anything differs.

Options:
  --scenarios N      number of topologies (1000)
  --requests M       number of requests to all of them together (200 per topology)
  --seed S           seed of the run; without it, a random one that is printed
  --seconds T        stop after the batch in which T seconds have passed
  --features A,-B,+C features of the topologies: names, or `all`; a list that begins with + or -
                     changes the default, which is all
  --list-features    print the names of the features and stop
  --findings DIR     folder for the scenario folders (target/e2e/differential-findings)
  --shrink N         number of failures that are reduced (10)
";

/// Printed by `cargo xtask fuzz --help`.
pub const FUZZ: &str = "\
Usage: cargo xtask fuzz [OPTIONS]

Runs every fuzz target with libFuzzer, guided by coverage, and keeps the smallest corpus with the
same coverage in fuzz/corpus/. A panic, a wrong answer, an input of more than 10 s, or more memory than
the target may use is a finding. Exit code 1 if there is one. tests/fuzz/README.md describes the targets.

Options:
  --seconds N    how long each target runs (60)
  --target NAME  only this target (repeatable)
  --jobs N       how many targets run at the same time (one for each processor)
  --save         pack the corpus into tests/fuzz/corpus.tar.xz if there is no finding
  --file FILE    run the input of a finding with one --target, and stop
";

/// Printed by `cargo xtask tokens --help`.
pub const TOKENS: &str = "\
Usage: cargo xtask tokens [OPTIONS]

Tries reproducible forged tokens: random ones, ones with a valid key id, sealed ones with flipped bits
or with parts of others. Exit code 1 if one is accepted.

Options:
  --count N    number of tokens (1000000)
  --seed S     seed of tokens and keys (1)
  --threads N  number of threads (one for each processor)
";

/// Printed by `cargo xtask reliability --help`.
pub const RELIABILITY: &str = "\
Usage: cargo xtask reliability [NAME]... [OPTIONS]
       cargo xtask reliability mutants [CRATE]... [OPTIONS]

Without names, lists the checks that take long: what each shows, the amount that `cargo xtask test`
runs, the amount of the full form, and the last full result (tools/xtask/reliability.json). With
names, runs the full form of each and prints its result. Exit code 1 if a check fails.

Options:
  --record   write each result into tools/xtask/reliability.json
  --pairs N  number of pairs of `diff` (500)
  --seed S   seed of `diff` (1)

`cargo xtask reliability mutants --help` explains the check of the tests themselves.
";

/// Printed by `cargo xtask reliability mutants --help`.
pub const MUTANTS: &str = "\
Usage: cargo xtask reliability mutants [CRATE]... [OPTIONS]

Changes the code in small steps (an operator, a result, an arm of a match), one at a time, and runs the
tests of the changed crate with each; what they do not notice is tried with the reference data of
vectors/. Prints the figures of each crate, and the changes that no test noticed. Exit code 1 if one of
them is not listed in tests/mutants.json. Stop it at any time: what was tried is not tried again, unless
its file changes. Changes are tried in random order, so those that a stopped run tried are a random part.
Everything is in target/mutants/.

CRATE is core, steer, lint, sim, explain, config, mesh, grpc or codec (all).

Options:
  --changed COMMIT  only in lines that differ from COMMIT
  --sample N        only N changes of each crate, at random
  --seed N          decides which (0)
  --shard K/N       only part K of N parts
  --again           try those again that no test noticed, after new tests
  --figures         only print the figures of what was tried
";

/// Printed by `cargo xtask descriptors --help`.
pub const DESCRIPTORS: &str = "\
Usage: cargo xtask descriptors

Writes vectors/descriptors/envoy-1.40.txt: every message and enum of Envoy's API, from the descriptors in
the Envoy binary that the project is checked against. A test fails if a message that is read has a field
without a class (crates/config/src/envoy/schema/).
";

/// Printed by `cargo xtask where --help`.
pub const WHERE: &str = "\
Usage: cargo xtask where WORD...

Prints the files whose path or first paragraph has all words, with this paragraph, best matches first.
Word endings do not matter.
";

/// Printed by `cargo xtask toolchain --help`.
pub const TOOLCHAIN: &str = "\
Usage: cargo xtask toolchain [--toolchain rustup|debian]

Prints the toolchain that builds the filter and the playground and why; installs it if necessary. Exit code
1 if it cannot be installed, with the reason and the command to install it.

Toolchains:
  rustup  the active toolchain with its prebuilt standard library for wasm32-unknown-unknown, as
          `rustup target add` installs it
  debian  Debian's packages rustc-web, cargo-web, rust-web-src and lld-22, which build the standard
          library from source; the playground is smaller

The option --toolchain of every command chooses one; without it, the environment variable
SPILLGATE_TOOLCHAIN does. Without both: the active toolchain if it has the target, else Debian's if it
is installed, else the target is installed with rustup, else Debian's packages.
";
