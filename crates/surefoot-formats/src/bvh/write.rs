//! Writes a motion into the text of its file, changing only the numbers that differ.
//!
//! One pass over the text copies or replaces number by number. The numbers of a joint whose offset
//! and rotation equal the captured ones bit for bit are copied, and so is a number whose change six
//! decimals do not show. White space between the numbers is copied.

use core::ops::Range;

use surefoot_core::{JointId, Motion, Pose};

use super::columns::{Columns, INVISIBLE, columns, three_axes};
use super::euler::{solve_angles, three_angles};
use super::fixed6::fixed6;
use super::read_back::CopiedJoints;
use super::{Bvh, ChannelKind};
use crate::source::{WriteError, check_motion};
use crate::space::Space;

impl Bvh {
    /// The text of the file with its table replaced by `motion`.
    ///
    /// `space` must be the space that the motion was converted with. Changed numbers have six
    /// decimals, and changed angles are on the branch nearest to the captured angles. A motion
    /// longer than the file adds rows, a shorter one removes rows.
    pub fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        self.write_and_list_copies(motion, space).map(|(text, _)| text)
    }

    /// The text of the file with its table replaced by `motion`, and the joints whose numbers were copied.
    pub(crate) fn write_and_list_copies(
        &self,
        motion: &Motion,
        space: &Space,
    ) -> Result<(Vec<u8>, CopiedJoints), WriteError> {
        check_motion(&self.skeleton, motion)?;
        let columns = columns(self, motion, space);
        let mut writer = Writer::new(self, space, &columns);
        writer.head(motion);
        for (frame, pose) in motion.poses.iter().enumerate() {
            if frame < self.frames {
                writer.captured_row(frame, pose);
            } else {
                writer.added_row(frame, pose);
            }
        }
        writer.tail(motion);
        Ok((writer.out, writer.copies))
    }

    /// The text of the file with every number of the table printed again with six decimals.
    pub fn write_reprinted(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len() + self.values.len() * 4);
        self.write_head(&mut out);
        let mut text = Tokens { text: &self.text, at: self.spans.table };
        for &value in &self.values {
            match text.gap() {
                [blank] => out.push(*blank),
                gap => out.extend_from_slice(gap),
            }
            text.token();
            fixed6(value, &mut out);
        }
        out.extend_from_slice(&self.text[text.at..]);
        out
    }

    /// The text of the file, with the number of frames in the table where `Frames:` states another.
    pub fn write_copy(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len() + 8);
        self.write_head(&mut out);
        out.extend_from_slice(&self.text[self.spans.table..]);
        out
    }

    /// Everything before the table, with the true number of frames.
    fn write_head(&self, out: &mut Vec<u8>) {
        let mut copied = 0;
        if let Some((at, count)) = self.count_correction(self.frames) {
            out.extend_from_slice(&self.text[..at.start]);
            out.extend_from_slice(count.as_bytes());
            copied = at.end;
        }
        out.extend_from_slice(&self.text[copied..self.spans.table]);
    }

    /// The place of the number after `Frames:` and its new text, if it is not the count of `frames`.
    ///
    /// Other programs believe that number: they refuse the file, or read frames that do not exist.
    fn count_correction(&self, frames: usize) -> Option<(Range<usize>, String)> {
        let at = self.spans.frames.clone().filter(|_| self.spans.stated_frames != Some(frames))?;
        let is_after_colon = at.is_empty() && self.text[..at.start].ends_with(b":");
        Some((at, format!("{}{frames}", if is_after_colon { " " } else { "" })))
    }
}

/// Iterates over the numbers of a table and the white space between them.
struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The white space before the next number.
    #[inline(always)]
    fn gap(&mut self) -> &'t [u8] {
        let from = self.at;
        while self.text.get(self.at).is_some_and(|&byte| byte <= b' ') {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    /// Skips the rest of a line, up to the end of its last number.
    fn skip_to_line_end(&mut self) {
        let rest = &self.text[self.at..];
        let mut end = 0;
        while let Some(eight) = rest[end..].first_chunk::<8>() {
            // The bytes that are a line break become 0; subtracting 1 sets the top bit of the first of them.
            let word = u64::from_le_bytes(*eight) ^ 0x0a0a_0a0a_0a0a_0a0a;
            let breaks = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
            end += (breaks.trailing_zeros() / 8) as usize;
            if breaks != 0 {
                break;
            }
        }
        end += rest[end..].iter().position(|&byte| byte == b'\n').unwrap_or(rest.len() - end);
        self.at += rest[..end].iter().rposition(|&byte| byte > b' ').map_or(0, |last| last + 1);
    }

    /// The next number.
    #[inline(always)]
    fn token(&mut self) -> &'t [u8] {
        let from = self.at;
        while let Some(eight) = self.text[self.at..].first_chunk::<8>() {
            // Subtracting 0x21 sets the top bit of each byte up to 0x20, which is white space.
            let word = u64::from_le_bytes(*eight);
            let blanks = word.wrapping_sub(0x2121_2121_2121_2121) & !word & 0x8080_8080_8080_8080;
            self.at += (blanks.trailing_zeros() / 8) as usize;
            if blanks != 0 {
                return &self.text[from..self.at];
            }
        }
        while self.text.get(self.at).is_some_and(|&byte| byte > b' ') {
            self.at += 1;
        }
        &self.text[from..self.at]
    }
}

struct Writer<'b> {
    bvh: &'b Bvh,
    space: &'b Space,
    columns: &'b Columns,
    out: Vec<u8>,
    tokens: Tokens<'b>,
    /// The text before this byte has been copied or replaced.
    copied: usize,
    /// The captured pose of the current row.
    captured: Pose,
    /// The row to write, by column.
    row: Vec<f64>,
    /// For each column, whether its number differs from the file's.
    is_new: Vec<bool>,
    /// Whether the columns are the file's own, so that unchanged text can be copied in one piece.
    same_columns: bool,
    /// The joints whose numbers are copied, of the rows written so far.
    copies: CopiedJoints,
    /// The line break of the file.
    newline: &'static [u8],
}

impl<'b> Writer<'b> {
    fn new(bvh: &'b Bvh, space: &'b Space, columns: &'b Columns) -> Self {
        let newline: &[u8] =
            if bvh.text.windows(2).take(4096).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
        Self {
            bvh,
            space,
            columns,
            out: Vec::with_capacity(bvh.text.len() + bvh.text.len() / 8),
            tokens: Tokens { text: &bvh.text, at: bvh.spans.table },
            copied: 0,
            captured: Pose::default(),
            row: vec![0.0; columns.all.len()],
            is_new: vec![false; columns.all.len()],
            same_columns: columns.changed.is_empty(),
            copies: CopiedJoints::default(),
            newline,
        }
    }

    /// Copies the text up to byte `at`.
    fn copy_to(&mut self, at: usize) {
        self.out.extend_from_slice(&self.bvh.text[self.copied..at]);
        self.copied = at;
    }

    fn replace(&mut self, range: Range<usize>, with: &[u8]) {
        self.copy_to(range.start);
        self.out.extend_from_slice(with);
        self.copied = range.end;
    }

    /// Writes everything before the table, with changed channels, frame count and frame time.
    fn head(&mut self, motion: &Motion) {
        for n in 0..self.columns.changed.len() {
            let joint = self.columns.changed[n];
            let text = self.channels_text(joint);
            self.replace(self.bvh.spans.channels[joint.index()].clone(), &text);
        }
        let mut numbers = Vec::new();
        numbers.extend(self.bvh.count_correction(motion.frames()));
        if motion.fps != self.bvh.rate.value {
            numbers
                .extend(self.bvh.spans.frame_time.clone().map(|at| (at, format!("{:.9}", 1.0 / motion.fps))));
        }
        numbers.sort_by_key(|(at, _)| at.start);
        for (at, text) in numbers {
            self.replace(at, text.as_bytes());
        }
        self.copy_to(self.bvh.spans.table.max(self.copied));
        if !self.bvh.spans.has_motion && motion.frames() > 0 {
            let frame_time = 1.0 / motion.fps;
            let header = format!("\nMOTION\nFrames: {}\nFrame Time: {frame_time:.9}\n", motion.frames());
            self.out.extend_from_slice(header.as_bytes());
        }
    }

    /// A joint's channels from the count to the last name, with `CHANNELS` if the file has none.
    fn channels_text(&self, joint: JointId) -> Vec<u8> {
        let columns = &self.columns.all[self.columns.of[joint.index()].all.clone()];
        let span = &self.bvh.spans.channels[joint.index()];
        let mut text = String::new();
        if span.is_empty() {
            let line =
                self.bvh.text[..span.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let indent = self.bvh.text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
            text.push_str(core::str::from_utf8(self.newline).unwrap_or("\n"));
            text.extend(indent.map(|&byte| char::from(byte)));
            text.push_str("CHANNELS ");
        }
        text.push_str(&columns.len().to_string());
        for column in columns {
            let (axis, name) = match column.kind {
                ChannelKind::Position(axis) => (axis, "position"),
                ChannelKind::Rotation(axis) => (axis, "rotation"),
                ChannelKind::Other => (0, "scale"),
            };
            text.push(' ');
            text.push_str(["X", "Y", "Z"][axis]);
            text.push_str(name);
        }
        if span.is_empty() {
            text.push(' ');
        }
        text.into_bytes()
    }

    /// Writes a frame that the file has.
    fn captured_row(&mut self, frame: usize, pose: &Pose) {
        let row = self.bvh.row(frame);
        self.bvh.pose_of_row(row, self.space, &mut self.captured);
        self.copies.push_row(&self.captured, pose);
        if self.same_columns && self.captured == *pose {
            return self.keep_row();
        }
        let mut any_new = false;
        for joint in self.bvh.skeleton.ids() {
            let n = joint.index();
            let is_as_captured = self.captured.offsets[n] == pose.offsets[n]
                && self.captured.rotations[n] == pose.rotations[n];
            if is_as_captured && !self.columns.of[n].is_changed {
                for at in self.columns.of[n].all.clone() {
                    self.row[at] = self.columns.all[at].captured.map_or(0.0, |column| row[column]);
                    self.is_new[at] = false;
                }
            } else {
                any_new |= self.joint_values(joint, pose, Some(row));
            }
        }
        if self.same_columns && !any_new {
            self.keep_row();
        } else {
            self.changed_row();
        }
    }

    /// Writes a frame beyond the end of the file.
    fn added_row(&mut self, frame: usize, pose: &Pose) {
        if frame == self.bvh.frames {
            self.copy_to(self.tokens.at);
        }
        for joint in self.bvh.skeleton.ids() {
            self.joint_values(joint, pose, None);
        }
        if !self.out.ends_with(b"\n") {
            self.out.extend_from_slice(self.newline);
        }
        for at in 0..self.row.len() {
            if at > 0 {
                self.out.push(b' ');
            }
            fixed6(self.row[at], &mut self.out);
        }
    }

    /// Computes the numbers of one joint. Angles are the nearest to the captured row, if there is
    /// one, else to the row before.
    ///
    /// Returns whether any number differs from the captured row.
    fn joint_values(&mut self, joint: JointId, pose: &Pose, captured: Option<&[f64]>) -> bool {
        let columns = self.columns.of[joint.index()].all.clone();
        let offset = self.space.position_to_file(pose.offsets[joint.index()]);
        for at in columns.clone() {
            let own = captured.zip(self.columns.all[at].captured).map(|(row, column)| row[column]);
            self.row[at] = own.unwrap_or(self.row[at]);
        }
        self.joint_angles(joint, pose);
        let mut any_new = false;
        for at in columns {
            let column = self.columns.all[at];
            if let ChannelKind::Position(axis) = column.kind {
                self.row[at] = offset[axis];
            }
            let own = captured.zip(column.captured).map(|(row, column)| row[column]);
            self.is_new[at] = own.is_none_or(|own| (self.row[at] - own).abs() > INVISIBLE);
            any_new |= self.is_new[at];
        }
        any_new
    }

    /// Replaces the angles in a joint's columns by the nearest ones that compose its rotation.
    fn joint_angles(&mut self, joint: JointId, pose: &Pose) {
        let columns = &self.columns.of[joint.index()];
        let rotation = self.space.rotation_to_file(pose.rotations[joint.index()]);
        if let Some(axes) = three_axes(&columns.axes) {
            let near = core::array::from_fn(|n| self.row[columns.rotations[n]].to_radians());
            for (&at, angle) in columns.rotations.iter().zip(three_angles(axes, rotation, near)) {
                self.row[at] = angle.to_degrees();
            }
            return;
        }
        let mut angles: Vec<f64> = columns.rotations.iter().map(|&at| self.row[at].to_radians()).collect();
        // Succeeds: `columns` has given three axes to every joint whose own are not enough.
        solve_angles(&columns.axes, rotation, &mut angles);
        for (&at, angle) in columns.rotations.iter().zip(angles) {
            self.row[at] = angle.to_degrees();
        }
    }

    /// Skips a row that is copied later, together with the text around it.
    fn keep_row(&mut self) {
        self.tokens.gap();
        self.skip_numbers(self.bvh.channels.len());
    }

    /// Skips the last `count` numbers of a row.
    fn skip_numbers(&mut self, count: usize) {
        if self.bvh.spans.is_frame_per_line {
            return self.tokens.skip_to_line_end();
        }
        for _ in 0..count {
            self.tokens.gap();
            self.tokens.token();
        }
    }

    /// Writes a row in which some numbers differ from the file's.
    fn changed_row(&mut self) {
        self.tokens.gap();
        self.copy_to(self.tokens.at);
        if self.same_columns { self.replace_numbers() } else { self.write_other_columns() }
    }

    /// Replaces the changed numbers of a row with the file's columns.
    fn replace_numbers(&mut self) {
        let changed = self.is_new.iter().rposition(|&is_new| is_new).map_or(0, |last| last + 1);
        for at in 0..changed {
            self.tokens.gap();
            let from = self.tokens.at;
            self.tokens.token();
            if self.is_new[at] {
                self.copy_to(from);
                fixed6(self.row[at], &mut self.out);
                self.copied = self.tokens.at;
            }
        }
        self.skip_numbers(self.row.len() - changed);
    }

    /// Writes a row whose columns differ from the file's, with the file's digits where unchanged.
    fn write_other_columns(&mut self) {
        let own: Vec<(&[u8], &[u8])> =
            (0..self.bvh.channels.len()).map(|_| (self.tokens.gap(), self.tokens.token())).collect();
        for (at, column) in self.columns.all.iter().enumerate() {
            let own = column.captured.map(|column| own[column]);
            if at > 0 {
                let gap = own.map_or(&b" "[..], |(gap, _)| gap);
                self.out.extend_from_slice(if gap.is_empty() { b" " } else { gap });
            }
            match own {
                Some((_, digits)) if !self.is_new[at] => self.out.extend_from_slice(digits),
                _ => fixed6(self.row[at], &mut self.out),
            }
        }
        self.copied = self.tokens.at;
    }

    /// Writes everything after the last row of the motion; further rows of the file are dropped.
    fn tail(&mut self, motion: &Motion) {
        let text = &self.bvh.text;
        if motion.frames() < self.bvh.frames {
            self.copy_to(self.tokens.at);
            self.copied = text.iter().rposition(|&byte| byte > b' ').map_or(text.len(), |at| at + 1);
        }
        self.copy_to(text.len());
        if motion.frames() > self.bvh.frames && !self.out.ends_with(b"\n") {
            self.out.extend_from_slice(self.newline);
        }
    }
}
