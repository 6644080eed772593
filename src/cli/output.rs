//! Standard output and error: a reader that has gone is no reason to panic.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::process::ExitCode;

use super::UNOBTAINED;
use crate::card::visible_text::visible_text;

/// What became of a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Whole,
    /// Nobody reads any more, which is the reader's right.
    Unread,
    /// There is no place for it, which has been said.
    Failed,
}

/// Writes a line to standard output.
pub(super) fn line(text: &str) -> Written {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Written::Unread,
        Err(error) => {
            note(&format!("The output could not be written: {error}."));
            Written::Failed
        }
        Ok(()) => Written::Whole,
    }
}

/// Writes a line, or a few, to standard error. Much of it are the words of strangers: nothing in them steers the
/// terminal.
pub(super) fn note(text: &str) {
    // Where even that is closed, there is nobody left to tell.
    writeln!(std::io::stderr().lock(), "{}", visible_text(text)).ok();
}

/// Says why a command could not be carried out.
pub(super) fn fail(text: &str) -> ExitCode {
    note(&format!("cardscope: {text}"));
    ExitCode::from(UNOBTAINED)
}

/// Marks for the eye, only on a terminal that wants them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    coloured: bool,
}

impl Style {
    pub(super) fn of_stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { coloured: wanted && std::io::stdout().is_terminal() }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.mark("1", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.mark("31", text)
    }

    pub(super) fn caution(self, text: &str) -> String {
        self.mark("33", text)
    }

    pub(super) fn muted(self, text: &str) -> String {
        self.mark("2", text)
    }

    fn mark(self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
