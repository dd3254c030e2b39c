//! A local network of hosts that exist only for a test: network namespaces on one bridge, with cables to pull.
//!
//! Needs `ip`, `nft` and `ethtool`. Without root the test process starts itself again in a user namespace where it is root.

use std::ffi::OsStr;
use std::fs;
use std::net::Ipv4Addr;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::slow::{Slow, Weather};

/// Set in the copy of the process that runs in a user namespace.
const IN_USER_NAMESPACE: &str = "CAPTURE_FIVE_USER_NAMESPACE";
/// All our namespaces' names start so; the process's id follows.
const PREFIX: &str = "c5t";
const HOSTS_MAX: usize = 32;

static PREPARED: Once = Once::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Hosts 0, 1, 2 … with one interface `eth0` each, no route out and no name server. Gone, with every process on it,
/// when dropped.
pub struct Lan {
    name: String,
    hosts: usize,
    /// The third number of its addresses; several LANs of one process differ.
    net: u8,
}

impl Lan {
    pub fn new(hosts: usize) -> Result<Lan> {
        ensure!((1..=HOSTS_MAX).contains(&hosts), "1 to {HOSTS_MAX} hosts");
        PREPARED.call_once(prepare);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}n{count}", std::process::id());
        let lan = Lan { name, hosts, net: (count % 250) as u8 };
        let bridge = lan.bridge();
        ip(&["netns", "add", &bridge])?;
        ip(&["-n", &bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0"])?;
        ip(&["-n", &bridge, "link", "set", "br0", "up"])?;
        for host in 0..hosts {
            ip(&["netns", "add", &lan.namespace(host)])?;
            ip(&["-n", &lan.namespace(host), "link", "set", "lo", "up"])?;
            lan.plug(&lan.namespace(host), host, "eth0")?;
        }
        Ok(lan)
    }

    /// Lays a cable from the bridge's port `v<port>` to an interface of a host, and gives that an address.
    fn plug(&self, namespace: &str, port: usize, interface: &str) -> Result<()> {
        let (bridge, cable) = (self.bridge(), cable(port));
        ip(&["-n", &bridge, "link", "add", &cable, "type", "veth", "peer", "name", interface, "netns", namespace])?;
        ip(&["-n", &bridge, "link", "set", &cable, "master", "br0", "up"])?;
        // Without this an IPv6 address can't be used for its first second.
        let dad = format!("/proc/sys/net/ipv6/conf/{interface}/accept_dad");
        run("ip", &["netns", "exec", namespace, "sh", "-c", &format!("echo 0 > {dad} 2>/dev/null || true")])?;
        self.address_up(namespace, port, interface)
    }

    fn address_up(&self, namespace: &str, port: usize, interface: &str) -> Result<()> {
        let address = format!("{}/24", self.address(port));
        ip(&["-n", namespace, "addr", "replace", &address, "brd", "+", "dev", interface])?;
        ip(&["-n", namespace, "link", "set", interface, "up"])
    }

    /// Gives a host of another LAN a second interface, `eth1`, in this one, in the place of `port`.
    pub fn join(&self, other: &Lan, host: usize, port: usize) -> Result<()> {
        ensure!(port >= self.hosts, "the place is taken");
        self.plug(&other.namespace(host), port, "eth1")
    }

    /// The host's network namespace, as `ip netns` names it.
    pub fn namespace(&self, host: usize) -> String {
        format!("{}h{host}", self.name)
    }

    fn bridge(&self) -> String {
        format!("{}br", self.name)
    }

    pub fn address(&self, host: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 77, self.net, host as u8 + 1)
    }

    /// A command that runs on a host. The child's process id is the program's own.
    pub fn command(&self, host: usize, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace(host)]).arg(program);
        command
    }

    /// Pulls a host's cable out of the bridge.
    pub fn cut(&self, host: usize) -> Result<()> {
        ip(&["-n", &self.bridge(), "link", "set", &cable(host), "down"])
    }

    pub fn heal(&self, host: usize) -> Result<()> {
        ip(&["-n", &self.bridge(), "link", "set", &cable(host), "up"])
    }

    /// Airplane mode: the host's interface and its addresses are gone, or back.
    pub fn airplane(&self, host: usize, on: bool) -> Result<()> {
        let namespace = self.namespace(host);
        if on {
            ip(&["-n", &namespace, "addr", "flush", "dev", "eth0"])?;
            ip(&["-n", &namespace, "link", "set", "eth0", "down"])
        } else {
            self.address_up(&namespace, host, "eth0")
        }
    }

    /// Keeps these hosts from hearing each other, as access points do that isolate their clients.
    pub fn isolate(&self, hosts: &[usize], on: bool) -> Result<()> {
        let on = if on { "on" } else { "off" };
        hosts.iter().try_for_each(|host| {
            ip(&["-n", &self.bridge(), "link", "set", &cable(*host), "type", "bridge_slave", "isolated", on])
        })
    }

    /// Parts the network: hosts with the same number hear each other, and no others. [`Lan::whole`] joins them again.
    pub fn part(&self, sides: &[u8]) -> Result<()> {
        let bridge = self.bridge();
        for (host, side) in sides.iter().enumerate() {
            let other = format!("br{side}");
            if *side > 0 && ip(&["-n", &bridge, "link", "show", &other]).is_err() {
                let bare = ["type", "bridge", "mcast_snooping", "0", "forward_delay", "0"];
                ip(&[&["-n", &bridge, "link", "add", &other][..], &bare].concat())?;
                ip(&["-n", &bridge, "link", "set", &other, "up"])?;
            }
            ip(&["-n", &bridge, "link", "set", &cable(host), "master", &other])?;
        }
        Ok(())
    }

    /// Ends a parting.
    pub fn whole(&self) -> Result<()> {
        self.part(&vec![0; self.hosts])
    }

    /// Two hosts get each other's addresses, as after leases that ran out.
    pub fn swap_addresses(&self, one: usize, other: usize) -> Result<()> {
        for host in [one, other] {
            ip(&["-n", &self.namespace(host), "addr", "flush", "dev", "eth0", "scope", "global"])?;
        }
        for (host, place) in [(one, other), (other, one)] {
            self.address_up(&self.namespace(host), place, "eth0")?;
        }
        Ok(())
    }

    /// Whether a host has a way out of its own network.
    pub fn has_default_route(&self, host: usize) -> Result<bool> {
        let output = Command::new("ip").args(["-n", &self.namespace(host), "route", "show", "default"]).output()?;
        Ok(!output.stdout.is_empty())
    }

    /// A firewall on a host that lets in only what answers its own packets, and mDNS.
    pub fn firewall(&self, host: usize) -> Result<()> {
        let rules = "table inet wall { chain input { type filter hook input priority 0; policy drop; iifname \"lo\" accept; \
                     ct state established,related accept; udp dport 5353 accept; meta l4proto ipv6-icmp accept; }; };";
        run("ip", &["netns", "exec", &self.namespace(host), "nft", rules])
    }

    /// Loses so many of a hundred packets that come in at a host.
    pub fn loss(&self, host: usize, percent: u8) -> Result<()> {
        let rules = format!(
            "table inet loss {{ chain input {{ type filter hook input priority -300; policy accept; \
             iifname \"eth0\" numgen random mod 100 < {percent} drop; }}; }};"
        );
        run("ip", &["netns", "exec", &self.namespace(host), "nft", &rules])
    }
}

impl Lan {
    /// Slows a host's cable: every frame to and from it takes `delay` longer, until the answer is dropped.
    pub fn slow(&self, host: usize, delay: Duration) -> Result<Slow> {
        self.weather(host, Weather::delay(delay))
    }

    /// Lays bad weather over a host's cable, until the answer is dropped (then it carries nothing).
    pub fn weather(&self, host: usize, weather: Weather) -> Result<Slow> {
        let bridge = self.bridge();
        let (host_side, bridge_side, port) = (cable(host), format!("s{host}"), format!("t{host}"));
        // Cards fill in checksums and cut large packets late; frames that a program carries must be whole.
        for other in 0..self.hosts {
            self.offload_nothing(&self.namespace(other), "eth0")?;
        }
        ip(&["-n", &bridge, "link", "add", &bridge_side, "type", "veth", "peer", "name", &port])?;
        self.offload_nothing(&bridge, &bridge_side)?;
        self.offload_nothing(&bridge, &port)?;
        ip(&["-n", &bridge, "link", "set", &host_side, "nomaster"])?;
        ip(&["-n", &bridge, "link", "set", &port, "master", "br0", "up"])?;
        ip(&["-n", &bridge, "link", "set", &bridge_side, "up"])?;
        Slow::between(&bridge, &host_side, &bridge_side, self.card(host)?, weather)
    }

    fn offload_nothing(&self, namespace: &str, interface: &str) -> Result<()> {
        let ethtool = ["netns", "exec", namespace, "ethtool", "-K", interface];
        run("ip", &[&ethtool[..], &["tx", "off", "tso", "off", "gso", "off", "gro", "off"]].concat())
    }

    /// The hardware address of a host's interface.
    fn card(&self, host: usize) -> Result<[u8; 6]> {
        let show = ["netns", "exec", &self.namespace(host), "cat", "/sys/class/net/eth0/address"];
        let output = Command::new("ip").args(show).output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let bytes: Vec<u8> = text.split(':').filter_map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
        bytes.try_into().map_err(|_| anyhow::anyhow!("{text:?} is no hardware address"))
    }
}

/// Moves the calling thread into a network namespace.
pub fn enter(namespace: &fs::File) -> Result<()> {
    nix::sched::setns(namespace, nix::sched::CloneFlags::CLONE_NEWNET).context("cannot enter the host's network")
}

impl Drop for Lan {
    fn drop(&mut self) {
        let mut namespaces: Vec<String> = (0..self.hosts).map(|host| self.namespace(host)).collect();
        namespaces.push(self.bridge());
        for namespace in namespaces {
            remove(&namespace);
        }
    }
}

fn cable(port: usize) -> String {
    format!("v{port}")
}

fn ip(arguments: &[&str]) -> Result<()> {
    run("ip", arguments)
}

fn run(program: &str, arguments: &[&str]) -> Result<()> {
    let output = Command::new(program).args(arguments).output().with_context(|| format!("{program} does not run"))?;
    if !output.status.success() {
        bail!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// Ends what still runs in a namespace, which only a test of ours can have started, and takes it away.
fn remove(namespace: &str) {
    if let Ok(output) = Command::new("ip").args(["netns", "pids", namespace]).output() {
        let own = std::process::id().to_string();
        for pid in String::from_utf8_lossy(&output.stdout).split_whitespace().filter(|pid| *pid != own) {
            // It may have ended meanwhile.
            let _ = Command::new("kill").args(["-9", pid]).status();
        }
    }
    let _ = ip(&["netns", "del", namespace]);
}

/// Becomes root in a namespace of our own if need be, and takes away what killed tests have left.
fn prepare() {
    let root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !root && std::env::var_os(IN_USER_NAMESPACE).is_none() {
        let mut again = Command::new("unshare");
        again.args(["-Urnm", "--pid", "--fork", "--mount-proc", "--kill-child", "--"]);
        again.args(std::env::current_exe()).args(std::env::args_os().skip(1)).env(IN_USER_NAMESPACE, "1");
        // The whole process, so that every test is root from its beginning.
        let error = again.exec();
        panic!("no user namespace for the test's network: {error}");
    }
    if std::env::var_os(IN_USER_NAMESPACE).is_some() {
        run("mount", &["-t", "tmpfs", "tmpfs", "/run"]).expect("a /run of our own");
        fs::create_dir_all("/run/netns").expect("a folder in our own /run");
    }
    let Ok(folder) = fs::read_dir("/run/netns") else { return };
    for entry in folder.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('n').next()).map(str::to_string);
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            remove(&name);
        }
    }
}
