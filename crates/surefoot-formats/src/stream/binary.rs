//! The binary encoding: a frame as a record of fixed size, little-endian.
//!
//! A frame is its number, `u64`; for every joint the offset, three `f64`; for every joint the
//! rotation, four `f64` in the order x, y, z, w; and for every leg the heel, then the ball: the
//! number of the plant that holds it, `u32`, or 0; flags, `u32`, 1 if a spot is given; the spot,
//! three `f64`.
//!
//! If the header has `"holds": true`, the toe tip follows the ball, the flags contain in addition what is held, times 2 (0
//! all, 1 a pivot, 2 the height, 3 the place on the ground), and the label, times 8 (1 the foot stands as captured, 2 it slides),
//! and the strength, `f64`, follows the spot.

use surefoot_core::{Hold, HoldKind, PlantKind, Vec3};

use super::error::StreamProblem;
use super::{Frame, HeldPoint, Layout, check};

/// The first bytes of a binary stream.
pub(super) const MAGIC: &[u8; 8] = b"SUREFOOT";
/// The version after the magic bytes.
pub(super) const VERSION: u32 = 1;
/// The tag of a frame. Its size follows as `u32`.
pub(super) const FRAME: &[u8; 4] = b"FRAM";
/// The tag of the end. The size of its JSON follows as `u32`.
pub(super) const END: &[u8; 4] = b"END_";

/// The flag of a held point with a given spot.
const HAS_SPOT: u32 = 1;

/// What is held, in the flags of a held point: two bits.
const HOLD_SHIFT: u32 = 1;

/// Whether the foot stands or slides, in the flags of a held point: 0 where it is not labelled.
const KIND_SHIFT: u32 = 3;

/// The largest flags: a spot, the last hold and the last kind.
const MOST_FLAGS: u32 =
    HAS_SPOT | (HoldKind::ALL.len() as u32 - 1) << HOLD_SHIFT | (PlantKind::ALL.len() as u32) << KIND_SHIFT;

/// The names of the points, in the order of a frame.
const POINTS: [&str; 3] = ["heel", "ball", "toe"];

/// Number of points of a foot in a frame.
fn points(layout: &Layout) -> usize {
    if layout.holds { 3 } else { 2 }
}

/// Size of a frame after its tag and size, in bytes.
pub(super) fn size(layout: &Layout) -> usize {
    let point = if layout.holds { 40 } else { 32 };
    8 + layout.skeleton.len() * 7 * 8 + layout.sides.len() * points(layout) * point
}

/// Reads a frame of the right size into `frame`, except for its number, which is returned.
pub(super) fn read(bytes: &[u8], layout: &Layout, frame: &mut Frame) -> Result<u64, StreamProblem> {
    let mut rest = Rest(bytes);
    let number = u64::from_le_bytes(rest.take());
    let joints = layout.skeleton.len();
    let pose = &mut frame.pose;
    pose.offsets.clear();
    for joint in 0..joints {
        let context = || if joint == 0 { "root".into() } else { format!("joint {joint}") };
        pose.offsets.push(check::position(context, rest.numbers())?);
    }
    pose.rotations.clear();
    for joint in 0..joints {
        pose.rotations.push(check::rotation(joint, rest.numbers())?);
    }
    frame.held.clear();
    for side in &layout.sides {
        let mut held = [None; 3];
        for (point, held) in POINTS.into_iter().zip(&mut held).take(points(layout)) {
            *held = held_point(&mut rest, layout.holds, || format!("the {side} {point}"))?;
        }
        frame.held.push(held);
    }
    Ok(number)
}

/// Reads a held point; `name` names it in errors.
fn held_point(
    rest: &mut Rest,
    has_hold: bool,
    name: impl Fn() -> String,
) -> Result<Option<HeldPoint>, StreamProblem> {
    let plant = u32::from_le_bytes(rest.take());
    let flags = u32::from_le_bytes(rest.take());
    let spot = rest.numbers();
    let most = if has_hold { MOST_FLAGS } else { HAS_SPOT };
    if flags > most {
        return Err(StreamProblem::UnknownFlags { found: flags, most });
    }
    // All four numbers of two bits are holds.
    let hold = HoldKind::ALL[(flags >> HOLD_SHIFT & 3) as usize];
    let kind = (flags >> KIND_SHIFT).checked_sub(1).map(|kind| PlantKind::ALL[kind as usize]);
    let strength = if has_hold { rest.numbers::<1>()[0] } else { 1.0 };
    if plant == 0 {
        return Ok(None);
    }
    let spot = match flags & HAS_SPOT {
        0 => None,
        _ => Some(check::position(|| format!("the spot of {}", name()), spot)?),
    };
    let hold = Hold { kind: hold, strength: check::strength(&name, strength)? };
    Ok(Some(HeldPoint { plant, spot, hold, kind }))
}

/// The bytes still to be read. Beyond the end zeros are read, which cannot happen in a frame of
/// the right size.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((taken, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *taken
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| f64::from_le_bytes(self.take()))
    }
}

/// Appends a frame with its tag and size.
pub(super) fn write(frame: &Frame, layout: &Layout, out: &mut Vec<u8>) {
    out.extend_from_slice(FRAME);
    out.extend_from_slice(&(size(layout) as u32).to_le_bytes());
    out.extend_from_slice(&(frame.number as u64).to_le_bytes());
    let mut put = |numbers: &[f64]| numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
    frame.pose.offsets.iter().for_each(|offset| put(&offset.to_array()));
    frame.pose.rotations.iter().for_each(|rotation| put(&rotation.to_array()));
    for held in frame.held.iter().flat_map(|foot| &foot[..points(layout)]) {
        let (plant, spot) = held.map_or((0, None), |held| (held.plant, held.spot));
        let hold = held.map_or(Hold::default(), |held| held.hold);
        let kind = held.and_then(|held| held.kind);
        let hold_number = HoldKind::ALL.iter().position(|of_hold| *of_hold == hold.kind).unwrap_or(0) as u32;
        let kind_number = kind.map_or(0, |kind| kind as u32 + 1);
        let numbers = if layout.holds { hold_number << HOLD_SHIFT | kind_number << KIND_SHIFT } else { 0 };
        out.extend_from_slice(&plant.to_le_bytes());
        out.extend_from_slice(&(u32::from(spot.is_some()) | numbers).to_le_bytes());
        spot.unwrap_or(Vec3::ZERO).to_array().iter().for_each(|number| out.extend(number.to_le_bytes()));
        if layout.holds {
            out.extend_from_slice(&hold.strength.to_le_bytes());
        }
    }
}
