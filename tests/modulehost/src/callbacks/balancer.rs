//! Callbacks about the hosts of a cluster, and about a choice of a host.

use super::{
    AbiBuffer, AbiHeader, Address, fill_all,
    metadata::{field_bool, field_number, field_text},
    stream::{lend, lent_headers},
};
use crate::{
    balancer::{BalancerObject, ChoiceObject},
    balancer_hosts::LoadBalancedHost,
    lent::found,
    metadata::LentValue,
};

const ACTIVE_REQUESTS: u32 = 7;

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_cluster_name(
    balancer: Address,
    name: *mut AbiBuffer,
) {
    let balancer: &BalancerObject = found(balancer);
    lend(name, Some(&balancer.cluster));
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_priority_set_size(balancer: Address) -> usize {
    let balancer: &BalancerObject = found(balancer);
    balancer.hosts.borrow().priorities.len()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_hosts_count(
    balancer: Address,
    priority: u32,
) -> usize {
    let balancer: &BalancerObject = found(balancer);
    let hosts = balancer.hosts.borrow();
    hosts.priorities.get(priority as usize).map_or(0, Vec::len)
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_address(
    balancer: Address,
    priority: u32,
    host: usize,
    address: *mut AbiBuffer,
) -> bool {
    with_host(balancer, priority, host, |host| {
        lend(address, host.map(|host| &*host.address))
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_health(
    balancer: Address,
    priority: u32,
    host: usize,
) -> u32 {
    with_host(balancer, priority, host, |host| {
        host.map_or(0, |host| host.health as u32)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_weight(
    balancer: Address,
    priority: u32,
    host: usize,
) -> u32 {
    with_host(balancer, priority, host, |host| {
        host.map_or(0, |host| host.weight)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_stat(
    balancer: Address,
    priority: u32,
    host: usize,
    stat: u32,
) -> u64 {
    assert_eq!(stat, ACTIVE_REQUESTS, "a statistic of a host");
    with_host(balancer, priority, host, |host| {
        host.map_or(0, |host| host.active_requests)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_locality(
    balancer: Address,
    priority: u32,
    host: usize,
    region: *mut AbiBuffer,
    zone: *mut AbiBuffer,
    sub_zone: *mut AbiBuffer,
) -> bool {
    with_host(balancer, priority, host, |host| {
        let names = host.map(|host| &host.locality);
        lend(region, names.map(|names| &*names.region))
            && lend(zone, names.map(|names| &*names.zone))
            && lend(sub_zone, names.map(|names| &*names.sub_zone))
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_metadata_string(
    balancer: Address,
    priority: u32,
    host: usize,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut AbiBuffer,
) -> bool {
    with_host(balancer, priority, host, |host| {
        field_text(field(host, namespace, key), value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_metadata_number(
    balancer: Address,
    priority: u32,
    host: usize,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut f64,
) -> bool {
    with_host(balancer, priority, host, |host| {
        field_number(field(host, namespace, key), value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_host_metadata_bool(
    balancer: Address,
    priority: u32,
    host: usize,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut bool,
) -> bool {
    with_host(balancer, priority, host, |host| {
        field_bool(field(host, namespace, key), value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_locality_count(
    balancer: Address,
    priority: u32,
) -> usize {
    let balancer: &BalancerObject = found(balancer);
    let hosts = balancer.hosts.borrow();
    let weights = hosts.locality_weights.get(priority as usize);
    weights.map_or(0, Vec::len)
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_get_locality_weight(
    balancer: Address,
    priority: u32,
    locality: usize,
) -> u32 {
    let balancer: &BalancerObject = found(balancer);
    let hosts = balancer.hosts.borrow();
    let weights = hosts.locality_weights.get(priority as usize);
    let weight = weights.and_then(|weights| weights.get(locality));
    weight.copied().unwrap_or(0)
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_context_get_downstream_headers_size(
    choice: Address,
) -> usize {
    let choice: &ChoiceObject = found(choice);
    choice.headers.iter().len()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_lb_context_get_downstream_headers(
    choice: Address,
    headers: *mut AbiHeader,
) -> bool {
    let choice: &ChoiceObject = found(choice);
    fill_all(headers, lent_headers(&choice.headers));
    true
}

/// Callbacks only read hosts, so a text of a host stays until the next update.
fn with_host<T>(
    balancer: Address,
    priority: u32,
    host: usize,
    read: impl FnOnce(Option<&LoadBalancedHost>) -> T,
) -> T {
    let balancer: &BalancerObject = found(balancer);
    read(balancer.hosts.borrow().host(priority, host))
}

fn field(
    host: Option<&LoadBalancedHost>,
    namespace: AbiBuffer,
    key: AbiBuffer,
) -> Option<&LentValue> {
    host?.metadata.get(&namespace.text(), &key.text())
}
