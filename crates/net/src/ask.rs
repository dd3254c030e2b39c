//! Asking a device, at an address, which table one can come to there: for codes, which name none, and for devices that
//! are known and that mDNS does not show.

use std::net::SocketAddr;
use std::sync::Arc;

use table::DeviceId;
use tokio::task::JoinSet;

use crate::limits::PENDING_TIMEOUT;
use crate::link::CloseCode;
use crate::shared::Shared;
use crate::wire::{Answer, Code, Opening, Wants, frame, read_greeting};
use crate::{Announcement, identity};

/// A device's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub device: DeviceId,
    pub address: SocketAddr,
    pub table: Announcement,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    #[error(
        "nobody answers where this invite leads: check that both devices are on the same network, or ask for a new invite"
    )]
    NoAnswer,
    /// It leads to this device itself.
    #[error("this is an invite of this very device: give it to the others")]
    Own,
    #[error("another device than the one that invited answers there: ask for a new invite")]
    OtherDevice,
    #[error("the device that invited is at no table now: ask for a new invite")]
    NoTable,
    #[error("the device that invited runs version {theirs}: update the older of the two")]
    Version { theirs: String },
}

impl AskError {
    /// Of several addresses' errors the one that says most is told.
    fn weight(&self) -> u8 {
        match self {
            AskError::NoAnswer => 0,
            AskError::Own => 1,
            AskError::OtherDevice => 2,
            AskError::NoTable => 3,
            AskError::Version { .. } => 4,
        }
    }
}

/// Asks at all these addresses at once; the first device that will do and answers counts.
pub(crate) async fn ask(
    shared: &Arc<Shared>,
    wants: Wants,
    addresses: &[SocketAddr],
    will_do: impl Fn(&DeviceId) -> bool + Clone + Send + 'static,
) -> Result<Told, AskError> {
    let mut asks: JoinSet<Result<Told, AskError>> = JoinSet::new();
    for address in addresses.iter().copied() {
        let (shared, will_do) = (shared.clone(), will_do.clone());
        asks.spawn(async move {
            let asked = ask_at(&shared, wants, address, will_do);
            tokio::time::timeout(PENDING_TIMEOUT, asked).await.unwrap_or(Err(AskError::NoAnswer))
        });
    }
    let mut why = AskError::NoAnswer;
    while let Some(asked) = asks.join_next().await {
        match asked {
            Ok(Ok(told)) => return Ok(told),
            Ok(Err(error)) if error.weight() > why.weight() => why = error,
            Ok(Err(_)) | Err(_) => {}
        }
    }
    Err(why)
}

async fn ask_at(
    shared: &Shared,
    wants: Wants,
    address: SocketAddr,
    will_do: impl Fn(&DeviceId) -> bool,
) -> Result<Told, AskError> {
    let lost = |_| AskError::NoAnswer;
    let endpoint = shared.endpoint().ok_or(AskError::NoAnswer)?;
    let connecting = endpoint.connect_with(shared.client.clone(), address, "capture-five");
    drop(endpoint);
    let connection = connecting.map_err(|_| AskError::NoAnswer)?.await.map_err(lost)?;
    let device = identity::peer_of(&connection).ok_or(AskError::NoAnswer)?;
    if device == shared.device || !will_do(&device) {
        CloseCode::Stranger.close(&connection);
        // Where an address is ours now whoever invited has it no longer: nobody is there.
        return Err(match (device == shared.device, will_do(&device)) {
            (true, true) => AskError::Own,
            (true, false) => AskError::NoAnswer,
            (false, _) => AskError::OtherDevice,
        });
    }
    let (mut send, mut receive) = connection.open_bi().await.map_err(lost)?;
    let opening = Opening { wants, session: shared.session, lost: 0 }.write(&shared.version);
    send.write_all(&frame(&opening)).await.map_err(|_| AskError::NoAnswer)?;
    let bytes = read_greeting(&mut receive).await.map_err(|_| AskError::NoAnswer)?;
    let answer = Answer::read(&bytes, shared.version.protocol);
    let code = if answer.is_ok() { CloseCode::Refused } else { CloseCode::Malformed };
    code.close(&connection);
    match answer {
        Ok((theirs, None)) => Err(AskError::Version { theirs: theirs.program }),
        Ok((_, Some(Answer { code: Code::Told, table: Some(table), .. }))) => Ok(Told { device, address, table }),
        Ok((_, Some(Answer { code: Code::NoSuchTable, .. }))) => Err(AskError::NoTable),
        // A link was not asked for: nothing else can be meant.
        Ok((_, Some(_))) | Err(_) => Err(AskError::NoAnswer),
    }
}
