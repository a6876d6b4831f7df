"""The virtual display of the measuring scripts."""
import mmap, os, shutil, struct, subprocess, sys, time
from pathlib import Path

WIDTH, HEIGHT = 1280, 800
# A grid of points in the middle of the screen, where neither Sinew nor F3D has panels.
POINTS = [(x, y) for y in range(260, 540, 8) for x in range(480, 800, 8)]
# The background, the grid and messages have fewer different colors than this. A lit model has more.
MODEL_COLORS = 60
# Every wait takes at most this many seconds.
LIMIT = 60.0


def wait_for(what, holds):
    """Waits until something holds. Ends the script after LIMIT seconds."""
    end = time.monotonic() + LIMIT
    while not holds():
        if time.monotonic() > end:
            sys.exit(f'waited in vain for {what}')
        time.sleep(0.05)


class Screen:
    """A virtual display. Its pixels are in a file of `folder` that is mapped into memory."""

    def __init__(self, folder, *programs):
        """Starts the display, and on it these programs, such as a window manager."""
        missing = [program for program in ('Xvfb', *programs) if shutil.which(program) is None]
        if missing:
            sys.exit(f'Install these programs first: {", ".join(missing)}')
        # The server chooses a free number and writes it when it is ready.
        reading, writing = os.pipe()
        server = ['Xvfb', '-displayfd', str(writing), '-screen', '0', f'{WIDTH}x{HEIGHT}x24', '-fbdir', folder]
        server += ['-nolisten', 'tcp', '-nocursor']
        self.processes = [subprocess.Popen(server, pass_fds=[writing], stderr=subprocess.DEVNULL)]
        try:
            self.open(folder, reading, writing, programs)
        except BaseException:
            self.__exit__()
            raise

    def open(self, folder, reading, writing, programs):
        """Waits until the server is ready, maps its pixels, and starts the programs."""
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = ':' + number.readline().strip()
        if self.display == ':':
            sys.exit('Xvfb did not start')
        with (Path(folder) / 'Xvfb_screen0').open('rb') as file:
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        # The header of the file format XWD.
        header = struct.unpack('>25I', self.memory[:100])
        self.start, self.row = header[0] + 12 * header[19], header[12]
        self.offsets = [self.start + y * self.row + x * 4 for x, y in POINTS]
        for program in programs:
            self.processes.append(subprocess.Popen([program], env={**os.environ, 'DISPLAY': self.display}, stderr=subprocess.DEVNULL))
            time.sleep(1)

    def environment(self, folder, **variables):
        """The environment of a program that is shown on the display and keeps its settings in a folder."""
        environment = {**os.environ, 'DISPLAY': self.display, 'SINEW_CONFIG_DIR': str(folder), 'XDG_RUNTIME_DIR': str(folder), **variables}
        for name in ('WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CURRENT_DESKTOP'):
            environment.pop(name, None)
        return environment

    def points(self):
        """The colors of POINTS."""
        return [self.memory[o:o + 3] for o in self.offsets]

    def shows_model(self):
        return len(set(self.points())) >= MODEL_COLORS

    def is_empty(self):
        return len(set(self.points())) <= 2

    def save(self, path):
        """Saves the screen as a PPM picture."""
        with open(path, 'wb') as out:
            out.write(b'P6 %d %d 255\n' % (WIDTH, HEIGHT))
            for y in range(HEIGHT):
                row = self.memory[self.start + y * self.row:self.start + y * self.row + WIDTH * 4]
                line = bytearray(WIDTH * 3)
                line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
                out.write(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
