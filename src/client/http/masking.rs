//! Which headers are secrets, and how they and addresses stand in a record.

use url::Url;

use crate::card::address::{folded_name, mask_secrets, names_a_secret};
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

/// Whether a header of this name carries a credential.
pub(super) fn is_secret_header(name: &str) -> bool {
    let name = folded_name(name);
    SECRET_HEADERS.contains(&name.as_str()) || names_a_secret(&name)
}

/// A header as recorded; the address in a `Location` is masked like any other.
pub(super) fn record_header(name: &str, value: &str, is_credential: bool) -> RecordedHeader {
    let value = if is_credential || is_secret_header(name) {
        HeaderText::Secret(Secret::new(value))
    } else if name.eq_ignore_ascii_case("location") {
        HeaderText::Plain(mask_secrets(value))
    } else {
        HeaderText::Plain(value.to_owned())
    };
    RecordedHeader { name: name.to_owned(), value }
}

/// The URL as it may be shown and kept.
pub(in crate::client) fn mask_url(url: &Url) -> String {
    mask_secrets(url.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

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
