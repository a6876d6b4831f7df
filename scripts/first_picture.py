#!/usr/bin/env python3
"""Measures the time from opening a file on a desktop to the first picture of the model, in Sinew and in a window of F3D.

usage: scripts/first_picture.py SINEW MODEL... [--runs N] [--keep FOLDER]

Each file is opened with `gio open`. As file managers do, `gio open` starts the program whose desktop entry is registered for the file type.
The two programs run in turn on a virtual display, whose pixels are read from memory. The first picture is complete when the middle of the
screen has many colors. The last picture is complete when the screen stops changing; models with animations have no last picture. --keep
saves pictures of the screen at both moments.

Needs Xvfb, openbox, libglib2.0-bin, shared-mime-info and desktop-file-utils, and F3D: pip install f3d.
"""
import argparse, mmap, os, shutil, signal, statistics, struct, subprocess, sys, tempfile, time
from pathlib import Path
from typing import NamedTuple

WIDTH, HEIGHT = 1280, 800
# A grid of points in the middle of the screen, where neither program has panels.
POINTS = [(x, y) for y in range(260, 540, 8) for x in range(480, 800, 8)]
# The background, the grid and messages have fewer different colors than this. A lit model has more.
MODEL_COLORS = 60
# A picture that has not changed for this many seconds is the last one.
STILL = 2.0
# A measurement, and every other wait, takes at most this many seconds.
LIMIT = 60.0

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


def wait_for(what, holds):
    """Waits until something holds. Ends the script after LIMIT seconds."""
    end = time.monotonic() + LIMIT
    while not holds():
        if time.monotonic() > end:
            sys.exit(f'waited in vain for {what}')
        time.sleep(0.05)


class Screen:
    """A virtual display. Its pixels are in a file that is mapped into memory."""

    def __init__(self, folder):
        missing = [program for program in ('Xvfb', 'openbox') if shutil.which(program) is None]
        if missing:
            sys.exit(f'Install these programs first: {", ".join(missing)}')
        self.number = next(n for n in range(90, 200) if not Path(f'/tmp/.X11-unix/X{n}').exists())
        self.server = subprocess.Popen(['Xvfb', f':{self.number}', '-screen', '0', f'{WIDTH}x{HEIGHT}x24', '-fbdir', folder, '-nolisten', 'tcp', '-nocursor'],
                                       stderr=subprocess.DEVNULL)
        pixels = Path(folder) / 'Xvfb_screen0'
        try:
            wait_for('Xvfb', lambda: Path(f'/tmp/.X11-unix/X{self.number}').exists() and pixels.exists() and pixels.stat().st_size)
        except SystemExit:
            self.server.terminate()
            raise
        self.file = pixels.open('rb')
        self.memory = mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ)
        header = struct.unpack('>25I', self.memory[:100])
        self.start, self.row = header[0] + 12 * header[19], header[12]
        self.offsets = [self.start + y * self.row + x * 4 for x, y in POINTS]
        self.manager = subprocess.Popen(['openbox'], env={**os.environ, 'DISPLAY': f':{self.number}'}, stderr=subprocess.DEVNULL)
        time.sleep(1)

    def points(self):
        return [self.memory[o:o + 3] for o in self.offsets]

    def save(self, path):
        with open(path, 'wb') as out:
            out.write(b'P6 %d %d 255\n' % (WIDTH, HEIGHT))
            for y in range(HEIGHT):
                row = self.memory[self.start + y * self.row:self.start + y * self.row + WIDTH * 4]
                line = bytearray(WIDTH * 3)
                line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
                out.write(line)

    def close(self):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait()


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
        types = Path(__file__).resolve().parent.parent / 'assets/sinew-mime.xml'
        shutil.copy(types, share / 'mime/packages')
        subprocess.run(['update-mime-database', share / 'mime'], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(['update-desktop-database', share / 'applications'], check=True)

    def open(self, model, screen):
        environment = {**os.environ, 'DISPLAY': f':{screen.number}', 'HOME': str(self.home), 'XDG_DATA_HOME': str(self.home / 'share'),
                       'XDG_CONFIG_HOME': str(self.home / 'config'), 'XDG_CACHE_HOME': str(self.home / 'cache'),
                       'XDG_RUNTIME_DIR': str(self.home)}
        for name in ('WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CURRENT_DESKTOP'):
            environment.pop(name, None)
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
    wait_for('an empty screen', lambda: len(set(screen.points())) <= 2)
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
        screen = Screen(folder)
        try:
            for model in map(os.path.abspath, args.models):
                for program in programs:
                    measure(program, model, screen, args.keep)
                values = {program.name: [] for program in programs}
                for _ in range(args.runs):
                    for program in programs:
                        values[program.name].append(measure(program, model, screen, None))
                report(model, values)
        finally:
            screen.close()


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
