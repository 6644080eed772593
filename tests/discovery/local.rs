//! Files, folders and pasted cards.

use cardscope::client::{AttemptKind, Retrieval};

use super::{card, chosen_name, discover};

#[test]
fn files_folders_and_pasted_cards_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clerk's card.json");
    std::fs::write(&path, card("Filed")).unwrap();
    for address in [path.display().to_string(), url::Url::from_file_path(&path).unwrap().to_string()] {
        let retrieval = discover(&address);
        assert_eq!(chosen_name(&retrieval), "Filed", "{address}: {}", retrieval.verdict);
        assert_eq!(retrieval.attempts[0].kind, AttemptKind::File);
        assert_eq!(retrieval.origin(0).final_url, None);
    }
    let only = discover(&folder.path().display().to_string());
    assert_eq!(chosen_name(&only), "Filed");
    assert!(only.assumptions[0].contains("only JSON file"), "{:?}", only.assumptions);
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    let several = discover(&folder.path().display().to_string());
    assert!(several.verdict.contains("2 JSON files"), "{}", several.verdict);
    assert_eq!(several.chosen, None);
    let missing = discover(&folder.path().join("missing.json").display().to_string());
    assert!(missing.verdict.contains("cannot be opened"), "{}", missing.verdict);

    let pasted = format!("  {}\n", card("Pasted"));
    let retrieval = discover(&pasted);
    assert_eq!(chosen_name(&retrieval), "Pasted");
    assert_eq!(retrieval.attempts[0].document.as_ref().unwrap().text(), pasted.as_str(), "not a byte is changed");
    assert_eq!(retrieval.address, "Pasted text");
    let dropped = Retrieval::of_bytes("clerk.json", card("Dropped").into());
    assert_eq!(chosen_name(&dropped), "Dropped");
    assert_eq!(dropped.attempts[0].kind, AttemptKind::Pasted, "its name is no path that it could be read from again");
    let broken = discover("{\"name\": \"Clerk\",");
    assert!(broken.verdict.contains("line 1, column"), "{}", broken.verdict);
    assert!(!broken.found_card && broken.chosen == Some(0), "the text stays viewable");
}
