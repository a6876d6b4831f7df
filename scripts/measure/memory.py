#!/usr/bin/env python3
"""Measures whether the window's memory grows: steps through 60 different models several times.

usage: scripts/measure/memory.py SINEW [--samples FOLDER] [--rounds 5] [--models 60] [--pause 0.4] [--strip]

Prints the resident memory of the process after each round. The models are those of the folder, and generated ones: textured grids, with
and without skins and material extensions. Needs Linux, Xvfb and xdotool.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from screen import Screen, wait_for


def png(side, seed):
    """A picture of gradients and noise."""
    rows = bytearray()
    state = seed * 2654435761 % 2**32 or 1
    for y in range(side):
        rows.append(0)
        for x in range(side):
            state = (state * 1664525 + 1013904223) % 2**32
            rows += bytes(((x * 255 // side), (y * 255 // side), state >> 26))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 1)) + chunk(b"IEND", b"")


def model(number):
    """An animated grid with a texture. Size and extensions differ from model to model, and every other one is skinned."""
    count = 40 + 12 * number
    binary, views, accessors = bytearray(), [], []

    def accessor(data, kind, component, length, bounds=None):
        while len(binary) % 4:
            binary.append(0)
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary.extend(data)
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": length, "type": kind, **(bounds or {})})
        return len(accessors) - 1

    points = [(x / count, 0.1 * ((x * y) % 7), y / count) for y in range(count) for x in range(count)]
    floats = lambda values: b"".join(struct.pack(f"<{len(v)}f", *v) for v in values)
    attributes = {
        "POSITION": accessor(floats(points), "VEC3", 5126, len(points), {"min": [0, 0, 0], "max": [1, 0.6, 1]}),
        "NORMAL": accessor(floats([(0, 1, 0)] * len(points)), "VEC3", 5126, len(points)),
        "TEXCOORD_0": accessor(floats([(x, z) for x, _, z in points]), "VEC2", 5126, len(points)),
    }
    cells = [(y * count + x) for y in range(count - 1) for x in range(count - 1)]
    corners = [i for cell in cells for i in (cell, cell + count, cell + 1, cell + 1, cell + count, cell + count + 1)]
    indices = accessor(struct.pack(f"<{len(corners)}I", *corners), "SCALAR", 5125, len(corners))
    nodes, skins = [{"mesh": 0, "name": f"grid {number}"}, {"name": "joint"}], []
    if number % 2:
        attributes["JOINTS_0"] = accessor(bytes([0, 0, 0, 0]) * len(points), "VEC4", 5121, len(points))
        attributes["WEIGHTS_0"] = accessor(floats([(1, 0, 0, 0)] * len(points)), "VEC4", 5126, len(points))
        nodes[0]["skin"], skins = 0, [{"joints": [1]}]
    times = accessor(floats([(0.0,), (1.0,), (2.0,)]), "SCALAR", 5126, 3, {"min": [0], "max": [2]})
    moves = accessor(floats([(0, 0, 0), (0, 0.5, 0), (0, 0, 0)]), "VEC3", 5126, 3)
    picture = png(64 << (number % 5), number)
    while len(binary) % 4:
        binary.append(0)
    views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(picture)})
    binary.extend(picture)
    layers = {
        "KHR_materials_clearcoat": {"clearcoatFactor": 0.5},
        "KHR_materials_sheen": {"sheenColorFactor": [0.5, 0.2, 0.1]},
        "KHR_materials_specular": {"specularFactor": 0.5},
        "KHR_materials_iridescence": {"iridescenceFactor": 0.5},
    }
    used = {name: layer for bit, (name, layer) in enumerate(layers.items()) if number >> bit & 1}
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extensions": used, "doubleSided": number % 3 == 0}
    material["alphaMode"] = ["OPAQUE", "MASK", "BLEND"][number % 3]
    animation = {
        "name": "move",
        "samplers": [{"input": times, "output": moves}],
        "channels": [{"sampler": 0, "target": {"node": 1 if skins else 0, "path": "translation"}}],
    }
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(used),
        "scenes": [{"nodes": [0, 1]}],
        "nodes": nodes,
        "skins": skins,
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [material],
        "textures": [{"source": 0}],
        "images": [{"bufferView": len(views) - 1, "mimeType": "image/png"}],
        "animations": [animation],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary), "uri": "data:application/octet-stream;base64," + base64.b64encode(binary).decode()}],
    }


def generated(folder, count):
    """Writes this many models, and returns their paths."""
    paths = []
    for number in range(count):
        content = {key: value for key, value in model(number).items() if value != []}
        path = folder / f"generated{number}.gltf"
        path.write_text(json.dumps(content))
        paths.append(path)
    return paths


def memory(process):
    """Returns the resident memory, the part of it that is not mapped from files (both in MB), and the number of threads."""
    if process.poll() is not None:
        sys.exit(f"the program ended with {process.returncode}")
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    value = lambda name: int(status.split(f"{name}:")[1].split()[0]) / 1024
    return value("VmRSS"), value("RssAnon"), int(status.split("Threads:")[1].split()[0])


class Window:
    """The window of the program."""

    def __init__(self, arguments, screen, folder):
        self.environment = screen.environment(folder, HOME=str(folder))
        self.process = subprocess.Popen(arguments, env=self.environment)

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True).stdout.strip()

    def is_titled(self, text):
        """Returns whether the title of the window contains a text."""
        if self.process.poll() is not None:
            sys.exit(f"the program ended with {self.process.returncode}")
        windows = self.xdotool("search", "--name", "Sinew").split()
        return any(text in self.xdotool("getwindowname", window) for window in windows)

    def wait_for_file(self, number, count):
        """Waits until the window shows a file, by its number in the list of files."""
        title = f"({number} of {count})"
        wait_for(f"a window with {title} in its title", lambda: self.is_titled(title))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("--samples", type=pathlib.Path, help="folder with models to open before the generated ones")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--models", type=int, default=60)
    parser.add_argument("--pause", type=float, default=0.4, help="seconds that each model is shown")
    parser.add_argument("--strip", action="store_true", help="show the file strip")
    options = parser.parse_args()
    missing = [program for program in (options.sinew, "xdotool") if shutil.which(program) is None]
    if missing:
        sys.exit(f"Install these programs first: {', '.join(missing)}")
    endings = (".glb", ".gltf", ".vrm")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        samples = sorted(options.samples.rglob("*")) if options.samples else []
        samples = [path.resolve() for path in samples if path.suffix.lower() in endings][: options.models]
        files = samples + generated(folder, options.models - len(samples))
        with Screen(temporary) as screen, Window([options.sinew, *map(str, files)], screen, folder) as window:
            window.wait_for_file(1, len(files))
            window.xdotool("search", "--name", "Sinew", "windowfocus")
            time.sleep(2)
            if options.strip:
                window.xdotool("key", "F4")
            resident, own, threads = memory(window.process)
            print(f"{len(samples)} samples and {len(files) - len(samples)} generated models")
            print(f"{'round':>6} {'MB':>8} {'own MB':>8} {'threads':>8} {'seconds':>8}")
            print(f"{'start':>6} {resident:8.1f} {own:8.1f} {threads:8}", flush=True)
            for number in range(1, options.rounds + 1):
                start = time.time()
                for step in range(len(files)):
                    window.xdotool("key", "Next")
                    window.wait_for_file((step + 1) % len(files) + 1, len(files))
                    time.sleep(options.pause)
                time.sleep(3)
                resident, own, threads = memory(window.process)
                print(f"{number:6} {resident:8.1f} {own:8.1f} {threads:8} {time.time() - start:8.1f}", flush=True)


if __name__ == "__main__":
    main()
