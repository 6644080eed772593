//! JSON Pointer (RFC 6901): the address that fields, findings and changes share.

use std::borrow::Cow;

/// A JSON Pointer in its string form; the empty one addresses the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct JsonPointer(String);

impl JsonPointer {
    /// The whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// A pointer already in string form; the caller vouches for its escapes.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// This pointer's child `token`: a member name, or an array index.
    #[must_use]
    pub fn child(&self, token: impl std::fmt::Display) -> Self {
        let token = token.to_string();
        let mut text = String::with_capacity(self.0.len() + token.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        for c in token.chars() {
            match c {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                c => text.push(c),
            }
        }
        Self(text)
    }

    /// The pointer one level up; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rfind('/').map(|at| Self(self.0[..at].to_owned()))
    }

    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this addresses `other` or something inside which `other` lies.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        other.0.strip_prefix(&self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The unescaped reference tokens, outermost first.
    pub fn tokens(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.0.split('/').skip(1).map(|token| {
            if token.contains('~') {
                Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
            } else {
                Cow::Borrowed(token)
            }
        })
    }

    /// The last token, unescaped; `None` for the root.
    #[must_use]
    pub fn last(&self) -> Option<Cow<'_, str>> {
        self.tokens().last()
    }
}

impl std::fmt::Display for JsonPointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_survive_escaping() {
        let pointer = JsonPointer::root().child("a/b").child("m~n").child("").child(0);
        assert_eq!(pointer.as_str(), "/a~1b/m~0n//0");
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["a/b", "m~n", "", "0"]);
        assert_eq!(pointer.parent().unwrap().as_str(), "/a~1b/m~0n/");
    }

    #[test]
    fn containment_goes_by_whole_tokens() {
        let skills = JsonPointer::from_text("/skills/1");
        assert!(skills.contains(&JsonPointer::from_text("/skills/1/id")));
        assert!(!skills.contains(&JsonPointer::from_text("/skills/10")));
        assert!(JsonPointer::root().contains(&skills));
    }
}
