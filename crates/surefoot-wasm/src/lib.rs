//! WebAssembly interface of the studio.
//!
//! The page writes a request into the input buffer, calls [`call`], and reads the answer from the output
//! buffer. Only integers are passed: the page gets the addresses of the buffers and accesses the memory
//! of the module itself, so neither generated bindings nor `unsafe` blocks are needed. Requests are
//! handled by [`Session`].

use std::cell::RefCell;

use surefoot_studio::Session;

#[cfg(feature = "full")]
mod ufbx_runtime;

#[derive(Default)]
struct Module {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Resizes the input buffer and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.input.clear();
        module.input.resize(length, 0);
        module.input.as_mut_ptr()
    })
}

/// Executes the request in the input buffer. Returns 0 if the output is the answer, 1 if it is an error
/// message.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    MODULE.with_borrow_mut(|module| {
        let input = std::mem::take(&mut module.input);
        match module.session.call(&input) {
            Ok(output) => {
                module.output = output;
                0
            }
            Err(why) => {
                module.output = why.into_bytes();
                1
            }
        }
    })
}

/// Address of the output buffer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    MODULE.with_borrow(|module| module.output.as_ptr())
}

/// Length of the output, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    MODULE.with_borrow(|module| module.output.len())
}
