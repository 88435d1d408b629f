//! A mesh: the vertices and faces of a Wavefront OBJ file.
//!
//! Everything else (normals, textures, materials, groups, lines, curves) is ignored. Faces of more
//! than three vertices are split into a triangle fan.

use surefoot_core::Vec3;
use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use crate::Space;

/// Most corners of a face. The fan of a larger one is made of slivers as long as the face, which all lie close together.
const MOST_CORNERS: usize = 1000;

/// Reads an OBJ file as a floor in the unit and axes of `space`.
pub fn read_obj(bytes: &[u8], space: &Space) -> Result<Surface, FloorError> {
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[Vec3; 3]> = Vec::new();
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    while let Some((index, text)) = lines.next() {
        let line = index + 1;
        let mut words = words(text);
        match words.next() {
            Some(b"v") => vertices.push(space.position_from_file(vertex(line, words, text)?)),
            Some(b"f") => {
                // A backslash continues the face on the next line.
                let mut all: Vec<&[u8]> = words.collect();
                while all.last() == Some(&b"\\".as_slice()) {
                    all.pop();
                    let next = lines.next().map_or(&[][..], |(_, text)| text);
                    all.extend(self::words(next));
                }
                face(line, &all, &vertices, &mut triangles)?;
            }
            _ => {}
        }
    }
    Ok(Surface::from_triangles(triangles)?)
}

/// The words of a line without its comment.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
    line[..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn vertex<'a>(
    line: usize,
    mut words: impl Iterator<Item = &'a [u8]>,
    text: &[u8],
) -> Result<Vec3, FloorError> {
    let wrong = |found: &[u8]| FloorError::Unexpected {
        line,
        found: shown(found.trim_ascii()),
        expected: "three coordinates".into(),
    };
    let mut position = [0.0; 3];
    for number in &mut position {
        let word = words.next().ok_or_else(|| wrong(text))?;
        let value: Option<f64> = core::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        *number = value.filter(|value| value.is_finite()).ok_or_else(|| wrong(word))?;
    }
    // A weight or a colour may follow, which are ignored.
    Ok(Vec3::from_array(position))
}

fn face(
    line: usize,
    words: &[&[u8]],
    vertices: &[Vec3],
    triangles: &mut Vec<[Vec3; 3]>,
) -> Result<(), FloorError> {
    let vertex = |word: &&[u8]| {
        // `7`, `7/1`, `7//3` and `7/1/3` are all vertex 7; −1 is the last vertex so far.
        let number = word.split(|&byte| byte == b'/').next().unwrap_or_default();
        let number: Option<i64> = core::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let index = number.and_then(|number| match number {
            1.. => usize::try_from(number - 1).ok(),
            0 => None,
            _ => vertices.len().checked_sub(usize::try_from(number.unsigned_abs()).ok()?),
        });
        index.and_then(|index| vertices.get(index)).copied().ok_or_else(|| FloorError::Unexpected {
            line,
            found: shown(word),
            expected: format!("a vertex from 1 to {}, or from -1 to -{0}", vertices.len()),
        })
    };
    let [first, others @ ..] = words else {
        return Err(FloorError::Truncated { line, expected: "three or more vertices".into() });
    };
    if others.len() < 2 {
        let found = shown(&words.join(&b' '));
        return Err(FloorError::Unexpected { line, found, expected: "three or more vertices".into() });
    }
    if words.len() > MOST_CORNERS {
        let (found, expected) = (format!("{} vertices", words.len()), format!("at most {MOST_CORNERS}"));
        return Err(FloorError::Unexpected { line, found, expected });
    }
    let first = vertex(first)?;
    for pair in others.windows(2) {
        triangles.push([first, vertex(&pair[0])?, vertex(&pair[1])?]);
    }
    Ok(())
}

/// Writes triangles as an OBJ file in the unit and axes of `space`.
pub fn write_obj(triangles: impl IntoIterator<Item = [Vec3; 3]>, space: &Space) -> String {
    let mut text = String::from("# a floor, written by surefoot\n");
    let mut count = 0;
    let mut faces = String::new();
    for triangle in triangles {
        for corner in triangle {
            // Adding zero turns -0 into 0.
            let vertex = space.position_to_file(corner) + Vec3::ZERO;
            text += &format!("v {} {} {}\n", vertex.x, vertex.y, vertex.z);
        }
        faces += &format!("f {} {} {}\n", count + 1, count + 2, count + 3);
        count += 3;
    }
    text + &faces
}
