# shellcheck shell=bash disable=SC2034
# Sourced by view, test and .ci/run: which Debian packages Sinew needs, and how they get here.

# A linker; Rust brings no own one.
build_packages=(gcc libc6-dev)
# Vulkan and GL with their software drivers, and what the window loads on X11.
run_packages=(libvulkan1 mesa-vulkan-drivers libegl1 libgl1-mesa-dri
  libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 xkb-data)
# A display for the window tests, the tools that the registration talks to, what writes and reads videos.
test_packages=(xvfb xdg-utils shared-mime-info desktop-file-utils ffmpeg)

# Installs those of the given packages that are missing, as root or by sudo without a password; else names them.
# Never fails: what is missing after all shows itself in what comes next.
install_missing() {
  local package missing=() sudo=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    return 0
  fi
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      echo "Not installed: ${missing[*]}" >&2
      echo "Install them with: sudo apt-get install ${missing[*]}" >&2
      return 0
    fi
    sudo=(sudo -n)
  fi
  echo "Installing ${missing[*]}" >&2
  "${sudo[@]}" apt-get update -q >&2 || true
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 ||
    echo "Could not install all of ${missing[*]}" >&2
}
