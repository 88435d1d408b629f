//! Appends complete records to a buffer, so that a writer never sends part of one.

use super::{Encoding, End, Frame, Header, Layout, binary, header, ndjson};

/// Appends a header.
pub fn write_header(header: &Header, encoding: Encoding, out: &mut Vec<u8>) {
    let text = header::write(header);
    match encoding {
        Encoding::Ndjson => {
            out.extend_from_slice(&text);
            out.push(b'\n');
        }
        Encoding::Binary => {
            out.extend_from_slice(binary::MAGIC);
            out.extend_from_slice(&binary::VERSION.to_le_bytes());
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(&text);
        }
    }
}

/// Appends a frame. Its pose and held points must have the size of the layout.
pub fn write_frame(frame: &Frame, layout: &Layout, encoding: Encoding, out: &mut Vec<u8>) {
    match encoding {
        Encoding::Ndjson => ndjson::write(frame, layout, out),
        Encoding::Binary => binary::write(frame, layout, out),
    }
}

/// Appends the end.
pub fn write_end(end: &End, encoding: Encoding, out: &mut Vec<u8>) {
    match encoding {
        Encoding::Ndjson => ndjson::write_end(end, out),
        Encoding::Binary => {
            // Cannot fail: the values are strings and numbers.
            let text = serde_json::to_vec(end).unwrap_or_default();
            out.extend_from_slice(binary::END);
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(&text);
        }
    }
}
