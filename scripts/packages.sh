# shellcheck shell=bash disable=SC2034
# Lists the Debian packages that Sinew needs, and installs them. Sourced by view, test, package and .ci/run.

# Packages for building: a linker, which Rust does not include.
build_packages=(gcc libc6-dev)
# Packages for running: Vulkan and GL with their software rasterizers, and the libraries that the window loads on X11.
run_packages=(libvulkan1 mesa-vulkan-drivers libegl1 libgl1-mesa-dri
  libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 xkb-data)
# Packages for the tests: a virtual display, the tools that register file types, a program that writes and reads videos, and the tools that
# test packages. The last ones include tumbler, which makes thumbnails on desktops, and a sandbox in which thumbnails are made.
test_packages=(xvfb xdg-utils shared-mime-info desktop-file-utils ffmpeg lintian appstream debootstrap
  tumbler bubblewrap dbus libglib2.0-bin)
# Tools that scripts/package needs to build packages.
package_packages=(dpkg-dev rpm xz-utils)

# The maintainer that the built packages name.
maintainer='The Sinew developers <developers@sinew.example>'
# Debian packages with the libraries and drivers that the program loads at run time, in addition to the libraries that it is linked with.
# GL, which the program uses if Vulkan fails, is only recommended: a dependency cannot express "Vulkan and its driver, or GL and its driver".
deb_loaded=(libvulkan1 'mesa-vulkan-drivers | vulkan-icd' libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0
  xkb-data libwayland-client0)
deb_recommended=(libegl1 libgl1-mesa-dri xdg-desktop-portal 'zenity | kdialog')
# The same for the .rpm. Fedora and openSUSE have different names for the packages of these libraries, but not for the libraries. They also
# have different names for the package of the Vulkan driver; a recommended package that does not exist is ignored.
rpm_loaded=('libvulkan.so.1()(64bit)' 'libX11.so.6()(64bit)' 'libX11-xcb.so.1()(64bit)' 'libxcb.so.1()(64bit)' 'libXcursor.so.1()(64bit)'
  'libXi.so.6()(64bit)' 'libxkbcommon.so.0()(64bit)' 'libxkbcommon-x11.so.0()(64bit)' 'libwayland-client.so.0()(64bit)' xkeyboard-config)
rpm_recommended=(mesa-vulkan-drivers libvulkan_lvp)

# Installs missing packages if it can become root without a password; otherwise prints their names. Never fails: a package that is still
# missing makes a later step fail.
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
