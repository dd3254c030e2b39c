//! The signals that end a process politely.

/// Waits for SIGINT or SIGTERM (Ctrl-C elsewhere), once or more often.
pub(crate) struct Stop {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Stop {
    pub(crate) fn new() -> std::io::Result<Stop> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Stop { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Stop {
    pub(crate) fn new() -> std::io::Result<Stop> {
        Ok(Stop {})
    }

    pub(crate) async fn asked(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl From<std::io::Error> for crate::Failure {
    fn from(why: std::io::Error) -> crate::Failure {
        crate::Failure::new("internal", format!("the system refused something basic ({why}): try again"))
    }
}
