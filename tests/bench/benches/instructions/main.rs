//! Fixed amounts of work for an instruction counter:
//!
//! - `list` prints the name of each;
//! - `run NAME [HOSTS]` does the work and prints the number of repetitions.
//!
//! callgrind counts while the function [`counted`] runs.

use std::hint::black_box;

use spillgate_bench::{Flip, Shape, Worker, WorkerCase, config_dump, model, tokens};
use spillgate_config::envoy::{Format, read};
use spillgate_core::{
    model::{
        ClusterKind, MaglevConfig, Metadata, Model, Policy, RingHashConfig, SelectorFallback,
        SubsetConfig, SubsetSelector, Value,
    },
    snapshot::Snapshot,
    subset::SubsetIndex,
};

/// The number of hosts in each priority, if the command line names no other.
const HOSTS: usize = 1_000;
/// Repetitions: fewer for longer work.
const BUILDS: u32 = 1;
const FLIPS: u32 = 20;
const CALLS: u32 = 1_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list", ..] => {
            for name in names() {
                println!("{name}");
            }
        }
        ["run", name, rest @ ..] => {
            let hosts = rest.first().and_then(|hosts| hosts.parse().ok());
            let times = run(name, hosts.unwrap_or(HOSTS));
            println!(
                "{}",
                times.unwrap_or_else(|| panic!("unknown work `{name}`"))
            );
        }
        // `cargo bench` runs the program without arguments to measure times, which it does not.
        _ => println!("usage: list, or run NAME [HOSTS]"),
    }
}

/// The names of all work except that of peers.
fn names() -> Vec<String> {
    let decisions = WorkerCase::ALL.map(|case| format!("decision/{case}"));
    let others = [
        "build/round_robin",
        "build/ring_hash",
        "build/maglev",
        "build/subsets",
        "flip/round_robin",
        "flip/subsets",
        "subset/redundant_keys",
        "token/seal",
        "token/open",
        "read/config_dump",
    ];
    decisions
        .into_iter()
        .chain(others.map(str::to_owned))
        .collect()
}

/// Does the work and returns its repetitions; `None` if the name is unknown.
fn run(name: &str, hosts: usize) -> Option<u32> {
    let (kind, what) = name.split_once('/')?;
    Some(match (kind, what) {
        ("decision", case) => {
            let case = WorkerCase::ALL
                .into_iter()
                .find(|known| known.name() == case)?;
            let mut worker = Worker::new(case, hosts);
            counted(CALLS, &mut || worker.pick())
        }
        #[cfg(feature = "peers")]
        ("peer", "pingora_round_robin") => counted(
            CALLS,
            &mut spillgate_bench::peers::pingora_round_robin(hosts),
        ),
        ("build", shape) => {
            let model = model(vec![built(shape, hosts)?.cluster("c")]);
            counted(BUILDS, &mut || Snapshot::build(&model))
        }
        ("flip", shape) => {
            let mut flip = Flip::new(&built(shape, hosts)?);
            counted(FLIPS, &mut || flip.flip())
        }
        ("subset", "redundant_keys") => {
            let (model, criteria) = many_selectors();
            let snapshot = Snapshot::build(&model);
            let plain = snapshot.plain(snapshot.cluster_id("c")?)?;
            let index: &SubsetIndex = &plain.subsets.as_ref()?.index;
            counted(FLIPS, &mut || index.kept_criteria(black_box(&criteria)))
        }
        ("token", "seal") => {
            let ring = tokens::ring();
            let token = tokens::token(&ring);
            counted(CALLS, &mut || ring.seal(black_box(&token)))
        }
        ("token", "open") => {
            let ring = tokens::ring();
            let text = ring.seal(&tokens::token(&ring));
            counted(CALLS, &mut || {
                ring.open(black_box(text.as_str().as_bytes()), &tokens::RULES)
            })
        }
        ("read", "config_dump") => {
            let text = config_dump();
            counted(BUILDS, &mut || read(&text, Format::Json))
        }
        _ => return None,
    })
}

/// A cluster with 1,000 selectors, and a request with 1,000 criteria, of which no selector has a key.
fn many_selectors() -> (Model, Metadata) {
    let mut shape = Shape::new(Policy::RoundRobin, 1);
    shape.subsets = 1;
    let mut cluster = shape.cluster("c");
    if let ClusterKind::Plain(plain) = &mut cluster.kind {
        let selector = |number: usize| {
            SubsetSelector::new(
                [format!("selector-{number}")],
                SelectorFallback::NotDefined,
                false,
            )
        };
        plain.subsets = Some(SubsetConfig {
            selectors: (0..1_000)
                .filter_map(|number| selector(number).ok())
                .collect(),
            allow_redundant_keys: true,
            ..SubsetConfig::default()
        });
    }
    let criteria = (0..1_000).map(|number| (format!("key-{number}"), Value::Bool(true)));
    (model(vec![cluster]), Metadata::new(criteria))
}

fn built(shape: &str, hosts: usize) -> Option<Shape> {
    let mut found = Shape::new(Policy::RoundRobin, hosts);
    match shape {
        "round_robin" => {}
        "ring_hash" => found.policy = Policy::RingHash(RingHashConfig::default()),
        "maglev" => found.policy = Policy::Maglev(MaglevConfig::default()),
        "subsets" => found.subsets = 100,
        _ => return None,
    }
    Some(found)
}

/// The function that callgrind counts. It borrows the work, so that dropping it is not counted.
#[inline(never)]
fn counted<T>(times: u32, work: &mut impl FnMut() -> T) -> u32 {
    for _ in 0..times {
        black_box(&work());
    }
    times
}
