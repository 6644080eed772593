//! A card for an agent that publishes none: the least that a client needs, written from what the user knows.

use serde_json::{Map, Value, json};

/// What the user knows of an agent without a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Where it takes calls, as typed.
    pub url: String,
    /// `JSONRPC` or `HTTP+JSON` (§5).
    pub protocol_binding: &'static str,
    pub release: Release,
}

/// The release of the protocol that the agent is said to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    V1_0,
    V0_3,
}

impl Release {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V0_3 => "0.3",
        }
    }
}

impl Connection {
    /// Why nothing can be called at this address, in a sentence.
    #[must_use]
    pub fn objection(&self) -> Option<&'static str> {
        match url::Url::parse(self.url.trim()) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.host().is_some() => None,
            Ok(url) if matches!(url.scheme(), "http" | "https") => Some("The address names no host."),
            _ => Some("A complete address is needed, with http:// or https://."),
        }
    }

    /// The host, which is all that is known of the agent's name.
    #[must_use]
    pub fn host(&self) -> String {
        let url = url::Url::parse(self.url.trim()).ok();
        let host = url.as_ref().and_then(|url| url.host_str().map(str::to_owned));
        match (host, url.and_then(|url| url.port())) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (Some(host), None) => host,
            (None, _) => self.url.trim().to_owned(),
        }
    }

    /// The card, in the shape of its release: complete, and declaring nothing that is not known.
    #[must_use]
    pub fn card(&self) -> String {
        let url = self.url.trim();
        let mut card = Map::new();
        card.insert("name".to_owned(), self.host().into());
        let description = "Written by Cardscope for calling an agent without a card; the agent says none of this.";
        card.insert("description".to_owned(), description.into());
        card.insert("version".to_owned(), "0".into());
        match self.release {
            Release::V1_0 => {
                let interface = json!({"url": url, "protocolBinding": self.protocol_binding, "protocolVersion": "1.0"});
                card.insert("supportedInterfaces".to_owned(), json!([interface]));
            }
            Release::V0_3 => {
                card.insert("protocolVersion".to_owned(), "0.3.0".into());
                card.insert("url".to_owned(), url.into());
                card.insert("preferredTransport".to_owned(), self.protocol_binding.into());
            }
        }
        card.insert("capabilities".to_owned(), json!({}));
        card.insert("defaultInputModes".to_owned(), json!(["text/plain"]));
        card.insert("defaultOutputModes".to_owned(), json!(["text/plain"]));
        card.insert("skills".to_owned(), json!([]));
        format!("{:#}\n", Value::Object(card))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::card::facts::{Origin, Shape};
    use crate::card::{Document, Inspection};

    fn connection(url: &str, protocol_binding: &'static str, release: Release) -> Connection {
        Connection { url: url.to_owned(), protocol_binding, release }
    }

    #[test]
    fn the_card_has_one_usable_interface_that_is_exactly_the_one_typed() {
        for (release, shape) in [(Release::V1_0, Shape::V1_0), (Release::V0_3, Shape::V0_3)] {
            for binding in ["JSONRPC", "HTTP+JSON"] {
                let card = connection(" http://127.0.0.1:9/a2a/?x=%20 ", binding, release).card();
                let document = Arc::new(Document::new(card.clone()));
                let inspection = Inspection::of(document, Origin::default());
                assert_eq!(inspection.shape, shape, "{card}");
                assert_eq!(inspection.title, "127.0.0.1:9");
                let [interface] = &inspection.interfaces.rows[..] else { panic!("{card}") };
                assert_eq!(interface.url, "http://127.0.0.1:9/a2a/?x=%20");
                assert!(interface.unusable.is_none() && inspection.interfaces.chosen == Some(0), "{card}");
            }
        }
    }

    #[test]
    fn only_complete_web_addresses_can_be_called() {
        for url in ["", "agent.example", "ftp://agent.example/", "http://", "mailto:a@b.example"] {
            assert!(connection(url, "JSONRPC", Release::V1_0).objection().is_some(), "{url}");
        }
        assert_eq!(connection("https://agent.example/rpc", "JSONRPC", Release::V1_0).objection(), None);
    }
}
