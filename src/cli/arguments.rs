//! What the command line takes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::card::diff::Level;
use crate::card::lint::Severity;
use crate::client::Fingerprint;

/// A desktop explorer for A2A Agent Cards.
///
/// Without a command, opens the window.
#[derive(Debug, Parser)]
#[command(name = "cardscope", version, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: WindowArguments,
    /// Log to standard error what the program does (more by RUST_LOG)
    #[arg(long, global = true)]
    pub verbose: bool,
    /// Another folder for what is kept between runs
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

/// How the window is opened.
#[derive(Args, Debug, Default)]
pub struct WindowArguments {
    /// Host, card URL or file to open at once
    pub address: Option<String>,
    /// Start the built-in demo agent and open its card
    #[arg(long)]
    pub demo: bool,
    /// The only renderer to try
    #[arg(long)]
    pub renderer: Option<RendererName>,
    #[command(flatten)]
    pub ask: AskArguments,
}

impl Arguments {
    /// The command, if there is one, with those of its options that were written before its name.
    ///
    /// # Errors
    /// Something before the name is not for this command; one sentence.
    pub fn take_command(&mut self) -> Result<Option<Command>, &'static str> {
        let Some(mut command) = self.command.take() else { return Ok(None) };
        let window = std::mem::take(&mut self.window);
        if window.address.is_some() || window.demo || window.renderer.is_some() {
            return Err(
                "an address, --demo and --renderer before a command are the window's, which it does not open: \
                        put the command's own arguments behind its name",
            );
        }
        match command.ask_mut() {
            Some(ask) => ask.add(window.ask),
            None if window.ask.is_given() => {
                return Err("the options before the command say how agents are asked, and this command asks none");
            }
            None => {}
        }
        Ok(Some(command))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RendererName {
    Glow,
    Wgpu,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fetch a card and say what it declares and what is wrong with it
    ///
    /// Exit status: 0, 1 if a finding is severe enough (see --fail-on), 2 if no card was obtained.
    Inspect(InspectArguments),
    /// Compare two cards and say what changed, for whom, and what breaks
    ///
    /// Exit status: 0, 1 if a change is grave enough (see --fail-on), 2 if a side could not be obtained.
    Diff(DiffArguments),
    /// Send a message to the agent behind a card and follow its task to the end
    ///
    /// Exit status: 0 if it completed or a message came back, 3 if it waits for input or authorization,
    /// 1 if it failed, was rejected or canceled, 2 on an error.
    Send(SendArguments),
    /// Serve the demo agent without a window and print its card's address
    Demo(DemoArguments),
    /// List, export, import or delete what is kept of cards, their versions and conversations
    #[command(subcommand)]
    History(HistoryCommand),
}

impl Command {
    fn ask_mut(&mut self) -> Option<&mut AskArguments> {
        match self {
            Self::Inspect(arguments) => Some(&mut arguments.ask),
            Self::Diff(arguments) => Some(&mut arguments.ask),
            Self::Send(arguments) => Some(&mut arguments.ask),
            Self::Demo(_) | Self::History(_) => None,
        }
    }
}

/// What is done with the history. ADDRESS stands for all versions of an agent, ADDRESS@N, ADDRESS@latest and
/// ADDRESS@previous for one.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Print every agent with its versions
    List {
        /// Words that title, addresses or skills have to hold
        search: Vec<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Print agents, with their versions and conversations, as one JSON document that another person can import
    Export {
        /// Agents, or versions of them
        #[arg(value_name = "ADDRESS", required = true)]
        addresses: Vec<String>,
    },
    /// Print the conversations that are kept with an agent, the one changed last first
    Conversations {
        address: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Print one conversation as Markdown, by the number that `conversations` prints
    Conversation {
        #[arg(value_name = "NUMBER")]
        id: i64,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Take in a file that was exported, or every card in a folder
    Import { path: PathBuf },
    /// Delete for good
    Delete(DeleteArguments),
}

#[derive(Args, Debug)]
pub struct DeleteArguments {
    /// Agents, or versions of them
    #[arg(
        value_name = "ADDRESS",
        required_unless_present_any = ["everything", "conversations"],
        conflicts_with = "everything"
    )]
    pub addresses: Vec<String>,
    /// A conversation, by the number that `conversations` prints; may be given several times
    #[arg(long = "conversation", value_name = "NUMBER", conflicts_with = "everything")]
    pub conversations: Vec<i64>,
    /// All agents, versions and conversations
    #[arg(long)]
    pub everything: bool,
}

/// How servers are asked.
#[derive(Args, Debug, Default)]
pub struct AskArguments {
    /// A header for ADDRESS's origin and no other; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// The environment variable that holds a bearer token for ADDRESS's origin
    #[arg(long, value_name = "NAME")]
    pub bearer_env: Option<String>,
    /// A PEM file with a certificate and its private key, shown to ADDRESS's origin and no other
    #[arg(long, value_name = "FILE")]
    pub client_certificate: Option<PathBuf>,
    /// Trust the certificate with this fingerprint at ADDRESS's origin, for this run
    #[arg(long, value_name = "SHA256")]
    pub trust_certificate: Option<Fingerprint>,
    /// Leave the kept history alone
    #[arg(long)]
    pub no_history: bool,
}

impl AskArguments {
    /// Whether anything is for one origin alone.
    pub(super) fn is_for_one_origin(&self) -> bool {
        let credentials = !self.headers.is_empty() || self.bearer_env.is_some() || self.client_certificate.is_some();
        credentials || self.trust_certificate.is_some()
    }

    fn is_given(&self) -> bool {
        self.is_for_one_origin() || self.no_history
    }

    /// Adds what was written before; where only one can be, the later counts.
    fn add(&mut self, before: Self) {
        self.headers.splice(0..0, before.headers);
        self.bearer_env = self.bearer_env.take().or(before.bearer_env);
        self.client_certificate = self.client_certificate.take().or(before.client_certificate);
        self.trust_certificate = self.trust_certificate.or(before.trust_certificate);
        self.no_history |= before.no_history;
    }
}

#[derive(Args, Debug)]
pub struct InspectArguments {
    /// Host, card URL, file, folder or the JSON itself
    pub address: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// The mildest finding that makes the exit status 1
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: FailOn,
    #[command(flatten)]
    pub ask: AskArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    Hint,
}

impl FailOn {
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Info => Severity::Info,
            Self::Hint => Severity::Hint,
        }
    }
}

#[derive(Args, Debug)]
pub struct DiffArguments {
    /// The card as it was: host, card URL, file, folder or the JSON itself
    pub older: String,
    /// The card as it is
    pub newer: String,
    /// What to print
    #[arg(long, default_value = "text")]
    pub format: DiffFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The mildest change that makes the exit status 1; without it, none does
    #[arg(long, value_name = "LEVEL")]
    pub fail_on: Option<FailOnChange>,
    #[command(flatten)]
    pub ask: AskArguments,
}

/// What `diff` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Text,
    /// One JSON document with every change
    Json,
    /// For a pull request
    Markdown,
    /// RFC 6902: applied to the older card it yields the newer
    JsonPatch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnChange {
    Breaking,
    Risky,
    Compatible,
    Docs,
}

impl FailOnChange {
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::Breaking => Level::Breaking,
            Self::Risky => Level::Risky,
            Self::Compatible => Level::Compatible,
            Self::Docs => Level::Docs,
        }
    }
}

#[derive(Args, Debug)]
pub struct SendArguments {
    /// Host, card URL, file, folder or the JSON itself
    pub address: String,
    /// What to say; may be empty if a file or data is sent
    pub text: String,
    /// Print one JSON object a line: selected, state, artifact, message, end
    #[arg(long)]
    pub json: bool,
    /// The interface to use, counted from 0 as inspect lists them; also agrees to an address that looks unusable
    #[arg(long, value_name = "N")]
    pub interface: Option<usize>,
    /// Continue this context
    #[arg(long, value_name = "ID")]
    pub context: Option<String>,
    /// Continue this task, which waits for input
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// Attach a file; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// Attach JSON data; may be given several times
    #[arg(long, value_name = "JSON", allow_negative_numbers = true)]
    pub data: Vec<String>,
    /// Give up after so many seconds, fetching the card included
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
    /// Let the agent answer at the end of the task instead of asking again and again
    #[arg(long)]
    pub wait: bool,
    #[command(flatten)]
    pub ask: AskArguments,
}

#[derive(Args, Debug)]
pub struct DemoArguments {
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Which revision of the card to serve
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub revision: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn an_address_opens_the_window_and_a_command_does_not() {
        let parse = |words: &[&str]| Arguments::try_parse_from(words);
        let window = parse(&["cardscope", "--demo", "--renderer", "glow", "agent.example"]).unwrap();
        assert!(window.command.is_none() && window.window.demo);
        assert_eq!(window.window.address.as_deref(), Some("agent.example"));
        let inspect = parse(&["cardscope", "inspect", "agent.example", "--data-dir", "/tmp/x"]).unwrap();
        assert!(matches!(inspect.command, Some(Command::Inspect(_))));
        assert_eq!(inspect.data_dir, Some(PathBuf::from("/tmp/x")));
        assert!(parse(&["cardscope", "send", "agent.example"]).is_err());
    }

    #[test]
    fn options_before_a_command_are_those_behind_it() {
        let take = |words: &[&str]| Arguments::try_parse_from(words).unwrap().take_command();
        let before = [
            "cardscope",
            "--no-history",
            "--header",
            "A: 1",
            "--bearer-env",
            "B",
            "--data-dir",
            "/tmp/x",
            "inspect",
            "x",
        ];
        let command = take(&[&before[..], &["--header", "C: 2", "--bearer-env", "D"]].concat());
        let Ok(Some(Command::Inspect(inspect))) = command else { panic!("{command:?}") };
        assert_eq!(inspect.ask.headers, ["A: 1", "C: 2"]);
        assert_eq!((inspect.ask.bearer_env.as_deref(), inspect.ask.no_history), (Some("D"), true));
        assert!(take(&["cardscope", "--no-history", "history", "list"]).unwrap_err().contains("asks none"));
        assert!(take(&["cardscope", "--demo", "inspect", "x"]).unwrap_err().contains("the window's"));
        assert!(take(&["cardscope", "--no-history", "agent.example"]).unwrap().is_none());
    }
}
