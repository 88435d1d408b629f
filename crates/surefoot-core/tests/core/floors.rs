//! Laws of floors: nearest points, heights, and the ground outside a surface.

use proptest::prelude::*;
use surefoot_core::floor::{Surface, SurfaceError};
use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Floor, Plane, Vec3};

/// A height field of 21 × 31 heights, 10 cm apart, from (−1, −1.5) to (1, 1.5).
fn hills() -> Surface {
    let height = |at: usize| {
        let (x, z) = ((at % 21) as f64 * 0.1, (at / 21) as f64 * 0.1);
        0.1 * sin(3.0 * x) * sin(2.0 * z + 1.0) + 0.05 * x
    };
    Surface::from_heights((-1.0, -1.5), (0.1, 0.1), 21, (0..21 * 31).map(height).collect()).unwrap()
}

/// The same surface as a mesh.
fn mesh_of_hills() -> Surface {
    Surface::from_triangles(hills().triangles()).unwrap()
}

fn both() -> [Floor; 2] {
    [hills().into(), mesh_of_hills().into()]
}

/// Distance of a point from a triangle, by sampling the triangle.
fn sampled_distance(triangle: [Vec3; 3], point: Vec3) -> f64 {
    let [a, b, c] = triangle;
    let mut best = f64::INFINITY;
    for i in 0..=60 {
        for j in 0..=60 - i {
            let on = a + (b - a) * (f64::from(i) / 60.0) + (c - a) * (f64::from(j) / 60.0);
            best = best.min(on.distance(point));
        }
    }
    best
}

fn inside() -> impl Strategy<Value = Vec3> {
    (-0.95..0.95f64, -0.4..0.6f64, -1.45..1.45f64).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_floor_point_has_height_zero(point in inside()) {
        for floor in both() {
            let plane = floor.plane_under(point);
            let below = point - Vec3::Y * (plane.above(point) / plane.normal.y);
            prop_assert!(floor.above(below).abs() < 1e-12);
            prop_assert!(plane.normal.is_normalized() && plane.normal.y > 0.0);
            prop_assert!((floor.above(below + plane.normal * 1e-4) - 1e-4).abs() < 1e-5);
            let nearest = floor.nearest(point);
            prop_assert!(floor.above(nearest).abs() < 1e-12, "{}", floor.above(nearest));
        }
    }

    #[test]
    fn height_field_and_mesh_agree(point in inside()) {
        let [field, mesh] = both();
        prop_assert!((field.above(point) - mesh.above(point)).abs() < 1e-12);
        prop_assert!((field.nearest(point) - mesh.nearest(point)).length() < 1e-12);
    }

    #[test]
    fn the_nearest_point_is_nearest(point in inside()) {
        let surface = hills();
        let found = surface.nearest(point).distance(point);
        let tried = surface.triangles().map(|triangle| {
            let far = triangle.iter().map(|corner| corner.distance(point)).fold(f64::INFINITY, f64::min);
            // Triangles too far away to be the nearest are not sampled.
            if far > found + 0.2 { far } else { sampled_distance(triangle, point) }
        });
        let tried = tried.fold(f64::INFINITY, f64::min);
        prop_assert!(found <= tried + 1e-12 && found > tried - 5e-3, "{found} {tried}");
    }

    #[test]
    fn a_tilted_height_field_equals_a_tilted_plane(point in inside(), rise in (-0.3..0.3f64, -0.3..0.3f64)) {
        let plane = Plane::through(Vec3::Y * 0.2, Vec3::new(-rise.0, 1.0, -rise.1).normalize());
        let corner = |at: usize| {
            let (x, z) = ((at % 9) as f64 - 4.0, (at / 9) as f64 - 4.0);
            0.2 + rise.0 * x + rise.1 * z
        };
        let field = Surface::from_heights((-4.0, -4.0), (1.0, 1.0), 9, (0..81).map(corner).collect()).unwrap();
        prop_assert!((field.plane_under(point).above(point) - plane.above(point)).abs() < 1e-12);
        prop_assert!((field.nearest(point) - plane.nearest(point)).length() < 1e-12);
    }

    #[test]
    fn queries_move_and_rotate_with_the_mesh(point in inside(), angle in -3.0..3.0f64) {
        let (rotation, translation) = (axis_rotation(1, angle), Vec3::new(3.0, -1.0, 2.0));
        let surface_here = mesh_of_hills();
        let moved_surface = surface_here.triangles().map(|triangle| triangle.map(|corner| rotation * corner + translation));
        let moved_surface = Surface::from_triangles(moved_surface).unwrap();
        let moved = rotation * point + translation;
        prop_assert!((moved_surface.plane_under(moved).above(moved) - surface_here.plane_under(point).above(point)).abs() < 1e-9);
        let difference = moved_surface.nearest(moved).distance(moved) - surface_here.nearest(point).distance(point);
        prop_assert!(difference.abs() < 1e-9);
    }
}

#[test]
fn outside_the_surface_the_ground_is_level_at_the_edge_height() {
    for floor in both() {
        for (beyond, edge) in [
            (Vec3::new(1.7, 0.3, 0.2), Vec3::new(1.0, 0.3, 0.2)),
            (Vec3::new(-5.0, 0.3, 0.2), Vec3::new(-1.0, 0.3, 0.2)),
            (Vec3::new(40.0, 0.3, 70.0), Vec3::new(1.0, 0.3, 1.5)),
        ] {
            let plane = floor.plane_under(edge);
            let height = edge.y - plane.above(edge) / plane.normal.y;
            let found = floor.plane_under(beyond);
            assert_eq!(found.normal, Vec3::Y);
            assert!((found.offset - height).abs() < 1e-12, "{beyond}: {} {height}", found.offset);
            let nearest = floor.nearest(beyond);
            assert!((nearest - Vec3::new(beyond.x, height, beyond.z)).length() < 1e-12);
        }
    }
}

fn quad(low: (f64, f64), high: (f64, f64), height: f64) -> [[Vec3; 3]; 2] {
    let corner = |x, z| Vec3::new(x, height, z);
    let (a, b) = (corner(low.0, low.1), corner(high.0, low.1));
    let (c, d) = (corner(high.0, high.1), corner(low.0, high.1));
    // One in each orientation.
    [[a, b, c], [a, d, c]]
}

#[test]
fn under_a_bridge_the_ground_is_below() {
    let ground = quad((-5.0, -5.0), (5.0, 5.0), 0.0);
    let bridge = quad((-1.0, -5.0), (1.0, 5.0), 2.0);
    let floor: Floor = Surface::from_triangles([ground, bridge].concat()).unwrap().into();
    assert_eq!(floor.above(Vec3::new(0.2, 0.1, 0.3)), 0.1);
    assert!((floor.above(Vec3::new(0.2, 2.1, 0.3)) - 0.1).abs() < 1e-12);
    // A foot 10 cm inside the bridge is still on it.
    assert!((floor.above(Vec3::new(0.2, 1.9, 0.3)) + 0.1).abs() < 1e-12);
    assert_eq!(floor.nearest(Vec3::new(0.2, 1.2, 0.3)).y, 0.0);
    // A point deep below the ground is still above nothing else.
    assert_eq!(floor.above(Vec3::new(3.0, -1.0, 0.3)), -1.0);
}

#[test]
fn walls_are_ignored_and_holes_have_the_height_of_their_edge() {
    let wall = [[Vec3::ZERO, Vec3::Y * 3.0, Vec3::Z]];
    assert_eq!(Surface::from_triangles(wall), Err(SurfaceError::NoWalkableTriangle));
    let steps = [quad((0.0, 0.0), (1.0, 1.0), 0.0), quad((1.0, 0.0), (2.0, 1.0), 0.2)].concat();
    let risen = [Vec3::X, Vec3::new(1.0, 0.2, 0.0), Vec3::new(1.0, 0.2, 1.0)];
    let floor: Floor = Surface::from_triangles(steps.into_iter().chain([risen])).unwrap().into();
    assert_eq!(floor.plane_under(Vec3::new(0.999, 1.0, 0.5)), Plane::level(0.0));
    assert_eq!(floor.plane_under(Vec3::new(1.001, 1.0, 0.5)).offset, 0.2);
    let difference = [quad((0.0, 0.0), (1.0, 1.0), 0.0), quad((2.0, 0.0), (3.0, 1.0), 0.2)].concat();
    let floor: Floor = Surface::from_triangles(difference).unwrap().into();
    assert_eq!(floor.plane_under(Vec3::new(1.4, 1.0, 0.5)).offset, 0.0);
    assert!((floor.plane_under(Vec3::new(1.6, 1.0, 0.5)).offset - 0.2).abs() < 1e-12);
}

#[test]
fn large_triangles_over_small_ones_do_not_fill_the_cell_lists() {
    // Each large triangle covers every cell of a grid sized for the small ones.
    let small = (0..2_000).map(|n| {
        let at = Vec3::new((n % 50) as f64 * 0.02, 0.0, (n / 50) as f64 * 0.02);
        [at, at + Vec3::X * 0.01, at + Vec3::Z * 0.01]
    });
    let large = (0..2_000).map(|n| {
        let up = Vec3::Y * (-1.0 - f64::from(n));
        [up, up + Vec3::X * 2.0, up + Vec3::Z * 2.0]
    });
    let surface = Surface::from_triangles(small.chain(large)).unwrap();
    assert_eq!(surface.len(), 4_000);
    assert_eq!(surface.plane_under(Vec3::new(0.001, 0.1, 0.001)).offset, 0.0);
    assert_eq!(surface.plane_under(Vec3::new(0.015, 0.1, 0.015)).offset, -1.0);
}

#[test]
fn invalid_surfaces_are_refused() {
    let field = |columns, heights: Vec<f64>| Surface::from_heights((0.0, 0.0), (1.0, 1.0), columns, heights);
    assert_eq!(field(0, vec![]), Err(SurfaceError::BadHeightField));
    assert_eq!(field(2, vec![0.0; 2]), Err(SurfaceError::BadHeightField));
    assert_eq!(field(2, vec![0.0; 5]), Err(SurfaceError::BadHeightField));
    assert_eq!(field(2, vec![0.0, 0.0, 0.0, f64::NAN]), Err(SurfaceError::NotFinite));
    assert_eq!(field(2, vec![0.0, 0.0, 0.0, 1e300]), Err(SurfaceError::NotFinite));
    let flat = Surface::from_heights((0.0, 0.0), (0.0, 1.0), 2, vec![0.0; 4]);
    assert_eq!(flat, Err(SurfaceError::BadHeightField));
    let far = Surface::from_triangles([[Vec3::ZERO, Vec3::X * f64::INFINITY, Vec3::Z]]);
    assert_eq!(far, Err(SurfaceError::NotFinite));
    assert_eq!(Surface::from_triangles([]), Err(SurfaceError::NoWalkableTriangle));
    let stacked = (0..5000).map(|n| [Vec3::ZERO, Vec3::X, Vec3::Z].map(|at| at + Vec3::Y * f64::from(n)));
    assert_eq!(Surface::from_triangles(stacked), Err(SurfaceError::TooDense { found: 5000 }));
}
