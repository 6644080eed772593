//! Which parts of an address are secrets, and the address without them.

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
/// What stands in the place of a secret.
const MASK: &str = "••••";

/// A name as it is compared: its ASCII letters and digits, in lower case.
#[must_use]
pub fn folded_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a name, folded, says that its value is a secret wherever it stands: in a query or a header.
#[must_use]
pub fn names_a_secret(folded: &str) -> bool {
    SECRET_WORDS.iter().any(|word| folded.contains(word))
}

/// An address, absolute or relative, with its password and secret query values replaced by `••••`.
#[must_use]
pub fn mask_secrets(address: &str) -> String {
    mask(address, &mut |_| {})
}

/// What [`mask_secrets`] takes out, in order.
#[must_use]
pub fn secrets_in(address: &str) -> Vec<String> {
    let mut secrets = Vec::new();
    mask(address, &mut |secret| secrets.push(secret.to_owned()));
    secrets
}

fn mask(address: &str, on_secret: &mut dyn FnMut(&str)) -> String {
    let (address, fragment) = address.split_once('#').map_or((address, None), |(a, f)| (a, Some(f)));
    let (path, query) = address.split_once('?').map_or((address, None), |(p, q)| (p, Some(q)));
    let mut masked = mask_user_info(path, on_secret);
    if let Some(query) = query {
        let pairs: Vec<String> = query.split('&').map(|pair| mask_pair(pair, on_secret)).collect();
        masked = format!("{masked}?{}", pairs.join("&"));
    }
    if let Some(fragment) = fragment {
        masked = format!("{masked}#{fragment}");
    }
    masked
}

fn mask_pair(pair: &str, on_secret: &mut dyn FnMut(&str)) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !matches!(value, "" | MASK) && is_secret_query_name(name) => {
            on_secret(value);
            format!("{name}={MASK}")
        }
        _ => pair.to_owned(),
    }
}

fn is_secret_query_name(name: &str) -> bool {
    let name = folded_name(name);
    SECRET_QUERY_NAMES.contains(&name.as_str()) || names_a_secret(&name)
}

fn mask_user_info(address: &str, on_secret: &mut dyn FnMut(&str)) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let authority_end = rest.find('/').unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => {
            if &rest[..at] != MASK {
                on_secret(&rest[..at]);
            }
            format!("{scheme}://{MASK}{}", &rest[at..])
        }
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_addresses_do_not_show() {
        for (address, masked, secrets) in [
            (
                "https://a.example/c.json?pick=blue&api_key=abc&x=1",
                "https://a.example/c.json?pick=blue&api_key=••••&x=1",
                &["abc"][..],
            ),
            ("https://u:p@a.example/x", "https://••••@a.example/x", &["u:p"]),
            ("/login?access_token=abc#frag", "/login?access_token=••••#frag", &["abc"]),
            ("https://a.example/@b?key=", "https://a.example/@b?key=", &[]),
            ("https://a.example/rpc?monkey=1", "https://a.example/rpc?monkey=1", &[]),
        ] {
            assert_eq!(mask_secrets(address), masked);
            assert_eq!(secrets_in(address), secrets, "{address}");
            assert_eq!(secrets_in(masked), Vec::<String>::new(), "{masked}");
        }
    }
}
