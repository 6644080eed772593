//! Parts in every spelling.

use bytes::Bytes;
use cardscope::a2a::{Dialect, Part, PartContent, ProtocolBinding, RawJson};

use super::{Caller, answer_rpc, endpoint};
use crate::support::{FakeAgent, Reply};

/// The parts of an artifact as one dialect's answer gives them.
fn parts_of(dialect: Dialect, binding: &ProtocolBinding, parts: &str) -> (Vec<Part>, Vec<String>) {
    let caller = Caller::new();
    let agent = FakeAgent::start();
    let task = format!(
        r#"{{"id": "t", "status": {{"state": "TASK_STATE_COMPLETED"}}, "artifacts": [{{"artifactId": "a", "parts": {parts}}}]}}"#
    );
    let endpoint = endpoint(agent.url("/rpc"), binding.clone(), dialect);
    if *binding == ProtocolBinding::JsonRpc {
        answer_rpc(&agent, 200, &format!(r#"{{"jsonrpc": "2.0", "id": "ID", "result": {task}}}"#));
    } else {
        agent.otherwise(Reply::json(task));
    }
    let answered = caller.get(&endpoint, "t").unwrap();
    (answered.value.artifacts[0].parts.clone(), answered.deviations)
}

#[test]
fn file_parts_are_read_in_all_spellings() {
    let spellings = [
        (Dialect::V0_3, r#"[{"kind": "file", "file": {"name": "a.bin", "mimeType": "audio/mp3", "bytes": "aGk="}}]"#),
        (Dialect::V0_3, r#"[{"type": "file", "file": {"name": "a.bin", "mimeType": "audio/mp3", "bytes": "aGk"}}]"#),
        (Dialect::V0_3, r#"[{"file": {"name": "a.bin", "mediaType": "audio/mp3", "fileWithBytes": "aGk="}}]"#),
        (Dialect::V0_3, r#"[{"file": {"name": "a.bin", "mime_type": "audio/mp3", "file_with_bytes": "aGk="}}]"#),
        (Dialect::V1_0, r#"[{"raw": "aGk=", "filename": "a.bin", "mediaType": "audio/mp3"}]"#),
        (Dialect::V1_0, r#"[{"raw": "aGk", "filename": "a.bin", "media_type": "audio/mp3"}]"#),
    ];
    for (dialect, parts) in spellings {
        let (read, _) = parts_of(dialect, &ProtocolBinding::JsonRpc, parts);
        assert_eq!(read[0].content, PartContent::Raw(Bytes::from_static(b"hi")), "{parts}");
        assert_eq!(read[0].filename.as_deref(), Some("a.bin"), "{parts}");
        assert_eq!(read[0].media_type.as_deref(), Some("audio/mp3"), "{parts}");
    }
    for parts in [
        r#"[{"kind": "file", "file": {"uri": "https://f.example/x"}}]"#,
        r#"[{"file": {"fileWithUri": "https://f.example/x"}}]"#,
        r#"[{"file": {"file_with_uri": "https://f.example/x"}}]"#,
        r#"[{"url": "https://f.example/x"}]"#,
    ] {
        let (read, _) = parts_of(Dialect::V1_0, &ProtocolBinding::JsonRpc, parts);
        assert_eq!(read[0].content, PartContent::Url("https://f.example/x".to_owned()), "{parts}");
    }
    // Python's SDK for 0.3 encodes twice over HTTP+JSON; undone only where the media type rules text out.
    for (media_type, bytes) in [("image/png", &b"hi"[..]), ("text/plain", b"aGk=")] {
        let parts = format!(r#"[{{"file": {{"mimeType": "{media_type}", "fileWithBytes": "YUdrPQ=="}}}}]"#);
        let (read, _) = parts_of(Dialect::V0_3, &ProtocolBinding::HttpJson, &parts);
        assert_eq!(read[0].content, PartContent::Raw(Bytes::from(bytes)), "{media_type}");
    }
}

#[test]
fn data_keeps_its_digits_and_odd_parts_are_not_lost() {
    let digits = r#"{"revision": 1.0, "id": 8747832031878802303, "b": 1.2345678901234568e+16}"#;
    let (read, deviations) =
        parts_of(Dialect::V1_0, &ProtocolBinding::JsonRpc, &format!(r#"[{{"data": {digits}}}, {{"data": null}}]"#));
    assert_eq!(read[0].content, PartContent::Data(RawJson::new(digits)));
    assert_eq!(read[1].content, PartContent::Data(RawJson::new("null")));
    assert!(deviations.is_empty(), "{deviations:?}");

    let (read, _) =
        parts_of(Dialect::V0_3, &ProtocolBinding::HttpJson, &format!(r#"[{{"data": {{"data": {digits}}}}}]"#));
    assert_eq!(read[0].content, PartContent::Data(RawJson::new(digits)));

    let odd = r#"[{}, {"text": ""}, {"raw": ""}, {"raw": "!!"}, "bare", 7, {"kind": "text", "content": "c"},
                  {"text": "a,b", "mediaType": "text/csv"}, {"kind": "form", "x": 1}]"#;
    let (read, deviations) = parts_of(Dialect::V1_0, &ProtocolBinding::JsonRpc, odd);
    let contents: Vec<PartContent> = read.iter().map(|part| part.content.clone()).collect();
    assert_eq!(
        contents,
        [
            PartContent::Unknown(RawJson::new("{}")),
            PartContent::Text(String::new()),
            PartContent::Raw(Bytes::new()),
            PartContent::Undecodable("!!".into()),
            PartContent::Text("bare".to_owned()),
            PartContent::Unknown(RawJson::new("7")),
            PartContent::Text("c".to_owned()),
            PartContent::Text("a,b".to_owned()),
            PartContent::Unknown(RawJson::new(r#"{"kind": "form", "x": 1}"#)),
        ]
    );
    assert_eq!(read[7].media_type.as_deref(), Some("text/csv"));
    assert!(deviations.len() >= 4, "{deviations:?}");
}
