//! The lightest question that only a QUIC endpoint answers: a packet of a version that nobody speaks, to which it
//! must say which versions it does speak (RFC 8999, section 6). No key, no handshake, no state on the other side.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::UdpSocket;

/// Reserved for this purpose (RFC 9000, section 15).
const NO_VERSION: u32 = 0x1a2a_3a4a;
/// Endpoints answer no smaller packet, lest they be used to multiply traffic.
const PROBE_BYTES: usize = 1200;
const ANSWER_BYTES_MAX: usize = 2048;
const AFTER_ERROR: Duration = Duration::from_millis(100);

/// Names the device that is asked; comes back with its answer.
pub(crate) type Token = u64;

/// Sockets of its own, since the endpoint's takes QUIC's answers for itself.
pub(crate) struct Prober {
    v4: Option<UdpSocket>,
    v6: Option<UdpSocket>,
}

impl Prober {
    pub async fn open() -> Prober {
        let v4 = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).await.ok();
        let v6 = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)).await.ok();
        Prober { v4, v6 }
    }

    pub async fn ask(&self, token: Token, address: SocketAddr) {
        let socket = if address.is_ipv4() { &self.v4 } else { &self.v6 };
        if let Some(socket) = socket {
            // What can't be sent is not answered, and that is what counts.
            let _ = socket.send_to(&question(token), address).await;
        }
    }

    /// The next answer. Safe to cancel.
    pub async fn answer(&self) -> (Token, SocketAddr) {
        let (mut four, mut six) = ([0; ANSWER_BYTES_MAX], [0; ANSWER_BYTES_MAX]);
        loop {
            let (received, buffer) = tokio::select! {
                received = receive(&self.v4, &mut four) => (received, &four),
                received = receive(&self.v6, &mut six) => (received, &six),
            };
            match received {
                Ok((length, from)) => {
                    if let Some(token) = token(&buffer[..length]) {
                        return (token, from);
                    }
                }
                // Some systems report here that an earlier packet found nobody.
                Err(_) => tokio::time::sleep(AFTER_ERROR).await,
            }
        }
    }
}

async fn receive(socket: &Option<UdpSocket>, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
    match socket {
        Some(socket) => socket.recv_from(buffer).await,
        None => std::future::pending().await,
    }
}

/// A long header: form, version, destination and source connection ids with their lengths, then padding.
fn question(token: Token) -> Vec<u8> {
    let mut packet = vec![0xc0];
    packet.extend(NO_VERSION.to_be_bytes());
    for _ in 0..2 {
        packet.push(8);
        packet.extend(token.to_be_bytes());
    }
    packet.resize(PROBE_BYTES, 0);
    packet
}

/// The token of a version negotiation packet: it has version 0 and both our ids.
pub(crate) fn token(packet: &[u8]) -> Option<Token> {
    let (head, versions) = packet.split_at_checked(23)?;
    let token: [u8; 8] = head[6..14].try_into().ok()?;
    let sound = head[0] & 0x80 != 0 && head[1..5] == [0; 4] && head[5] == 8 && head[14] == 8;
    (sound && head[15..23] == token && !versions.is_empty()).then(|| Token::from_be_bytes(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_negotiation_with_our_ids_is_an_answer() {
        let mut answer = question(7);
        assert_eq!(token(&answer), None);
        answer[1..5].fill(0);
        assert_eq!(token(&answer), Some(7));
        for at in [0, 1, 5, 6, 14, 15, 22] {
            let mut other = answer.clone();
            other[at] ^= 0xff;
            assert_eq!(token(&other), None, "byte {at}");
        }
        for length in 0..=23 {
            assert_eq!(token(&answer[..length]), None);
        }
    }
}
