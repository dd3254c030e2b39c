//! A process that dies while it writes, for tests. Debug builds only: with `C5_DIE_AT_STEP=n` in its environment the
//! process is ended at its n-th step of writing to the disk. A step is the moment before anything is written, when half
//! of it is, after it, after its fsync, before a file takes another's name, and after that.

use std::io::{self, Write};

/// A step between two calls that change the disk.
pub(crate) fn step() {
    if due() {
        std::process::abort();
    }
}

/// Writes all of it, in steps.
pub(crate) fn write_all(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    step();
    if due() {
        // What was half written is what it leaves.
        let _ = to.write_all(&bytes[..bytes.len() / 2]);
        std::process::abort();
    }
    to.write_all(bytes)?;
    step();
    Ok(())
}

#[cfg(debug_assertions)]
fn due() -> bool {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static DIES_AT: OnceLock<Option<u64>> = OnceLock::new();
    static STEPS: AtomicU64 = AtomicU64::new(0);
    let dies_at = DIES_AT.get_or_init(|| std::env::var("C5_DIE_AT_STEP").ok()?.parse().ok());
    dies_at.is_some_and(|dies_at| STEPS.fetch_add(1, Ordering::Relaxed) + 1 == dies_at)
}

#[cfg(not(debug_assertions))]
const fn due() -> bool {
    false
}
