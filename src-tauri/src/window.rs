//! The window, and what passes between the page in it and the app.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use app::App;
use app::api::{ApiError, AppEvent};
use serde_json::Value;
use tauri::webview::{PageLoadEvent, PageLoadPayload, WebviewWindowBuilder};
use tauri::{AppHandle, Emitter, Manager, RunEvent, State, Url, WebviewWindow};
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// The window's name in tauri.conf.json and in the capabilities.
const MAIN: &str = "main";
/// The event that carries every [`AppEvent`] to the page.
const EVENT: &str = "app";
/// How long saying goodbye to the other devices may hold up the end of the process.
const GOODBYE_MAX: Duration = Duration::from_secs(2);

/// Opens the window and serves it until it is closed. The web view keeps its own files in `data` as well, so that two
/// apps with two data folders have nothing in common.
pub fn run(app: App, data: &Path) -> ExitCode {
    let events = app.events();
    let built = tauri::Builder::default()
        .manage(app)
        .manage(Leaving(AtomicBool::new(false)))
        .invoke_handler(tauri::generate_handler![call])
        .build(tauri::generate_context!());
    let tauri = match built.and_then(|tauri| open(&tauri, data.join("webview")).map(|()| tauri)) {
        Ok(tauri) => tauri,
        Err(error) => {
            eprintln!("The window cannot be opened: {error}. To play in a browser instead: c5 serve");
            return ExitCode::FAILURE;
        }
    };
    tauri::async_runtime::spawn(forward(events, tauri.handle().clone()));
    tauri::async_runtime::spawn(leave_on_signal(tauri.handle().clone()));
    let code = tauri.run_return(|handle, event| {
        // No code: the window was closed. The process ends when the other devices know.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
            tauri::async_runtime::spawn(leave(handle.clone()));
        }
    });
    u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// The window of tauri.conf.json, which is not opened from there because its folder is known only now.
fn open(tauri: &tauri::App, web_data: PathBuf) -> tauri::Result<()> {
    let config = tauri.config().app.windows.iter().find(|window| window.label == MAIN);
    let config = config.ok_or(tauri::Error::WindowNotFound)?;
    let window = WebviewWindowBuilder::from_config(tauri, config)?;
    window.data_directory(web_data).on_navigation(is_own_page).on_page_load(end_studies).build()?;
    Ok(())
}

/// The page that is loaded, anew or for the first time, knows nothing of what an earlier one asked for.
fn end_studies(window: WebviewWindow, page: PageLoadPayload<'_>) {
    match page.event() {
        PageLoadEvent::Started => window.state::<App>().close_studies(),
        PageLoadEvent::Finished => {}
    }
}

/// The page's one way to ask for something: a command of `app::api` by its name.
#[tauri::command]
async fn call(app: State<'_, App>, name: String, args: Value) -> Result<Value, ApiError> {
    app.call(&name, args).await
}

/// Passes everything that the app tells on to the page, in order.
async fn forward(mut events: Receiver<AppEvent>, handle: AppHandle) {
    loop {
        match events.recv().await {
            Ok(event) => {
                if let Err(error) = handle.emit_to(MAIN, EVENT, &event) {
                    tracing::warn!(%error, "an event did not reach the page");
                }
            }
            Err(RecvError::Lagged(lost)) => {
                // The page would show an old view until the next event: it asks for everything anew instead.
                tracing::warn!(lost, "the page was too slow for the events");
                if let Some(window) = handle.get_webview_window(MAIN) {
                    let _ = window.reload();
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// Whether the process has begun to end, so that it does so once.
struct Leaving(AtomicBool);

/// Says goodbye to the other devices, as far as that goes in time, and ends the process.
async fn leave(handle: AppHandle) {
    if handle.state::<Leaving>().0.swap(true, Ordering::SeqCst) {
        return;
    }
    let app = handle.state::<App>().inner().clone();
    if tokio::time::timeout(GOODBYE_MAX, app.shutdown()).await.is_err() {
        tracing::warn!("the other devices were not reached in time for a goodbye");
    }
    handle.exit(0);
}

#[cfg(unix)]
async fn leave_on_signal(handle: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return tracing::warn!("signals cannot be waited for: they end the app without a goodbye");
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    leave(handle).await;
}

#[cfg(not(unix))]
async fn leave_on_signal(handle: AppHandle) {
    if tokio::signal::ctrl_c().await.is_ok() {
        leave(handle).await;
    }
}

/// The window shows our own page and nothing else, whatever a link or a script may ask for.
fn is_own_page(url: &Url) -> bool {
    const DEV_SERVER: &str = "http://localhost:5173/";
    let embedded = url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost");
    embedded || (cfg!(debug_assertions) && url.as_str().starts_with(DEV_SERVER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_is_shown() {
        for (url, own) in [
            ("tauri://localhost/", true),
            ("tauri://localhost/index.html#/table", true),
            ("http://tauri.localhost/", true),
            ("https://example.org/", false),
            ("http://tauri.localhost.example.org/", false),
            ("file:///etc/passwd", false),
            ("http://127.0.0.1:40515/", false),
        ] {
            assert_eq!(is_own_page(&url.parse().expect("a URL")), own, "{url}");
        }
    }
}
