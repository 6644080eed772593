//! The group "Interfaces": where and how can the agent be called, and which entry would be used?

use std::borrow::Cow;
use std::collections::HashMap;

use super::address_flag;
use super::members::{Expected, Members};
use super::values::{MAX_ROWS, left_out, listed, value_of};
use crate::a2a::{Dialect, ProtocolBinding, ProtocolVersion};
use crate::card::facts::{Field, Interface, InterfaceTable, Note, Origin, Readers, Shape, Tone};
use crate::card::json::{Kind, Node};
use crate::card::pointer::JsonPointer;

/// Members under which cards that no client can call still hide an address.
const ELSEWHERE: [&str; 7] =
    ["serviceUrl", "endpoint", "agent_endpoint", "agent_url", "webhook_url", "endpoints", "interfaces"];

/// What a card offers is named up to this many kinds.
const MAX_OFFERS: usize = 6;

/// Reads every interface of a card: `supportedInterfaces` first, then what clients of before 1.0 read.
pub(super) fn table(members: &mut Members<'_>, shape: Shape, origin: &Origin) -> InterfaceTable {
    let mut table = InterfaceTable::default();
    let readers = if shape == Shape::Hybrid { Readers::NewClients } else { Readers::All };
    if let Some(list) = members.take_if("supportedInterfaces", Expected::List) {
        table.notes.extend(list.notes);
        let items = list.node.items().enumerate();
        table.extend(items.map(|(at, item)| new_entry(item, list.pointer.child(at), readers, origin)));
        table.notes.extend(left_out(list.node.child_count(), MAX_ROWS, "interfaces"));
    }
    let readers = if shape == Shape::Hybrid { Readers::OldClients } else { Readers::All };
    older_rows(&mut table, members, readers, origin);
    table.chosen = table.rows.iter().position(Interface::usable);
    table.chosen_reason = chosen_reason(&table, members);
    if shape == Shape::Hybrid {
        table.notes.extend(hybrid_notes(&table.rows));
    }
    table
}

impl InterfaceTable {
    /// Adds rows as long as they can be read; of more than that only the first that can be used, which is the choice.
    fn extend(&mut self, mut rows: impl Iterator<Item = Interface>) {
        while self.rows.len() < MAX_ROWS {
            let Some(row) = rows.next() else { return };
            self.rows.push(row);
        }
        if !self.rows.iter().any(Interface::usable) {
            self.rows.extend(rows.find(Interface::usable));
        }
    }
}

/// An entry of `supportedInterfaces` (§4.4.6).
fn new_entry(node: Node<'_>, pointer: JsonPointer, readers: Readers, origin: &Origin) -> Interface {
    if node.kind() != Kind::Object {
        return not_an_object(node, pointer, readers, origin);
    }
    let mut notes = Vec::new();
    let mut entry = Members::of(node, pointer);
    let binding_text = entry.take_text("protocolBinding", &mut notes);
    entry.remark("transport", Tone::Plain, "0.3's name for protocolBinding, which is read instead.");
    let version_text = entry.take_scalar("protocolVersion", &mut notes);
    let dialect = version_text.as_deref().map_or(Some(Dialect::V1_0), dialect_of);
    match version_text.as_deref() {
        None => notes.push(Note::new(
            Tone::Caution,
            "protocolVersion is missing; 1.0 is assumed, since the entry stands in supportedInterfaces.",
        )),
        Some(text) => notes.extend(version_note(text)),
    }
    let unusable = match (&binding_text, dialect, &version_text) {
        (None, ..) => Some("It names no protocolBinding, and none is guessed.".to_owned()),
        (Some(text), ..) if unspoken_binding(text).is_some() => unspoken_binding(text),
        (_, None, Some(version)) => Some(unspoken_version(version)),
        _ => None,
    };
    finish(entry, Draft { binding_text, version_text, dialect, readers, unusable, notes }, origin)
}

/// What an entry has said before its address is looked at.
struct Draft {
    binding_text: Option<String>,
    version_text: Option<String>,
    dialect: Option<Dialect>,
    readers: Readers,
    unusable: Option<String>,
    notes: Vec<Note>,
}

/// Reads what every entry has in common and judges its address.
fn finish(mut entry: Members<'_>, draft: Draft, origin: &Origin) -> Interface {
    let Draft { binding_text, version_text, dialect, readers, unusable, mut notes } = draft;
    let binding = ProtocolBinding::parse(binding_text.as_deref().unwrap_or_default());
    notes.extend(binding_text.as_deref().and_then(|text| binding_note(text, &binding)));
    let url_member = entry.take_if("url", Expected::Text);
    let url_pointer = url_member.as_ref().map(|member| member.pointer.clone());
    let url = url_member.and_then(|member| member.node.as_str()).unwrap_or_default().into_owned();
    let tenant = entry.take_text("tenant", &mut notes);
    if tenant.as_deref() == Some("") {
        notes.push(Note::new(Tone::Plain, "tenant is empty, which is the same as none."));
    }
    let pointer = entry.pointer().clone();
    let row = Interface {
        pointer,
        url_pointer,
        url,
        binding,
        binding_text,
        version_text,
        dialect,
        tenant,
        readers,
        unusable,
        flag: None,
        notes,
        other_fields: entry.rest(),
    };
    judged(row, origin)
}

/// Adds what the address itself says.
fn judged(mut row: Interface, origin: &Origin) -> Interface {
    if row.url.trim().is_empty() && row.unusable.is_none() {
        row.unusable = Some("It names no address.".to_owned());
    }
    row.flag = address_flag::flag(&row.url, &row.binding, origin);
    let oddities = address_flag::oddities(&row.url, origin);
    row.notes.extend(oddities.into_iter().map(|text| Note::new(Tone::Caution, text)));
    row
}

fn not_an_object(node: Node<'_>, pointer: JsonPointer, readers: Readers, origin: &Origin) -> Interface {
    let url = node.as_str().map(Cow::into_owned);
    let other_fields = if url.is_some() {
        Vec::new()
    } else {
        vec![Field { pointer: Some(pointer.clone()), value: value_of(node), ..Field::default() }]
    };
    let found = node.kind().with_article();
    judged(
        Interface {
            url_pointer: url.is_some().then(|| pointer.clone()),
            pointer,
            url: url.unwrap_or_default(),
            binding: ProtocolBinding::Other(String::new()),
            binding_text: None,
            version_text: None,
            dialect: None,
            tenant: None,
            readers,
            unusable: Some(format!(
                "An interface is an object with url, protocolBinding and protocolVersion; this is {found}."
            )),
            flag: None,
            notes: Vec::new(),
            other_fields,
        },
        origin,
    )
}

/// `url` with `preferredTransport`, then `additionalInterfaces` without what they repeat (0.3 §5.6).
fn older_rows(table: &mut InterfaceTable, members: &mut Members<'_>, readers: Readers, origin: &Origin) {
    let declared = members.peek("protocolVersion").and_then(|node| match node.kind() {
        Kind::Number => Some(node.raw().to_owned()),
        _ => node.as_str().map(Cow::into_owned),
    });
    let mut rows: Vec<Interface> = main_row(members, declared.as_deref(), readers, origin).into_iter().collect();
    let Some(list) = members.take_if("additionalInterfaces", Expected::List) else {
        return table.extend(rows.into_iter());
    };
    let mut known: HashMap<(String, ProtocolBinding), usize> =
        rows.iter().map(|row| ((row.url.clone(), row.binding.clone()), 0)).collect();
    for (at, item) in list.node.items().enumerate().take(MAX_ROWS) {
        let pointer = list.pointer.child(at);
        let row = older_entry(item, pointer.clone(), declared.as_deref(), readers, origin);
        let next = rows.len();
        let same = *known.entry((row.url.clone(), row.binding.clone())).or_insert(next);
        match rows.get_mut(same) {
            Some(earlier) if !row.url.is_empty() => earlier.other_fields.push(Field {
                name: format!("additionalInterfaces {at}"),
                pointer: Some(pointer),
                value: value_of(item),
                notes: vec![Note::new(Tone::Plain, "The same interface again.")],
                ..Field::default()
            }),
            _ => rows.push(row),
        }
    }
    table.notes.extend(left_out(list.node.child_count(), MAX_ROWS, "additional interfaces"));
    table.extend(rows.into_iter());
}

/// The entry that `url` and `preferredTransport` make.
fn main_row(members: &mut Members<'_>, declared: Option<&str>, readers: Readers, origin: &Origin) -> Option<Interface> {
    let mut notes = Vec::new();
    let url = members.take_if("url", Expected::Text);
    let transport = members.take_if("preferredTransport", Expected::Text);
    let pointer = url.as_ref().or(transport.as_ref())?.pointer.clone();
    let binding_text = transport.and_then(|mut member| {
        notes.append(&mut member.notes);
        member.node.as_str().map(Cow::into_owned)
    });
    if binding_text.is_none() {
        notes.push(Note::new(Tone::Caution, "preferredTransport is absent; JSONRPC is assumed."));
    }
    let binding = ProtocolBinding::parse(binding_text.as_deref().unwrap_or("JSONRPC"));
    notes.extend(binding_text.as_deref().and_then(|text| binding_note(text, &binding)));
    notes.push(older_version_note(declared));
    Some(judged(
        Interface {
            pointer,
            url_pointer: url.as_ref().map(|member| member.pointer.clone()),
            url: url.and_then(|member| member.node.as_str()).unwrap_or_default().into_owned(),
            binding,
            unusable: binding_text.as_deref().and_then(unspoken_binding),
            binding_text,
            version_text: declared.map(str::to_owned),
            dialect: Some(Dialect::V0_3),
            tenant: None,
            readers,
            flag: None,
            notes,
            other_fields: Vec::new(),
        },
        origin,
    ))
}

/// An entry of `additionalInterfaces`.
fn older_entry(
    node: Node<'_>,
    pointer: JsonPointer,
    declared: Option<&str>,
    readers: Readers,
    origin: &Origin,
) -> Interface {
    if node.kind() != Kind::Object {
        return not_an_object(node, pointer, readers, origin);
    }
    let mut notes = Vec::new();
    let mut entry = Members::of(node, pointer);
    let binding_text = entry.take_text("transport", &mut notes);
    let own_version = entry.take_scalar("protocolVersion", &mut notes);
    let (version_text, dialect) = match own_version {
        Some(text) => {
            notes.extend(version_note(&text));
            let dialect = dialect_of(&text);
            (Some(text), dialect)
        }
        None => (declared.map(str::to_owned), Some(Dialect::V0_3)),
    };
    let unusable = match (&binding_text, dialect, &version_text) {
        (None, ..) => Some("It names no transport, and none is guessed.".to_owned()),
        (Some(text), ..) if unspoken_binding(text).is_some() => unspoken_binding(text),
        (_, None, Some(version)) => Some(unspoken_version(version)),
        _ => None,
    };
    finish(entry, Draft { binding_text, version_text, dialect, readers, unusable, notes }, origin)
}

fn dialect_of(version: &str) -> Option<Dialect> {
    ProtocolVersion::parse(version).and_then(ProtocolVersion::dialect)
}

/// What was made of a version that is not plainly Major.Minor.
fn version_note(text: &str) -> Option<Note> {
    let version = ProtocolVersion::parse(text)?;
    let plain = version.to_string();
    if text == plain {
        return (version.dialect() == Some(Dialect::V0_3) && version.minor < 3)
            .then(|| Note::new(Tone::Plain, format!("{plain} is spoken to as 0.3.")));
    }
    let remark = if text.strip_prefix(plain.as_str()).is_some_and(|rest| rest.starts_with('.')) {
        format!("The patch part of {text} is ignored (§3.6).")
    } else {
        format!("\"{text}\" is read as {plain}.")
    };
    Some(Note::new(Tone::Plain, remark))
}

/// What the card's own protocolVersion means for the entries of before 1.0.
fn older_version_note(declared: Option<&str>) -> Note {
    match declared.map(|text| (text, ProtocolVersion::parse(text))) {
        None => Note::new(Tone::Caution, "No protocol version is declared; treated as 0.3."),
        Some((text, None)) => {
            Note::new(Tone::Caution, format!("\"{text}\" is no protocol version; by its shape treated as 0.3."))
        }
        Some((text, Some(version))) if version.major >= 1 => {
            Note::new(Tone::Caution, format!("The card says {text}, but url is the way of 0.3: spoken to as 0.3."))
        }
        Some((text, Some(_))) => version_note(text)
            .unwrap_or_else(|| Note::new(Tone::Plain, format!("{text} is the card's protocolVersion."))),
    }
}

/// A core binding in another spelling than the specification's.
fn binding_note(written: &str, binding: &ProtocolBinding) -> Option<Note> {
    let is_core = !matches!(binding, ProtocolBinding::Other(_));
    (is_core && written != binding.name()).then(|| {
        Note::new(Tone::Caution, format!("Written {written}; the specification's name is {}.", binding.name()))
    })
}

/// Why this build does not speak a binding; `None` if it does.
fn unspoken_binding(written: &str) -> Option<String> {
    let ProtocolBinding::Other(text) = ProtocolBinding::parse(written) else {
        let is_grpc = ProtocolBinding::parse(written) == ProtocolBinding::Grpc;
        return is_grpc.then(|| "gRPC is not spoken by this build.".to_owned());
    };
    let folded = text.to_ascii_lowercase();
    let is_mcp =
        folded.contains("mcp") || matches!(folded.as_str(), "stdio" | "sse" | "streamable-http" | "streamable_http");
    Some(if is_mcp {
        format!("\"{text}\" belongs to MCP; it is not called over A2A.")
    } else if folded.contains("://") {
        "A custom binding, named by a URI; this build does not speak it.".to_owned()
    } else if matches!(folded.as_str(), "http" | "https" | "") {
        format!("\"{text}\" names no binding of A2A.")
    } else {
        format!("\"{text}\" is a custom binding; this build speaks JSONRPC and HTTP+JSON.")
    })
}

fn unspoken_version(text: &str) -> String {
    match ProtocolVersion::parse(text) {
        Some(version) => format!("A2A {version} is not spoken by this build; it speaks 1.0 and 0.3."),
        None => format!("\"{text}\" is no protocol version; this build speaks 1.0 and 0.3."),
    }
}

fn chosen_reason(table: &InterfaceTable, members: &Members<'_>) -> String {
    let Some(chosen) = table.chosen else { return nothing_chosen(&table.rows, members) };
    let row = &table.rows[chosen];
    let reason = if table.rows.len() == 1 {
        "The only one, and Cardscope speaks it."
    } else if chosen == 0 {
        "The first in declared order, and Cardscope speaks it (§8.3.2)."
    } else if row.readers == Readers::OldClients {
        "Nothing in supportedInterfaces is spoken by this build; this is the first that old clients use."
    } else {
        "The first in declared order that Cardscope speaks (§8.3.2)."
    };
    let doubt = if row.flag.is_some() { " Its address is doubtful, so sending asks first." } else { "" };
    format!("{reason}{doubt}")
}

/// What the card offers and what this build speaks.
fn nothing_chosen(rows: &[Interface], members: &Members<'_>) -> String {
    if rows.is_empty() {
        let hint = ELSEWHERE.iter().find(|name| members.has(name));
        return match hint {
            Some(name) => {
                format!("The card names no interface. Something stands under {name}, but no client looks there.")
            }
            None => "The card names no interface.".to_owned(),
        };
    }
    let mut offers: Vec<String> = Vec::new();
    for row in rows {
        let binding = row.binding_text.as_deref().unwrap_or("no binding");
        let offer = match &row.version_text {
            Some(version) => format!("{binding} {version}"),
            None => binding.to_owned(),
        };
        if !offers.contains(&offer) {
            offers.push(offer);
        }
        if offers.len() == MAX_OFFERS {
            break;
        }
    }
    format!("The card offers {}; this build speaks JSONRPC and HTTP+JSON, in 1.0 and 0.3.", listed(&offers, "and"))
}

/// Which half of a hybrid card whom it serves, and whether the halves agree.
fn hybrid_notes(rows: &[Interface]) -> Vec<Note> {
    let half = |readers| rows.iter().filter(move |row: &&Interface| row.readers == readers);
    let mut notes = vec![Note::new(
        Tone::Plain,
        "Clients of 1.0 read supportedInterfaces; older clients read url and additionalInterfaces.",
    )];
    let first = |readers| half(readers).find(|row| row.usable()).or_else(|| half(readers).next());
    let (Some(new), Some(old)) = (first(Readers::NewClients), first(Readers::OldClients)) else { return notes };
    let is_listed = half(Readers::NewClients).any(|row| row.url == old.url && row.binding == old.binding);
    if is_listed {
        notes.push(Note::new(Tone::Good, "Both halves name the same place: it serves 0.3 and 1.0."));
    } else {
        notes.push(Note::new(
            Tone::Caution,
            format!(
                "The halves differ: new clients call {} ({}), old ones {} ({}).",
                new.url,
                new.binding.name(),
                old.url,
                old.binding.name()
            ),
        ));
    }
    notes
}
