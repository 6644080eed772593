//! Arguments, logging, window or command; the only user of `anyhow`.

use std::process::ExitCode;

use cardscope::app::{Renderer, WindowOptions, data_folder, run_window};
use cardscope::cli::arguments::{Arguments, RendererName};
use clap::Parser as _;

/// The status of a program that could not do what it was asked for.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_if_wanted(arguments.verbose);
    match run(arguments) {
        Ok(code) => code,
        Err(error) => {
            // One sentence; a closed standard error is no reason to panic.
            use std::io::Write as _;
            writeln!(std::io::stderr(), "cardscope: {error:#}").ok();
            ExitCode::from(FAILED)
        }
    }
}

fn run(mut arguments: Arguments) -> anyhow::Result<ExitCode> {
    if let Some(command) = arguments.take_command().map_err(anyhow::Error::msg)? {
        return Ok(cardscope::cli::run(command, data_folder(arguments.data_dir.as_deref()).as_deref()));
    }
    let window = arguments.window;
    let credentials = cardscope::cli::credentials(window.address.as_deref().unwrap_or_default(), &window.ask)
        .map_err(anyhow::Error::msg)?;
    let trusted = cardscope::cli::trusted(window.address.as_deref().unwrap_or_default(), &window.ask)
        .map_err(anyhow::Error::msg)?;
    run_window(&WindowOptions {
        address: window.address,
        demo: window.demo,
        renderer: window.renderer.map(|renderer| match renderer {
            RendererName::Glow => Renderer::Glow,
            RendererName::Wgpu => Renderer::Wgpu,
        }),
        data_dir: arguments.data_dir,
        no_history: window.ask.no_history,
        credentials,
        trusted,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Standard output belongs to results: what is logged goes to standard error, and only on request.
fn log_if_wanted(verbose: bool) {
    let filter = match std::env::var("RUST_LOG") {
        Ok(filter) if !filter.is_empty() => filter,
        _ if verbose => "cardscope=debug".to_owned(),
        _ => return,
    };
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .init();
}
