//! A mesh: the vertices and faces of a Wavefront OBJ file.
//!
//! All else in it (normals, textures, materials, groups, lines, curves) is passed over. Faces of
//! more than three corners are cut into triangles that all have the first corner.

use surefoot_core::Vec3;
use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use crate::Space;

/// Reads an OBJ file as a floor; its unit and up axis are `space`'s.
pub fn read_obj(bytes: &[u8], space: &Space) -> Result<Surface, FloorError> {
    let mut corners: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[Vec3; 3]> = Vec::new();
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    while let Some((index, text)) = lines.next() {
        let line = index + 1;
        let mut words = words(text);
        match words.next() {
            Some(b"v") => corners.push(space.position_from_file(vertex(line, words, text)?)),
            Some(b"f") => {
                // A face that goes on in the next line says so with a backslash.
                let mut all: Vec<&[u8]> = words.collect();
                while all.last() == Some(&b"\\".as_slice()) {
                    all.pop();
                    let next = lines.next().map_or(&[][..], |(_, text)| text);
                    all.extend(self::words(next));
                }
                face(line, &all, &corners, &mut triangles)?;
            }
            _ => {}
        }
    }
    Ok(Surface::from_triangles(triangles)?)
}

/// The words of a line, without its comment.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
    line[..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn vertex<'a>(
    line: usize,
    mut words: impl Iterator<Item = &'a [u8]>,
    text: &[u8],
) -> Result<Vec3, FloorError> {
    let wrong = |found: &[u8]| FloorError::Expected {
        line,
        found: shown(found.trim_ascii()),
        expected: "three coordinates".into(),
    };
    let mut place = [0.0; 3];
    for number in &mut place {
        let word = words.next().ok_or_else(|| wrong(text))?;
        let value: Option<f64> = core::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        *number = value.filter(|value| value.is_finite()).ok_or_else(|| wrong(word))?;
    }
    // A weight and colours may follow.
    Ok(Vec3::from_array(place))
}

fn face(
    line: usize,
    words: &[&[u8]],
    corners: &[Vec3],
    triangles: &mut Vec<[Vec3; 3]>,
) -> Result<(), FloorError> {
    let corner = |word: &&[u8]| {
        // `7`, `7/1`, `7//3` and `7/1/3` are all corner 7; −1 is the last one so far.
        let number = word.split(|&byte| byte == b'/').next().unwrap_or_default();
        let number: Option<i64> = core::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let index = number.and_then(|number| match number {
            1.. => usize::try_from(number - 1).ok(),
            0 => None,
            _ => corners.len().checked_sub(usize::try_from(number.unsigned_abs()).ok()?),
        });
        index.and_then(|index| corners.get(index)).copied().ok_or_else(|| FloorError::Expected {
            line,
            found: shown(word),
            expected: format!("a corner from 1 to {}, or from -1 to -{0}", corners.len()),
        })
    };
    let [first, others @ ..] = words else {
        return Err(FloorError::Ends { line, expected: "three corners or more".into() });
    };
    if others.len() < 2 {
        let found = shown(&words.join(&b' '));
        return Err(FloorError::Expected { line, found, expected: "three corners or more".into() });
    }
    let first = corner(first)?;
    for pair in others.windows(2) {
        triangles.push([first, corner(&pair[0])?, corner(&pair[1])?]);
    }
    Ok(())
}

/// Triangles as an OBJ file in this unit and up axis.
pub fn write_obj(triangles: impl IntoIterator<Item = [Vec3; 3]>, space: &Space) -> String {
    let mut text = String::from("# a floor, written by surefoot\n");
    let mut count = 0;
    let mut faces = String::new();
    for triangle in triangles {
        for corner in triangle {
            let place = space.position_to_file(corner) + Vec3::ZERO;
            text += &format!("v {} {} {}\n", place.x, place.y, place.z);
        }
        faces += &format!("f {} {} {}\n", count + 1, count + 2, count + 3);
        count += 3;
    }
    text + &faces
}
