//! Any bytes as a plants file, JSON or CSV, are refused, or read, written and read again to the same plants.

use surefoot_core::{Footplants, JointId, JointPoint, Leg, Limb, Vec3};
use surefoot_formats::plants::{PlantsFile, read_csv, write_csv};

/// The length of the motion that the plants are for.
const FRAMES: usize = 40;
const FPS: f64 = 30.0;

fn legs() -> Vec<Leg> {
    let leg = |side: &str, first: u32| {
        let at = |joint: u32| JointPoint { joint: JointId(joint), offset: Vec3::ZERO };
        let [hip, knee, ankle] = [first, first + 1, first + 2].map(JointId);
        Leg {
            side: side.into(),
            hip,
            knee,
            ankle,
            heel: at(first + 2),
            ball: at(first + 3),
            toe: at(first + 3),
            limb: Limb::Leg,
        }
    };
    vec![leg("left", 1), leg("right", 5)]
}

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let legs = legs();
    if let Ok((plants, ground)) = read_csv(bytes, &legs, FRAMES) {
        check(&plants);
        let text = write_csv(&plants, &legs, FRAMES, ground);
        let (again, _) = read_csv(text.as_bytes(), &legs, FRAMES).expect("a written table can be read");
        assert_eq!(again.plants.len(), plants.plants.len());
    }
    let Ok(file) = PlantsFile::read(bytes) else { return };
    let again = PlantsFile::read(file.write().as_bytes()).expect("a written file can be read");
    assert_eq!(again.write(), file.write());
    let Ok(plants) = file.plants(&legs, FRAMES, FPS) else { return };
    check(&plants);
    assert_eq!(again.plants(&legs, FRAMES, FPS).as_ref(), Ok(&plants));
}

fn check(plants: &Footplants) {
    for plant in &plants.plants {
        assert!(plant.frames.start < plant.frames.end && plant.frames.end <= FRAMES, "{plant:?}");
        assert!(plant.spot.is_none_or(Vec3::is_finite), "{plant:?}");
    }
}
