//! This device's addresses, and which of another's are worth trying first.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use if_addrs::{IfAddr, Interface};

use crate::invite::Place;
use crate::limits::{ADDRESSES_MAX, PORT_PREFERRED};

/// How good an address is for reaching a device in the same room, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// In a network that an interface of ours is in.
    Ours,
    Private,
    Public,
    Tunnel,
    Loopback,
}

/// The networks that this device's interfaces are in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Networks {
    networks: Vec<Network>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Network {
    tunnel: bool,
    address: IpAddr,
    prefix: u8,
}

impl Networks {
    pub fn new(interfaces: &[Interface]) -> Networks {
        let mut networks: Vec<Network> = interfaces
            .iter()
            .filter(|interface| reachable(interface.ip()))
            .map(|interface| Network {
                tunnel: is_tunnel(interface),
                address: interface.ip(),
                prefix: match &interface.addr {
                    IfAddr::V4(address) => address.prefixlen,
                    IfAddr::V6(address) => address.prefixlen,
                },
            })
            .collect();
        networks.sort();
        networks.dedup();
        Networks { networks }
    }

    /// Networks as a test needs them: an own address, the bits of its prefix, whether it is a tunnel's.
    #[cfg(test)]
    pub fn of(list: &[(&str, u8, bool)]) -> Networks {
        let network = |(address, prefix, tunnel): &(&str, u8, bool)| Network {
            address: address.parse().unwrap(),
            prefix: *prefix,
            tunnel: *tunnel,
        };
        Networks { networks: list.iter().map(network).collect() }
    }

    /// Where others reach this device, the best first; loopback only where there is nothing else.
    pub fn own(&self, port: u16) -> Vec<SocketAddr> {
        let mut own: Vec<(Kind, IpAddr)> = self
            .networks
            .iter()
            .map(|network| {
                let kind = if network.tunnel { Kind::Tunnel } else { kind_alone(network.address) };
                (kind, network.address)
            })
            .collect();
        own.sort();
        if own.iter().any(|(kind, _)| *kind != Kind::Loopback) {
            own.retain(|(kind, _)| *kind != Kind::Loopback);
        }
        own.truncate(ADDRESSES_MAX);
        own.into_iter().map(|(_, address)| SocketAddr::new(address, port)).collect()
    }

    /// Every own address, whatever its kind.
    pub fn all(&self) -> Vec<IpAddr> {
        self.networks.iter().map(|network| network.address).collect()
    }

    /// Whether a link to this address may be dead now that the networks are those: the own address that it came from
    /// may be gone.
    pub fn lost(&self, now: &Networks, remote: IpAddr) -> bool {
        let gone = |network: &&Network| !now.networks.iter().any(|other| other.address == network.address);
        let mut gone = self.networks.iter().filter(gone).peekable();
        // What is in none of them goes by whichever leads out.
        let is_routed = !now.networks.iter().any(|network| network.holds(remote));
        gone.peek().is_some() && (is_routed || gone.any(|network| network.holds(remote)))
    }

    /// Where an invite can lead others to, the best first: never loopback, where everybody finds but themselves.
    pub fn invites(&self, port: u16) -> Vec<SocketAddr> {
        self.own(port).into_iter().filter(|address| !address.ip().is_loopback()).collect()
    }

    /// Where a code leads to this device; `None` without IPv4. Whoever is in the same network shares the first two
    /// bytes of the address, unless the network is a larger one or a tunnel.
    pub fn place(&self, port: u16) -> Option<Place> {
        let v4 = |address: &SocketAddr| match address.ip() {
            IpAddr::V4(v4) => Some(v4),
            IpAddr::V6(_) => None,
        };
        let address = self.invites(port).iter().find_map(v4)?;
        let network = self.networks.iter().find(|network| network.address == IpAddr::V4(address))?;
        let [_, _, c, d] = address.octets();
        let near = port == PORT_PREFERRED && network.prefix >= 16 && !network.tunnel;
        Some(if near { Place::Near([c, d]) } else { Place::At(address, port) })
    }

    fn kind(&self, address: IpAddr) -> Kind {
        let network = self.networks.iter().find(|network| network.holds(address));
        match network {
            _ if address.is_loopback() => Kind::Loopback,
            Some(network) if network.tunnel => Kind::Tunnel,
            Some(_) => Kind::Ours,
            None => kind_alone(address),
        }
    }

    /// Another device's addresses, the best first.
    pub fn sort(&self, addresses: &mut [SocketAddr]) {
        addresses.sort_by_key(|address| (self.kind(address.ip()), *address));
    }

    /// The same in groups of one kind; what can't be reached at all is left out.
    pub fn by_kind(&self, addresses: &[SocketAddr]) -> Vec<Vec<SocketAddr>> {
        let mut addresses: Vec<SocketAddr> = addresses.iter().copied().filter(|a| reachable(a.ip())).collect();
        self.sort(&mut addresses);
        addresses.chunk_by(|a, b| self.kind(a.ip()) == self.kind(b.ip())).map(<[SocketAddr]>::to_vec).collect()
    }
}

impl Network {
    fn holds(&self, other: IpAddr) -> bool {
        match (self.address, other) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix.min(32))).unwrap_or(0);
                u32::from(own) & mask == u32::from(other) & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.prefix.min(128))).unwrap_or(0);
                u128::from(own) & mask == u128::from(other) & mask
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// Judged by the address alone.
fn kind_alone(address: IpAddr) -> Kind {
    match address {
        address if address.is_loopback() => Kind::Loopback,
        // 100.64/10 is what carriers and VPN meshes hand out.
        IpAddr::V4(v4) if v4.octets()[0] == 100 && v4.octets()[1] & 0xc0 == 64 => Kind::Tunnel,
        IpAddr::V4(v4) if v4.is_private() || v4.is_link_local() => Kind::Private,
        IpAddr::V6(v6) if v6.is_unique_local() => Kind::Private,
        IpAddr::V4(_) | IpAddr::V6(_) => Kind::Public,
    }
}

/// Whether a device can be at this address at all. An IPv6 link-local address lacks the scope that it needs; 192.0.0/24
/// is what phones give themselves behind a translated network, and nobody else reaches.
pub(crate) fn reachable(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            a != 0 && !v4.is_multicast() && v4 != Ipv4Addr::BROADCAST && [a, b, c] != [192, 0, 0]
        }
        IpAddr::V6(v6) => !v6.is_unspecified() && !v6.is_multicast() && !v6.is_unicast_link_local(),
    }
}

/// Point-to-point interfaces, and those whose names say what they are.
fn is_tunnel(interface: &Interface) -> bool {
    const NAMES: [&str; 8] = ["tun", "tap", "wg", "utun", "ppp", "tailscale", "zt", "ipsec"];
    interface.is_p2p || NAMES.iter().any(|name| interface.name.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(list: &[(&str, u8, bool)]) -> Networks {
        Networks::of(list)
    }

    #[test]
    fn the_own_network_is_tried_first_and_tunnels_and_loopback_last() {
        let own = networks(&[("127.0.0.1", 8, false), ("192.168.4.7", 24, false), ("10.8.0.2", 24, true)]);
        let addresses = [
            "127.0.0.1:1",
            "10.8.0.9:1",
            "100.100.3.4:1",
            "8.8.8.8:1",
            "10.0.0.1:1",
            "192.168.4.9:1",
            "[fe80::1]:1",
            "0.0.0.0:1",
            "224.0.0.251:1",
            "192.0.0.4:1",
            "[fd00::5]:1",
            "255.255.255.255:1",
        ];
        let addresses: Vec<SocketAddr> = addresses.iter().map(|a| a.parse().unwrap()).collect();
        let kinds = own.by_kind(&addresses);
        let text: Vec<Vec<String>> = kinds.iter().map(|kind| kind.iter().map(ToString::to_string).collect()).collect();
        let expected: [&[&str]; 5] = [
            &["192.168.4.9:1"],
            &["10.0.0.1:1", "[fd00::5]:1"],
            &["8.8.8.8:1"],
            &["10.8.0.9:1", "100.100.3.4:1"],
            &["127.0.0.1:1"],
        ];
        assert_eq!(text, expected);
    }

    #[test]
    fn loopback_is_told_only_where_there_is_nothing_else() {
        let text = |networks: &Networks| networks.own(9).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(text(&networks(&[("127.0.0.1", 8, false)])), ["127.0.0.1:9"]);
        let both = networks(&[("127.0.0.1", 8, false), ("10.8.0.2", 24, true), ("192.168.4.7", 24, false)]);
        assert_eq!(text(&both), ["192.168.4.7:9", "10.8.0.2:9"]);
        assert_eq!(text(&networks(&[])), [] as [&str; 0]);
    }

    #[test]
    fn a_code_is_short_where_the_usual_port_and_an_ordinary_network_allow_it() {
        let home = networks(&[("127.0.0.1", 8, false), ("192.168.4.7", 24, false), ("10.8.0.2", 24, true)]);
        assert_eq!(home.place(PORT_PREFERRED), Some(Place::Near([4, 7])));
        assert_eq!(home.place(9), Some(Place::At([192, 168, 4, 7].into(), 9)));
        let wide = networks(&[("10.1.2.3", 8, false)]);
        assert_eq!(wide.place(PORT_PREFERRED), Some(Place::At([10, 1, 2, 3].into(), PORT_PREFERRED)));
        let tunnel = networks(&[("100.64.0.9", 32, true)]);
        assert_eq!(tunnel.place(PORT_PREFERRED), Some(Place::At([100, 64, 0, 9].into(), PORT_PREFERRED)));
        assert_eq!(networks(&[("fd00::2", 64, false)]).place(PORT_PREFERRED), None);
        assert_eq!(networks(&[]).place(PORT_PREFERRED), None);
    }

    #[test]
    fn nobody_is_invited_to_loopback() {
        let alone = networks(&[("127.0.0.1", 8, false), ("::1", 128, false)]);
        assert_eq!((alone.place(9), alone.place(PORT_PREFERRED)), (None, None));
        assert_eq!(alone.invites(9), []);
        let six = networks(&[("127.0.0.1", 8, false), ("fd00::2", 64, false)]);
        assert_eq!(six.place(9), None);
        assert_eq!(six.invites(9), ["[fd00::2]:9".parse().unwrap()]);
    }

    #[test]
    fn links_are_lost_with_the_address_that_they_came_from() {
        let home = ("192.168.4.7", 24, false);
        let (one, two) = (networks(&[home]), networks(&[home, ("172.17.0.1", 16, false)]));
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        // Another network comes, goes, and goes with links in it or over it.
        assert!(!one.lost(&two, ip("192.168.4.9")));
        assert!(!two.lost(&one, ip("192.168.4.9")));
        assert!(two.lost(&one, ip("172.17.0.5")));
        assert!(two.lost(&one, ip("8.8.8.8")));
        // The same network at another address.
        let moved = networks(&[("192.168.4.8", 24, false)]);
        assert!(one.lost(&moved, ip("192.168.4.9")));
        assert!(one.lost(&networks(&[]), ip("192.168.4.9")));
    }
}
