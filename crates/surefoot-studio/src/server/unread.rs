//! The connections whose request has not arrived yet.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard};

/// The connections whose request has not arrived yet, the oldest first.
#[derive(Default)]
pub struct Unread {
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    next: u64,
    streams: VecDeque<(u64, TcpStream)>,
}

impl Unread {
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Adds a connection and returns its number.
    pub fn add(&self, stream: &TcpStream) -> io::Result<u64> {
        let stream = stream.try_clone()?;
        let mut list = self.list();
        list.next += 1;
        let number = list.next;
        list.streams.push_back((number, stream));
        Ok(number)
    }

    /// Removes a connection whose request has arrived.
    pub fn remove(&self, number: u64) {
        self.list().streams.retain(|(own, _)| *own != number);
    }

    /// Closes the oldest connection; `false` if there is none.
    pub fn close_oldest(&self) -> bool {
        let oldest = self.list().streams.pop_front();
        oldest.is_some_and(|(_, stream)| stream.shutdown(Shutdown::Both).is_ok())
    }
}
