//! Which headers and query values are secrets, and how they are set apart in a record.

use url::Url;

use crate::client::credentials::Secret;
use crate::client::exchange::{HeaderText, RecordedHeader};

/// Header names, folded, whose values never show.
const SECRET_HEADERS: [&str; 10] = [
    "authorization",
    "proxyauthorization",
    "cookie",
    "setcookie",
    "authenticationinfo",
    "apikey",
    "xapikey",
    "xauthkey",
    "xauth",
    "xfunctionskey",
];
/// Query names, folded, whose values never show.
const SECRET_QUERY_NAMES: [&str; 14] = [
    "key",
    "apikey",
    "accesskey",
    "auth",
    "authorization",
    "pass",
    "passwd",
    "pwd",
    "sig",
    "signature",
    "code",
    "jwt",
    "sessionid",
    "session",
];
/// Parts of names that make any of them a secret.
const SECRET_WORDS: [&str; 6] = ["token", "secret", "password", "apikey", "credential", "bearer"];

fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a header of this name carries a credential.
pub(super) fn is_secret_header(name: &str) -> bool {
    let name = folded(name);
    SECRET_HEADERS.contains(&name.as_str()) || SECRET_WORDS.iter().any(|word| name.contains(word))
}

fn is_secret_query_name(name: &str) -> bool {
    let name = folded(name);
    SECRET_QUERY_NAMES.contains(&name.as_str()) || SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// A header as recorded; the address in a `Location` is masked like any other.
pub(super) fn record_header(name: &str, value: &str, is_credential: bool) -> RecordedHeader {
    let value = if is_credential || is_secret_header(name) {
        HeaderText::Secret(Secret::new(value))
    } else if name.eq_ignore_ascii_case("location") {
        HeaderText::Plain(mask_address(value))
    } else {
        HeaderText::Plain(value.to_owned())
    };
    RecordedHeader { name: name.to_owned(), value }
}

/// The URL with secret query values and a password replaced by `••••`.
pub(in crate::client) fn mask_url(url: &Url) -> String {
    mask_address(url.as_str())
}

/// The same for an address that may be relative: nothing but the secrets is touched.
pub(in crate::client) fn mask_address(address: &str) -> String {
    let (address, fragment) = address.split_once('#').map_or((address, None), |(a, f)| (a, Some(f)));
    let (path, query) = address.split_once('?').map_or((address, None), |(p, q)| (p, Some(q)));
    let mut masked = mask_user_info(path);
    if let Some(query) = query {
        let pairs: Vec<String> = query.split('&').map(mask_pair).collect();
        masked = format!("{masked}?{}", pairs.join("&"));
    }
    if let Some(fragment) = fragment {
        masked = format!("{masked}#{fragment}");
    }
    masked
}

fn mask_pair(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !value.is_empty() && is_secret_query_name(name) => format!("{name}=••••"),
        _ => pair.to_owned(),
    }
}

fn mask_user_info(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let authority_end = rest.find('/').unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => format!("{scheme}://••••{}", &rest[at..]),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_addresses_do_not_show() {
        for (address, masked) in [
            (
                "https://a.example/c.json?pick=blue&api_key=abc&x=1",
                "https://a.example/c.json?pick=blue&api_key=••••&x=1",
            ),
            ("https://u:p@a.example/x", "https://••••@a.example/x"),
            ("/login?access_token=abc#frag", "/login?access_token=••••#frag"),
            ("https://a.example/@b?key=", "https://a.example/@b?key="),
            ("https://a.example/rpc?monkey=1", "https://a.example/rpc?monkey=1"),
        ] {
            assert_eq!(mask_address(address), masked);
        }
    }

    #[test]
    fn headers_that_carry_credentials_are_known_by_name() {
        for name in ["Authorization", "X-API-Key", "x_api_key", "Cookie", "Set-Cookie", "X-Auth-Token", "Client-Secret"]
        {
            assert!(is_secret_header(name), "{name}");
        }
        for name in ["Content-Type", "WWW-Authenticate", "A2A-Version", "Accept", "ETag"] {
            assert!(!is_secret_header(name), "{name}");
        }
    }
}
