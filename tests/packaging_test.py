#!/usr/bin/env python3
"""Checks the recipes for Spack and EasyBuild as far as that goes without these programs.

usage: packaging_test.py SOURCE_FOLDER

They have to be Python with the fields that the two require, be of the project's version, and name a package for all that
CMakeLists.txt looks for.
"""

import ast
import pathlib
import re
import sys

# What CMakeLists.txt looks for, and the packages that have it: in Spack, in EasyBuild.
PACKAGES = {
    "PkgConfig": ("pkgconfig", "pkgconf"), "otf2": ("otf2", "OTF2"), "nettle": ("nettle", "nettle"), "libzstd": ("zstd", "zstd"),
    "PNG": ("libpng", "libpng"), "ZLIB": ("zlib-api", "zlib"), "PROTOZERO_INCLUDE_DIR": ("protozero", "protozero"),
    "TBB": ("tbb", "tbb"), "fmt": ("fmt", "fmt"), "nlohmann_json": ("nlohmann-json", "nlohmann_json"), "CLI11": ("cli11", "CLI11"),
    "Boost": ("boost", "Boost"), "libarchive": ("libarchive", "libarchive"),
    "MPI": ("mpi", None),  # EasyBuild has it as a part of toolchains
}
EASYBUILD_FIELDS = {"name", "version", "homepage", "description", "toolchain", "sources", "moduleclass", "sanity_check_paths", "easyblock"}


def find_wanted(text):
    """What CMakeLists.txt looks for, in its words."""
    text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    modules = re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?IMPORTED_TARGET (\w+)\)", text)
    return set(modules) | set(re.findall(r"find_package\((\w+)", text)) | set(re.findall(r"find_path\((\w+)", text))


def read_spack(path):
    """Name of the class, versions, and names of what it depends on."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    calls = [node.value for node in found.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    named = [(call.func.id, call.args[0].value) for call in calls if call.args]
    return (found.name, [value for name, value in named if name == "version"],
            {re.split(r"[@+~%]", value)[0] for name, value in named if name == "depends_on"})


def read_easybuild(path):
    fields = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__builtins__": {}}, fields)
    return fields


def main():
    source = pathlib.Path(sys.argv[1])
    cmake = "\n".join(path.read_text(encoding="utf-8") for path in [source / "CMakeLists.txt", *sorted((source / "cmake").glob("*.cmake"))])
    version = re.search(r"project\(tracefold VERSION (\S+)", cmake)[1]
    wanted = find_wanted(cmake)
    wrong = [f"{name}: which packages have it?" for name in sorted(wanted - PACKAGES.keys())]
    packages = [PACKAGES[name] for name in sorted(wanted & PACKAGES.keys())]

    for path in sorted((source / "packaging" / "spack" / "packages").glob("*/package.py")):
        name, versions, needs = read_spack(path)
        if name.lower() != path.parent.name:
            wrong.append(f"{path}: the class is {name}")
        if not versions:
            wrong.append(f"{path}: no version")
        if path.parent.name == "tracefold":
            wrong += [f"{path}: does not depend on {spack}" for spack, _ in packages if spack not in needs]
            wrong += [f"{path}: not of version {version}"] if version not in versions else []

    recipes = list((source / "packaging" / "easybuild").glob("*.eb"))
    for path in recipes:
        fields = read_easybuild(path)
        wrong += [f"{path}: no {field}" for field in sorted(EASYBUILD_FIELDS - fields.keys())]
        toolchain = fields["toolchain"]
        if path.name != f"{fields['name']}-{fields['version']}-{toolchain['name']}-{toolchain['version']}.eb" or fields["version"] != version:
            wrong.append(f"{path}: another name or version than its fields, or than the project")
        needs = {entry[0] for entry in fields["builddependencies"] + fields["dependencies"]}
        wrong += [f"{path}: does not depend on {easybuild}" for _, easybuild in packages if easybuild and easybuild not in needs]

    print("\n".join(wrong) or f"recipes of version {version} with {len(packages)} packages")
    return bool(wrong) or not recipes or len(packages) < 10


if __name__ == "__main__":
    sys.exit(main())
