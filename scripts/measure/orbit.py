#!/usr/bin/env python3
"""Counts the pictures per second that the window shows while a drag turns the camera around a paused model.

usage: scripts/measure/orbit.py SINEW... --models MODEL... [--seconds S]

With several programs, such as a build before and after a change, each model is measured with each of them in turn. The window is drawn on a
virtual display, whose pixels are read from memory. A picture is counted when pixels in the middle of the screen change.

Needs Xvfb, openbox and xdotool.
"""
import argparse, os, shutil, subprocess, sys, tempfile, time
from pathlib import Path

from screen import HEIGHT, WIDTH, Screen, wait_for

# Movements of the pointer per second, and pixels per movement. The drag goes to the right and back.
RATE, STEP = 100, 3
# Seconds from the first picture to the drag, and from the start of the drag to the first counted picture.
SETTLE_SECONDS = 3.0
UNCOUNTED_SECONDS = 1.0


def drag(screen, seconds):
    """Presses the button in the middle of the screen and moves the pointer to and fro."""
    moves = []
    for number in range(int(seconds * RATE)):
        step = STEP if number // 60 % 2 == 0 else -STEP
        moves += ['mousemove_relative', '--', str(step), '0', 'sleep', str(1 / RATE)]
    middle = ['mousemove', str(WIDTH // 2 - 90), str(HEIGHT // 2), 'sleep', '0.1', 'mousedown', '1']
    return subprocess.Popen(['xdotool', *middle, *moves, 'mouseup', '1'], env={**os.environ, 'DISPLAY': screen.display})


def pictures_per_second(sinew, model, screen, seconds):
    with tempfile.TemporaryDirectory() as folder:
        dragging = None
        process = subprocess.Popen([sinew, '--paused', model], env=screen.environment(folder), stderr=subprocess.DEVNULL)
        try:
            wait_for(f'{sinew} to show {model}', screen.shows_model)
            time.sleep(SETTLE_SECONDS)
            dragging = drag(screen, UNCOUNTED_SECONDS + seconds)
            time.sleep(UNCOUNTED_SECONDS)
            count, before, begun = 0, screen.points(), time.monotonic()
            while time.monotonic() - begun < seconds:
                points = screen.points()
                if points != before:
                    count, before = count + 1, points
                time.sleep(0.003)
            dragging.wait()
        finally:
            if dragging:
                dragging.kill()
            process.terminate()
            process.wait()
        wait_for('an empty screen', screen.is_empty)
    return count / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('programs', nargs='+')
    parser.add_argument('--models', nargs='+', required=True)
    parser.add_argument('--seconds', type=float, default=4.0)
    args = parser.parse_args()
    if shutil.which('xdotool') is None:
        sys.exit('Install xdotool first')
    with tempfile.TemporaryDirectory() as folder, Screen(folder, 'openbox') as screen:
        for model in map(os.path.abspath, args.models):
            rates = [pictures_per_second(program, model, screen, args.seconds) for program in map(os.path.abspath, args.programs)]
            print(f'{Path(model).name}: {", ".join(f"{rate:.1f}" for rate in rates)} pictures per second', flush=True)


if __name__ == '__main__':
    main()
