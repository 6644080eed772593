//! Starts the program and acts on its window as a screen reader and a hand would, over egui's inspection protocol.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use egui::accesskit::{Node, Role, TreeUpdate};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2};
use egui_inspection::protocol::{Request, Response, read_handshake, read_message, write_message};

/// How long the program may take until its window can be asked.
const START: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(50);

/// A running program with a window; ends when dropped.
pub(super) struct Window {
    program: Child,
    stream: TcpStream,
    log: PathBuf,
    /// Preferences of this run only.
    _home: tempfile::TempDir,
}

impl Window {
    /// Starts the program with nothing remembered from earlier runs.
    pub(super) fn open(arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let log = home.path().join("log");
        let address = free_address();
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardscope"))
            .args(arguments)
            .env("EGUI_INSPECTION", &address)
            .env("XDG_DATA_HOME", home.path().join("data"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env("XDG_CACHE_HOME", home.path().join("cache"))
            .stdin(Stdio::null())
            .stdout(File::create(home.path().join("out")).unwrap())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let stream = connect(&address, &mut program, &log);
        Self { program, stream, log, _home: home }
    }

    /// Waits until some name or value in the window contains `text`.
    pub(super) fn wait_for(&mut self, text: &str, patience: Duration) {
        let until = Instant::now() + patience;
        while !self.tree().nodes.iter().any(|(_, node)| texts(node).any(|found| found.contains(text))) {
            if Instant::now() > until {
                self.save_picture("missing");
                panic!("{text:?} did not appear within {patience:?}; the window shows:\n{}", self.outline());
            }
            sleep(GLANCE);
        }
    }

    /// Clicks what is called `name`, as soon as it is there.
    pub(super) fn click(&mut self, name: &str) {
        let at = self.place_of(name);
        let press = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.apply(vec![Event::PointerMoved(at)]);
        self.apply(vec![press(true), press(false)]);
    }

    /// Types into what has the focus.
    pub(super) fn type_text(&mut self, text: &str) {
        self.apply(vec![Event::Text(text.to_owned())]);
    }

    pub(super) fn select_all(&mut self) {
        let key = |pressed| Event::Key {
            key: Key::A,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::CTRL | Modifiers::COMMAND,
        };
        self.apply(vec![key(true), key(false)]);
    }

    /// Saves what the window shows as `target/ci/NAME.png`.
    pub(super) fn save_picture(&mut self, name: &str) {
        let Response::Screenshot(picture) = self.ask(&Request::GetScreenshot { pixels_per_point: None }) else {
            panic!("no picture came")
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/ci");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.png")), picture.bytes).unwrap();
    }

    /// How many frames the program paints of its own accord within `time`.
    pub(super) fn frames_while_idle(&mut self, time: Duration) -> u64 {
        // Asking paints as well, also a little later: what a shorter wait costs is taken off.
        let pause = Duration::from_secs(1);
        self.ask(&Request::Settle { max_steps: 200 });
        sleep(pause);
        let asking = self.frames_around(pause);
        self.frames_around(pause + time).saturating_sub(asking)
    }

    fn frames_around(&mut self, wait: Duration) -> u64 {
        let before = self.frame();
        sleep(wait);
        self.frame() - before
    }

    fn frame(&mut self) -> u64 {
        match self.ask(&Request::GetTree) {
            Response::Tree { step, .. } => step,
            other => panic!("no frame counter in {other:?}"),
        }
    }

    fn tree(&mut self) -> TreeUpdate {
        let until = Instant::now() + START;
        loop {
            match self.ask(&Request::GetTree) {
                Response::Tree { accesskit: Some(tree), .. } => return tree,
                _ => assert!(Instant::now() < until, "the window has no accessibility tree"),
            }
            sleep(GLANCE);
        }
    }

    /// The middle of what is called `name`, as soon as it is there.
    fn place_of(&mut self, name: &str) -> Pos2 {
        let until = Instant::now() + START;
        loop {
            if let Some(place) = find(&self.tree(), name) {
                return place;
            }
            assert!(Instant::now() < until, "nothing in the window is called {name:?}:\n{}", self.outline());
            sleep(GLANCE);
        }
    }

    fn apply(&mut self, events: Vec<Event>) {
        self.ask(&Request::ApplyEvents { events });
    }

    fn ask(&mut self, request: &Request) -> Response {
        let answer = write_message(&mut self.stream, request).and_then(|()| read_message(&mut self.stream));
        match answer {
            Ok(Response::Error { message }) => panic!("{message}"),
            Ok(response) => response,
            Err(error) => panic!("the window is gone: {error}\n{}", fs::read_to_string(&self.log).unwrap()),
        }
    }

    /// What the window shows, one line a node, for a failed test's message.
    fn outline(&mut self) -> String {
        let line = |node: &Node| {
            let texts: Vec<&str> = texts(node).collect();
            (!texts.is_empty() && node.role() != Role::TextRun).then(|| format!("{:?} {texts:?}", node.role()))
        };
        self.tree().nodes.iter().filter_map(|(_, node)| line(node)).collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // The program may have ended by itself already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The best fit for `name`: what is called so, then what begins so, then what contains it; labels last.
fn find(tree: &TreeUpdate, name: &str) -> Option<Pos2> {
    let labelled = |node: &Node| {
        let labels = node.labelled_by();
        let nodes = tree.nodes.iter().filter(|(id, _)| labels.contains(id));
        nodes.flat_map(|(_, label)| texts(label)).map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    let fits: [fn(&str, &str) -> bool; 3] =
        [|text, name| text == name, |text, name| text.starts_with(name), |text, name| text.contains(name)];
    fits.iter().find_map(|fit| {
        let named = |node: &&Node| texts(node).any(|text| fit(text, name)) || fit(&labelled(node), name);
        let shown = tree.nodes.iter().map(|(_, node)| node).filter(|node| node.role() != Role::TextRun);
        let bounds = shown.filter(named).min_by_key(|node| node.role() == Role::Label)?.bounds()?;
        Some(pos2(f64::midpoint(bounds.x0, bounds.x1) as f32, f64::midpoint(bounds.y0, bounds.y1) as f32))
    })
}

fn texts(node: &Node) -> impl Iterator<Item = &str> {
    [node.label(), node.value(), node.placeholder()].into_iter().flatten()
}

/// An address that was free a moment ago.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

fn connect(address: &str, program: &mut Child, log: &Path) -> TcpStream {
    let until = Instant::now() + START;
    loop {
        if let Ok(mut stream) = TcpStream::connect(address) {
            stream.set_read_timeout(Some(START)).unwrap();
            read_handshake(&mut stream).unwrap();
            return stream;
        }
        let ended = program.try_wait().unwrap();
        let said = || fs::read_to_string(log).unwrap();
        assert!(ended.is_none(), "the program ended with {ended:?}:\n{}", said());
        assert!(Instant::now() < until, "no window to drive (built with `--features inspection`?):\n{}", said());
        sleep(GLANCE);
    }
}
