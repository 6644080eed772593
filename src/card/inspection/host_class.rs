//! How far a host can be reached, judged by its name or address alone.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::Host;

/// How far a host can be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HostClass {
    /// Where a server listens, not an address.
    Wildcard,
    Loopback,
    /// Known only inside one container or cluster network.
    ContainerName,
    Private,
    Public,
}

/// Classes a host by its name or address alone; nothing is resolved.
pub(super) fn class(host: &Host<&str>) -> HostClass {
    match host {
        Host::Ipv4(address) => class_v4(*address),
        Host::Ipv6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => class_v4(mapped),
            None => class_v6(*address),
        },
        Host::Domain(name) => class_of_name(&name.trim_end_matches('.').to_ascii_lowercase()),
    }
}

fn class_v4(address: Ipv4Addr) -> HostClass {
    let [a, b, ..] = address.octets();
    if address.is_unspecified() {
        HostClass::Wildcard
    } else if address.is_loopback() {
        HostClass::Loopback
    } else if address.is_private() || address.is_link_local() || (a == 100 && (64..128).contains(&b)) {
        HostClass::Private
    } else {
        HostClass::Public
    }
}

fn class_v6(address: Ipv6Addr) -> HostClass {
    if address.is_unspecified() {
        HostClass::Wildcard
    } else if address.is_loopback() {
        HostClass::Loopback
    } else if address.is_unique_local() || address.is_unicast_link_local() {
        HostClass::Private
    } else {
        HostClass::Public
    }
}

fn class_of_name(name: &str) -> HostClass {
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    if name == "localhost" || name.ends_with(".localhost") {
        HostClass::Loopback
    } else if !name.contains('.') || ends(&[".svc", ".cluster.local", ".docker.internal", ".svc.local"]) {
        HostClass::ContainerName
    } else if ends(&[".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp"]) {
        HostClass::Private
    } else {
        HostClass::Public
    }
}
