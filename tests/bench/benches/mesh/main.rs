//! The assignments of whole meshes: hit rate, time and memory with and without a cache.
//!
//! `cargo bench -p spillgate-bench --bench mesh` prints the table.

use std::time::{Duration, Instant};

use allocation_counter::measure;
use spillgate_bench::mesh::{Mesh, MeshShape};

/// How often a time is measured; the shortest one counts.
const RUNS: usize = 5;

fn main() {
    println!(
        "{:<44} {:>8} {:>8} {:>9} {:>11} {:>11} {:>11} {:>11}",
        "mesh", "lookups", "hits", "hit rate", "time", "no cache", "memory", "no cache"
    );
    for (title, shape) in [
        ("1,000 services with 2 endpoints, 10 zones", MANY),
        ("1 service with 5,000 endpoints, 20 zones", LARGE),
    ] {
        for proxies in [250, 500, 1_000] {
            let mut mesh = shape.mesh();
            mesh.truncate(proxies);
            row(&format!("{title}, {proxies} proxies"), &mesh);
        }
    }
}

/// Each proxy reaches 3 of 1,000 services.
const MANY: MeshShape = MeshShape {
    services: 1_000,
    endpoints: 2,
    proxies: 1_000,
    reached: 3,
    zones: 10,
    nodes: 20,
};

/// All proxies reach the same service.
const LARGE: MeshShape = MeshShape {
    services: 1,
    endpoints: 5_000,
    proxies: 1_000,
    reached: 1,
    zones: 20,
    nodes: 10,
};

fn row(title: &str, mesh: &Mesh) {
    let found = mesh.cached().found();
    let cached = fastest(|| drop(mesh.cached()));
    let computed = fastest(|| drop(mesh.computed()));
    println!(
        "{title:<44} {:>8} {:>8} {:>7.1} % {:>8.2} ms {:>8.2} ms {:>8.1} kB {:>8.1} kB",
        found.lookups,
        found.hits,
        100.0 * found.hits as f64 / found.lookups as f64,
        cached.as_secs_f64() * 1e3,
        computed.as_secs_f64() * 1e3,
        kept(|| mesh.cached()),
        kept(|| mesh.computed()),
    );
}

fn fastest(work: impl Fn()) -> Duration {
    let runs = (0..RUNS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

/// The memory of a result in kilobytes.
fn kept<T>(work: impl Fn() -> T) -> f64 {
    let mut result = None;
    let info = measure(|| result = Some(work()));
    drop(result);
    info.bytes_current as f64 / 1e3
}
