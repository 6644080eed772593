//! A retrieval: how a document was obtained, attempt by attempt. Plain data.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::caching::KeptCopy;
use super::credentials::Secret;
use super::exchange::{Exchange, ExchangeEnd, HeaderText, SentCertificate, TlsRefusal};
use crate::card::address::with_tls;
use crate::card::catalog::recognise;
use crate::card::facts::{Origin, Revalidation};
use crate::card::{BodyKind, Document};

/// Everything that one discovery did and what it found.
#[derive(Clone, Debug)]
pub struct Retrieval {
    /// What the user typed.
    pub address: String,
    /// What was read into it before asking ("https:// was added"), one sentence each.
    pub assumptions: Vec<String>,
    /// In the order they were made.
    pub attempts: Vec<Attempt>,
    /// Index into `attempts` of the document shown, if any attempt gave one: the best card, else the best other body.
    pub chosen: Option<usize>,
    /// Index of a different card found nearer the origin or the typed path, offered as an alternative.
    pub alternative: Option<usize>,
    /// One sentence: what came of it.
    pub verdict: String,
    pub fetched_at: SystemTime,
    /// True when a usable card was obtained.
    pub found_card: bool,
}

/// One URL asked (or one file read), and what came.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The URL as asked, or the file's path.
    pub url: String,
    pub kind: AttemptKind,
    pub outcome: AttemptOutcome,
    /// HTTP status; `None` for files, pasted text and failures before an answer.
    pub status: Option<u16>,
    /// One clear sentence: what came, with the evidence (title, realm, position).
    pub note: String,
    pub duration: Duration,
    /// The URL that answered, if redirects led elsewhere.
    pub final_url: Option<String>,
    /// The exchanges of the attempt: redirect hops and the repetition without `A2A-Version` included, the last decides.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The body as a document, whatever it is, or what a 304 confirmed; `None` if nothing came.
    pub document: Option<Arc<Document>>,
    /// The copy that was known before of this URL, and that the answer was held against.
    pub earlier: Option<Arc<KeptCopy>>,
    /// What the answer leaves to be kept; `None` for anything but a whole 200 and a 304 that confirms the earlier one.
    pub kept: Option<Arc<KeptCopy>>,
}

impl Attempt {
    /// What came, for where the URL stands beside it: the note without the URL that it begins with, as most do.
    #[must_use]
    pub fn note_without_url(&self) -> &str {
        let rest = self.note.strip_prefix(&self.url).and_then(|rest| rest.strip_prefix(' '));
        rest.unwrap_or(&self.note)
    }

    /// Whether the server said that the earlier copy is still good, instead of sending the card again.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        self.status == Some(304) && self.kept.is_some()
    }

    /// The order in which the attempts of a retrieval make the headline, best first; `among` so many.
    pub(super) fn rank(&self, among: usize) -> u8 {
        let own = self.outcome.rank();
        match self.outcome {
            // What a site has at an address that others were asked beside says nothing, unless it lists agents.
            AttemptOutcome::NotJson(_) | AttemptOutcome::NotACard
                if among > 1
                    && self.kind == AttemptKind::AsTyped
                    && self.document.as_deref().and_then(recognise).is_none() =>
            {
                AttemptOutcome::NotFound.rank()
            }
            AttemptOutcome::Unreachable if self.is_given_up() => AttemptOutcome::NotFound.rank() - 1,
            _ => own,
        }
    }

    /// Whether it was broken off because the time for the whole discovery was over.
    fn is_given_up(&self) -> bool {
        let end = self.exchanges.last().map(|exchange| &exchange.end);
        self.outcome == AttemptOutcome::Unreachable && matches!(end, Some(ExchangeEnd::Cancelled))
    }

    /// The headers with credentials that went to the URL that answered.
    pub fn credentials_sent(&self) -> impl Iterator<Item = (&str, &Secret)> {
        let request = self.exchanges.last().map(|exchange| &exchange.request);
        request.into_iter().flat_map(|request| &request.headers).filter_map(|header| match &header.value {
            HeaderText::Secret(secret) => Some((header.name.as_str(), secret)),
            HeaderText::Plain(_) => None,
        })
    }

    /// The client certificate that was shown to the server that answered.
    #[must_use]
    pub fn client_certificate_sent(&self) -> Option<&SentCertificate> {
        self.exchanges.last()?.request.client_certificate.as_ref()
    }

    /// Whether anything said on whose behalf it was asked.
    #[must_use]
    pub fn is_with_credentials(&self) -> bool {
        self.credentials_sent().next().is_some() || self.client_certificate_sent().is_some()
    }

    /// What the two sides of a TLS connection did not accept of each other, where that is why no answer came.
    #[must_use]
    pub fn tls_refusal(&self) -> Option<&TlsRefusal> {
        self.exchanges.last()?.tls_refusal()
    }

    /// How the server dealt with the question whether the earlier copy is still good.
    fn revalidation(&self) -> Option<Revalidation> {
        if self.is_confirmed() {
            return Some(Revalidation::Confirmed);
        }
        let refetched = self.exchanges.len() > 1;
        if refetched && self.exchanges.iter().any(|exchange| exchange.status() == Some(304)) {
            return Some(Revalidation::Contradictory);
        }
        let (earlier, document) = (self.earlier.as_ref()?, self.document.as_ref()?);
        let response = self.exchanges.last().and_then(|exchange| exchange.response())?;
        let tag =
            earlier.header("etag").filter(|tag| response.status == 200 && response.header("etag") == Some(*tag))?;
        if document.sha256() != earlier.document.sha256() {
            let says_the_same = tag.starts_with("W/") && is_same_json(document, &earlier.document);
            return (!says_the_same).then_some(Revalidation::SameTagOtherContent);
        }
        let asked = self.exchanges.last()?.request.headers.iter().any(|header| header.name == "If-None-Match");
        asked.then_some(Revalidation::SentAgain)
    }
}

/// A weak tag covers every spelling of the same JSON.
fn is_same_json(one: &Document, other: &Document) -> bool {
    let read = |document: &Document| serde_json::from_slice::<serde_json::Value>(document.bytes()).ok();
    read(one).is_some_and(|value| Some(value) == read(other))
}

/// Why a URL was a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptKind {
    /// Exactly what was typed.
    AsTyped,
    /// `/.well-known/agent-card.json` (§8.2) under the typed path.
    PathCard,
    /// `/.well-known/agent.json` of before 0.3, under the typed path.
    PathLegacy,
    /// The same two at the origin.
    OriginCard,
    OriginLegacy,
    File,
    Pasted,
    /// It stood inside a catalog; its address is the catalog's with the entry as its fragment.
    Listed,
    /// Written by Cardscope for an agent that publishes none ([`crate::card::synthetic`]).
    Synthetic,
    /// What the agent answered to `GetExtendedAgentCard` (§3.1.11).
    Extended,
}

impl AttemptKind {
    /// Whether its document can be asked for again, at an address of its own.
    #[must_use]
    pub fn has_address(self) -> bool {
        !matches!(self, Self::Pasted | Self::Listed | Self::Synthetic | Self::Extended)
    }

    #[must_use]
    pub fn is_legacy_path(self) -> bool {
        matches!(self, Self::PathLegacy | Self::OriginLegacy)
    }
}

/// What an attempt came to, from what tells most to what tells least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    Card,
    /// JSON, but no card.
    NotACard,
    /// 401 or 403, or a client certificate is demanded.
    NeedsCredentials,
    /// 429.
    TooManyRequests,
    /// 5xx and 408; redirects that lead nowhere.
    ServerError,
    /// No connection: DNS, TCP, TLS, proxy, time-out.
    Unreachable,
    /// An answer that is neither JSON nor an error: a page, an empty or cut body.
    NotJson(BodyKind),
    /// 404, 405, 406, 410 and other refusals.
    NotFound,
    Cancelled,
}

impl AttemptOutcome {
    /// The order in which outcomes make the headline, best first.
    fn rank(&self) -> u8 {
        match self {
            Self::Card => 0,
            Self::NotACard => 1,
            Self::NeedsCredentials => 2,
            Self::TooManyRequests | Self::ServerError => 3,
            Self::Unreachable => 4,
            Self::NotJson(_) => 5,
            // An attempt that was given up comes between.
            Self::NotFound => 7,
            Self::Cancelled => 8,
        }
    }

    /// The word that `cardscope inspect --json` prints.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::NotACard => "notACard",
            Self::NeedsCredentials => "needsCredentials",
            Self::TooManyRequests => "tooManyRequests",
            Self::ServerError => "serverError",
            Self::Unreachable => "unreachable",
            Self::NotJson(_) => "notJson",
            Self::NotFound => "notFound",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Retrieval {
    /// The attempt that says best what came of it all.
    #[must_use]
    pub fn headline(&self) -> Option<&Attempt> {
        let among = self.attempts.len();
        // Attempts are nearest to the typed path first, and the first of equal rank counts.
        self.attempts.iter().min_by_key(|attempt| attempt.rank(among))
    }

    /// The address to ask instead where `http` was a guess and the server seems to expect TLS.
    #[must_use]
    pub fn https_instead(&self) -> Option<String> {
        let expects_tls =
            |attempt: &Attempt| attempt.exchanges.last().is_some_and(|exchange| exchange.may_expect_tls());
        let all = !self.attempts.is_empty() && self.attempts.iter().all(expects_tls);
        all.then(|| with_tls(&self.address)).flatten()
    }

    /// Where the document of the attempt at index `attempt` came from, for judging it; empty for a file, for
    /// pasted text, for an entry of a catalog, and for an index that does not exist.
    #[must_use]
    pub fn origin(&self, attempt: usize) -> Origin {
        let Some(attempt) = self.attempts.get(attempt) else { return Origin::default() };
        if attempt.kind == AttemptKind::Listed {
            // What the answer's headers say is about the catalog.
            return Origin::default();
        }
        let Some(response) = attempt.exchanges.last().and_then(|exchange| exchange.response()) else {
            return Origin::default();
        };
        if attempt.kind == AttemptKind::Extended {
            // What the answer's headers say is about the answer, not about a published card.
            let url = Some(attempt.url.clone());
            return Origin { requested_url: url.clone(), final_url: url, ..Origin::default() };
        }
        // What a 304 leaves out is as it was.
        let kept = attempt.kept.as_ref().filter(|_| attempt.is_confirmed());
        let header = |name: &str| {
            let kept = kept.and_then(|kept| kept.header(name));
            response.header(name).or(kept).map(str::to_owned)
        };
        Origin {
            requested_url: Some(attempt.url.clone()),
            final_url: Some(attempt.final_url.clone().unwrap_or_else(|| attempt.url.clone())),
            content_type: header("content-type"),
            cache_control: header("cache-control"),
            etag: header("etag"),
            last_modified: header("last-modified"),
            legacy_path: attempt.kind.is_legacy_path(),
            revalidation: attempt.revalidation(),
        }
    }
}
