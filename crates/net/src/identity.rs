//! A device's identity: its Ed25519 key, the certificate that carries it, the id that follows from it.

use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::server::ParsedCertificate;
use table::DeviceId;

use crate::NetError;

/// DER of a PKCS #8 Ed25519 private key up to its 32 bytes (RFC 8410, section 7).
const PKCS8_PREFIX: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
/// DER of an Ed25519 public key up to its 32 bytes (RFC 8410, section 4), without the outer sequence's header.
const PUBLIC_PREFIX: [u8; 10] = [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

pub(crate) struct Identity {
    pub device: DeviceId,
    pub certificate: CertificateDer<'static>,
    pub key: PrivatePkcs8KeyDer<'static>,
}

impl Identity {
    pub fn new(secret: &[u8; 32]) -> Result<Identity, NetError> {
        let failed = |error: rcgen::Error| NetError::Certificate(error.to_string());
        let key = PrivatePkcs8KeyDer::from([&PKCS8_PREFIX[..], secret].concat());
        let pair = rcgen::KeyPair::try_from(&key).map_err(failed)?;
        let mut params = rcgen::CertificateParams::new(vec![]).map_err(failed)?;
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(rcgen::DnType::CommonName, "capture-five");
        let certificate = params.self_signed(&pair).map_err(failed)?.der().clone();
        let public = ed25519_dalek::SigningKey::from_bytes(secret).verifying_key();
        Ok(Identity { device: device_id(public.as_bytes()), certificate, key })
    }
}

fn device_id(public: &[u8; 32]) -> DeviceId {
    DeviceId(*blake3::hash(public).as_bytes())
}

/// The device whose key a certificate carries; `None` when it is no sound Ed25519 key. Nothing else in a certificate
/// is looked at: that the other side holds the key is shown by its signature over the TLS handshake.
pub(crate) fn device_of(certificate: &CertificateDer<'_>) -> Option<DeviceId> {
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    let info = parsed.subject_public_key_info();
    let at = info.windows(PUBLIC_PREFIX.len()).position(|window| window == PUBLIC_PREFIX)?;
    let public: [u8; 32] = info[at + PUBLIC_PREFIX.len()..].try_into().ok()?;
    // A key of small order would accept signatures that anybody can make.
    let weak = ed25519_dalek::VerifyingKey::from_bytes(&public).ok()?.is_weak();
    (!weak && at <= 4).then(|| device_id(&public))
}

/// The device at the other end of a connection.
pub(crate) fn peer_of(connection: &quinn::Connection) -> Option<DeviceId> {
    let chain = connection.peer_identity()?.downcast::<Vec<CertificateDer<'static>>>().ok()?;
    device_of(chain.first()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::Port;

    #[test]
    fn the_id_is_the_one_that_the_table_computes() {
        let port = table::port::Ed25519::new(&[7; 32]);
        let identity = Identity::new(&[7; 32]).unwrap();
        assert_eq!(identity.device, port.device(&port.key()));
        assert_eq!(device_of(&identity.certificate), Some(identity.device));
    }

    #[test]
    fn damaged_certificates_name_nobody_or_another() {
        let identity = Identity::new(&[7; 32]).unwrap();
        for at in 0..identity.certificate.len() {
            let mut bytes = identity.certificate.to_vec();
            bytes.truncate(at);
            assert_eq!(device_of(&CertificateDer::from(bytes)), None);
        }
    }
}
