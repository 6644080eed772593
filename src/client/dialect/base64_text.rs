//! Base64 as it is met: two alphabets, with and without padding.

use base64::Engine as _;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// How a text was spelled, beside what it holds.
pub(super) struct Decoded {
    pub bytes: Vec<u8>,
    /// The standard alphabet with padding and nothing else.
    pub is_canonical: bool,
}

/// Standard base64 with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Reads either alphabet, padded or not, line breaks skipped; `None` if it is no base64.
pub(super) fn decode(text: &str) -> Option<Decoded> {
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let alphabet = if compact.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    let is_canonical = compact.len() == text.len() && alphabet == STANDARD && compact.len().is_multiple_of(4);
    engine(&alphabet).decode(compact).ok().map(|bytes| Decoded { bytes, is_canonical })
}

fn engine(alphabet: &Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(alphabet, config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_are_read_with_and_without_padding() {
        for (text, bytes, canonical) in [
            ("aGk=", &b"hi"[..], true),
            ("aGk", b"hi", false),
            ("__8", &[255, 255], false),
            ("//8=", &[255, 255], true),
            ("aG\nk=", b"hi", false),
            ("", b"", true),
        ] {
            let decoded = decode(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((&decoded.bytes[..], decoded.is_canonical), (bytes, canonical), "{text}");
        }
        for text in ["!", "_/8=", "a", "aGk=aGk="] {
            assert!(decode(text).is_none(), "{text}");
        }
    }
}
