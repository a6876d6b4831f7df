#!/usr/bin/env python3
"""Measures the time from opening a file on a desktop to the first picture of the model, in Sinew and in a window of F3D.

usage: scripts/measure/first_picture.py SINEW MODEL... [--runs N] [--keep FOLDER]

Each file is opened with `gio open`. As file managers do, `gio open` starts the program whose desktop entry is registered for the file type.
The two programs run in turn on a virtual display, whose pixels are read from memory. The first picture is complete when the middle of the
screen has many colors. The last picture is complete when the screen stops changing; models with animations have no last picture. --keep
saves pictures of the screen at both moments.

Needs Xvfb, openbox, libglib2.0-bin, shared-mime-info and desktop-file-utils, and F3D: pip install f3d.
"""
import argparse, os, shutil, signal, statistics, subprocess, sys, tempfile, time
from pathlib import Path
from typing import NamedTuple

from screen import LIMIT, MODEL_COLORS, Screen, wait_for

# A picture that has not changed for this many seconds is the last one.
STILL = 2.0

F3D_WINDOW = '''
import sys, time
started = time.monotonic()
import f3d
print("import", time.monotonic() - started, file=open(sys.argv[2], "w"), flush=True)
f3d.Log.set_verbose_level(f3d.Log.ERROR)
f3d.Engine.autoload_plugins()
engine = f3d.Engine.create()
engine.window.size = (1280, 720)
engine.scene.add(sys.argv[1])
engine.window.render()
engine.interactor.start()
'''


class Program:
    """A program with its own home folder, in which it is registered for glTF files."""

    def __init__(self, name, command, folder):
        self.name, self.home = name, Path(folder) / name
        self.report, self.process = self.home / 'report', self.home / 'process'
        share = self.home / 'share'
        (share / 'applications').mkdir(parents=True)
        (share / 'mime/packages').mkdir(parents=True)
        start = self.home / 'start'
        start.write_text(f'#!/bin/sh\necho $$ >{self.process}\nexec {command} "$1" {self.report if name == "f3d" else ""}\n')
        start.chmod(0o755)
        (share / f'applications/{name}.desktop').write_text(
            f'[Desktop Entry]\nType=Application\nName={name}\nExec={start} %f\nMimeType=model/gltf-binary;model/gltf+json;\n')
        (share / 'applications/mimeapps.list').write_text(
            f'[Default Applications]\nmodel/gltf-binary={name}.desktop\nmodel/gltf+json={name}.desktop\n')
        types = Path(__file__).resolve().parents[2] / 'assets/sinew-mime.xml'
        shutil.copy(types, share / 'mime/packages')
        subprocess.run(['update-mime-database', share / 'mime'], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(['update-desktop-database', share / 'applications'], check=True)

    def open(self, model, screen):
        environment = screen.environment(
            self.home, HOME=str(self.home), XDG_DATA_HOME=str(self.home / 'share'), XDG_CONFIG_HOME=str(self.home / 'config'),
            XDG_CACHE_HOME=str(self.home / 'cache'))
        subprocess.Popen(['gio', 'open', model], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processor_time(self):
        fields = Path(f'/proc/{self.process.read_text().strip()}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def end(self):
        """Ends the program, unless it never started or has ended already."""
        try:
            process = int(self.process.read_text())
            os.kill(process, signal.SIGTERM)
        except (FileNotFoundError, ProcessLookupError):
            return
        finally:
            self.process.unlink(missing_ok=True)
        wait_for(f'{self.name} to end', lambda: not is_running(process))

    def import_time(self):
        return float(self.report.read_text().split()[1]) if self.report.exists() else 0.0


def is_running(process):
    try:
        return ' Z ' not in Path(f'/proc/{process}/stat').read_text()
    except FileNotFoundError:
        return False


class Run(NamedTuple):
    """Times in seconds: until the first picture, until the last picture (None if the model moves), processor time until the first picture,
    and time to import F3D's Python module."""
    first: float
    last: float | None
    processor: float
    imported: float


def measure(program, model, screen, keep):
    started = time.monotonic()
    program.open(model, screen)
    first = last = processor = None
    before = None
    try:
        while True:
            now = time.monotonic() - started
            points = screen.points()
            if points != before:
                before, last = points, now
            if first is None and len(set(points)) >= MODEL_COLORS:
                first, processor = now, program.processor_time()
                if keep:
                    screen.save(f'{keep}/{Path(model).stem}-{program.name}-first.ppm')
            if now > LIMIT or (first is not None and (now - last > STILL or now - first > 4 * STILL)):
                break
            time.sleep(0.004)
        if keep:
            screen.save(f'{keep}/{Path(model).stem}-{program.name}-last.ppm')
    finally:
        program.end()
    if first is None:
        sys.exit(f'{program.name} showed no picture of {model}')
    # The screen must be empty again before the next run.
    wait_for('an empty screen', screen.is_empty)
    return Run(first, last if now - last > STILL else None, processor, program.import_time())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('sinew')
    parser.add_argument('models', nargs='+')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--keep')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / 'f3d_window.py'
        script.write_text(F3D_WINDOW)
        programs = [Program('sinew', os.path.abspath(args.sinew), folder), Program('f3d', f'{sys.executable} {script}', folder)]
        with Screen(folder, 'openbox') as screen:
            for model in map(os.path.abspath, args.models):
                for program in programs:
                    measure(program, model, screen, args.keep)
                values = {program.name: [] for program in programs}
                for _ in range(args.runs):
                    for program in programs:
                        values[program.name].append(measure(program, model, screen, None))
                report(model, values)


def report(model, values):
    pairs = list(zip(values['sinew'], values['f3d']))

    def line(name, value):
        medians = [statistics.median(value(run) for run in column) for column in zip(*pairs)]
        ratio = statistics.median(value(a) / value(b) for a, b in pairs)
        print(f'  {name}: sinew {medians[0]:.2f} s, f3d {medians[1]:.2f} s, ratio {ratio:.2f}', flush=True)

    print(Path(model).name)
    line('first picture', lambda run: run.first)
    line("first picture, without importing F3D's Python module", lambda run: run.first - run.imported)
    line('processor time until then', lambda run: run.processor)
    if all(run.last for pair in pairs for run in pair):
        line('last picture', lambda run: run.last)


if __name__ == '__main__':
    main()
