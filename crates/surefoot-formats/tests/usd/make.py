"""Makes the USD files of the tests with Pixar's library: ``pip install usd-core==26.11; python make.py``.

Every file has the same four joints and six frames. The expected positions, as that library computes them, are written
beside the files: a line for each frame, x y z of every joint in the unit and axes of the file.
"""

import math
from pathlib import Path

from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, UsdUtils

HERE = Path(__file__).parent
JOINTS = ["Hips", "Hips/Leg", "Hips/Leg/Foot", "Hips/Arm"]
FRAMES = 6


def rest(joint):
    return Gf.Matrix4d(1).SetTranslate([(0, 1, 0), (0.1, 0, 0), (0, -0.5, 0), (-0.2, 0.4, 0)][joint])


def local(joint, frame):
    angle = 0.1 * (joint + 1) * math.sin(frame + joint)
    rotation = Gf.Quatf(math.cos(angle), Gf.Vec3f(math.sin(angle) * 0.6, math.sin(angle) * 0.8, 0))
    translation = Gf.Vec3f(rest(joint).ExtractTranslation())
    if joint == 0:
        translation += Gf.Vec3f(0.05 * frame, 0.01 * frame * frame, 0)
    return translation, rotation


def add_character(stage, root, order=(0, 1, 2, 3), first=0, step=1.0, every=1, is_still=False):
    """A skeleton below ``root`` and its animation, with a sample at each ``every``-th frame."""
    skeleton = UsdSkel.Skeleton.Define(stage, f"{root}/Skel")
    skeleton.CreateJointsAttr(JOINTS)
    skeleton.CreateRestTransformsAttr([rest(joint) for joint in range(4)])
    skeleton.CreateBindTransformsAttr([rest(joint) for joint in range(4)])
    animation = UsdSkel.Animation.Define(stage, f"{root}/Anim")
    animation.CreateJointsAttr([JOINTS[joint] for joint in order])
    binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([f"{root}/Anim"])
    rotations, translations = animation.CreateRotationsAttr(), animation.CreateTranslationsAttr()
    animation.CreateScalesAttr([(1, 1, 1)] * len(order))
    for frame in range(FRAMES):
        time = first + frame * step
        values = [local(joint, frame) for joint in order]
        if frame % every == 0 or frame == FRAMES - 1:
            rotations.Set([rotation for _, rotation in values], time)
        if is_still and frame == 0:
            translations.Set([translation for translation, _ in values])
        if not is_still:
            translations.Set([translation for translation, _ in values], time)


def new(name, unit=1.0, up="Y", rate=30):
    path = HERE / name
    path.unlink(missing_ok=True)
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, unit)
    UsdGeom.SetStageUpAxis(stage, up)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetDefaultPrim(UsdSkel.Root.Define(stage, "/Root").GetPrim())
    return stage


def positions(name, skeleton):
    stage = Usd.Stage.Open(str(HERE / name))
    cache = UsdSkel.Cache()
    roots = [prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    cache.Populate(UsdSkel.Root(roots[0]), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath(skeleton)))
    times = query.GetAnimQuery().GetJointTransformTimeSamples()
    step = (times[-1] - times[0]) / (FRAMES - 1)
    with open((HERE / name).with_suffix(".txt"), "w") as out:
        for frame in range(FRAMES):
            time = times[0] + frame * step
            world = UsdGeom.XformCache(time).GetLocalToWorldTransform(stage.GetPrimAtPath(skeleton))
            joints = [matrix * world for matrix in query.ComputeJointSkelTransforms(time)]
            numbers = [number for matrix in joints for number in matrix.ExtractTranslation()]
            print(" ".join(f"{number:.9g}" for number in numbers), file=out)


def main():
    for ending in ("usda", "usdc"):
        stage = new(f"plain.{ending}")
        add_character(stage, "/Root")
        stage.Save()

        # Other orders, steps and units, and transforms above the skeleton, one of which moves.
        stage = new(f"odd.{ending}", unit=0.01, up="Z", rate=12)
        root = UsdSkel.Root(stage.GetPrimAtPath("/Root"))
        root.AddTranslateOp().Set((10, 20, 30))
        turn = root.AddRotateXYZOp()
        turn.Set((90, 0, 10), 3.0)
        turn.Set((90, 5, 40), 6.0)
        root.AddScaleOp().Set((100, 100, 100))
        add_character(stage, "/Root", order=(2, 0, 3, 1), first=3, step=0.5)
        stage.Save()

        # Samples that are left out.
        stage = new(f"sparse.{ending}")
        add_character(stage, "/Root", every=3)
        stage.Save()

        # Translations that hold at all times.
        stage = new(f"still.{ending}")
        add_character(stage, "/Root", is_still=True)
        stage.Save()
    for name in ("plain", "odd", "sparse", "still"):
        positions(f"{name}.usdc", "/Root/Skel")

    # A shot that refers to a file with the animation, in one package.
    package = HERE / "shot.usdz"
    shot = new("shot.usda")
    shot.DefinePrim("/Root/Character").GetReferences().AddReference("./plain.usdc")
    shot.DefinePrim("/Root/Light", "SphereLight")
    shot.Save()
    package.unlink(missing_ok=True)
    UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(HERE / "shot.usda")), str(package))
    positions("shot.usdz", "/Root/Character/Skel")


main()
