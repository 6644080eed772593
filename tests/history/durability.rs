//! Killed programs, two programs at once, full disks, folders that cannot be written, damaged files: each for real.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use cardscope::history::{AgentId, History, HistoryError, Page, VersionId, Which};

use super::{URL, numbers, quote_card, record, retrieval};

/// Names the folder to a child; without it the tests for children do nothing.
const FOLDER: &str = "CARDSCOPE_TEST_HISTORY";
/// What a child calls its documents, to be told from those of others.
const NAME: &str = "CARDSCOPE_TEST_NAME";

/// This test program, to run nothing but `child_that_records`.
fn child(folder: &Path, name: &str) -> Command {
    child_of(Command::new(std::env::current_exe().unwrap()), folder, name)
}

fn child_of(mut command: Command, folder: &Path, name: &str) -> Command {
    command
        .args(["history::durability::child_that_records", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(NAME, name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Records one version after another, and says so after each, until it is killed, fails, or has made 300.
#[test]
#[ignore = "a program that other tests start"]
fn child_that_records() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let name = std::env::var(NAME).unwrap();
    let mut out = std::io::stdout().lock();
    let mut say = |line: String| writeln!(out, "\n{line}").and_then(|()| out.flush()).unwrap();
    let mut history = History::open(Path::new(&folder)).unwrap().history;
    say("open".to_owned());
    for number in 0..300 {
        match history.record(&retrieval(URL, &quote_card(&format!("{name}.{number}"), "a"))) {
            Ok(recorded) => say(format!("saved {}", recorded.unwrap().version.unwrap().0)),
            Err(error) => {
                let kind = if matches!(error, HistoryError::DiskFull { .. }) { "full" } else { "error" };
                let read = history.versions(AgentId(1), Page::ALL).unwrap().len();
                say(format!("{kind} {read} {error}"));
                return;
            }
        }
    }
}

/// The ids of the versions that a child said were saved.
fn saved(output: &str) -> Vec<VersionId> {
    let numbers = output.lines().filter_map(|line| line.strip_prefix("saved ")).map(|id| id.parse().unwrap());
    numbers.map(VersionId).collect()
}

/// Waits until the child says that it has saved so much, and for a number of microseconds more, and kills it there.
fn kill_after(mut child: Child, count: usize, micros: u64) -> String {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut output = String::new();
    while !output.contains("open\n") || saved(&output).len() < count {
        assert!(lines.read_line(&mut output).unwrap() > 0, "the child ended by itself: {output}");
    }
    std::thread::sleep(Duration::from_micros(micros));
    child.kill().unwrap();
    child.wait().unwrap();
    // The last line may be cut short: what it says was not said.
    lines.read_to_string(&mut output).unwrap();
    output.truncate(output.rfind('\n').map_or(0, |at| at + 1));
    output
}

#[test]
fn a_program_killed_at_any_instant_has_lost_nothing_that_it_showed_as_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = 0;
    for round in 0..200_u64 {
        let name = format!("round{round}");
        // A different instant each time, from before the first to amid the fifth.
        let (count, micros) = (round as usize % 5, round * 7919 % 6_000);
        let output = kill_after(child(folder.path(), &name).spawn().unwrap(), count, micros);
        let opened = History::open(folder.path()).unwrap();
        assert_eq!(opened.set_aside, None, "round {round}");
        for id in saved(&output) {
            let kept =
                opened.history.document(id).unwrap().unwrap_or_else(|| panic!("{id:?} of round {round} is lost"));
            assert!(kept.document.text().contains(&format!("\"{name}.")), "{id:?} of round {round} is another");
            all += 1;
        }
    }
    assert!(all >= 400, "only {all} versions were saved");
    let history = History::open(folder.path()).unwrap().history;
    assert!(numbers(&history, AgentId(1)).len() >= all);
}

#[test]
fn two_programs_record_into_one_history_while_a_third_reads() {
    let folder = tempfile::tempdir().unwrap();
    let mut children = ["one", "two"].map(|name| child(folder.path(), name).spawn().unwrap());
    let reader = History::open(folder.path()).unwrap().history;
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        reader.agents("quotes", Page { offset: 0, limit: 10 }).unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(saved(&String::from_utf8(output.stdout).unwrap()).len(), 300);
    }
    let mut all = numbers(&reader, AgentId(1));
    all.sort_unstable();
    assert_eq!(all, (1..=600).collect::<Vec<_>>(), "one agent, each version once, no number twice");
}

#[test]
fn many_programs_may_begin_a_history_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("history.sqlite3"), "no database at all, but of some length".repeat(100)).unwrap();
    let openers: Vec<_> = (0..8)
        .map(|_| {
            let folder = folder.path().to_owned();
            std::thread::spawn(move || {
                let opened = History::open(&folder).unwrap();
                let mut history = opened.history;
                record(&mut history, &retrieval(URL, "{}"));
                opened.set_aside.is_some()
            })
        })
        .collect();
    let set_aside = openers.into_iter().map(|opener| opener.join().unwrap()).filter(|&set_aside| set_aside).count();
    assert_eq!(set_aside, 1, "the new history is not set aside in its turn");
    let history = History::open(folder.path()).unwrap().history;
    assert_eq!(history.agent(AgentId(1)).unwrap().unwrap().retrievals, 8);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_costs_nothing_that_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    // The shell ignores the signal that would end the program, so that writing fails as it does on a full disk.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 700; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    let output = child_of(shell, folder.path(), "limited").output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let saved = saved(&output);
    let full = output.lines().find(|line| line.starts_with("full")).unwrap_or_else(|| panic!("{output}"));
    assert!(full.contains("disk is full") && !saved.is_empty(), "{output}");
    let still_read: usize = full.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(still_read, saved.len());
    let mut history = History::open(folder.path()).unwrap().history;
    assert!(saved.iter().all(|&id| history.document(id).unwrap().is_some()));
    record(&mut history, &retrieval(URL, &quote_card("room again", "a")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_said() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not stop an administrator: the kernel's own folder does.
    let is_root = fs::write(folder.path().join("probe"), "").is_ok();
    let closed = if is_root { Path::new("/sys") } else { folder.path() };
    for closed in [closed.to_owned(), closed.join("below"), "/dev/null/below".into()] {
        let error = History::open(&closed).unwrap_err();
        assert!(matches!(error, HistoryError::Unwritable { .. }), "{error}");
        assert!(error.to_string().contains(&closed.display().to_string()), "{error}");
    }
}

#[test]
fn a_damaged_file_is_set_aside_and_the_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.sqlite3");
    let fill = || {
        let mut history = History::open(folder.path()).unwrap().history;
        for number in 0..200 {
            record(&mut history, &retrieval(URL, &quote_card(&number.to_string(), "a")));
        }
    };
    let damages: [fn(&mut Vec<u8>); 5] = [
        |bytes| *bytes = b"this is no database".repeat(500),
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes[..100].fill(0xAA),
        |bytes| {
            let third = bytes.len() / 3;
            bytes[third..2 * third].fill(0x5A);
        },
        |bytes| bytes[28..32].fill(0xFF),
    ];
    for (count, damage) in damages.into_iter().enumerate() {
        fill();
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let opened = History::open(folder.path()).unwrap();
        let message = opened.set_aside.unwrap_or_else(|| panic!("damage {count} was not seen"));
        assert!(message.contains("history.damaged-"), "{message}");
        assert_eq!(opened.history.agents("", Page::ALL).unwrap().total, 0);
        let aside = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let aside = aside.filter(|path| path.extension().is_some_and(|extension| extension == "sqlite3"));
        let aside: Vec<_> = aside.filter(|other| *other != path).collect();
        assert_eq!(aside.len(), count + 1, "each is kept under a name of its own");
        assert!(aside.iter().any(|path| fs::read(path).unwrap() == bytes), "nothing of it is touched");
    }
    let mut history = History::open(folder.path()).unwrap().history;
    history.delete_everything().unwrap();
    let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().contains("damaged")), "everything is everything");
}

#[test]
fn damage_that_is_met_in_use_is_said_and_a_new_history_can_be_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.sqlite3");
    let mut history = History::open(folder.path()).unwrap().history;
    // Large enough that opening does not read all of it.
    let filler = "x".repeat(900_000);
    let versions: Vec<VersionId> = (0..8)
        .map(|number| record(&mut history, &retrieval(URL, &quote_card(&number.to_string(), &filler))).version.unwrap())
        .collect();
    drop(history);
    let mut bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 5 << 20);
    let (from, to) = (bytes.len() / 4, bytes.len() / 4 * 3);
    bytes[from..to].fill(0x5A);
    fs::write(&path, bytes).unwrap();
    let opened = History::open(folder.path()).unwrap();
    let damaged = versions.iter().find_map(|&version| opened.history.document(version).err());
    let error = damaged.expect("half of the file is not what it was");
    assert!(matches!(error, HistoryError::Damaged { .. }), "{error}");
    let anew = opened.history.set_aside().unwrap();
    assert!(anew.set_aside.is_some());
    let mut history = anew.history;
    record(&mut history, &retrieval(URL, "{}"));
    // Another program that met the same damage finds that it is dealt with.
    assert_eq!(history.set_aside().unwrap().set_aside, None);
    let history = History::open(folder.path()).unwrap().history;
    assert!(history.version(AgentId(1), Which::Latest).unwrap().is_some());
}
