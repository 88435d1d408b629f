//! The file that is open in the studio, and the same file cleaned.

use std::borrow::Cow;
#[cfg(feature = "full")]
use std::cell::OnceCell;

use surefoot::{
    CleanFile, FloorSource, LoadOptions, MotionFile, OutputSettings, PlantsSource, level_feet_of_positions,
    with_default_stretch, write_and_measure,
};
use surefoot_contact::{Method, learned, threshold, zero_crossing};
use surefoot_core::{Clip, Floor, Footplants, FrameRange, Pose, Vec3};
use surefoot_edit::body_root::BodyRoot;
use surefoot_edit::glitches;
#[cfg(feature = "full")]
use surefoot_formats::mesh::{Bone, CharacterMesh};
use surefoot_infer::LegOverride;
use surefoot_solve::{CleanResult, IncrementalCleaner, Report, Settings, into_room, with_performance};

use crate::body::PageBody;
#[cfg(feature = "full")]
use crate::file_set::FilesBeside;
use crate::messages::FileOptions;
use crate::read_file::{detection_settings, floor_surface, load_options, read_source};

/// An open file and its incremental cleaner.
pub struct OpenFile {
    /// The file and its clip, with the plants as the user has edited them.
    pub file: MotionFile,
    /// The files that belong to the motion file: images of its mesh may be in them.
    #[cfg(feature = "full")]
    beside: FilesBeside,
    /// The legs that the user has picked.
    pub given_legs: Option<Vec<LegOverride>>,
    /// The clip in the ground's frame of reference, which the page shows.
    pub at_rest: Clip,
    /// The floor that the page shows: the floor of the clip, or else a level one at the lowest foot point.
    pub floor: Floor,
    /// The body that the page draws.
    pub body: PageBody,
    /// The error message of the command if no legs were found.
    pub no_legs: Option<String>,
    /// Cleans the performance again after every edit. `None` without legs.
    cleaner: Option<IncrementalCleaner>,
    /// The still root of the rig, if it has one: the cleaner moves the pelvis instead.
    still_root: Option<BodyRoot>,
    settings: Settings,
    detection: surefoot_contact::Settings,
    /// The bones of the mesh, once they are needed.
    #[cfg(feature = "full")]
    bones: OnceCell<Vec<Bone>>,
}

/// Plants and their source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantsEdit {
    /// The plants.
    pub plants: Footplants,
    /// The velocity of the ground, in metres per second.
    pub ground_velocity: Option<Vec3>,
    /// Where the plants come from.
    pub source: PlantsSource,
    /// Notes of the reader of the plants file.
    pub notes: Vec<String>,
}

/// The frames changed by an edit of the plants.
pub struct Changes {
    /// The frames that may differ from before.
    pub frames: Vec<FrameRange>,
    /// Whether all frames may differ: the ground or the floor has changed.
    pub all_frames: bool,
}

/// The plants before an edit that may fail, and the floor built from them.
struct PlantsState {
    edit: PlantsEdit,
    floor: Option<Option<Floor>>,
}

/// The cleaner of an open file and what the page shows, which depend on floor and ground.
struct CleanerSetup {
    cleaner: Option<IncrementalCleaner>,
    still_root: Option<BodyRoot>,
    floor: Floor,
    at_rest: Clip,
}

impl OpenFile {
    /// Opens a file. Errors have the text that the command prints.
    pub fn new(
        name: String,
        bytes: &[u8],
        options: &FileOptions,
        settings: Settings,
    ) -> Result<Self, String> {
        #[cfg_attr(not(feature = "full"), expect(unused_variables, reason = "BVH is a single file"))]
        let (source, beside) = read_source(&name, bytes, options)?;
        let load = load_options(options, &source)?;
        let given_legs = load.overrides.legs.clone();
        let from_source = |name, source, load: &LoadOptions| {
            MotionFile::from_source(name, source, load).map_err(|error| error.to_string())
        };
        let mut file = from_source(name, source, &load)?;
        if let Some(floor) = floor_surface(options, &file.space())? {
            let (name, source) = (file.name, file.source);
            file = from_source(name, source, &LoadOptions { floor: Some(floor), ..load })?;
        }
        let no_legs = file.require_legs().err().map(|error| {
            let candidates = error.candidates.iter().map(|candidate| format!("\ncandidate: {candidate}"));
            format!("{error}{}", candidates.collect::<String>())
        });
        if no_legs.is_some() {
            // Nothing can be planted, so every frame is shown as captured.
            file.clip.first_frame = 0;
        }
        let detection = detection_settings(options, &file)?;
        let settings = with_default_stretch(settings, &file.source);
        let (at_rest, floor, body) = (Clip::default(), Floor::level(0.0), PageBody::of(&file.clip));
        let mut open = Self {
            file,
            #[cfg(feature = "full")]
            beside,
            given_legs,
            at_rest,
            floor,
            body,
            no_legs,
            cleaner: None,
            still_root: None,
            settings,
            detection,
            #[cfg(feature = "full")]
            bones: OnceCell::new(),
        };
        let setup = open.set_up_cleaner()?;
        open.apply(setup);
        Ok(open)
    }

    /// Makes a cleaner for the floor and the ground of the clip.
    fn set_up_cleaner(&self) -> Result<CleanerSetup, String> {
        let clip = &self.file.clip;
        let at_rest = clip.relative_to_ground();
        let (mut cleaner, mut still_root) = (None, None);
        if self.no_legs.is_none() {
            let found = glitches::of_clip(&at_rest, &self.settings);
            let mut without_glitches = Cow::Borrowed(&at_rest);
            if !found.is_empty() {
                without_glitches.to_mut().motion = glitches::repaired(&at_rest.motion, &found);
            }
            still_root = BodyRoot::of(&without_glitches.motion, &without_glitches.legs);
            if let Some(root) = &still_root {
                without_glitches.to_mut().motion = root.gather(&without_glitches.motion);
            }
            let started = IncrementalCleaner::new(without_glitches.performance(), &self.settings);
            cleaner = Some(started.map_err(|error| format!("cannot process {}: {error}", self.file.name))?);
        }
        Ok(CleanerSetup { cleaner, still_root, floor: clip.floor_or_lowest_point(), at_rest })
    }

    fn apply(&mut self, CleanerSetup { cleaner, still_root, floor, at_rest }: CleanerSetup) {
        self.cleaner = cleaner;
        self.still_root = still_root;
        self.floor = floor;
        self.at_rest = at_rest;
    }

    /// The first frame of the performance.
    pub fn first_frame(&self) -> usize {
        self.file.clip.first_frame.min(self.file.clip.motion.frames())
    }

    /// Detects plants with the chosen settings.
    pub fn detect(&self) -> PlantsEdit {
        // Each method is called directly: through `surefoot_contact::detect` the models of knn and svm, which are larger
        // than everything else together, would become part of the page.
        let motion = &glitches::without_glitches(&self.file.clip);
        let (legs, floor) = (&self.file.clip.legs, self.file.detection_floor());
        let (floor, settings) = (floor.as_ref(), &self.detection);
        let plants = match settings.detector {
            Method::Threshold => threshold::detect(motion, legs, floor, settings),
            Method::ZeroCrossing => zero_crossing::detect(motion, legs, floor, settings),
            _ => learned::detect(learned::Model::shared(), motion, legs, floor, settings),
        };
        let ground_velocity = self.file.detect_ground_velocity(&plants);
        PlantsEdit { plants, ground_velocity, source: PlantsSource::Detected, notes: Vec::new() }
    }

    /// The cost of each plant. Frames count from the start of the performance.
    pub fn report(&self) -> Report {
        self.cleaner.as_ref().map(IncrementalCleaner::report).unwrap_or_default()
    }

    /// The clean file, written, read back and measured.
    pub fn clean_file(&self) -> Result<CleanFile<'_>, String> {
        if let Some(no_legs) = &self.no_legs {
            return Err(no_legs.clone());
        }
        let file = write_and_measure(
            self.file.target(),
            Cow::Borrowed(&self.file.clip),
            self.clean_result(),
            &OutputSettings::from(self.settings),
        );
        let mut file = file.map_err(|error| format!("cannot process {}: {error}", self.file.name))?;
        // In the order of the command: notes about the file and its plants, then about the result.
        file.notes.splice(..0, self.file.clip_notes().into_iter().map(Into::into));
        Ok(file)
    }

    fn clean_result(&self) -> CleanResult {
        let Some(cleaner) = &self.cleaner else { return CleanResult::default() };
        let mut poses = cleaner.after().poses.clone();
        if let Some(root) = &self.still_root {
            poses.iter_mut().for_each(|pose| root.scatter_pose(pose));
        }
        let mut result = with_performance(&self.at_rest, poses, cleaner.plants(), cleaner.report());
        let clip = &self.file.clip;
        result.clip.motion = into_room(clip, &self.at_rest.motion, result.clip.motion);
        result.clip.ground_velocity = clip.ground_velocity;
        level_feet_of_positions(&mut result.clip, &clip.motion, &self.file.source);
        result
    }

    /// The pose of a frame, before or after cleaning, in the ground's frame of reference.
    pub fn pose(&self, after: bool, frame: usize) -> Cow<'_, Pose> {
        let (Some(cleaner), Some(of_performance)) = (&self.cleaner, frame.checked_sub(self.first_frame()))
        else {
            return Cow::Borrowed(&self.at_rest.motion.poses[frame]);
        };
        match (after, &self.still_root) {
            (false, _) => Cow::Borrowed(&self.at_rest.motion.poses[frame]),
            (true, None) => Cow::Borrowed(&cleaner.after().poses[of_performance]),
            (true, Some(root)) => {
                let mut pose = cleaner.after().poses[of_performance].clone();
                root.scatter_pose(&mut pose);
                Cow::Owned(pose)
            }
        }
    }

    /// Cleans the motion with other plants. If this fails, file and motion stay as they were.
    pub fn clean(&mut self, edit: PlantsEdit) -> Result<Changes, String> {
        let before = self.plants_state();
        let changes = self.clean_with(edit);
        if changes.is_err() {
            self.restore_plants(before);
        }
        changes
    }

    fn clean_with(&mut self, edit: PlantsEdit) -> Result<Changes, String> {
        let PlantsEdit { plants, ground_velocity, source, notes } = edit;
        let all_frames = self.file.floor_source == FloorSource::Plants
            || ground_velocity != self.file.clip.ground_velocity;
        let first = self.first_frame();
        self.file.replace_plants(plants, ground_velocity, source, notes);
        let mut setup = if all_frames { Some(self.set_up_cleaner()?) } else { None };
        let performance = self.performance_plants(first);
        let cleaner = match &mut setup {
            Some(setup) => setup.cleaner.as_mut(),
            None => self.cleaner.as_mut(),
        };
        let frames = match cleaner {
            Some(cleaner) => cleaner.clean(&performance).map_err(|error| error.to_string())?,
            None => Vec::new(),
        };
        // From here on nothing can fail.
        if let Some(setup) = setup {
            self.apply(setup);
        }
        self.at_rest.plants.clone_from(&self.file.clip.plants);
        let frames = frames.into_iter().map(|run| run.start + first..run.end + first).collect();
        Ok(Changes { frames, all_frames })
    }

    /// Copies everything that [`MotionFile::replace_plants`] changes.
    fn plants_state(&self) -> PlantsState {
        let MotionFile { clip, plants_source, plants_notes, .. } = &self.file;
        PlantsState {
            edit: PlantsEdit {
                plants: clip.plants.clone(),
                ground_velocity: clip.ground_velocity,
                source: *plants_source,
                notes: plants_notes.clone(),
            },
            // Only a floor that is built from the plants changes with them.
            floor: (self.file.floor_source == FloorSource::Plants).then(|| clip.floor.clone()),
        }
    }

    fn restore_plants(&mut self, PlantsState { edit, floor }: PlantsState) {
        let MotionFile { clip, plants_source, plants_notes, .. } = &mut self.file;
        clip.plants = edit.plants;
        clip.ground_velocity = edit.ground_velocity;
        *plants_source = edit.source;
        *plants_notes = edit.notes;
        if let Some(floor) = floor {
            clip.floor = floor;
        }
    }

    /// The plants, counted from the first frame of the performance.
    fn performance_plants(&self, first: usize) -> Footplants {
        let mut plants = self.file.clip.plants.clone();
        for plant in &mut plants.plants {
            let frames = &mut plant.frames;
            *frames = frames.start.saturating_sub(first)..frames.end.saturating_sub(first);
        }
        plants
    }

    /// The mesh of the character, if the file has one.
    #[cfg(feature = "full")]
    pub fn read_mesh(&self) -> Option<CharacterMesh> {
        let load_beside = |name: &str| self.beside.find(name).map(<[u8]>::to_vec);
        let mesh = self.file.source.mesh(&self.file.space(), &load_beside)?;
        let _ = self.bones.set(mesh.bones.clone());
        Some(mesh)
    }

    /// The bones of the mesh.
    #[cfg(feature = "full")]
    pub fn bones(&self) -> &[Bone] {
        if self.bones.get().is_none() {
            self.read_mesh();
        }
        self.bones.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// A world position in the frame of a joint, in the file's unit.
    pub fn joint_offset(&self, joint: usize, frame: usize, position: Vec3) -> Option<Vec3> {
        let motion = &self.at_rest.motion;
        let world = motion.poses.get(frame)?.world(&motion.skeleton);
        let offset = world.rotations.get(joint)?.inverse() * (position - *world.positions.get(joint)?);
        Some(self.file.space().position_to_file(offset))
    }
}
