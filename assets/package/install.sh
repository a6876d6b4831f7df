#!/bin/sh
# Installs Sinew from this folder for the current user: install.sh [--remove]
# Writes to ~/.local, or to the folder in the variable PREFIX. Sinew also runs from this folder without being installed: ./bin/sinew
set -eu
# With CDPATH, cd prints folders and may go to others.
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-$HOME/.local}

# The installed files, as paths in both folders.
files() {
  (cd "$here" && find bin share -type f)
}

update() {
  if command -v update-mime-database >/dev/null; then update-mime-database "$prefix/share/mime" || true; fi
  if command -v update-desktop-database >/dev/null; then update-desktop-database "$prefix/share/applications" || true; fi
}

# Reverts `sinew register` of the installed program, for the current user.
unregister() {
  [ -x "$prefix/bin/sinew" ] || return 0
  entry=${XDG_DATA_HOME:-${HOME:-}/.local/share}/applications/sinew.desktop
  if [ "$entry" = "$prefix/share/applications/sinew.desktop" ] || grep -qsF "$prefix/bin/sinew" "$entry"; then
    "$prefix/bin/sinew" unregister >/dev/null || true
  fi
}

case "${1:-}" in
'')
  files | while read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    # Without -f, a program that runs cannot be replaced.
    cp -f "$here/$file" "$prefix/$file"
  done
  update
  echo "Installed $prefix/bin/sinew"
  case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to PATH, so that shells and the desktop find it" ;;
  esac
  case "${SHELL:-}" in
  */zsh) echo "Add $prefix/share/zsh/site-functions to fpath before compinit, so that zsh finds the completions" ;;
  esac
  ;;
--remove)
  unregister
  files | while read -r file; do rm -f "$prefix/$file"; done
  rmdir "$prefix/share/doc/sinew" 2>/dev/null || true
  update
  echo "Removed Sinew from $prefix"
  ;;
*)
  echo "usage: install.sh [--remove]" >&2
  exit 2
  ;;
esac
