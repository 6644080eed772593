//! What is asked of which address: one page of a catalog, as each kind of registry wants it asked.

use url::Url;

use super::{CatalogKind, NextPage};

/// How many entries are asked for at a time: the most that ARD, AGNTCY and a2aregistry.org give.
const PAGE_SIZE: u32 = 100;
const WELL_KNOWN: [&str; 2] = [".well-known", "ai-catalog.json"];

/// One page of one catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogQuery {
    /// As typed: a host, a URL, a file.
    pub address: String,
    /// What the user said it is: rules where it is asked.
    pub kind: Option<CatalogKind>,
    /// What its first page turned out to be: rules how further pages are asked for, and searches.
    pub shape: Option<CatalogKind>,
    /// What the registry shall look for; empty for everything.
    pub search: String,
    pub next: Option<NextPage>,
}

/// A request in the terms of HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogRequest {
    pub url: Url,
    /// A JSON body: then it is a POST.
    pub body: Option<String>,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
}

/// Whether a registry of `kind` looks for words itself.
#[must_use]
pub fn searches_on_server(kind: CatalogKind) -> bool {
    matches!(kind, CatalogKind::Ard | CatalogKind::Agntcy | CatalogKind::Apicurio | CatalogKind::A2aRegistry)
}

impl CatalogQuery {
    /// How many entries lie before this page.
    #[must_use]
    pub fn offset(&self, asked: &Url) -> u64 {
        match &self.next {
            Some(NextPage::Offset(offset)) => *offset,
            _ => asked
                .query_pairs()
                .find(|(name, _)| name == "offset")
                .and_then(|(_, value)| value.parse().ok())
                .unwrap_or(0),
        }
    }

    /// The request for this page; `typed` is [`Self::address`] as a URL.
    #[must_use]
    pub fn request(&self, typed: &Url) -> CatalogRequest {
        let form = self.shape.or(self.kind);
        let (url, assumptions) = self.endpoint(typed);
        if form == Some(CatalogKind::Ard) && !self.search.is_empty() {
            return CatalogRequest { url, body: Some(self.ard_search()), assumptions };
        }
        let parameters = form.map(|form| self.parameters(form, &url)).unwrap_or_default();
        CatalogRequest { url: with_query(url, &parameters), body: None, assumptions }
    }

    fn token(&self) -> Option<String> {
        match &self.next {
            Some(NextPage::Token(token)) => Some(token.clone()),
            _ => None,
        }
    }

    /// The body of `POST /search`.
    fn ard_search(&self) -> String {
        let mut body = serde_json::json!({
            "query": { "text": self.search },
            // Other registries are named, not asked on the user's behalf.
            "federation": "referrals",
            "pageSize": PAGE_SIZE,
        });
        if let (Some(token), Some(object)) = (self.token(), body.as_object_mut()) {
            object.insert("pageToken".to_owned(), token.into());
        }
        body.to_string()
    }

    /// What `form` takes in the query; `None` takes one away that was typed.
    fn parameters(&self, form: CatalogKind, url: &Url) -> Vec<(&'static str, Option<String>)> {
        let size = Some(PAGE_SIZE.to_string());
        let offset = match self.next {
            Some(NextPage::Offset(offset)) => Some(offset.to_string()),
            _ => None,
        };
        let mut parameters = match form {
            CatalogKind::Ard | CatalogKind::Agntcy => vec![("pageSize", size), ("pageToken", self.token())],
            CatalogKind::Apicurio | CatalogKind::ApicurioVersions | CatalogKind::A2aRegistry => {
                vec![("limit", size), ("offset", offset)]
            }
            CatalogKind::AiCatalog | CatalogKind::JsonList => Vec::new(),
        };
        // Where nothing is searched for, a filter that was typed stays.
        if !self.search.is_empty() {
            parameters.extend(match form {
                CatalogKind::Agntcy => Some(("filter", Some(name_filter(url, &self.search)))),
                CatalogKind::Apicurio => Some(("name", Some(self.search.clone()))),
                CatalogKind::A2aRegistry => Some(("search", Some(self.search.clone()))),
                _ => None,
            });
        }
        parameters
    }

    /// Where a registry of this kind answers, by what was typed, and what was assumed for it.
    fn endpoint(&self, typed: &Url) -> (Url, Vec<String>) {
        let mut url = typed.clone();
        url.set_fragment(None);
        let segments: Vec<&str> =
            typed.path_segments().map(|s| s.filter(|s| !s.is_empty()).collect()).unwrap_or_default();
        let searches_ard = !self.search.is_empty() && self.shape == Some(CatalogKind::Ard);
        let kind = if searches_ard { self.shape } else { self.kind };
        let Some(path) = self.path(kind, &segments).filter(|path| *path != segments) else {
            return (url, Vec::new());
        };
        let path = path.join("/");
        let assumption = match kind {
            None => format!("A host alone was given, so its AI Catalog at /{path} was asked for."),
            Some(kind) => format!("{} answers at /{path}, so that was asked.", kind.label()),
        };
        url.set_path(&path);
        (url, vec![assumption])
    }

    /// The path that a registry of `kind` answers at, by the `segments` typed; `None` leaves them as they are.
    fn path<'a>(&self, kind: Option<CatalogKind>, segments: &[&'a str]) -> Option<Vec<&'a str>> {
        let last = segments.last().copied().unwrap_or_default();
        let before = &segments[..segments.len().saturating_sub(1)];
        let well_known = segments.iter().position(|segment| *segment == ".well-known");
        // What stands before a document's own place is the registry's base.
        let base = &segments[..well_known.unwrap_or(segments.len())];
        match kind {
            None | Some(CatalogKind::AiCatalog) => segments.is_empty().then(|| WELL_KNOWN.to_vec()),
            Some(CatalogKind::Ard) => {
                let is_place = matches!(last, "search" | "agents" | "explore") && well_known.is_none();
                let end = if self.search.is_empty() { "agents" } else { "search" };
                Some([if is_place { before } else { base }, &[end]].concat())
            }
            Some(CatalogKind::Agntcy) => {
                let is_place = before.last() == Some(&"v1") && matches!(last, "agents" | "search");
                let base = if is_place { &before[..before.len() - 1] } else { base };
                Some([base, &["v1", "agents"]].concat())
            }
            Some(CatalogKind::Apicurio) => {
                let is_place = well_known.is_some() && segments.contains(&"agents");
                (!is_place).then(|| [base, &[".well-known", "agents"]].concat())
            }
            Some(CatalogKind::A2aRegistry) => {
                let base = if last == "api" { before } else { base };
                (last != "agents").then(|| [base, &["api", "agents"]].concat())
            }
            Some(CatalogKind::ApicurioVersions | CatalogKind::JsonList) => None,
        }
    }
}

/// `url` with these query parameters instead of its own of the same names; `None` takes one away.
fn with_query(mut url: Url, parameters: &[(&str, Option<String>)]) -> Url {
    if parameters.is_empty() {
        return url;
    }
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !parameters.iter().any(|(own, _)| own == name))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    let set = parameters.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?)));
    url.query_pairs_mut().clear().extend_pairs(kept).extend_pairs(set);
    url
}

/// The directory's filter with one more clause: names that contain `words`.
fn name_filter(url: &Url, words: &str) -> String {
    let typed = url.query_pairs().find(|(name, _)| name == "filter").map(|(_, value)| value.into_owned());
    let typed = typed.unwrap_or_default();
    let mut clauses: Vec<String> = typed
        .split(" AND ")
        .filter(|clause| !clause.trim().is_empty() && !clause.trim_start().starts_with("displayName"))
        .map(str::to_owned)
        .collect();
    clauses.push(format!("displayName=\"{}\"", words.replace('\\', "\\\\").replace('"', "\\\"")));
    clauses.join(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(address: &str, kind: Option<CatalogKind>, search: &str, next: Option<NextPage>) -> CatalogRequest {
        let query = CatalogQuery { address: address.to_owned(), kind, shape: None, search: search.to_owned(), next };
        query.request(&Url::parse(address).unwrap())
    }

    fn url(address: &str, kind: CatalogKind) -> String {
        asked(address, Some(kind), "", None).url.to_string()
    }

    #[test]
    fn what_was_typed_is_asked_and_nothing_else() {
        assert_eq!(
            asked("https://a.example/", None, "", None).url.as_str(),
            "https://a.example/.well-known/ai-catalog.json"
        );
        for address in ["https://a.example/lists/mine.json?x=1", "https://a.example/api/agents", "https://a.example/v1"]
        {
            let request = asked(address, None, "", None);
            assert_eq!((request.url.as_str(), request.assumptions.len()), (address, 0));
            assert_eq!(url(address, CatalogKind::JsonList), address);
        }
    }

    #[test]
    fn each_registry_is_asked_where_it_answers() {
        use CatalogKind::{A2aRegistry, Agntcy, Apicurio, Ard};
        for (address, kind, expected) in [
            ("https://r.example", Ard, "https://r.example/agents?pageSize=100"),
            ("https://r.example/base/search", Ard, "https://r.example/base/agents?pageSize=100"),
            ("https://r.example/.well-known/ai-catalog.json", Ard, "https://r.example/agents?pageSize=100"),
            ("https://d.example", Agntcy, "https://d.example/v1/agents?pageSize=100"),
            ("https://d.example/dir/v1/search", Agntcy, "https://d.example/dir/v1/agents?pageSize=100"),
            (
                "https://d.example/v1/agents?filter=type%3Da",
                Agntcy,
                "https://d.example/v1/agents?filter=type%3Da&pageSize=100",
            ),
            ("https://p.example", Apicurio, "https://p.example/.well-known/agents?limit=100"),
            (
                "https://p.example/.well-known/agents/public?limit=5",
                Apicurio,
                "https://p.example/.well-known/agents/public?limit=100",
            ),
            ("https://a2aregistry.org", A2aRegistry, "https://a2aregistry.org/api/agents?limit=100"),
            ("https://a2aregistry.org/api", A2aRegistry, "https://a2aregistry.org/api/agents?limit=100"),
        ] {
            assert_eq!(url(address, kind), expected, "{address}");
        }
    }

    #[test]
    fn words_and_pages_go_where_the_registry_looks_for_them() {
        let token = Some(NextPage::Token("t&2".to_owned()));
        let offset = Some(NextPage::Offset(200));
        let request = asked("https://r.example/agents", Some(CatalogKind::Ard), "jam \"jars\"", token.clone());
        assert_eq!(request.url.as_str(), "https://r.example/search");
        let body: serde_json::Value = serde_json::from_str(request.body.as_deref().unwrap()).unwrap();
        assert_eq!(body["query"]["text"], "jam \"jars\"");
        assert_eq!((&body["pageToken"], &body["federation"]), (&"t&2".into(), &"referrals".into()));
        let request = asked("https://d.example/v1/agents?filter=type%3Da", Some(CatalogKind::Agntcy), "jam", token);
        let filter = request.url.query_pairs().find(|(name, _)| name == "filter").unwrap().1.into_owned();
        assert_eq!(filter, "type=a AND displayName=\"jam\"");
        assert!(request.url.query().unwrap().contains("pageToken=t%262"), "{}", request.url);
        let request =
            asked("https://a.example/api/agents?limit=2&offset=0", Some(CatalogKind::A2aRegistry), "j m", offset);
        assert_eq!(request.url.query(), Some("limit=100&offset=200&search=j+m"));
        assert!(request.body.is_none());
    }

    #[test]
    fn a_list_that_was_found_goes_on_where_it_was_found() {
        let next = |shape, next, search: &str| {
            let address = "https://r.example/list?x=1".to_owned();
            let query = CatalogQuery {
                address: address.clone(),
                kind: None,
                shape: Some(shape),
                search: search.to_owned(),
                next,
            };
            query.request(&Url::parse(&address).unwrap()).url.to_string()
        };
        let (token, offset) = (Some(NextPage::Token("t".to_owned())), Some(NextPage::Offset(9)));
        assert_eq!(next(CatalogKind::Ard, token, ""), "https://r.example/list?x=1&pageSize=100&pageToken=t");
        assert_eq!(next(CatalogKind::Apicurio, offset.clone(), ""), "https://r.example/list?x=1&limit=100&offset=9");
        assert_eq!(
            next(CatalogKind::A2aRegistry, offset, "jam"),
            "https://r.example/list?x=1&limit=100&offset=9&search=jam"
        );
    }
}
