//! What WebKitGTK needs to be told, and asked, before the first window.

/// On some graphics drivers (NVIDIA's above all) WebKitGTK's DMABUF renderer leaves the window blank, so it is switched
/// off, unless somebody has chosen. Under WebDriver it stays as it is: there the window hangs without it.
#[cfg(target_os = "linux")]
pub fn prepare() {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const RENDERER_OFF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    const UNDER_WEBDRIVER: &str = "TAURI_WEBVIEW_AUTOMATION";
    if std::env::var_os(RENDERER_OFF).is_some() || std::env::var_os(UNDER_WEBDRIVER).is_some() {
        return;
    }
    // A running process cannot change its environment safely; a new start of the same process can.
    let mut arguments = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next()) {
        let error = Command::new(program).arg0(name).args(arguments).env(RENDERER_OFF, "1").exec();
        eprintln!("The window's renderer could not be chosen ({error}). If it stays blank, set {RENDERER_OFF}=1.");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn prepare() {}

/// Whether there is a display. Tauri panics without one.
#[cfg(target_os = "linux")]
pub fn can_open_windows() -> bool {
    gtk::init().is_ok()
}

#[cfg(not(target_os = "linux"))]
pub fn can_open_windows() -> bool {
    true
}
