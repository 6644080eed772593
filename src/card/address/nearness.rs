//! How near a host is: this computer, this network, or the world.

use std::net::{IpAddr, Ipv4Addr};

use url::{Host, Url};

/// Whether a host is this computer itself: such requests never go through a proxy.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
}

/// Whether a host is likely to speak plain http, and why.
pub(super) fn nearness(url: &Url) -> (bool, &'static str) {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            if is_localhost(name) {
                (true, "the host is this computer")
            } else if !name.contains('.') {
                (true, "the name has a single label")
            } else {
                let local = [".local", ".internal", ".lan", ".home.arpa", ".svc", ".test", ".localdomain"];
                (local.iter().any(|end| name.ends_with(end)), "the name is a local one")
            }
        }
        Some(Host::Ipv4(address)) => near_address(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => near_address(address.to_canonical()),
        None => (false, ""),
    }
}

fn near_address(address: IpAddr) -> (bool, &'static str) {
    let private = match address {
        IpAddr::V4(v4) => is_private(v4),
        IpAddr::V6(v6) => v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_unspecified(),
    };
    if address.is_loopback() { (true, "the host is this computer") } else { (private, "the address is a private one") }
}

fn is_private(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    // 100.64.0.0/10 is shared by carriers and overlay networks.
    address.is_private() || address.is_link_local() || address.is_unspecified() || (a == 100 && (64..128).contains(&b))
}
