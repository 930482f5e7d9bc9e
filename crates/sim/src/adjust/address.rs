//! Addresses for added hosts.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use core::net::{IpAddr, SocketAddr};

use spillgate_core::model::Endpoint;

/// `count` addresses that no host of the priority has: after the highest IP address of `hosts`, with the
/// port of its host. If no host has an IP address, names after that of the first host.
pub(super) fn unused_addresses(all: &[Endpoint], hosts: &[&Endpoint], count: usize) -> Vec<String> {
    let used: BTreeSet<&str> = all.iter().map(|host| host.address.as_str()).collect();
    let sockets = hosts.iter().filter_map(|host| host.address.parse().ok());
    let highest: Option<SocketAddr> = sockets.max();
    let following = core::iter::successors(highest, |socket| {
        Some(SocketAddr::new(next(socket.ip())?, socket.port()))
    });
    let first = hosts.first().map_or("", |host| &host.address);
    let named = (1..).map(|number| format!("{first}-added-{number}"));
    following
        .skip(1)
        .map(|socket| format!("{socket}"))
        .chain(named)
        .filter(|address| !used.contains(address.as_str()))
        .take(count)
        .collect()
}

/// The next address; `None` after the last one.
fn next(ip: IpAddr) -> Option<IpAddr> {
    match ip {
        IpAddr::V4(ip) => Some(IpAddr::V4(ip.to_bits().checked_add(1)?.into())),
        IpAddr::V6(ip) => Some(IpAddr::V6(ip.to_bits().checked_add(1)?.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unused(all: &[&str], hosts: &[&str], count: usize) -> Vec<String> {
        let endpoints = |of: &[&str]| of.iter().map(|&of| Endpoint::new(of)).collect();
        let (all, hosts): (Vec<Endpoint>, Vec<Endpoint>) = (endpoints(all), endpoints(hosts));
        unused_addresses(&all, &hosts.iter().collect::<Vec<_>>(), count)
    }

    #[test]
    fn addresses_follow_the_highest_one_and_are_unused() {
        let all = ["10.0.0.255:80", "10.0.1.1:80", "10.0.0.9:80"];
        assert_eq!(
            unused(&all, &["10.0.0.9:80", "10.0.0.255:80"], 2),
            ["10.0.1.0:80", "10.0.1.2:80"]
        );
        assert_eq!(unused(&[], &["[::1]:80"], 1), ["[::2]:80"]);
        // After the last address, and without an address.
        assert_eq!(
            unused(&[], &["255.255.255.255:1"], 1),
            ["255.255.255.255:1-added-1"]
        );
        let named = unused(&["/run/a-added-1"], &["/run/a"], 2);
        assert_eq!(named, ["/run/a-added-2", "/run/a-added-3"]);
    }
}
