//! A cache of assignments shares what proxies have in common, and keeps less memory.

use allocation_counter::measure;
use spillgate_bench::mesh::MeshShape;

const SHAPE: MeshShape = MeshShape {
    services: 20,
    endpoints: 100,
    proxies: 200,
    reached: 3,
    zones: 5,
    nodes: 4,
};

#[test]
fn cached_assignments_are_the_computed_ones() {
    let mesh = SHAPE.mesh();
    let cached = mesh.cached();
    let computed = mesh.computed();
    assert_eq!(cached.assignments.len(), 600);
    assert!(cached.assignments.iter().map(|of| &**of).eq(&computed));
}

#[test]
fn proxies_of_a_node_share_an_assignment() {
    // At most 20 services x 20 nodes are different.
    let found = SHAPE.mesh().cached().found();
    assert_eq!(found.lookups, 600);
    assert!(found.lookups - found.hits <= 400, "{found:?}");
}

#[test]
fn a_large_service_keeps_less_memory_with_a_cache() {
    let mesh = MeshShape {
        services: 1,
        endpoints: 2_000,
        proxies: 400,
        reached: 1,
        zones: 4,
        nodes: 5,
    }
    .mesh();
    let (mut cached, mut computed) = (None, None);
    let with = measure(|| cached = Some(mesh.cached())).bytes_current;
    let without = measure(|| computed = Some(mesh.computed())).bytes_current;
    assert!(
        with * 5 < without,
        "{with} bytes, {without} without a cache"
    );
    assert_eq!(cached.map(|of| of.found().hits), Some(380));
    assert_eq!(computed.map(|of| of.len()), Some(400));
}
