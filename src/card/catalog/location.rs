//! Addresses in a catalog: which may be opened, and what relative ones are read against.

use url::{ParseError, Url};

/// `address` as an absolute URL, with a sentence if something had to be assumed.
///
/// A catalog may name anything: only http and https are followed, and files only from a catalog that is a file itself,
/// by a relative path.
///
/// # Errors
/// Why it cannot be opened, as a sentence.
pub(super) fn resolve(address: &str, base: Option<&Url>) -> Result<(String, Option<String>), String> {
    let address = address.trim();
    let shown: String = address.chars().take(120).collect();
    if address.is_empty() {
        return Err("Its address is empty.".to_owned());
    }
    match Url::parse(address) {
        Ok(url) => web(&url, &shown).map(|url| (url, None)),
        Err(ParseError::RelativeUrlWithoutBase) => {
            let Some(base) = base else {
                return Err(format!("Its address '{shown}' is relative, and where the catalog lies is not known."));
            };
            let joined = base.join(address).map_err(|error| format!("'{shown}' is not an address: {error}."))?;
            let url = if base.scheme() == "file" { file(&joined, &shown)? } else { web(&joined, &shown)? };
            let note = format!("Its address is relative ('{shown}'); it was read against the catalog's own: {url}");
            Ok((url, Some(note)))
        }
        Err(error) => Err(format!("'{shown}' is not an address: {error}.")),
    }
}

fn web(url: &Url, shown: &str) -> Result<String, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("'{shown}' is not an http or https address, and is not opened from a catalog."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("Its address carries a user name or password, which is not sent.".to_owned());
    }
    Ok(url.to_string())
}

/// A path that names another computer is none of this one's files.
fn file(url: &Url, shown: &str) -> Result<String, String> {
    if url.scheme() != "file" || url.host_str().is_some() {
        return Err(format!("'{shown}' is not a file beside the catalog, and is not opened."));
    }
    Ok(url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_addresses_are_read_against_the_catalog_and_said() {
        let base = Url::parse("https://pantry.example/lists/ai-catalog.json?x=1").unwrap();
        for (address, url) in [
            ("jars.json", "https://pantry.example/lists/jars.json"),
            ("../jars.json", "https://pantry.example/jars.json"),
            ("/jars", "https://pantry.example/jars"),
            ("//larder.example/jars", "https://larder.example/jars"),
            ("?id=3", "https://pantry.example/lists/ai-catalog.json?id=3"),
        ] {
            let (found, note) = resolve(address, Some(&base)).unwrap();
            assert_eq!(found, url, "{address}");
            assert!(note.unwrap().contains("relative"));
        }
        assert_eq!(resolve(" https://a.example/c ", Some(&base)), Ok(("https://a.example/c".to_owned(), None)));
        assert!(resolve("jars.json", None).unwrap_err().contains("where the catalog lies"));
    }

    #[test]
    fn a_catalog_cannot_lead_to_files_or_other_schemes() {
        let web = Url::parse("https://pantry.example/ai-catalog.json").unwrap();
        for address in
            ["file:///etc/passwd", "javascript:alert(1)", "data:application/json,{}", "urn:a:b", "", "https://"]
        {
            assert!(resolve(address, Some(&web)).is_err(), "{address}");
        }
        assert!(resolve("https://clerk:word@a.example/", Some(&web)).unwrap_err().contains("password"));
        let file = Url::parse("file:///home/clerk/lists/catalog.json").unwrap();
        assert_eq!(resolve("jars.json", Some(&file)).unwrap().0, "file:///home/clerk/lists/jars.json");
        assert!(resolve("file:///etc/passwd", Some(&file)).is_err());
        assert!(resolve("//server/share/jars.json", Some(&file)).is_err());
        assert_eq!(resolve("https://a.example/c", Some(&file)).unwrap().0, "https://a.example/c");
    }
}
