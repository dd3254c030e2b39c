//! Devices in network namespaces find each other by mDNS, link, and notice what goes and what comes back.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tests::lan::Lan;

/// Far beyond anything that should take so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// Long enough for what must not happen to happen, if it does.
const WHILE: Duration = Duration::from_secs(6);

struct Node {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    device: String,
}

impl Node {
    fn start(lan: &Lan, host: usize) -> Result<Node> {
        Node::with_key(lan, host, host)
    }

    fn with_key(lan: &Lan, host: usize, key: usize) -> Result<Node> {
        let mut command = lan.command(host, env!("CARGO_BIN_EXE_net_node"));
        command.arg(key.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().context("stdin")?;
        let stdout = BufReader::new(child.stdout.take().context("stdout")?);
        let (send, lines) = channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        let mut node = Node { child, stdin, lines, device: String::new() };
        node.device = node.wait("started ")?.split_off("started ".len());
        Ok(node)
    }

    fn tell(&mut self, command: &str) -> Result<()> {
        writeln!(self.stdin, "{command}").context("the node has ended")
    }

    /// Waits for a line that starts so.
    fn wait(&mut self, start: &str) -> Result<String> {
        let since = Instant::now();
        let mut heard = vec![];
        while since.elapsed() < PATIENCE {
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) if line.starts_with(start) => {
                    println!("{start:?} after {:?}", since.elapsed());
                    return Ok(line);
                }
                Ok(line) => heard.push(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("ended instead of {start:?}, after {heard:#?}"),
            }
        }
        bail!("no {start:?}, but {heard:#?}")
    }

    /// All lines of a while.
    fn hear(&mut self, length: Duration) -> Vec<String> {
        std::thread::sleep(length);
        self.lines.try_iter().collect()
    }

    /// Stops the process, or lets it go on.
    fn signal(&self, signal: &str) -> Result<()> {
        let pid = self.child.id().to_string();
        ensure!(Command::new("kill").args([signal, &pid]).status()?.success(), "{signal} was not sent");
        Ok(())
    }

    fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn ip_of(line: &str) -> &str {
    line.rsplit(' ').next().unwrap_or_default()
}

#[test]
fn a_table_is_listed_once_changed_and_taken_back() -> Result<()> {
    let lan = Lan::new(3)?;
    let (mut a, mut b, mut c) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?, Node::start(&lan, 2)?);
    a.tell("announce 7 Anna 1")?;
    let listed = b.wait("listed 7 Anna 1 ")?;
    ensure!(ip_of(&listed).starts_with(&lan.address(0).to_string()), "{listed}");
    c.wait("listed 7 Anna 1 ")?;
    c.tell("announce 7 Anna 2")?;
    c.wait("unlisted 7")?;
    let mut listed = b.wait("listed 7 Anna 2 ")?;
    if !ip_of(&listed).contains(',') {
        listed = b.wait("listed 7 ")?;
    }
    ensure!(ip_of(&listed).contains(&lan.address(2).to_string()), "{listed}");
    c.tell("announce")?;
    c.wait("listed 7 Anna 1 ")?;
    let heard = a.hear(Duration::from_secs(2));
    ensure!(!heard.iter().any(|line| line.starts_with("listed")), "its own table was listed: {heard:#?}");
    a.tell("announce")?;
    b.wait("unlisted 7")?;
    c.wait("unlisted 7")?;
    a.tell("announce 7 Anna 3")?;
    b.wait("listed 7 Anna 3 ")?;
    let heard = b.hear(WHILE);
    ensure!(!heard.iter().any(|line| line.starts_with("unlisted")), "{heard:#?}");
    Ok(())
}

#[test]
fn a_killed_device_s_table_goes_also_when_the_device_is_back_without_it() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    a.tell("announce 7 Anna 1")?;
    b.wait("listed 7 ")?;
    a.kill()?;
    b.wait("unlisted 7")?;
    let mut a = Node::start(&lan, 0)?;
    a.tell("announce 8 Anna 1")?;
    b.wait("listed 8 ")?;
    // Till nothing is left of what it announced before.
    b.hear(Duration::from_secs(3));
    a.kill()?;
    let mut a = Node::start(&lan, 0)?;
    b.wait("unlisted 8")?;
    a.tell("announce 9 Anna 1")?;
    b.wait("listed 9 ")?;
    let heard = b.hear(WHILE);
    ensure!(!heard.iter().any(|line| line.starts_with("unlisted")), "{heard:#?}");
    Ok(())
}

#[test]
fn a_cable_pulled_and_put_back_and_airplane_mode() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 1")?;
    }
    a.wait(&format!("up 7 {}", b.device))?;
    b.wait(&format!("up 7 {}", a.device))?;
    let pull = |host: usize, on: bool| if on { lan.cut(host) } else { lan.heal(host) };
    let airplane = |host: usize, on: bool| lan.airplane(host, on);
    let troubles: [&dyn Fn(usize, bool) -> Result<()>; 2] = [&pull, &airplane];
    for trouble in troubles {
        for host in [0, 1] {
            trouble(host, true)?;
            a.wait("down 7")?;
            b.wait("down 7")?;
            trouble(host, false)?;
            a.wait("up 7")?;
            b.wait("up 7")?;
        }
    }
    Ok(())
}

#[test]
fn a_listed_table_comes_back_with_the_interface() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    a.tell("announce 7 Anna 1")?;
    b.wait("listed 7 ")?;
    for host in [0, 1] {
        lan.airplane(host, true)?;
        b.wait("unlisted 7")?;
        lan.airplane(host, false)?;
        b.wait("listed 7 ")?;
    }
    lan.isolate(&[0, 1], true)?;
    b.wait("unlisted 7")?;
    lan.isolate(&[0, 1], false)?;
    b.wait("listed 7 ")?;
    Ok(())
}

#[test]
fn all_who_announce_a_table_are_linked_each_once() -> Result<()> {
    let lan = Lan::new(4)?;
    let mut nodes: Vec<Node> = (0..4).map(|host| Node::start(&lan, host)).collect::<Result<_>>()?;
    for node in &mut nodes {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 4")?;
    }
    for node in &mut nodes {
        for _ in 0..3 {
            node.wait("up 7 ")?;
        }
    }
    for node in &mut nodes {
        node.tell(&format!("say 7 {}", node.device))?;
    }
    let devices: Vec<String> = nodes.iter().map(|node| node.device.clone()).collect();
    for node in &mut nodes {
        let mut said: Vec<String> = (0..3).map(|_| node.wait("said 7 ")).collect::<Result<_>>()?;
        said.sort();
        let mut others: Vec<String> =
            devices.iter().filter(|d| **d != node.device).map(|d| format!("said 7 {d}")).collect();
        others.sort();
        ensure!(said == others, "{said:?}");
    }
    nodes.iter_mut().try_for_each(|node| {
        let heard = node.hear(Duration::from_millis(500));
        ensure!(!heard.iter().any(|line| line.starts_with("up") || line.starts_with("down")), "{heard:#?}");
        Ok(())
    })
}

#[test]
fn a_killed_and_restarted_device_is_linked_again() -> Result<()> {
    let lan = Lan::new(2)?;
    let mut nodes = [Node::start(&lan, 0)?, Node::start(&lan, 1)?];
    let join = |node: &mut Node| {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 2")
    };
    nodes.iter_mut().try_for_each(join)?;
    nodes.iter_mut().try_for_each(|node| node.wait("up 7 ").map(|_| ()))?;
    for host in [0, 1, 0, 1] {
        nodes[host].kill()?;
        nodes[host] = Node::start(&lan, host)?;
        join(&mut nodes[host])?;
        nodes[1 - host].wait("down 7 ")?;
        nodes[1 - host].wait("up 7 ")?;
        nodes[host].wait("up 7 ")?;
    }
    Ok(())
}

#[test]
fn a_host_in_two_networks_is_found_in_both() -> Result<()> {
    let (one, two) = (Lan::new(2)?, Lan::new(1)?);
    two.join(&one, 0, 1)?;
    let mut middle = Node::start(&one, 0)?;
    let mut left = Node::start(&one, 1)?;
    let mut right = Node::with_key(&two, 0, 2)?;
    for node in [&mut middle, &mut left, &mut right] {
        node.tell("follow 7")?;
    }
    middle.tell("announce 7 Anna 1")?;
    for node in [&mut left, &mut right] {
        node.wait("listed 7 ")?;
        let up = node.wait(&format!("up 7 {}", middle.device))?;
        let expected = if up.ends_with(&one.address(0).to_string()) { one.address(0) } else { two.address(1) };
        ensure!(up.ends_with(&expected.to_string()), "{up}");
    }
    Ok(())
}

#[test]
fn links_come_and_hold_where_a_fifth_is_lost() -> Result<()> {
    let lan = Lan::new(2)?;
    lan.loss(0, 20)?;
    lan.loss(1, 20)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 1")?;
    }
    a.wait("up 7 ")?;
    b.wait("up 7 ")?;
    for n in 0..50 {
        a.tell(&format!("say 7 {n}"))?;
        ensure!(b.wait("said 7 ")? == format!("said 7 {n}"), "out of order");
    }
    let heard = a.hear(Duration::from_millis(1));
    ensure!(!heard.iter().any(|line| line.starts_with("down")), "{heard:#?}");
    Ok(())
}

#[test]
fn a_host_that_lets_nobody_in_dials_out() -> Result<()> {
    for closed in [0, 1] {
        let lan = Lan::new(2)?;
        lan.firewall(closed)?;
        let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
        for node in [&mut a, &mut b] {
            node.tell("follow 7")?;
            node.tell("announce 7 Anna 1")?;
        }
        a.wait("up 7 ")?;
        b.wait("up 7 ")?;
    }
    Ok(())
}

#[test]
fn noise_on_all_ports_harms_nobody() -> Result<()> {
    let lan = Lan::new(3)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    let noise = format!(
        "for n in $(seq 300); do for port in 5353 40515; do head -c $((n * 4)) /dev/urandom > /dev/udp/{}/$port; done; done",
        lan.address(0)
    );
    let mut noise = lan.command(2, "bash").args(["-c", &noise]).spawn()?;
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 1")?;
    }
    a.wait("up 7 ")?;
    b.wait("up 7 ")?;
    ensure!(noise.wait()?.success(), "no noise was made");
    a.tell("say 7 still-there")?;
    b.wait("said 7 still-there")?;
    Ok(())
}

/// Runs `ip` on a host.
fn ip(lan: &Lan, host: usize, arguments: &str) -> Result<()> {
    let done = lan.command(host, "ip").args(arguments.split_whitespace()).status()?;
    ensure!(done.success(), "ip {arguments}");
    Ok(())
}

/// Two nodes that announce table 7 and are linked.
fn linked(lan: &Lan) -> Result<(Node, Node)> {
    let (mut a, mut b) = (Node::start(lan, 0)?, Node::start(lan, 1)?);
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 1")?;
    }
    a.wait("up 7")?;
    b.wait("up 7")?;
    Ok((a, b))
}

#[test]
fn a_host_that_gets_another_address_is_linked_again_at_that() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = linked(&lan)?;
    for (host, number) in [(1, 101), (0, 102)] {
        let (before, after) = (lan.address(host), format!("10.77.{}.{number}", lan.address(host).octets()[2]));
        ip(&lan, host, &format!("addr del {before}/24 dev eth0"))?;
        ip(&lan, host, &format!("addr add {after}/24 brd + dev eth0"))?;
        let (moved, other) = if host == 0 { (&mut a, &mut b) } else { (&mut b, &mut a) };
        moved.wait("down 7")?;
        other.wait("down 7")?;
        moved.wait("up 7")?;
        let up = other.wait("up 7")?;
        ensure!(ip_of(&up) == after, "{up}");
    }
    a.tell("say 7 there")?;
    b.wait("said 7 there")?;
    Ok(())
}

#[test]
fn a_device_that_was_stopped_makes_its_links_anew() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = linked(&lan)?;
    for _ in 0..2 {
        a.signal("-STOP")?;
        b.wait("down 7")?;
        std::thread::sleep(Duration::from_secs(3));
        a.signal("-CONT")?;
        a.wait("woke")?;
        a.wait("up 7")?;
        b.wait("up 7")?;
    }
    a.tell("say 7 awake")?;
    b.wait("said 7 awake")?;
    Ok(())
}

#[test]
fn of_two_networks_one_goes_and_the_link_goes_over_the_other() -> Result<()> {
    let (one, two) = (Lan::new(2)?, Lan::new(1)?);
    two.join(&one, 0, 1)?;
    two.join(&one, 1, 2)?;
    let (mut a, mut b) = (Node::start(&one, 0)?, Node::start(&one, 1)?);
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
        node.tell("announce 7 Anna 1")?;
    }
    a.wait("up 7")?;
    let up = b.wait("up 7")?;
    let (first, second) = (one.address(0).to_string(), two.address(1).to_string());
    let (interface, other) = if ip_of(&up) == first { ("eth0", second) } else { ("eth1", first) };
    ip(&one, 0, &format!("addr flush dev {interface}"))?;
    ip(&one, 0, &format!("link set {interface} down"))?;
    a.wait("down 7")?;
    b.wait("down 7")?;
    a.wait("up 7")?;
    let up = b.wait("up 7")?;
    ensure!(ip_of(&up) == other, "{up}");
    Ok(())
}

#[test]
fn an_interface_that_is_away_for_long_brings_the_tables_back() -> Result<()> {
    let lan = Lan::new(2)?;
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    a.tell("announce 7 Anna 1")?;
    b.wait("listed 7 ")?;
    lan.airplane(1, true)?;
    b.wait("unlisted 7")?;
    // Long enough that a record that nobody renews would be asked for in vain several times.
    std::thread::sleep(Duration::from_secs(20));
    lan.airplane(1, false)?;
    b.wait("listed 7 ")?;
    let heard = b.hear(WHILE);
    ensure!(!heard.iter().any(|line| line.starts_with("unlisted")), "{heard:#?}");
    Ok(())
}

#[test]
fn a_table_goes_with_a_device_that_was_killed_just_after_announcing_it() -> Result<()> {
    let lan = Lan::new(2)?;
    let mut b = Node::start(&lan, 1)?;
    for pause in [0, 300, 900] {
        let mut a = Node::start(&lan, 0)?;
        // Its record of no table is known by then.
        std::thread::sleep(Duration::from_secs(2));
        a.tell("announce 7 Anna 1")?;
        b.wait("listed 7 ")?;
        std::thread::sleep(Duration::from_millis(pause));
        a.kill()?;
        let mut a = Node::start(&lan, 0)?;
        b.wait("unlisted 7")?;
        let heard = b.hear(WHILE);
        ensure!(!heard.iter().any(|line| line.starts_with("listed")), "{heard:#?}");
        a.kill()?;
    }
    Ok(())
}

#[test]
fn a_tunnel_s_address_comes_last() -> Result<()> {
    let lan = Lan::new(2)?;
    for host in [0, 1] {
        ip(&lan, host, "link add tun7 type veth peer name end7")?;
        ip(&lan, host, &format!("addr add 10.9.0.{}/24 dev tun7", host + 1))?;
        ip(&lan, host, "link set tun7 up")?;
        ip(&lan, host, "link set end7 up")?;
    }
    let (mut a, mut b) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?);
    a.tell("announce 7 Anna 1")?;
    let own = lan.address(0).to_string();
    let listed = b.wait("listed 7 ")?;
    ensure!(ip_of(&listed).split(',').next() == Some(&own), "{listed}");
    for node in [&mut a, &mut b] {
        node.tell("follow 7")?;
    }
    let up = b.wait("up 7")?;
    ensure!(ip_of(&up) == own, "{up}");
    Ok(())
}

#[test]
fn two_devices_of_one_name_are_two_tables_and_a_table_opened_again_stays() -> Result<()> {
    let lan = Lan::new(3)?;
    let (mut a, mut b, mut c) = (Node::start(&lan, 0)?, Node::start(&lan, 1)?, Node::start(&lan, 2)?);
    a.tell("announce 7 iPad 1")?;
    c.wait("listed 7 iPad")?;
    b.tell("announce 8 iPad 1")?;
    c.wait("listed 8 iPad")?;
    a.tell("announce")?;
    c.wait("unlisted 7")?;
    a.tell("announce 7 iPad 1")?;
    c.wait("listed 7 iPad")?;
    let heard = c.hear(Duration::from_secs(30));
    ensure!(!heard.iter().any(|line| line.starts_with("unlisted")), "{heard:#?}");
    Ok(())
}
