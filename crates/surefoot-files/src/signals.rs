//! Removes temporary files when Ctrl-C or SIGTERM ends the process.
//!
//! The signals are handled by a thread, which starts with the first file that is written; before that they end the
//! process as usual. While a set is renamed, the thread waits, so that the set is complete.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once};

static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static COMMIT: Mutex<()> = Mutex::new(());

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Registers a file that a signal removes.
pub(crate) fn remember(path: &Path) {
    temporary().push(path.to_path_buf());
}

/// Removes a file from the register.
pub(crate) fn forget(path: &Path) {
    temporary().retain(|own| own != path);
}

/// Delays signals until the guard is dropped.
pub(crate) fn hold() -> MutexGuard<'static, ()> {
    COMMIT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Starts the thread that handles signals, once.
pub(crate) fn clean_up_on_signals() {
    static STARTED: Once = Once::new();
    STARTED.call_once(start);
}

#[cfg(unix)]
fn start() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let handle = |mut signals: Signals| {
        for signal in signals.forever() {
            let _complete = hold();
            temporary().iter().for_each(|path| drop(std::fs::remove_file(path)));
            // Ends the process with the status of this signal, as if it had not been handled.
            let _ = emulate_default_handler(signal);
        }
    };
    // Without the thread a signal ends the process and leaves its files to the next run.
    if let Ok(signals) = Signals::new([SIGINT, SIGTERM]) {
        let _ = std::thread::Builder::new().name("signals".into()).spawn(move || handle(signals));
    }
}

#[cfg(not(unix))]
fn start() {}
