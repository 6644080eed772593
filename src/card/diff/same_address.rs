//! Whether two addresses are one, by the rules that every client follows (RFC 3986 §6.2.2.1 and §6.2.3).

/// The address with its scheme and host in small letters, without the standard port, and with a path. What is no
/// address of that form stays as it is.
pub(super) fn normal(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return address.to_owned();
    }
    let scheme = scheme.to_ascii_lowercase();
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, place) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => (host, port),
        _ => (place, ""),
    };
    let is_standard = matches!((scheme.as_str(), port), (_, "") | ("http" | "ws", "80") | ("https" | "wss", "443"));
    let port = if is_standard { String::new() } else { format!(":{port}") };
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{scheme}://{user}{}{port}{slash}{path}", host.to_ascii_lowercase())
}

pub(super) fn same_address(older: &str, newer: &str) -> bool {
    older == newer || normal(older) == normal(newer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_host_standard_port_and_empty_path_can_be_written_in_more_ways_than_one() {
        let same = [
            ("https://a.example", "HTTPS://A.Example:443/"),
            ("https://a.example/rpc", "https://a.example:/rpc"),
            ("http://[::1]:80?q", "http://[::1]/?q"),
            ("wss://me@A.example", "wss://me@a.example:443/"),
        ];
        for (one, other) in same {
            assert!(same_address(one, other), "{one} {other}");
        }
    }

    #[test]
    fn whatever_else_differs_is_another_address() {
        let other = [
            ("https://a.example/rpc", "https://a.example/RPC"),
            ("https://a.example/rpc", "https://a.example/rpc/"),
            ("https://a.example/rpc", "https://a.example/rpc "),
            ("https://a.example", "https://a.example:80"),
            ("https://a.example", "http://a.example"),
            ("https://me@a.example", "https://Me@a.example"),
            ("https://a.example:443@b.example", "https://a.example@b.example"),
            ("a.example", "A.example"),
        ];
        for (one, other) in other {
            assert!(!same_address(one, other), "{one} {other}");
        }
    }
}
