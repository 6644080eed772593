//! Markdown from agents made ready to be laid out: tables cut out to be drawn by us, and images named, not loaded.

use std::collections::BTreeSet;
use std::ops::Range;

pub(super) use pulldown_cmark::Alignment;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What the widget for Markdown reads as well.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_DEFINITION_LIST);
/// Longer addresses of images are cut: some hold the whole image.
const MOST_ADDRESS_CHARS: usize = 120;

/// As many bytes of definitions are repeated in the pieces of one text, so that no text makes endless work.
const MOST_DEFINITION_BYTES: usize = 64 * 1024;

/// A stretch of a text, in order.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Markdown(String),
    Table(Table),
}

/// A table; the first row is its head.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Table {
    pub alignments: Vec<Alignment>,
    pub rows: Vec<Vec<Cell>>,
}

pub(super) type Cell = Vec<Run>;

/// Words of one look.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Run {
    pub text: String,
    pub look: Look,
}

#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "Markdown combines them freely")]
pub(super) struct Look {
    pub strong: bool,
    pub emphasized: bool,
    pub struck: bool,
    pub code: bool,
    pub link: Option<String>,
}

/// Cuts `source` into what the widget lays out and the tables between; tables in lists and quotes are left to it.
pub(super) fn pieces(source: &str) -> Vec<Piece> {
    let source = without_images(source);
    let parser = Parser::new_ext(&source, OPTIONS);
    // Each piece is read by itself: what links refer to has to be there in all of them.
    let mut definitions = String::new();
    for (_, definition) in parser.reference_definitions().iter() {
        definitions.push_str("\n\n");
        definitions.push_str(&source[definition.span.clone()]);
    }
    let mut pieces = Vec::new();
    let mut end = 0;
    let mut spare = MOST_DEFINITION_BYTES;
    let mut push = |pieces: &mut Vec<Piece>, between: Range<usize>| {
        let words = &source[between];
        if !words.trim().is_empty() {
            let known = if definitions.len() <= spare { &*definitions } else { "" };
            spare -= known.len();
            pieces.push(Piece::Markdown(format!("{words}{known}")));
        }
    };
    let mut depth = 0_usize;
    let mut events = parser.into_offset_iter();
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Table(alignments)) if depth == 0 => {
                push(&mut pieces, end..range.start);
                end = range.end;
                let inner = events.by_ref().map(|(event, _)| event);
                pieces.push(Piece::Table(table(alignments, inner)));
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    push(&mut pieces, end..source.len());
    pieces
}

/// Reads up to the end of the table.
fn table<'a>(alignments: Vec<Alignment>, events: impl Iterator<Item = Event<'a>>) -> Table {
    let mut table = Table { alignments, rows: Vec::new() };
    let mut cell = Cell::new();
    let mut look = Look::default();
    for event in events {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => table.rows.push(Vec::new()),
            Event::Start(Tag::Strong) => look.strong = true,
            Event::End(TagEnd::Strong) => look.strong = false,
            Event::Start(Tag::Emphasis) => look.emphasized = true,
            Event::End(TagEnd::Emphasis) => look.emphasized = false,
            Event::Start(Tag::Strikethrough) => look.struck = true,
            Event::End(TagEnd::Strikethrough) => look.struck = false,
            Event::Start(Tag::Link { dest_url, .. }) => look.link = Some(dest_url.into_string()),
            Event::End(TagEnd::Link) => look.link = None,
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                cell.push(Run { text: text.into_string(), look: look.clone() });
            }
            Event::Code(text) => {
                cell.push(Run { text: text.into_string(), look: Look { code: true, ..look.clone() } });
            }
            Event::FootnoteReference(name) => {
                cell.push(Run { text: format!("[^{name}]"), look: look.clone() });
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut cell);
                if let Some(row) = table.rows.last_mut() {
                    row.push(cell);
                }
            }
            Event::End(TagEnd::Table) => break,
            _ => {}
        }
    }
    table
}

/// The same with words in the place of every image: nothing is fetched because an agent wrote an address.
fn without_images(source: &str) -> String {
    let fence = unused_fence(source);
    let mut named = String::with_capacity(source.len());
    let mut end = 0;
    let mut depth = 0_usize;
    let mut alternative = String::new();
    let mut address = String::new();
    for (event, range) in Parser::new_ext(source, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                if depth == 0 {
                    alternative.clear();
                    address = dest_url.into_string();
                }
                depth += 1;
            }
            Event::End(TagEnd::Image) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    named.push_str(&source[end..range.start]);
                    // Two runs of backticks that touch would be one.
                    named.push_str(if named.ends_with('`') { " " } else { "" });
                    named.push_str(&fence);
                    named.push_str(&image_words(&alternative, &address));
                    named.push_str(&fence);
                    named.push_str(if source[range.end..].starts_with('`') { " " } else { "" });
                    end = range.end;
                }
            }
            Event::Text(text) | Event::Code(text) if depth > 0 => alternative.push_str(&text),
            Event::SoftBreak | Event::HardBreak if depth > 0 => alternative.push(' '),
            _ => {}
        }
    }
    named.push_str(&source[end..]);
    named
}

fn image_words(alternative: &str, address: &str) -> String {
    let cut = address.char_indices().nth(MOST_ADDRESS_CHARS).map(|(at, _)| format!("{}…", &address[..at]));
    // What would end a code span, or the cell of a table around it.
    let address = cut.as_deref().unwrap_or(address).replace('`', "%60").replace('|', "%7C");
    let alternative = alternative.replace('`', "'").replace('|', "¦").replace('\n', " ");
    match alternative.trim() {
        "" => format!("[image, not loaded: {address}]"),
        alternative => format!("[image \"{alternative}\", not loaded: {address}]"),
    }
}

/// A run of backticks that `source` has nowhere: between two of them everything stands for itself.
fn unused_fence(source: &str) -> String {
    let used: BTreeSet<usize> = source.split(|character| character != '`').map(str::len).collect();
    let length = (1..=used.len() + 1).find(|length| !used.contains(length)).unwrap_or(1);
    "`".repeat(length)
}

/// How wide the columns are in `room`: as wide as their content if that fits, or else none narrower than its longest
/// word; the sum of those may be more than there is.
pub(super) fn column_widths(natural: &[f32], least: &[f32], room: f32) -> Vec<f32> {
    let (wanted, needed) = (natural.iter().sum::<f32>(), least.iter().sum::<f32>());
    if wanted <= room {
        return natural.to_vec();
    }
    let part = ((room - needed) / (wanted - needed).max(1.0)).clamp(0.0, 1.0);
    natural.iter().zip(least).map(|(natural, least)| least + (natural - least) * part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(source: &str) -> String {
        match &pieces(source)[..] {
            [Piece::Markdown(text)] => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_image_is_named_with_its_address_and_stays_no_image() {
        let named = markdown("See ![a *big* chart][c] and `![code](x)`.\n\n[c]: http://evil.example/i.png");
        let words = "``[image \"a big chart\", not loaded: http://evil.example/i.png]``";
        assert!(named.contains(words) && !named.contains("![a"), "{named}");
        assert!(named.contains("`![code](x)`"), "{named}");
        assert_eq!(markdown("![](x)![](y|z)"), "`[image, not loaded: x]` `[image, not loaded: y%7Cz]`");
        let long = markdown(&format!("![i](data:image/png;base64,{})", "A".repeat(9000)));
        assert!(long.len() < 300 && long.contains('…'), "{long}");
        // What the words say cannot become markup again.
        for tricky in ["`![!\\[z](http://a)](x)`", "![](<x`![z](y)>)", "`` ![![a](b) `c`](d)`", "![`` ` ``](x)``"] {
            let named = without_images(tricky);
            let images =
                Parser::new_ext(&named, OPTIONS).filter(|event| matches!(event, Event::Start(Tag::Image { .. })));
            assert_eq!(images.count(), 0, "{tricky}: {named}");
        }
    }

    #[test]
    fn tables_are_cut_out_and_links_still_know_their_targets() {
        let source = "Before [a][r].\n\n| N | Name |\n|--:|---|\n| 1 | **Acme** [x][r] ![i](u) |\n\nAfter [b][r].\n\n[r]: http://r.example";
        let found = pieces(source);
        let [Piece::Markdown(before), Piece::Table(table), Piece::Markdown(after)] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(before.starts_with("Before") && before.contains("http://r.example"), "{before}");
        assert!(after.contains("After") && after.contains("http://r.example"), "{after}");
        assert_eq!(table.alignments, [Alignment::Right, Alignment::None]);
        assert_eq!(table.rows.len(), 2);
        let cell = &table.rows[1][1];
        assert_eq!((&*cell[0].text, cell[0].look.strong), ("Acme", true));
        assert!(cell.iter().any(|run| run.look.link.as_deref() == Some("http://r.example")));
        let words: String = cell.iter().map(|run| &*run.text).collect();
        assert_eq!(words, "Acme x [image \"i\", not loaded: u]");
        // In a list it is the widget's.
        assert!(matches!(&pieces("- x\n\n  | a |\n  |---|\n  | b |")[..], [Piece::Markdown(_)]));
    }

    #[test]
    fn columns_have_the_width_of_their_content_and_give_way_by_what_they_have_to_spare() {
        assert_eq!(column_widths(&[10.0, 90.0], &[10.0, 40.0], 200.0), [10.0, 90.0]);
        assert_eq!(column_widths(&[10.0, 90.0], &[10.0, 40.0], 75.0), [10.0, 65.0]);
        assert_eq!(column_widths(&[10.0, 90.0], &[10.0, 40.0], 30.0), [10.0, 40.0], "the rest is scrolled to");
    }
}
