//! A curve over frames that a goal follows.

use super::error::GoalsError;
use super::table::Table;
use surefoot_core::Vec3;

/// A smooth curve through points at frames.
///
/// Between two points it is a cubic whose slopes at both ends are those of the parabola through the point and its
/// neighbours, so that neither position nor velocity jumps. With a point for every frame it is those points.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalPath {
    /// Frames in increasing order, and positions in metres in the file's axes. Not empty.
    points: Vec<(f64, Vec3)>,
}

impl GoalPath {
    /// A curve through points; `None` if there are none, or if their frames do not increase.
    pub(super) fn through(points: Vec<(f64, Vec3)>) -> Option<Self> {
        let increases = points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_finite = points.iter().all(|(frame, position)| frame.is_finite() && position.is_finite());
        (!points.is_empty() && increases && is_finite).then_some(Self { points })
    }

    /// Reads a CSV table with the columns `frame` or `time`, `x`, `y` and `z`: frames from 0 or seconds, metres in the
    /// axes of the motion file. `fps` is the frame rate of the motion.
    pub fn read_csv(bytes: &[u8], fps: f64) -> Result<Self, GoalsError> {
        let table = Table::read(bytes)?;
        let [x, y, z] = ["x", "y", "z"].map(|name| table.column(&[name]));
        let (when, x, y, z) = (table.column(&["frame", "time"])?, x?, y?, z?);
        let scale = if table.name(when) == "time" { fps } else { 1.0 };
        let mut points: Vec<(f64, Vec3)> = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let frame = row.number(when)? * scale;
            let position = Vec3::new(row.number(x)?, row.number(y)?, row.number(z)?);
            if points.last().is_some_and(|last| last.0 >= frame) {
                return Err(row.unexpected(when, "a later frame or time than on the line before"));
            }
            points.push((frame, position));
        }
        let empty =
            GoalsError::Table { line: 2, found: String::new(), expected: "a line for each point".into() };
        Self::through(points).ok_or(empty)
    }

    /// The first and the last frame, not necessarily whole.
    pub fn frames(&self) -> (f64, f64) {
        let frame = |point: Option<&(f64, Vec3)>| point.map_or(0.0, |point| point.0);
        (frame(self.points.first()), frame(self.points.last()))
    }

    /// The position at a frame. Before the first point and after the last it is theirs.
    pub fn at(&self, frame: f64) -> Vec3 {
        let after = self.points.partition_point(|point| point.0 <= frame);
        let (Some(before), Some(&(end, to))) = (after.checked_sub(1), self.points.get(after)) else {
            let nearest = if after == 0 { self.points.first() } else { self.points.last() };
            return nearest.map_or(Vec3::ZERO, |point| point.1);
        };
        let (start, from) = self.points[before];
        let length = end - start;
        let t = (frame - start) / length;
        let (slope_from, slope_to) = (self.slope(before) * length, self.slope(after) * length);
        let (square, cube) = (t * t, t * t * t);
        from + (to - from) * (3.0 * square - 2.0 * cube)
            + slope_from * (cube - 2.0 * square + t)
            + slope_to * (cube - square)
    }

    /// The velocity at a point, per frame: that of the parabola through the point and its neighbours.
    fn slope(&self, n: usize) -> Vec3 {
        let between = |n: usize| {
            let (start, end) = (self.points[n], self.points[n + 1]);
            (end.0 - start.0, (end.1 - start.1) / (end.0 - start.0))
        };
        match (n.checked_sub(1).map(between), (n + 1 < self.points.len()).then(|| between(n))) {
            (Some((before, incoming)), Some((after, outgoing))) => {
                (incoming * after + outgoing * before) / (before + after)
            }
            (Some((_, slope)), None) | (None, Some((_, slope))) => slope,
            (None, None) => Vec3::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_reproduced() {
        let position = |frame: f64| Vec3::new(0.1 * frame, 1.0 + 0.3 * frame - 0.02 * frame * frame, 2.0);
        let frames = [0.0, 3.0, 5.0, 9.0, 12.0, 20.0];
        let path = GoalPath::through(frames.map(|frame| (frame, position(frame))).into()).unwrap();
        // At both ends the slope is that of a chord; inside it is exact.
        for frame in 3..=12 {
            let error = path.at(f64::from(frame)).distance(position(f64::from(frame)));
            assert!(error < 1e-12, "{frame} {error}");
        }
        assert_eq!(path.at(-5.0), position(0.0));
        assert_eq!(path.at(25.0), position(20.0));
        assert_eq!(path.at(9.0), position(9.0));
    }

    #[test]
    fn a_table_in_seconds_is_converted_to_frames() {
        let path = GoalPath::read_csv(b"time,x,y,z\n0.5,0,1,2\n1.0,1,1,2\n", 30.0).unwrap();
        assert_eq!(path.frames(), (15.0, 30.0));
        assert_eq!(path.at(22.5), Vec3::new(0.5, 1.0, 2.0));
    }

    #[test]
    fn wrong_tables_are_refused_with_line_and_reason() {
        let message = |text: &str| GoalPath::read_csv(text.as_bytes(), 30.0).unwrap_err().to_string();
        assert_eq!(message(""), "line 1: found nothing, expected a header such as frame,x,y,z");
        assert_eq!(message("frame,x,y\n"), "line 1: found frame,x,y, expected a column z");
        assert_eq!(message("x,y,z\n"), "line 1: found x,y,z, expected a column frame or time");
        assert_eq!(message("frame,x,y,z\n"), "line 2: found nothing, expected a line for each point");
        assert_eq!(message("frame,x,y,z\n1,2,3\n"), "line 2: found 1,2,3, expected 4 cells");
        assert_eq!(message("frame,x,y,z\n1,2,3,nan\n"), "line 2: found nan, expected a number");
        assert_eq!(
            message("frame,x,y,z\n1,2,3,4\n\n1,2,3,4"),
            "line 4: found 1, expected a later frame or time than on the line before"
        );
    }
}
