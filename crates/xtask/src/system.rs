//! What must be on the machine besides Rust: Node, and the system's own packages.

use std::process::Command;

use anyhow::{Result, bail};

use crate::run::{output, run, says_yes};

/// The oldest Node that the UI's build tools accept.
const NODE_MIN: (u32, u32) = (20, 19);

/// The systems that differ in where their packages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Debian, Ubuntu, and what is made from them.
    Debian,
    Fedora,
    Arch,
    OtherLinux,
    MacOs,
    Windows,
}

/// What the packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To build the app and open its window.
    Window,
    /// To run every test as well: a screen without a monitor, drivers, fonts, a browser.
    Tests,
}

/// Packages by their systems' own names. `a|b`: either will do, the first that is to be had is installed.
const DEBIAN_WINDOW: &[&str] = &["libwebkit2gtk-4.1-dev"];
const DEBIAN_TESTS: &[&str] = &[
    "chromium|chromium-browser",
    "ethtool",
    "fonts-noto-cjk",
    "fonts-noto-color-emoji",
    "fonts-noto-core",
    "imagemagick",
    "iproute2",
    "nftables",
    "webkit2gtk-driver|webkitgtk-webdriver",
    "xdotool",
    "xvfb",
];
const FEDORA_WINDOW: &[&str] = &["webkit2gtk4.1-devel"];
const FEDORA_TESTS: &[&str] = &[
    "/usr/bin/WebKitWebDriver",
    "chromium",
    "ethtool",
    "google-noto-color-emoji-fonts",
    "google-noto-sans-cjk-fonts",
    "google-noto-sans-fonts",
    "ImageMagick",
    "iproute",
    "nftables",
    "xdotool",
    "xorg-x11-server-Xvfb",
];
const ARCH_WINDOW: &[&str] = &["webkit2gtk-4.1"];
const ARCH_TESTS: &[&str] = &[
    "chromium",
    "ethtool",
    "imagemagick",
    "iproute2",
    "nftables",
    "noto-fonts",
    "noto-fonts-cjk",
    "noto-fonts-emoji",
    "webkitgtk-6.0",
    "xdotool",
    "xorg-server-xvfb",
];

impl System {
    pub fn here() -> Self {
        if cfg!(target_os = "macos") {
            System::MacOs
        } else if cfg!(windows) {
            System::Windows
        } else {
            Self::from_os_release(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
        }
    }

    /// From the text of `/etc/os-release`: the system's own name first, then those it is like.
    fn from_os_release(text: &str) -> Self {
        let field = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            value.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
        };
        let names = format!("{} {}", field("ID"), field("ID_LIKE"));
        let known = |name: &str| match name {
            "debian" | "ubuntu" => Some(System::Debian),
            "fedora" => Some(System::Fedora),
            "arch" => Some(System::Arch),
            _ => None,
        };
        names.split(' ').find_map(known).unwrap_or(System::OtherLinux)
    }

    fn packages(self, purpose: Purpose) -> Vec<&'static str> {
        let (window, tests): (&[&str], &[&str]) = match self {
            System::Debian => (DEBIAN_WINDOW, DEBIAN_TESTS),
            System::Fedora => (FEDORA_WINDOW, FEDORA_TESTS),
            System::Arch => (ARCH_WINDOW, ARCH_TESTS),
            System::OtherLinux | System::MacOs | System::Windows => (&[], &[]),
        };
        match purpose {
            Purpose::Window => window.to_vec(),
            Purpose::Tests => [window, tests].concat(),
        }
    }

    fn is_installed(self, package: &str) -> bool {
        match self {
            System::Debian => package.split('|').any(|name| {
                output(Command::new("dpkg-query").args(["--show", "--showformat=${Status}", name]))
                    .is_ok_and(|status| status == "install ok installed")
            }),
            System::Fedora => says_yes("rpm", &["--query", "--whatprovides", package]),
            System::Arch => says_yes("pacman", &["-T", package]),
            System::OtherLinux | System::MacOs | System::Windows => true,
        }
    }

    /// Systems that always have a screen to open a window on.
    fn has_own_display(self) -> bool {
        match self {
            System::MacOs | System::Windows => true,
            System::Debian | System::Fedora | System::Arch | System::OtherLinux => false,
        }
    }
}

/// Makes sure of the system's packages: installs them on Debian and Ubuntu, elsewhere stops with the exact command.
pub fn ensure_packages(purpose: Purpose) -> Result<()> {
    let system = System::here();
    let missing: Vec<_> = system.packages(purpose).into_iter().filter(|name| !system.is_installed(name)).collect();
    let by_hand = |command: &str| {
        format!("Packages are missing. Install them, then try again:\n\n  {command} {}", missing.join(" "))
    };
    match system {
        System::Debian if !missing.is_empty() => return apt_install(&missing),
        System::Fedora if !missing.is_empty() => bail!(by_hand("sudo dnf install")),
        System::Arch if !missing.is_empty() => bail!(by_hand("sudo pacman -S --needed")),
        System::Debian | System::Fedora | System::Arch => {}
        System::OtherLinux => ensure_webkit_by_pkg_config()?,
        System::MacOs => ensure_xcode_tools()?,
        System::Windows => ensure_webview2()?,
    }
    println!("System packages: all there.");
    Ok(())
}

fn apt_install(missing: &[&str]) -> Result<()> {
    // Another apt may be at work on a fresh machine: wait for it instead of failing.
    const WAIT: [&str; 2] = ["-o", "DPkg::Lock::Timeout=300"];
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !root && !says_yes("sudo", &["--version"]) {
        let first = missing.iter().map(|names| names.split('|').next().unwrap_or(names)).collect::<Vec<_>>().join(" ");
        bail!("Packages are missing, and there is no sudo to install them with. As root:\n\n  apt-get install {first}");
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if root { "env" } else { "sudo" });
        command.args(if root { &[][..] } else { &["env"] });
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(WAIT).args(arguments);
        command
    };
    println!("Installing with apt-get: {}", missing.join(" "));
    run(&mut apt(&["update"]))?;
    let known = |name: &&str| says_yes("apt-cache", &["show", name]);
    let chosen: Vec<_> = missing.iter().map(|names| names.split('|').find(known).unwrap_or(names)).collect();
    run(&mut apt(&[&["install", "--yes", "--no-install-recommends"], &chosen[..]].concat()))
}

fn ensure_webkit_by_pkg_config() -> Result<()> {
    if says_yes("pkg-config", &["--exists", "webkit2gtk-4.1"]) {
        return Ok(());
    }
    bail!(
        "The window needs WebKitGTK 4.1 with its development files, which pkg-config does not find here. Install your \
         system's package of it (openSUSE: sudo zypper install webkit2gtk3-devel; Alpine: doas apk add webkit2gtk-4.1-dev), \
         or play in the browser:\n\n  cargo xtask play --browser"
    )
}

fn ensure_xcode_tools() -> Result<()> {
    if says_yes("xcode-select", &["-p"]) {
        return Ok(());
    }
    bail!("Apple's command line tools are missing. Install them, then try again:\n\n  xcode-select --install")
}

fn ensure_webview2() -> Result<()> {
    const CLIENT: &str = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";
    let roots = [r"HKLM\SOFTWARE\WOW6432Node", r"HKLM\SOFTWARE", r"HKCU\Software"];
    if roots.iter().any(|root| says_yes("reg", &["query", &format!(r"{root}\{CLIENT}")])) {
        return Ok(());
    }
    bail!(
        "Microsoft's WebView2 is missing. Install it, then try again:\n\n  winget install Microsoft.EdgeWebView2Runtime"
    )
}

/// Makes sure of Node and npm, which build the UI.
pub fn ensure_node() -> Result<()> {
    let get = "Get Node 20.19 or newer from nodejs.org, or from your system's packages.";
    let Ok(version) = output(Command::new("node").arg("--version")) else {
        bail!("Node is needed to build the UI, and `node` does not start here. {get}");
    };
    match parse_node(&version) {
        Some(found) if found >= NODE_MIN => {}
        _ => bail!("Node {} is too old to build the UI. {get}", version.trim()),
    }
    if !says_yes("npm", &["--version"]) {
        bail!("npm, which comes with Node, does not start here. {get}");
    }
    Ok(())
}

fn parse_node(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Whether a window could be opened here.
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    System::here().has_own_display() || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_told_by_their_os_release() {
        for (text, system) in [
            ("ID=debian\nVERSION_ID=\"12\"", System::Debian),
            ("NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian", System::Debian),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"", System::Debian),
            ("ID=raspbian\nID_LIKE=debian", System::Debian),
            ("ID=fedora", System::Fedora),
            ("ID=\"nobara\"\nID_LIKE=\"fedora\"", System::Fedora),
            ("ID=manjaro\nID_LIKE=arch", System::Arch),
            ("ID=void", System::OtherLinux),
            ("", System::OtherLinux),
        ] {
            assert_eq!(System::from_os_release(text), system, "{text}");
        }
    }

    #[test]
    fn tests_need_what_the_window_needs_and_more() {
        for system in [System::Debian, System::Fedora, System::Arch] {
            let (window, tests) = (system.packages(Purpose::Window), system.packages(Purpose::Tests));
            assert!(!window.is_empty() && tests.starts_with(&window) && tests.len() > window.len(), "{system:?}");
        }
    }

    #[test]
    fn node_versions_are_read() {
        assert_eq!(parse_node("v20.20.2\n"), Some((20, 20)));
        assert_eq!(parse_node("v22.1.0"), Some((22, 1)));
        assert_eq!(parse_node("what"), None);
        assert!(parse_node("v18.19.1") < Some(NODE_MIN));
    }
}
