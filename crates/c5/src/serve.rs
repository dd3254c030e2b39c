//! `c5 serve`: the app in a browser on this machine.

use std::net::{Ipv4Addr, SocketAddr};

use app::App;
use door::{Door, DoorError};

use crate::args::{Common, Serve};
use crate::stop::Stop;
use crate::{Failure, Output, events, start};

/// The port of the door where it is free: a page's address then stays the same.
const USUAL_PORT: u16 = 40515;

pub(crate) async fn run(common: &Common, serve: Serve, mut stop: Stop, output: &mut Output) -> Result<(), Failure> {
    if serve.guests {
        return Err(Failure::not_yet("--guests", "leave it out, and open the address in a browser on this machine"));
    }
    let app = start(common).await?;
    let done = match open(&app, serve.listen).await {
        Ok(door) => {
            let url = door.url();
            let mut event = events::new("serving");
            event.insert("url".to_owned(), url.as_str().into());
            output.event(&event, Some(&url));
            let done = tokio::select! {
                () = stop.asked() => Ok(()),
                () = door.closed() => {
                    Err(Failure::new("internal", "the door closed by itself: start `c5 serve` again"))
                }
            };
            door.shutdown().await;
            done
        }
        Err(error) => Err(failure(error)),
    };
    app.shutdown().await;
    done
}

async fn open(app: &App, listen: Option<SocketAddr>) -> Result<Door, DoorError> {
    if let Some(address) = listen {
        return door::serve(app.clone(), address).await;
    }
    match door::serve(app.clone(), SocketAddr::from((Ipv4Addr::LOCALHOST, USUAL_PORT))).await {
        Err(DoorError::PortInUse(_)) => door::serve(app.clone(), SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await,
        opened => opened,
    }
}

fn failure(error: DoorError) -> Failure {
    match &error {
        DoorError::PortInUse(_) => Failure::new("port-in-use", error.to_string()),
        DoorError::NotLoopback(_) => Failure::usage("not-available", error.to_string()),
        DoorError::Listen { .. } | DoorError::Random(_) => Failure::new("internal", error.to_string()),
    }
}
