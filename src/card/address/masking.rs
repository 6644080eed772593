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
    // Some sign-ins hand a token over in the fragment.
    for (sign, pairs) in [('?', query), ('#', fragment)] {
        if let Some(pairs) = pairs {
            let pairs: Vec<String> = pairs.split('&').map(|pair| mask_pair(pair, on_secret)).collect();
            masked = format!("{masked}{sign}{}", pairs.join("&"));
        }
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

/// A user name and password in front of the host, also where the rest is no address at all.
fn mask_user_info(address: &str, on_secret: &mut dyn FnMut(&str)) -> String {
    let scheme_end = address.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = address.split_at(scheme_end);
    let authority_end = rest.find(['/', '\\']).unwrap_or(rest.len());
    let Some(at) = rest[..authority_end].rfind('@') else { return address.to_owned() };
    let user_info = &rest[..at];
    // Without a scheme `user:password@host` is meant, but neither `clerk@host` nor `mailto:clerk@host`.
    if scheme.is_empty() && (!user_info.contains(':') || user_info.starts_with("mailto:")) {
        return address.to_owned();
    }
    if user_info != MASK {
        on_secret(user_info);
    }
    format!("{scheme}{MASK}{}", &rest[at..])
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
            ("https://u:p@exa mple", "https://••••@exa mple", &["u:p"]),
            ("ftp://u:p@w@a.example", "ftp://••••@a.example", &["u:p@w"]),
            ("u:p@a.example/x y", "••••@a.example/x y", &["u:p"]),
            ("mailto:clerk@a.example", "mailto:clerk@a.example", &[]),
            ("larder.example.net:8080/a?b#c", "larder.example.net:8080/a?b#c", &[]),
            ("/login?access_token=abc#frag", "/login?access_token=••••#frag", &["abc"]),
            ("/login#access_token=abc&state=1", "/login#access_token=••••&state=1", &["abc"]),
            ("https://a.example/@b?key=", "https://a.example/@b?key=", &[]),
            ("https://a.example/rpc?monkey=1", "https://a.example/rpc?monkey=1", &[]),
        ] {
            assert_eq!(mask_secrets(address), masked);
            assert_eq!(secrets_in(address), secrets, "{address}");
            assert_eq!(secrets_in(masked), Vec::<String>::new(), "{masked}");
        }
    }
}
