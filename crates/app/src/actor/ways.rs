//! How this device and the others of a table reach each other: invites, addresses, and links that were turned away.

use std::net::SocketAddr;

use table::DeviceId;

use super::Actor;
use super::unseated::other_version;
use crate::api::table::InviteView;
use crate::api::{ApiError, ErrorCode};

/// Addresses that are kept for a device.
const ADDRESSES_KEPT_MAX: usize = 8;

impl Actor {
    /// Others come over this device while its person sits here.
    pub(super) fn invite(&self) -> Option<InviteView> {
        self.table.my_seat()?;
        let invitation = self.core.net.invite(self.id)?;
        Some(InviteView { link: invitation.link, code: invitation.code.unwrap_or_default() })
    }

    /// An address that was dialled turned this device away.
    pub(super) fn refused_link(&mut self, address: SocketAddr, why: net::Refused) {
        let error = match why {
            net::Refused::Version { theirs } => other_version(address, &theirs),
            net::Refused::Elsewhere => {
                let error = ApiError::new(
                    ErrorCode::Elsewhere,
                    "this device's key is in use by a newer process: go on there, or end it and resume here",
                );
                return self.leave(Some(error), false);
            }
            net::Refused::Full => {
                let about = "too many devices are at this table: wait for one to go";
                ApiError::new(ErrorCode::Full, about).with("why", "links")
            }
            // Another device of the table may still have it.
            net::Refused::NoSuchTable => return,
        };
        if self.table.state().is_none() {
            self.leave(Some(error), true);
        } else {
            self.tell_refused(error);
        }
    }

    /// Where a device was reached is tried first after a restart.
    pub(super) fn remember(&mut self, peer: DeviceId, address: SocketAddr) {
        let known = self.reached.entry(peer).or_default();
        if known.contains(&address) {
            return;
        }
        known.insert(0, address);
        known.truncate(ADDRESSES_KEPT_MAX);
        let all: Vec<_> = self.reached.iter().map(|(peer, addresses)| (*peer, addresses.clone())).collect();
        let id = self.id;
        self.core.spawn_blocking(move |core| core.history.remember(id, &all));
    }

    /// Owners have places among the links of their own.
    pub(super) fn name_members(&mut self) {
        let members = self.table.members();
        if members != self.members {
            self.core.net.owners(self.id, members.iter().copied());
            self.members = members;
        }
    }
}
