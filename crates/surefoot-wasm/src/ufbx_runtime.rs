//! What `ufbx`, the C library that reads FBX, needs of a C runtime, which WebAssembly in a browser does not have: memory
//! and mathematics. The functions on strings are in `ufbx_strings.h`.
//!
//! The names are those that `ufbx` expects when it is compiled with `UFBX_NO_LIBC`.

use std::cell::RefCell;
use std::collections::HashMap;

/// The unit of allocation: `ufbx` expects addresses that are aligned as `malloc` aligns them.
type Block = Box<[u128]>;

thread_local! {
    /// The blocks in use, by their address. `ufbx` allocates few and large ones, so that a table costs nothing.
    static BLOCKS: RefCell<HashMap<usize, Block>> = RefCell::default();
}

fn new_block(bytes: usize) -> Option<Block> {
    let length = bytes.div_ceil(size_of::<u128>());
    let mut block = Vec::new();
    block.try_reserve_exact(length).ok()?;
    block.resize(length, 0);
    Some(block.into_boxed_slice())
}

/// Puts a block into the table and returns its address; 0 for none.
fn keep(block: Option<Block>) -> usize {
    let Some(block) = block else { return 0 };
    let address = block.as_ptr() as usize;
    BLOCKS.with_borrow_mut(|blocks| blocks.insert(address, block));
    address
}

/// Allocates memory, like `malloc` of C: 0 when memory is exhausted.
#[unsafe(no_mangle)]
pub extern "C" fn ufbx_malloc(bytes: usize) -> usize {
    keep(new_block(bytes.max(1)))
}

/// Frees memory.
#[unsafe(no_mangle)]
pub extern "C" fn ufbx_free(address: usize, _bytes: usize) {
    BLOCKS.with_borrow_mut(|blocks| blocks.remove(&address));
}

/// Resizes a block of memory, like `realloc` of C: when memory is exhausted, it returns 0 and the block stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn ufbx_realloc(address: usize, _bytes: usize, new_bytes: usize) -> usize {
    let Some(mut new) = new_block(new_bytes.max(1)) else { return 0 };
    if let Some(old) = BLOCKS.with_borrow_mut(|blocks| blocks.remove(&address)) {
        let both = old.len().min(new.len());
        new[..both].copy_from_slice(&old[..both]);
    }
    keep(Some(new))
}

/// Defines functions of one number with the code of `libm`, which the rest of the program uses as well.
macro_rules! functions {
    ($($name:ident = $function:ident),*) => {
        $(
            #[doc = concat!("`", stringify!($function), "` of `math.h`.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(x: f64) -> f64 {
                libm::$function(x)
            }
        )*
    };
}

/// Defines functions of two numbers.
macro_rules! functions_of_two {
    ($($name:ident = $function:ident),*) => {
        $(
            #[doc = concat!("`", stringify!($function), "` of `math.h`.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(x: f64, y: f64) -> f64 {
                libm::$function(x, y)
            }
        )*
    };
}

functions!(
    ufbx_sqrt = sqrt,
    ufbx_sin = sin,
    ufbx_cos = cos,
    ufbx_tan = tan,
    ufbx_asin = asin,
    ufbx_acos = acos,
    ufbx_atan = atan,
    ufbx_fabs = fabs,
    ufbx_rint = rint,
    ufbx_floor = floor,
    ufbx_ceil = ceil
);
functions_of_two!(
    ufbx_atan2 = atan2,
    ufbx_pow = pow,
    ufbx_fmin = fmin,
    ufbx_fmax = fmax,
    ufbx_copysign = copysign,
    ufbx_nextafter = nextafter
);

/// `isnan` of `math.h`.
#[unsafe(no_mangle)]
pub extern "C" fn ufbx_isnan(x: f64) -> i32 {
    i32::from(x.is_nan())
}
