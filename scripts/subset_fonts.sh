#!/bin/sh
# Regenerates assets/fonts/: the three text fonts and the icon font, reduced to what the window can show.
#
#   apt-get install fonts-inter fonts-jetbrains-mono       Inter 4.0, JetBrains Mono 2.242 (both SIL OFL 1.1)
#   npm pack lucide-static && tar xzf lucide-static-*.tgz  Lucide 1.62 (ISC): package/font/lucide.ttf
#   pip install fonttools
#   scripts/subset_fonts.sh package/font
#
# The code points of the icons are read from src/ui/style/icons.rs; a test checks that the font has each of them.
set -eu
# With CDPATH, cd prints folders and may go to others.
unset CDPATH
lucide=$(cd "${1:?"usage: scripts/subset_fonts.sh FOLDER_OF_LUCIDE_TTF"}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/.."
inter=/usr/share/fonts/opentype/inter
mono=/usr/share/fonts/truetype/jetbrains-mono

# Latin with supplements, Greek, Cyrillic, punctuation, currency, letterlike symbols, a few signs.
# U+2007 is a space as wide as a digit.
text=U+0020-007E,U+2007,U+00A0-024F,U+02BB-02DD,U+0300-0304,U+0306-030C,U+0327,U+0328,U+0370-03FF,U+0400-045F,U+0490,U+0491,U+1E9E
text=$text,U+1EA0-1EF9,U+2010-2027,U+202F-203A,U+2044,U+2070-2094,U+20AC,U+20BD,U+2116,U+2122,U+2126,U+2212,U+221E,U+2248,U+2260,U+2264,U+2265

subset() { # FROM TO CODE_POINTS
  pyftsubset "$1" --output-file="assets/fonts/$2" --unicodes="$3" --layout-features=kern,mark,mkmk,ccmp,locl \
    --name-IDs=0,1,2,3,4,5,6,13,14 --no-hinting --notdef-outline
}
# A number that changes must keep its width. Font features would do that, but egui does not support them, so Inter's digits are replaced by
# its tabular digits.
tabular() { # FROM TO
  python3 - "$1" "$2" <<'END'
import sys
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1])
substitutes = {}
gsub = font["GSUB"].table
for feature in (record.Feature for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == "tnum"):
    for index in feature.LookupListIndex:
        for lookup in gsub.LookupList.Lookup[index].SubTable:
            substitutes.update(getattr(lookup, "ExtSubTable", lookup).mapping)
for table in font["cmap"].tables:
    for digit in map(ord, "0123456789"):
        table.cmap[digit] = substitutes.get(table.cmap[digit], table.cmap[digit])
font.save(sys.argv[2])
END
}
tabular "$inter/Inter-Regular.otf" "$work/Inter-Tabular.otf"
subset "$work/Inter-Tabular.otf" Inter-Regular.otf "$text"
subset "$inter/Inter-SemiBold.otf" Inter-SemiBold.otf "$text"
subset "$mono/JetBrainsMono-Regular.ttf" JetBrainsMono-Regular.ttf "$text"

icons=$(grep -o "\\\\u{[0-9a-f]*}" src/ui/style/icons.rs | tr -d '\\u{}' | sed 's/^/U+/' | paste -sd, -)
subset "$lucide/lucide.ttf" Lucide.ttf "$icons"
ls -l assets/fonts
