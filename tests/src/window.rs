//! A real window of the app, driven through WebKitWebDriver, on one host of a [`crate::lan::Lan`].
//!
//! Every call first moves the calling thread into the host's network namespace, so that driver, app and client all
//! live on that host. The windows share one virtual screen.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::lan::enter;

/// How long anything on the screen may take to come; far beyond what is usual, since machines that test are busy.
const PATIENCE: Duration = Duration::from_secs(60);
const DRIVER_PORT: u16 = 4445;

/// A virtual screen. Ends when dropped.
pub struct Screen {
    server: Child,
    number: String,
}

impl Screen {
    /// Starts Xvfb on a free display number.
    pub fn start() -> Result<Screen> {
        use std::io::Read;
        let (mut told, tell) = std::io::pipe()?;
        let mut server = Command::new("sh")
            .args(["-c", "exec Xvfb -displayfd 3 -screen 0 2700x900x24 -nolisten tcp 3>&1 1>/dev/null 2>/dev/null"])
            .stdout(tell)
            .stdin(Stdio::null())
            .spawn()
            .context("Xvfb does not start: install xvfb")?;
        let mut number = String::new();
        let mut byte = [0u8; 1];
        while told.read(&mut byte)? == 1 && byte[0] != b'\n' {
            number.push(char::from(byte[0]));
        }
        if number.is_empty() {
            server.kill()?;
            bail!("Xvfb ended before it named its display");
        }
        Ok(Screen { server, number: format!(":{number}") })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Where a window lives and what it runs.
pub struct Place {
    /// The host's network namespace, as `ip netns` names it.
    pub namespace: String,
    pub display: String,
    pub binary: PathBuf,
    pub data: PathBuf,
    pub artefacts: PathBuf,
    /// Names this window's screenshots.
    pub name: String,
}

/// One window of the app.
pub struct Window {
    place: Place,
    namespace: File,
    runtime: Runtime,
    driver: Child,
    client: Option<Client>,
}

impl Screen {
    pub fn display(&self) -> &str {
        &self.number
    }
}

impl Window {
    /// Starts a driver on the host, and the app under it.
    pub fn open(place: Place) -> Result<Window> {
        let namespace = File::open(Path::new("/run/netns").join(&place.namespace))?;
        enter(&namespace)?;
        let driver = start_driver(&place)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut window = Window { place, namespace, runtime, driver, client: None };
        window.connect()?;
        Ok(window)
    }

    /// Starts the app under the driver that runs.
    pub fn connect(&mut self) -> Result<()> {
        let options = json!({
            "binary": self.place.binary,
            "args": ["--data", self.place.data],
        });
        let mut capabilities = Capabilities::new();
        capabilities.insert("browserName".into(), json!("wry"));
        capabilities.insert("webkitgtk:browserOptions".into(), options);
        let client = self.run(async move {
            let mut tries = 0;
            loop {
                let url = format!("http://127.0.0.1:{DRIVER_PORT}");
                match ClientBuilder::new(HttpConnector::new()).capabilities(capabilities.clone()).connect(&url).await {
                    Ok(client) => return Ok(client),
                    Err(error) if tries == 40 => return Err(error.into()),
                    Err(_) => tries += 1,
                }
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        })?;
        self.client = Some(client);
        Ok(())
    }

    fn run<T>(&self, future: impl Future<Output = Result<T>>) -> Result<T> {
        enter(&self.namespace)?;
        self.runtime.block_on(future)
    }

    fn client(&self) -> Result<Client> {
        self.client.clone().context("the window is closed")
    }

    /// Waits for an element and clicks it.
    pub fn click(&self, css: &str) -> Result<()> {
        let client = self.client()?;
        self.run(async move {
            let wait = client.wait().at_most(PATIENCE);
            let element = wait.for_element(Locator::Css(css)).await.with_context(|| format!("no {css} to click"))?;
            element.click().await.with_context(|| format!("{css} takes no click"))
        })
    }

    /// Types into a field.
    pub fn fill(&self, css: &str, text: &str) -> Result<()> {
        let client = self.client()?;
        self.run(async move {
            let field = client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await?;
            field.clear().await?;
            field.send_keys(text).await?;
            Ok(())
        })
    }

    /// Waits until an element is there; its text.
    pub fn wait(&self, css: &str) -> Result<String> {
        let client = self.client()?;
        self.run(async move {
            let wait = client.wait().at_most(PATIENCE);
            let element = wait.for_element(Locator::Css(css)).await.with_context(|| format!("{css} does not come"))?;
            Ok(element.text().await?)
        })
    }

    /// Waits until none is there any more.
    pub fn wait_gone(&self, css: &str) -> Result<()> {
        let client = self.client()?;
        self.run(async move {
            let end = std::time::Instant::now() + PATIENCE;
            while !client.find_all(Locator::Css(css)).await?.is_empty() {
                if std::time::Instant::now() > end {
                    bail!("{css} stays");
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok(())
        })
    }

    /// How many elements there are now.
    pub fn count(&self, css: &str) -> Result<usize> {
        let client = self.client()?;
        self.run(async move { Ok(client.find_all(Locator::Css(css)).await?.len()) })
    }

    /// Sets the size of the page's window.
    pub fn resize(&self, width: u32, height: u32) -> Result<()> {
        let client = self.client()?;
        self.run(async move { Ok(client.set_window_rect(0, 0, width, height).await?) })
    }

    /// Keeps a screenshot among the artefacts.
    pub fn shot(&self, screen: &str) -> Result<()> {
        let client = self.client()?;
        let picture = self.run(async move {
            // A frame of grace: the picture may otherwise show what was there before the last change.
            tokio::time::sleep(Duration::from_millis(400)).await;
            Ok(client.screenshot().await?)
        })?;
        std::fs::create_dir_all(&self.place.artefacts)?;
        std::fs::write(self.place.artefacts.join(format!("window-{}.{screen}.png", self.place.name)), picture)?;
        Ok(())
    }

    /// Kills the app as if the power had gone.
    pub fn kill(&mut self) -> Result<()> {
        self.client = None;
        for process in self.processes()? {
            // Gone already is as good.
            let _ = nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGKILL);
        }
        self.end_driver();
        Ok(())
    }

    /// Opens the app again on the same data.
    pub fn reopen(&mut self) -> Result<()> {
        self.start_driver()?;
        self.connect()
    }

    /// Starts a driver in place of the one that ended with the app.
    pub fn start_driver(&mut self) -> Result<()> {
        enter(&self.namespace)?;
        self.driver = start_driver(&self.place)?;
        Ok(())
    }

    fn end_driver(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }

    /// The app's processes, known by their data folder.
    fn processes(&self) -> Result<Vec<nix::unistd::Pid>> {
        let data = self.place.data.to_string_lossy().into_owned();
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc")? {
            let entry = entry?;
            let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let is_app = command.starts_with(self.place.binary.to_string_lossy().as_bytes());
            if is_app && command.split(|&byte| byte == 0).any(|argument| argument == data.as_bytes()) {
                found.push(nix::unistd::Pid::from_raw(number));
            }
        }
        Ok(found)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.run(async move { Ok(client.close().await?) });
        }
        let _ = self.kill();
    }
}

fn start_driver(place: &Place) -> Result<Child> {
    Command::new("WebKitWebDriver")
        .args([&format!("--port={DRIVER_PORT}"), "--host=127.0.0.1"])
        .env("DISPLAY", &place.display)
        .env("TAURI_WEBVIEW_AUTOMATION", "true")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("WebKitWebDriver does not start: install webkit2gtk-driver")
}
