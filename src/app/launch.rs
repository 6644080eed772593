//! Opens the window with the first renderer that starts, and says in one sentence what is missing when none does.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{App, stored_settings};
use crate::client::{Credential, TrustedCertificate};
use crate::state::{Action, State};
use crate::ui::fonts;
use crate::worker::{Outbox, Worker};

/// Names the window for the desktop and its folder of preferences.
const APP_ID: &str = "cardscope";
const ICON: &[u8] = include_bytes!("../../assets/icon.png");
/// What to do on a machine that cannot open windows.
const WITHOUT_A_WINDOW: &str = "`cardscope inspect ADDRESS` works without a window";

/// How the window is opened and what it opens first.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// Fetched at once, as if it had been typed.
    pub address: Option<String>,
    /// Starts the demo agent and shows its card.
    pub demo: bool,
    /// The only renderer to try; `None` tries all of this build.
    pub renderer: Option<Renderer>,
    /// Where preferences are kept; `None` is the platform's own place.
    pub data_dir: Option<PathBuf>,
    /// Nothing that is seen is kept beyond the session.
    pub no_history: bool,
    /// Known before the first card is fetched.
    pub credentials: Vec<Credential>,
    /// Trusted in this run, at its origin.
    pub trusted: Option<TrustedCertificate>,
}

/// Ways to paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renderer {
    /// OpenGL: starts fastest, also in software.
    Glow,
    /// Vulkan, Metal or Direct3D; in this build on Windows and macOS, or with the feature `wgpu`.
    Wgpu,
}

impl Renderer {
    /// The name that `--renderer` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Glow => "glow",
            Self::Wgpu => "wgpu",
        }
    }

    /// eframe's name for it, if this build has it.
    fn of_eframe(self) -> Option<eframe::Renderer> {
        match self {
            Self::Glow => Some(eframe::Renderer::Glow),
            #[cfg(any(feature = "wgpu", windows, target_os = "macos"))]
            Self::Wgpu => Some(eframe::Renderer::Wgpu),
            #[cfg(not(any(feature = "wgpu", windows, target_os = "macos")))]
            Self::Wgpu => None,
        }
    }
}

/// Why no window could be opened; each reads as one sentence and names a way on.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    #[error("no window can be opened because there is no display here ({reason}); {WITHOUT_A_WINDOW}")]
    NoDisplay { reason: String },
    #[error("no window can be opened because a system library is missing ({reason}); {WITHOUT_A_WINDOW}")]
    MissingLibrary { reason: String },
    #[error(
        "no window can be opened because this computer offers no usable graphics ({reason}); a software driver such \
         as Mesa's llvmpipe is enough, and {WITHOUT_A_WINDOW}"
    )]
    NoGraphics { reason: String },
    #[error("this build has no renderer called {name}; it can be built in with `cargo run --features {name}`")]
    RendererNotBuilt { name: &'static str },
    #[error("the program's background threads could not be started: {0}")]
    Runtime(#[from] std::io::Error),
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// When no window could be opened at all; nothing has been shown then.
pub fn run_window(options: &WindowOptions) -> Result<(), WindowError> {
    let asked_at = Instant::now();
    check_display()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let renderers = match options.renderer {
        Some(only) => vec![only.of_eframe().ok_or(WindowError::RendererNotBuilt { name: only.name() })?],
        None => [Renderer::Glow, Renderer::Wgpu].into_iter().filter_map(Renderer::of_eframe).collect(),
    };
    let mut problems = Vec::new();
    for renderer in renderers {
        match open_with(renderer, options, runtime.handle(), asked_at) {
            Ok(()) => {
                // A request under way must not keep the process: its socket closes with the runtime.
                runtime.shutdown_background();
                return Ok(());
            }
            // Another renderer would need the same event loop, which cannot be made twice.
            Err(problem @ (WindowError::NoDisplay { .. } | WindowError::MissingLibrary { .. })) => return Err(problem),
            Err(problem) => {
                tracing::warn!("{renderer} does not start: {problem}");
                problems.push(format!("{renderer}: {problem}"));
            }
        }
    }
    Err(WindowError::NoGraphics { reason: problems.join("; ") })
}

/// Without a display server winit fails with a source path in its words; this says it better and sooner.
fn check_display() -> Result<(), WindowError> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_server = cfg!(all(unix, not(target_os = "macos")));
    if needs_server && !set("DISPLAY") && !set("WAYLAND_DISPLAY") && !set("WAYLAND_SOCKET") {
        return Err(WindowError::NoDisplay { reason: "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned() });
    }
    Ok(())
}

/// A failure to start as words; only the launch itself may fail so, the window's own panics go on.
fn open_with(
    renderer: eframe::Renderer,
    options: &WindowOptions,
    runtime: &tokio::runtime::Handle,
    asked_at: Instant,
) -> Result<(), WindowError> {
    let started = Arc::new(AtomicBool::new(false));
    let native = native_options(renderer, options);
    let creator = creator(options.clone(), runtime.clone(), Arc::clone(&started), asked_at);
    // A panic before the window stands is a missing library, said in our words instead of the hook's.
    let hook = Arc::new(take_hook());
    let (quiet, own) = (Arc::clone(&started), Arc::clone(&hook));
    std::panic::set_hook(Box::new(move |info| {
        if quiet.load(Ordering::Relaxed) {
            own(info);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(|| eframe::run_native(APP_ID, native, creator)));
    std::panic::set_hook(Box::new(move |info| hook(info)));
    match result {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ eframe::Error::WinitEventLoop(_))) => {
            // winit's words begin with a path of its own source; the cause stands at the end.
            let words = first_line(&error.to_string());
            let cause = words.rsplit(": ").next().unwrap_or_default().to_owned();
            Err(WindowError::NoDisplay { reason: cause })
        }
        Ok(Err(error)) => Err(WindowError::NoGraphics { reason: first_line(&error.to_string()) }),
        Err(panic) if started.load(Ordering::Relaxed) => resume_unwind(panic),
        Err(panic) => Err(WindowError::MissingLibrary { reason: first_line(&panic_text(panic.as_ref())) }),
    }
}

fn native_options(renderer: eframe::Renderer, options: &WindowOptions) -> eframe::NativeOptions {
    let viewport = egui::ViewportBuilder::default()
        .with_app_id(APP_ID)
        .with_title("Cardscope")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([720.0, 480.0]);
    let viewport = match eframe::icon_data::from_png_bytes(ICON) {
        Ok(icon) => viewport.with_icon(icon),
        Err(_) => viewport,
    };
    eframe::NativeOptions {
        viewport,
        renderer,
        persistence_path: options.data_dir.as_ref().map(|folder| folder.join("window.ron")),
        ..eframe::NativeOptions::default()
    }
}

fn creator(
    options: WindowOptions,
    runtime: tokio::runtime::Handle,
    started: Arc<AtomicBool>,
    asked_at: Instant,
) -> eframe::AppCreator<'static> {
    Box::new(move |cc| {
        started.store(true, Ordering::Relaxed);
        let ctx = cc.egui_ctx.clone();
        let mut settings = stored_settings(cc.storage);
        settings.network.trusted_in_this_run.extend(options.trusted.clone());
        let (outbox, outcomes) = Outbox::new(move || ctx.request_repaint());
        let mut worker = Worker::new(runtime, outbox, settings.network.clone()).with_history(history_folder(&options));
        let mut app = App::new(&cc.egui_ctx, State::new(settings), outcomes, move |effect| worker.run(effect))
            .timed_from(asked_at);
        fonts::use_system_face(&cc.egui_ctx);
        for credential in options.credentials {
            app.apply(Action::SetCredential(credential));
        }
        if options.demo {
            app.apply(Action::StartDemo);
        }
        if let Some(address) = options.address {
            app.apply(Action::FetchCard { address });
        }
        Ok(Box::new(app))
    })
}

/// Where what was seen is kept: beside the preferences.
fn history_folder(options: &WindowOptions) -> Option<PathBuf> {
    if options.no_history { None } else { data_folder(options.data_dir.as_deref()) }
}

/// Where everything is kept between runs: the folder `named`, or the platform's own.
#[must_use]
pub fn data_folder(named: Option<&Path>) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(|| eframe::storage_dir(APP_ID))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "no reason given".to_owned())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_is_one_sentence_with_a_way_on() {
        for error in [
            WindowError::NoDisplay { reason: "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned() },
            WindowError::MissingLibrary { reason: "libxkbcommon-x11.so".to_owned() },
            WindowError::NoGraphics { reason: "glow: no config".to_owned() },
        ] {
            let text = error.to_string();
            assert!(text.contains("cardscope inspect ADDRESS"), "{text}");
            assert!(!text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn a_renderer_that_is_not_built_in_is_said() {
        if Renderer::Wgpu.of_eframe().is_none() {
            let error = WindowError::RendererNotBuilt { name: Renderer::Wgpu.name() };
            assert!(error.to_string().contains("--features wgpu"));
        }
    }
}
