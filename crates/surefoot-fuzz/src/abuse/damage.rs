//! Damage to whole files: the changes of `mutate.rs`, and those that make a small file large.

use crate::mutate::{Random, mutate_to};

/// Longest damaged file, in bytes. Shorter ones would hide a reader that takes many times their size behind the 64 MB
/// that every motion may take.
const LONGEST: usize = 4 << 20;

/// Damages a file in a few places. `other` is a file of any kind, pieces of which are inserted.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    match random.below(14) {
        0 => repeat_line(bytes, random),
        1 => repeat_piece(bytes, random),
        2 => replace_numbers(bytes, random),
        3 => nest(bytes, random),
        4 => overwrite_block(bytes, random),
        5 => repeat_element(bytes, random),
        6..9 => change_numbers(bytes, random),
        _ => return mutate_to(bytes, other, random, LONGEST),
    }
    if random.chance(30) {
        mutate_to(bytes, other, random, LONGEST);
    }
    bytes.truncate(LONGEST);
}

/// Changes a few numbers of a text to other numbers, so that it can still be read.
fn change_numbers(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
        let Some(found) = bytes[at..].iter().position(is_number) else { continue };
        let start = at + found;
        let end =
            bytes[start..].iter().position(|byte| !is_number(byte)).map_or(bytes.len(), |end| start + end);
        let sign = random.pick(&["", "-"]);
        let number = match random.below(4) {
            0 => random.below(4).to_string(),
            1 => format!("{sign}{}.{:03}", random.below(400), random.below(1000)),
            2 => format!("{sign}{}", random.below(1 << 24)),
            _ => format!("{sign}0.{:06}", random.below(1_000_000)),
        };
        bytes.splice(start..end, number.into_bytes());
    }
}

/// Repeats one line many times: frames, joints, plants, vertices or settings without end.
fn repeat_line(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
    let end =
        bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length + 1);
    insert_copies(bytes, start, end, random);
}

fn repeat_piece(bytes: &mut Vec<u8>, random: &mut Random) {
    let start = random.below(bytes.len() + 1);
    let end = (start + random.below(600)).min(bytes.len());
    insert_copies(bytes, start, end, random);
}

/// Repeats an element of a list in JSON or TOML, so that the text can still be read.
fn repeat_element(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'{' | b'[')) else { return };
    let (start, mut depth) = (at + found, 0_usize);
    for end in start..bytes.len() {
        match bytes[end] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let copies = 1 << random.below(18);
            let element = [b",", &bytes[start..=end]].concat();
            let room = LONGEST.saturating_sub(bytes.len()) / element.len();
            let copied = element.repeat(room.min(copies));
            bytes.splice(end + 1..end + 1, copied);
            return;
        }
    }
}

fn insert_copies(bytes: &mut Vec<u8>, start: usize, end: usize, random: &mut Random) {
    let copies = 1 << random.below(16);
    let room = LONGEST.saturating_sub(bytes.len()) / (end - start).max(1);
    let piece = bytes[start..end].repeat(copies.min(room));
    bytes.splice(end..end, piece);
}

/// Replaces many numbers of a text by the same odd one, as a wrong unit or a broken exporter does.
fn replace_numbers(bytes: &mut Vec<u8>, random: &mut Random) {
    const NUMBERS: [&str; 12] =
        ["0", "-1", "1e30", "1e-30", "1e12", "-1e7", "123456", "180", "360.0001", "1e-7", "4294967296", "-0"];
    let (number, every) = (NUMBERS[random.below(NUMBERS.len())], 1 + random.below(40));
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+');
    let mut changed = Vec::with_capacity(bytes.len());
    for (n, piece) in bytes.split_inclusive(|byte| !is_number(byte)).enumerate() {
        let digits = piece.iter().take_while(|byte| is_number(byte)).count();
        if digits > 0 && n % every == 0 {
            changed.extend_from_slice(number.as_bytes());
            changed.extend_from_slice(&piece[digits..]);
        } else {
            changed.extend_from_slice(piece);
        }
    }
    *bytes = changed;
}

/// Opens many brackets, which a reader that calls itself for each of them would not survive.
fn nest(bytes: &mut Vec<u8>, random: &mut Random) {
    const OPENING: [&str; 6] = [
        "[",
        "{\"a\":",
        "(",
        "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n",
        "<g>",
        "[[",
    ];
    let (at, piece) = (random.below(bytes.len() + 1), OPENING[random.below(OPENING.len())]);
    let copies = (1 << random.below(17)).min(LONGEST / 2 / piece.len());
    bytes.splice(at..at, piece.repeat(copies).into_bytes());
}

/// Overwrites a block with one byte, as a disk with a bad sector does.
fn overwrite_block(bytes: &mut [u8], random: &mut Random) {
    let start = random.below(bytes.len() + 1);
    let end = (start + 1 + random.below(4096)).min(bytes.len());
    let byte = [0, 0xff, b' ', b'9'][random.below(4)];
    bytes[start..end].fill(byte);
}
