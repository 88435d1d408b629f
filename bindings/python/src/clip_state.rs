//! The state behind `surefoot.Clip`: what it holds, what was measured, and which arrays were made.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use surefoot::core::{Clip as CoreClip, Leg};
use surefoot::formats::Space;
use surefoot::formats::bvh::from_motion;
use surefoot::measure::{Figures, Report, measure, report};
use surefoot::{FolderSettings, Motion, MotionFile, Skeleton, plants_text};

use crate::clip::Clip;
use crate::content::{ArrayMotion, Content, channels_changed, clean_file, clean_motion, reloaded};
use crate::errors::value_error;
use crate::options::CleanKeywords;

/// Arrays that were made already.
pub struct Cache {
    pub positions: PyOnceLock<Py<PyAny>>,
    pub rotations: PyOnceLock<Py<PyAny>>,
    pub translations: PyOnceLock<Py<PyAny>>,
    pub root: PyOnceLock<Py<PyAny>>,
    pub offsets: PyOnceLock<Py<PyAny>>,
    pub parents: PyOnceLock<Py<PyAny>>,
}

impl Cache {
    const fn new() -> Self {
        Self {
            positions: PyOnceLock::new(),
            rotations: PyOnceLock::new(),
            translations: PyOnceLock::new(),
            root: PyOnceLock::new(),
            offsets: PyOnceLock::new(),
            parents: PyOnceLock::new(),
        }
    }
}

/// What changes when plants are set.
pub struct State {
    pub content: Content,
    pub figures: Option<Figures>,
    pub notes: Vec<String>,
}

impl From<Content> for State {
    fn from(content: Content) -> Self {
        Self { content, figures: None, notes: Vec::new() }
    }
}

impl Clip {
    fn new(name: String, space: Space, toml: FolderSettings, state: State) -> Self {
        let state = Mutex::new(state);
        Self { name, space, toml, state, before: None, cache: Cache::new() }
    }

    /// The clip of a file.
    pub fn from_file(file: MotionFile, toml: FolderSettings) -> Self {
        Self::new(file.name.clone(), Space::METRES_Y_UP, toml, Content::File(Box::new(file)).into())
    }

    /// The clip of arrays in this unit and these axes.
    pub fn from_motion(motion: ArrayMotion, space: Space) -> Self {
        let content = Content::Motion(Box::new(motion));
        Self::new("motion".into(), space, FolderSettings::default(), content.into())
    }

    /// The clip of another motion of this body, in the unit and axes of this clip, with its legs and its floor.
    pub fn with_arrays(&self, mut motion: Motion) -> PyResult<Self> {
        let state = self.state();
        let body = state.content.clip();
        motion.skeleton = self.space.skeleton_from_file(&motion.skeleton);
        check_same_body(&body.motion.skeleton, &motion.skeleton)?;
        // Ends of bones that the arrays do not state are those of the body.
        motion.skeleton.clone_from(&body.motion.skeleton);
        if self.space != Space::METRES_Y_UP {
            motion.poses.iter_mut().for_each(|pose| self.space.convert_from_file(pose));
        }
        let clip = CoreClip {
            motion,
            legs: Leg::without_arms(&body.legs).to_vec(),
            floor: body.floor.clone(),
            ..CoreClip::default()
        };
        let motion = ArrayMotion { clip, arms: state.content.arms(), ..ArrayMotion::default() };
        Ok(Self::from_motion(motion, self.space))
    }

    /// This clip as the result of cleaning another.
    pub fn after(self, before: Py<Self>) -> Self {
        Self { before: Some(before), ..self }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the clip, without the lock of the interpreter.
    pub fn with_clip<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&CoreClip) -> T + Send) -> T {
        py.detach(|| work(self.state().content.clip()))
    }

    /// Cleans the clip. Called without the lock of the interpreter.
    pub fn cleaned(&self, keywords: &CleanKeywords) -> PyResult<Self> {
        let settings = keywords.settings(&self.toml);
        let mut state = self.state();
        state.content.ensure_plants_with(|settings| keywords.apply_to_detection(settings))?;
        let (content, figures, notes) = match &mut state.content {
            Content::File(file) => clean_file(file, &settings)?,
            Content::Written { bytes, clip } => {
                let mut file = reloaded(&self.name, bytes.clone(), clip)?;
                clean_file(&mut file, &settings)?
            }
            Content::Motion(motion) => clean_motion(motion, &settings)?,
        };
        drop(state);
        let state = State { content, figures, notes };
        Ok(Self::new(self.name.clone(), self.space, self.toml.clone(), state))
    }

    /// The figures, which are measured when they are first needed.
    pub fn figures(&self) -> PyResult<Figures> {
        if let Some(figures) = &self.state().figures {
            return Ok(figures.clone());
        }
        let figures = match &self.before {
            Some(before) => self.compare(before.get())?,
            None => {
                let mut state = self.state();
                state.content.ensure_plants()?;
                measure(&state.content.clip().relative_to_ground(), None).map_err(value_error)?
            }
        };
        self.state().figures = Some(figures.clone());
        Ok(figures)
    }

    /// The figures of this motion with the legs, floor and plants of the clip before.
    pub fn compare(&self, before: &Self) -> PyResult<Figures> {
        let reference = {
            let mut state = before.state();
            state.content.ensure_plants()?;
            state.content.clip().relative_to_ground()
        };
        let mut motion = self.state().content.clip().motion.clone();
        if let Some(velocity) = before.state().content.clip().ground_velocity {
            motion = motion.with_added_velocity(-velocity);
        }
        let captured = reference.motion.clone();
        let mut figures = measure(&CoreClip { motion, ..reference }, Some(&captured)).map_err(value_error)?;
        figures.events.channels_changed = channels_changed(&before.state().content, &self.state().content);
        Ok(figures)
    }

    /// The report of a cleaned clip, as one HTML page.
    pub fn report_page(&self) -> PyResult<String> {
        let figures = self.figures()?;
        let before =
            self.before.as_ref().map(|before| before.get().state().content.clip().relative_to_ground());
        let state = self.state();
        let clip = state.content.clip().relative_to_ground();
        let page = Report {
            title: &self.name,
            clip: &clip,
            before: before.as_ref().map(|clip| &clip.motion),
            figures: &figures,
            missed_limits: &[],
            warnings: &[],
            notes: &state.notes,
        };
        report(&page).map_err(value_error)
    }

    pub fn read_plants(&self, name: &str, bytes: &[u8]) -> PyResult<()> {
        let mut state = self.state();
        state.figures = None;
        state.content.read_plants(name, bytes)
    }

    /// The text of a plants file of this name.
    pub fn plants_text(&self, name: &Path) -> PyResult<String> {
        let mut state = self.state();
        state.content.ensure_plants()?;
        Ok(plants_text(name, state.content.clip()))
    }

    pub fn bytes(&self) -> PyResult<Vec<u8>> {
        let state = self.state();
        match &state.content {
            Content::File(file) => Ok(file.source.bytes().to_vec()),
            Content::Written { bytes, .. } => Ok(bytes.clone()),
            Content::Motion(motion) => from_motion(&motion.clip.motion, &self.space).map_err(value_error),
        }
    }
}

/// Largest difference between the offsets of one body, in metres: arrays may be rounded to single precision.
const SAME_OFFSET_M: f64 = 1e-4;

/// Checks that a skeleton is that of the body; returns an error otherwise.
fn check_same_body(body: &Skeleton, other: &Skeleton) -> PyResult<()> {
    let wrong = |message: String| Err(value_error(format!("like: {message}")));
    if body.len() != other.len() {
        return wrong(format!("found {} joints, expected {} as in the given clip", other.len(), body.len()));
    }
    for (index, (body, other)) in body.joints().iter().zip(other.joints()).enumerate() {
        // The offset of a root is the position of a frame.
        let is_same = body.parent == other.parent
            && (body.parent.is_none() || body.offset.distance(other.offset) < SAME_OFFSET_M);
        if !is_same {
            return wrong(format!("joint {index} has a different parent or offset than in the given clip"));
        }
    }
    Ok(())
}
