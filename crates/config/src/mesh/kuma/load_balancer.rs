//! `loadBalancer`.

use spillgate_mesh::kuma::{KumaLeastRequest, KumaLoadBalancer, KumaMaglev, KumaRingHash};

use super::{hashing::read_hash_policies, number::read_number};
use crate::proto::{Message, Report, Schema};

pub(super) static LOAD_BALANCER: Schema = Schema::new(
    "loadBalancer",
    "type roundRobin leastRequest ringHash random maglev",
)
.of("MeshLoadBalancingStrategy.to.default.loadBalancer");
pub(super) static LEAST_REQUEST: Schema =
    Schema::new("leastRequest", "choiceCount activeRequestBias")
        .of("MeshLoadBalancingStrategy.to.default.loadBalancer.leastRequest");
pub(super) static RING_HASH: Schema = Schema::new(
    "ringHash",
    "hashFunction minRingSize maxRingSize hashPolicies",
)
.of("MeshLoadBalancingStrategy.to.default.loadBalancer.ringHash");
pub(super) static MAGLEV: Schema = Schema::new("maglev", "tableSize hashPolicies")
    .of("MeshLoadBalancingStrategy.to.default.loadBalancer.maglev");

/// Reads `loadBalancer`.
pub(super) fn read_load_balancer(
    conf: &Message<'_, '_>,
    report: &mut Report,
) -> Option<KumaLoadBalancer> {
    let balancer = conf.message("loadBalancer", &LOAD_BALANCER, report)?;
    let least_request = balancer.message("leastRequest", &LEAST_REQUEST, report);
    let ring_hash = balancer.message("ringHash", &RING_HASH, report);
    let maglev = balancer.message("maglev", &MAGLEV, report);
    Some(KumaLoadBalancer {
        kind: balancer.text("type", report),
        least_request: least_request.map(|block| KumaLeastRequest {
            choice_count: block.i64("choiceCount", report),
            active_request_bias: read_number(&block, "activeRequestBias", report),
        }),
        ring_hash: ring_hash.map(|block| KumaRingHash {
            hash_function: block.string("hashFunction", report).map(Into::into),
            min_ring_size: block.i64("minRingSize", report),
            max_ring_size: block.i64("maxRingSize", report),
            hash_policies: read_hash_policies(&block, report),
        }),
        maglev: maglev.map(|block| KumaMaglev {
            table_size: block.i64("tableSize", report),
            hash_policies: read_hash_policies(&block, report),
        }),
    })
}
