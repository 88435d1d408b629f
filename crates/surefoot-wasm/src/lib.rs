//! The door: the page writes bytes into a buffer, calls, and reads bytes from another.
//!
//! Only numbers cross it, so that neither glue nor `unsafe` blocks are needed: the page is told where the
//! buffers lie in this module's memory and reaches in itself. Everything else is the session's.

use std::cell::RefCell;

use surefoot_studio::Session;

#[derive(Default)]
struct Door {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

/// Makes room for so many bytes of input, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    DOOR.with_borrow_mut(|door| {
        door.input.clear();
        door.input.resize(length, 0);
        door.input.as_mut_ptr()
    })
}

/// Does what the input's first line asks with the bytes after it. 0: the output is the answer. 1: it is why not.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    DOOR.with_borrow_mut(|door| {
        let input = std::mem::take(&mut door.input);
        match door.session.call(&input) {
            Ok(output) => {
                door.output = output;
                0
            }
            Err(why) => {
                door.output = why.into_bytes();
                1
            }
        }
    })
}

/// Where the output lies.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    DOOR.with_borrow(|door| door.output.as_ptr())
}

/// How long it is, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    DOOR.with_borrow(|door| door.output.len())
}
