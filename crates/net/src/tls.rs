//! TLS 1.3 with a certificate on both sides; whoever proves to hold an Ed25519 key is let through, under that key's id.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, PeerIncompatible, SignatureScheme};

use crate::NetError;
use crate::identity::{Identity, device_of};
use crate::limits::{IDLE_TIMEOUT, INITIAL_RTT, KEEP_ALIVE, QUEUE_BYTES_MAX, RECEIVE_WINDOW_BYTES};

const ALPN: &[u8] = b"c5/1";

/// The configurations to dial and to accept with.
pub(crate) fn configs(identity: &Identity) -> Result<(quinn::ClientConfig, quinn::ServerConfig), NetError> {
    configs_for(identity, ALPN)
}

pub(crate) fn configs_for(
    identity: &Identity,
    protocol: &[u8],
) -> Result<(quinn::ClientConfig, quinn::ServerConfig), NetError> {
    let failed = |error: &dyn std::fmt::Display| NetError::Certificate(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Arc::new(AnyDevice { algorithms: provider.signature_verification_algorithms });
    let chain = vec![identity.certificate.clone()];
    let key = || rustls::pki_types::PrivateKeyDer::from(identity.key.clone_key());

    let mut client = rustls::ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|e| failed(&e))?
        .dangerous()
        .with_custom_certificate_verifier(verifier.clone())
        .with_client_auth_cert(chain.clone(), key())
        .map_err(|e| failed(&e))?;
    client.alpn_protocols = vec![protocol.to_vec()];
    // Every link shows its key afresh; on a local network resumption would gain nothing.
    client.resumption = rustls::client::Resumption::disabled();

    let mut server = server_builder(provider)
        .map_err(|e| failed(&e))?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key())
        .map_err(|e| failed(&e))?;
    server.alpn_protocols = vec![protocol.to_vec()];
    server.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
    server.send_tls13_tickets = 0;

    let transport = Arc::new(transport());
    let client = quinn::crypto::rustls::QuicClientConfig::try_from(client).map_err(|e| failed(&e))?;
    let server = quinn::crypto::rustls::QuicServerConfig::try_from(server).map_err(|e| failed(&e))?;
    let mut client = quinn::ClientConfig::new(Arc::new(client));
    client.transport_config(transport.clone());
    let mut server = quinn::ServerConfig::with_crypto(Arc::new(server));
    server
        .transport_config(transport)
        .max_incoming(crate::limits::PENDING_MAX)
        .incoming_buffer_size(u64::from(RECEIVE_WINDOW_BYTES))
        .incoming_buffer_size_total(16 * u64::from(RECEIVE_WINDOW_BYTES));
    Ok((client, server))
}

fn server_builder(
    provider: Arc<CryptoProvider>,
) -> Result<rustls::ConfigBuilder<rustls::ServerConfig, rustls::WantsVerifier>, Error> {
    rustls::ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&rustls::version::TLS13])
}

fn transport() -> quinn::TransportConfig {
    let mut transport = quinn::TransportConfig::default();
    transport
        .max_idle_timeout(quinn::IdleTimeout::try_from(IDLE_TIMEOUT).ok())
        .keep_alive_interval(Some(KEEP_ALIVE))
        .initial_rtt(INITIAL_RTT)
        .max_concurrent_bidi_streams(1u8.into())
        .max_concurrent_uni_streams(0u8.into())
        .datagram_receive_buffer_size(None)
        .stream_receive_window(RECEIVE_WINDOW_BYTES.into())
        .receive_window(RECEIVE_WINDOW_BYTES.into())
        .send_window(QUEUE_BYTES_MAX as u64);
    transport
}

/// Takes any certificate with a sound Ed25519 key. Which device may do what is decided above, by its id.
#[derive(Debug)]
struct AnyDevice {
    algorithms: WebPkiSupportedAlgorithms,
}

impl AnyDevice {
    fn check(&self, certificate: &CertificateDer<'_>) -> Result<(), Error> {
        device_of(certificate).map(|_| ()).ok_or(Error::InvalidCertificate(CertificateError::BadEncoding))
    }

    fn signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }
}

fn no_tls12() -> Result<HandshakeSignatureValid, Error> {
    Err(Error::PeerIncompatible(PeerIncompatible::Tls12NotOffered))
}

impl ServerCertVerifier for AnyDevice {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(certificate).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        no_tls12()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }
}

impl ClientCertVerifier for AnyDevice {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(certificate).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        no_tls12()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }
}
