//! Reading and writing of floors: images, tables and meshes.

use surefoot_core::UpAxis;
use surefoot_core::Vec3;
use surefoot_core::floor::Surface;
use surefoot_formats::Space;
use surefoot_formats::floor::{FloorError, ImagePlacement, read_csv, read_obj, read_pgm, write_obj};

pub const CM: Space = Space { unit_m: 0.01, up: UpAxis { axis: 1, negative: false } };
pub const IMAGE: ImagePlacement = ImagePlacement { cell: 0.5, heights: (0.0, 1.0), origin: None };

fn space(unit_m: f64, up: &str) -> Space {
    Space { unit_m, up: UpAxis::from_name(up).unwrap() }
}

fn height(surface: &Surface, x: f64, z: f64) -> f64 {
    let over = Vec3::new(x, 5.0, z);
    5.0 - surface.plane_under(over).above(over) / surface.plane_under(over).normal.y
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
}

#[test]
fn plain_and_raw_images_give_the_same_floor() {
    let plain = b"P2 # heights\n# made by hand\n3 2\n#\n10\n0 5 10\n10\t5 0\n";
    let raw = b"P5\n3 2\n10\n\x00\x05\x0a\x0a\x05\x00";
    let wide = b"P5 3 2 1000 \x00\x00\x01\xf4\x03\xe8\x03\xe8\x01\xf4\x00\x00";
    for bytes in [&plain[..], raw, wide] {
        let floor = read_pgm(bytes, &IMAGE, &CM).unwrap();
        // The middle of the image is at 0: columns at −0.5, 0 and 0.5, rows at −0.25 and 0.25.
        near(height(&floor, -0.5, -0.25), 0.0);
        near(height(&floor, 0.5, -0.25), 1.0);
        near(height(&floor, -0.5, 0.25), 1.0);
        near(height(&floor, 0.0, 0.0), 0.5);
    }
    let placement = ImagePlacement { origin: Some((2.0, 3.0)), heights: (-0.1, 0.9), ..IMAGE };
    let floor = read_pgm(raw, &placement, &CM).unwrap();
    near(height(&floor, 2.0, 3.0), -0.1);
    near(height(&floor, 3.0, 3.0), 0.9);
}

#[test]
fn image_rows_and_columns_run_along_the_ground_axes() {
    // One white pixel, in the second column of the first of three rows.
    let bytes = b"P2 2 3 1 0 1 0 0 0 0";
    let image = ImagePlacement { origin: Some((10.0, 20.0)), ..IMAGE };
    for (up, position) in [
        ("y", Vec3::new(10.5, 0.0, 20.0)),
        ("-y", Vec3::new(10.5, 0.0, 20.0)),
        ("z", Vec3::new(10.5, 20.0, 0.0)),
        ("-z", Vec3::new(10.5, 20.0, 0.0)),
        ("x", Vec3::new(0.0, 10.5, 20.0)),
        ("-x", Vec3::new(0.0, 10.5, 20.0)),
    ] {
        let space = space(1.0, up);
        let floor = read_pgm(bytes, &image, &space).unwrap();
        let at = space.direction_from_file(position);
        near(height(&floor, at.x, at.z), 1.0);
        let (low, high) = floor.bounds();
        near((high - low).x * (high - low).z, 0.5);
    }
}

#[test]
fn a_table_may_have_any_order_and_unit() {
    let text = b"\xef\xbb\xbfX, z,height\r\n# spoken aside\n0,10,3\n20,0,2\n\n0,0,1\n\"20\",10,4\n";
    let floor = read_csv(text, &CM).unwrap();
    near(height(&floor, 0.0, 0.0), 0.01);
    near(height(&floor, 0.2, 0.0), 0.02);
    near(height(&floor, 0.0, 0.1), 0.03);
    near(height(&floor, 0.2, 0.1), 0.04);
    let tall = read_csv(b"x,y,height\n0,1,5\n1,1,5\n0,0,5\n1,0,7\n", &space(1.0, "z")).unwrap();
    near(height(&tall, 1.0, 0.0), 7.0);
    near(height(&tall, 1.0, -1.0), 5.0);
}

#[test]
fn a_mesh_may_use_every_form_of_vertex_index() {
    let text = b"# a ramp\nmtllib a.mtl\no ramp\nv 0 0 0 1\nv 100 0 0\nvt 0 0\nvn 0 1 0\nv 100 50 100\n\
        v 0 50 100\nusemtl x\nf 1/1/1 2//1 3/1 \\\n -1\nl 1 2\ns off\n";
    let floor = read_obj(text, &CM).unwrap();
    assert_eq!(floor.len(), 2);
    near(height(&floor, 0.3, 0.5), 0.25);
    let up_z = read_obj(b"v 0 0 1\nv 1 0 1\nv 0 1 1\nf -3 -2 -1", &space(1.0, "z")).unwrap();
    near(height(&up_z, 0.2, -0.2), 1.0);
}

#[test]
fn a_written_mesh_reads_back() {
    let floor = read_csv(b"x,z,height\n0,0,1\n1,0,2\n0,1,3\n1,1,7\n", &space(1.0, "y")).unwrap();
    for space in [CM, space(1.0, "z"), space(0.0254, "-x")] {
        let again = read_obj(write_obj(floor.triangles(), &space).as_bytes(), &space).unwrap();
        for (x, z) in [(0.1, 0.2), (0.9, 0.8), (0.5, 0.5)] {
            near(height(&again, x, z), height(&floor, x, z));
        }
    }
}

#[test]
fn a_face_of_too_many_corners_is_refused() {
    let corners = |count: usize| {
        let vertices: String = (0..count).map(|n| format!("v {n} 0 {}\n", n * n)).collect();
        let face: String = (1..=count).map(|n| format!(" {n}")).collect();
        read_obj(format!("{vertices}f{face}\n").as_bytes(), &Space::METRES_Y_UP)
    };
    assert!(corners(1000).is_ok());
    let error = corners(200_000).unwrap_err().to_string();
    assert_eq!(error, "line 200001: found \"200000 vertices\", expected at most 1000");
}

#[test]
fn errors_state_the_line_what_was_found_and_what_was_expected() {
    let pgm = |bytes: &[u8]| read_pgm(bytes, &IMAGE, &CM).unwrap_err().to_string();
    assert_eq!(pgm(b"P6 2 2 255 "), "line 1: found \"P6\", expected P2 or P5");
    assert_eq!(pgm(b""), "line 1: the file ends, expected P2 or P5");
    assert_eq!(pgm(b"P2\n2 x 9"), "line 2: found \"x\", expected a height of at least 2");
    assert_eq!(pgm(b"P2\n1 2 9"), "line 2: found \"1\", expected a width of at least 2");
    assert_eq!(
        pgm(b"P2 2 2\n70000 0 0 0 0"),
        "line 2: found \"70000\", expected a grey value for white from 1 to 65535"
    );
    assert_eq!(pgm(b"P2 2 2 9 0 1\n2 10"), "line 2: found \"10\", expected a pixel from 0 to 9");
    assert_eq!(pgm(b"P2 2 2 9 0 1\n2"), "line 2: the file ends, expected a pixel from 0 to 9");
    assert_eq!(pgm(b"P5 2 2 9\n\x00\x01"), "line 1: the file ends, expected 2 × 2 pixels of 1 bytes");
    assert_eq!(pgm(b"P5 2 2 9\n\x00\x01\x0a\x00"), "line 1: found \"10\", expected pixels from 0 to 9");
    let huge = b"P5 4294967295 4294967295 9\n\x00";
    assert!(matches!(read_pgm(huge, &IMAGE, &CM), Err(FloorError::Truncated { .. })));
    let csv = |text: &str| read_csv(text.as_bytes(), &CM).unwrap_err().to_string();
    assert_eq!(csv("a,b\n"), "line 1: found \"a,b\", expected the header x,z,height");
    assert_eq!(csv(""), "line 1: the file ends, expected the header x,z,height");
    assert_eq!(csv("x,z,height\n1,2\n"), "line 2: found \"1,2\", expected three numbers");
    assert_eq!(csv("x,z,height\n1,2,nan\n"), "line 2: found \"nan\", expected a number");
    assert_eq!(csv("x,z,height\n"), "line 2: the file ends, expected a line for each grid point");
    let square = "x,z,height\n0,0,1\n1,0,1\n0,1,1\n";
    assert_eq!(csv(square), "the grid point 1, 1 is missing, expected a line for every point");
    assert_eq!(
        csv(&format!("{square}1,1,1\n1,0,2\n")),
        "line 6: found the grid point 1, 0 again, expected it once"
    );
    assert_eq!(
        csv("x,z,height\n0,0,1\n1,0,1\n5,0,1\n0,1,1\n"),
        "the grid points along x are not evenly spaced: found neighbours at 1 and 5, expected a distance of 1 as between the first two"
    );
    let obj = |text: &str| read_obj(text.as_bytes(), &CM).unwrap_err().to_string();
    assert_eq!(obj("v 0 0\n"), "line 1: found \"v 0 0\", expected three coordinates");
    assert_eq!(obj("v 0 0 inf\n"), "line 1: found \"inf\", expected three coordinates");
    let vertices = "v 0 0 0\nv 1 0 0\nv 0 0 1\n";
    assert_eq!(
        obj(&format!("{vertices}f 1 2 4\n")),
        "line 4: found \"4\", expected a vertex from 1 to 3, or from -1 to -3"
    );
    assert_eq!(obj(&format!("{vertices}f 1 2\n")), "line 4: found \"1 2\", expected three or more vertices");
    assert_eq!(obj(&format!("{vertices}f\n")), "line 4: the file ends, expected three or more vertices");
    for zero in ["0", "-4", "x", "/1"] {
        assert!(obj(&format!("{vertices}f 1 2 {zero}\n")).contains("expected a vertex"), "{zero}");
    }
    assert_eq!(obj(vertices), "the mesh has no triangle to stand on, expected one that is not vertical");
}
