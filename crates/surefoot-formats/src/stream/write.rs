//! Whole records, added to bytes that are sent at once.

use super::{End, Form, Frame, Header, Layout, binary, header, ndjson};

/// Adds a header.
pub fn write_header(header: &Header, form: Form, out: &mut Vec<u8>) {
    let text = header::write(header);
    match form {
        Form::Ndjson => {
            out.extend_from_slice(&text);
            out.push(b'\n');
        }
        Form::Binary => {
            out.extend_from_slice(binary::MAGIC);
            out.extend_from_slice(&binary::VERSION.to_le_bytes());
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(&text);
        }
    }
}

/// Adds a frame. Its pose and who is held must fit the layout.
pub fn write_frame(frame: &Frame, layout: &Layout, form: Form, out: &mut Vec<u8>) {
    match form {
        Form::Ndjson => ndjson::write(frame, layout, out),
        Form::Binary => binary::write(frame, layout, out),
    }
}

/// Adds the end.
pub fn write_end(end: &End, form: Form, out: &mut Vec<u8>) {
    match form {
        Form::Ndjson => ndjson::write_end(end, out),
        Form::Binary => {
            // Words and numbers make JSON without fail.
            let text = serde_json::to_vec(end).unwrap_or_default();
            out.extend_from_slice(binary::END);
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(&text);
        }
    }
}
