//! Untrusted text made safe to look at: hidden and bidirectional characters become visible marks.
//!
//! Names, ids and addresses come from strangers. A character that draws nothing, or that turns the reading
//! direction, makes one text look like another; here each becomes a mark such as `⟨U+202E⟩`. What real writing
//! needs stays as it is: joiners in emoji, Persian and Indic words, variation selectors behind a character that
//! takes them, the tags of a flag.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A piece of a text: something to read, or one character that would not be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    Plain(&'a str),
    /// To be painted as [`mark`].
    Hidden(char),
}

/// The text with a mark for every hidden character; borrowed if there is none.
#[must_use]
pub fn visible_text(text: &str) -> Cow<'_, str> {
    if !has_hidden(text) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 16);
    for segment in segments(text) {
        match segment {
            Segment::Plain(plain) => visible.push_str(plain),
            Segment::Hidden(hidden) => visible.push_str(&mark(hidden)),
        }
    }
    Cow::Owned(visible)
}

/// Whether the text has a character that [`visible_text`] marks.
#[must_use]
pub fn has_hidden(text: &str) -> bool {
    // Printable ASCII is what nearly every text is made of.
    !text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
        && segments(text).any(|segment| matches!(segment, Segment::Hidden(_)))
}

/// What stands for a hidden character: `⟨U+200B⟩`.
#[must_use]
pub fn mark(hidden: char) -> String {
    let mut mark = String::with_capacity(14);
    // Writing to a String cannot fail.
    write!(mark, "⟨U+{:04X}⟩", u32::from(hidden)).ok();
    mark
}

/// The text cut into readable stretches and hidden characters, in order, nothing left out.
#[must_use]
pub fn segments(text: &str) -> Segments<'_> {
    Segments { rest: text, before: None }
}

/// The iterator of [`segments`].
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    rest: &'a str,
    /// The character in front of `rest`.
    before: Option<char>,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        let mut end = 0;
        while let Some(c) = self.rest[end..].chars().next() {
            let next = end + c.len_utf8();
            match read(self.before, c, &self.rest[next..]) {
                Reading::Plain(more) => {
                    end = next + more;
                    self.before = self.rest[..end].chars().next_back();
                }
                Reading::Hidden if end > 0 => break,
                Reading::Hidden => {
                    self.rest = &self.rest[next..];
                    self.before = Some(c);
                    return Some(Segment::Hidden(c));
                }
            }
        }
        let (plain, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!plain.is_empty()).then_some(Segment::Plain(plain))
    }
}

enum Reading {
    /// Plain, with so many bytes after the character that belong to it.
    Plain(usize),
    Hidden,
}

/// Judges `c` by what it is and, where it is a joiner or a selector, by what stands around it.
fn read(before: Option<char>, c: char, after: &str) -> Reading {
    if c == '\u{1F3F4}' {
        return Reading::Plain(flag_tags(after));
    }
    if !may_be_hidden(c) {
        return Reading::Plain(0);
    }
    let next = after.chars().next();
    let in_place = match c {
        '\r' => next == Some('\n'),
        '\u{200C}' | '\u{200D}' => {
            before.is_some_and(needs_joiners) && next.is_some_and(needs_joiners)
                || c == '\u{200D}' && before.is_some_and(ends_emoji) && next.is_some_and(is_pictograph)
        }
        '\u{FE00}'..='\u{FE0F}' => before.is_some_and(|base| match base {
            '#' | '*' | '0'..='9' => next == Some('\u{20E3}'),
            base => is_pictograph(base) || is_han(base) || is_symbol(base),
        }),
        '\u{E0100}'..='\u{E01EF}' => before.is_some_and(is_han),
        '\u{180B}'..='\u{180F}' => {
            before.is_some_and(is_mongolian) && (c != '\u{180E}' || next.is_some_and(is_mongolian))
        }
        '\u{2800}' => before.is_some_and(is_braille) || next.is_some_and(is_braille),
        _ => false,
    };
    if in_place { Reading::Plain(0) } else { Reading::Hidden }
}

/// Characters that draw nothing, or that change how others are drawn: in order controls other than line feed
/// and tab, soft hyphen, grapheme joiner, Arabic letter mark, fillers (Hangul, Khmer, the empty Braille cell),
/// Mongolian selectors, zero widths and marks, separators and overrides, word joiner, invisible operators and
/// isolates, variation selectors, byte order mark, annotations, format controls of notations, and the block of
/// tags and further selectors, which is ignorable as a whole.
fn may_be_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{B}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{AD}' | '\u{34F}' | '\u{61C}'
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}' | '\u{2800}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// The length of the tags behind a black flag that make it the flag of England, Scotland or Wales.
fn flag_tags(after: &str) -> usize {
    ["gbeng", "gbsct", "gbwls"]
        .iter()
        .find_map(|region| {
            let mut rest = after;
            for letter in region.chars() {
                rest = rest.strip_prefix(char::from_u32(0xE0000 + u32::from(letter))?)?;
            }
            rest.strip_prefix('\u{E007F}').map(|rest| after.len() - rest.len())
        })
        .unwrap_or(0)
}

/// What a joiner may follow within an emoji: a pictograph, its skin tone, its presentation selector.
fn ends_emoji(c: char) -> bool {
    is_pictograph(c) || c == '\u{FE0F}'
}

/// Characters that emoji are made of, generously by block.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{3030}' | '\u{303D}'
        | '\u{3297}' | '\u{3299}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}'
        | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Mathematical operators, which have standardized variants.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2200}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{1820}'..='\u{18AA}' | '\u{180B}'..='\u{180D}')
}

fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{28FF}')
}

/// Scripts whose words are spelled with joiners and non-joiners: Arabic, Syriac, N'Ko and the Indic ones.
fn needs_joiners(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{6D3}' | '\u{6D5}'..='\u{6FF}' | '\u{710}'..='\u{7FF}' | '\u{860}'..='\u{8FF}'
        | '\u{900}'..='\u{DFF}' | '\u{E80}'..='\u{10FF}' | '\u{1780}'..='\u{17B3}' | '\u{17B6}'..='\u{17D3}')
}

/// The host that an address is really sent to, where it is not written so: `xn--…` for an international name,
/// the plain name behind full-width letters, the dotted numbers behind `0x7f.1`. `None` where both agree.
#[must_use]
pub fn punycode_beside(url: &str) -> Option<String> {
    let parsed = match url::Url::parse(url) {
        Ok(parsed) if parsed.has_host() => parsed,
        // A gRPC target is host:port, and people leave the scheme away.
        _ if !url.contains("://") && !url.starts_with('/') && !url.is_ascii() => {
            url::Url::parse(&format!("https://{url}")).ok()?
        }
        _ => return None,
    };
    if !parsed.is_special() {
        return None;
    }
    let host = parsed.host_str()?;
    // The host as written lies between the slashes (either kind) and the next delimiter.
    let authority = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches(['/', '\\']);
    let authority = if url.contains("//") { authority } else { url };
    let authority = authority.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let written = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let agrees = written == host
        || written.strip_prefix(host).is_some_and(|rest| rest.starts_with(':'))
        || parsed.host().is_some_and(|host| matches!(host, url::Host::Ipv6(_)));
    (!host.is_empty() && !agrees).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_real_writing_needs_is_left_alone() {
        for text in [
            "",
            "Larder clerk",
            "two\nlines\tand a tab\r\n",
            "香料庫 スパイス 향신료",
            "Пряности — التوابل — कक्षा — क्‍ष",
            "می‌خواهم",
            "👩🏽‍🚀 👨‍👩‍👧 🏳️‍🌈 ❤️‍🔥 ☎️ ©️ 1️⃣ #️⃣ 🇩🇪 ⚕️ 🧑‍⚕️",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "葛\u{E0100}飾区 神\u{FE00}",
            "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙",
            "no\u{A0}break, wide\u{3000}space, e\u{301}",
        ] {
            assert!(!has_hidden(text), "{text:?}: {}", visible_text(text));
            assert!(matches!(visible_text(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn what_hides_becomes_a_mark() {
        for (text, visible) in [
            ("Larder\u{202E}krelc", "Larder⟨U+202E⟩krelc"),
            ("https://a\u{200B}.example", "https://a⟨U+200B⟩.example"),
            ("\u{FEFF}name\u{AD}", "⟨U+FEFF⟩name⟨U+00AD⟩"),
            ("a\u{200D}b a\u{200C}b", "a⟨U+200D⟩b a⟨U+200C⟩b"),
            ("👩\u{200D} x", "👩⟨U+200D⟩ x"),
            ("a\u{FE0F} 1\u{FE0F}", "a⟨U+FE0F⟩ 1⟨U+FE0F⟩"),
            // Data smuggled in selectors behind an emoji: the first is in place, the others are not.
            ("😀\u{FE0F}\u{FE01}\u{E0101}", "😀\u{FE0F}⟨U+FE01⟩⟨U+E0101⟩"),
            ("hi\u{E0068}\u{E0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"),
            ("🏴\u{E0061}\u{E007F}", "🏴⟨U+E0061⟩⟨U+E007F⟩"),
            ("\0\u{1b}[2J\r\u{85}\u{7f}", "⟨U+0000⟩⟨U+001B⟩[2J⟨U+000D⟩⟨U+0085⟩⟨U+007F⟩"),
            ("\u{3164}\u{FFA0}\u{115F}", "⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩"),
            ("a\u{2062}b\u{2066}c\u{2069}\u{61C}", "a⟨U+2062⟩b⟨U+2066⟩c⟨U+2069⟩⟨U+061C⟩"),
            ("a\u{2028}b\u{34F}\u{2800}", "a⟨U+2028⟩b⟨U+034F⟩⟨U+2800⟩"),
        ] {
            assert!(has_hidden(text), "{text:?}");
            assert_eq!(visible_text(text), visible);
        }
    }

    #[test]
    fn segments_leave_nothing_out() {
        let text = "a\u{202E}\u{200B}b👩\u{200D}🚀\u{FE0F}\u{FE0F}";
        let list: Vec<_> = segments(text).collect();
        assert_eq!(
            list,
            [
                Segment::Plain("a"),
                Segment::Hidden('\u{202E}'),
                Segment::Hidden('\u{200B}'),
                Segment::Plain("b👩\u{200D}🚀\u{FE0F}"),
                Segment::Hidden('\u{FE0F}'),
            ]
        );
        let back: String = list
            .iter()
            .map(|segment| match segment {
                Segment::Plain(plain) => (*plain).to_owned(),
                Segment::Hidden(c) => c.to_string(),
            })
            .collect();
        assert_eq!(back, text);
    }

    #[test]
    fn the_real_host_is_told_where_the_written_one_differs() {
        for (url, host) in [
            ("https://bücher.example/a2a", Some("xn--bcher-kva.example")),
            ("https://Agent.Example:8443/a?b#c", None),
            ("https://xn--bcher-kva.example/", None),
            ("https://аgent.example/", Some("xn--gent-43d.example")),
            ("https://ａgent.example/", Some("agent.example")),
            ("https://a\u{200B}gent.example/", Some("agent.example")),
            ("https://user@bücher.example:1/", Some("xn--bcher-kva.example")),
            ("https://safe.example@bücher.example/", Some("xn--bcher-kva.example")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("http://[::1]:80/", None),
            ("bücher.example:443", Some("xn--bcher-kva.example")),
            ("agent.example:443", None),
            ("/relative/ü", None),
            ("mailto:ü@a.example", None),
            ("", None),
        ] {
            assert_eq!(punycode_beside(url).as_deref(), host, "{url}");
        }
    }
}
