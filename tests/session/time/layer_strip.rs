//! Tests the strips of layers: where a layer begins and ends in the time of the animation.

use sinew::session::time::layer_strip::{self, LayerStrip};
use sinew::session::view::Repeat;
use sinew::session::view::layers::Layer;

#[test]
fn a_strip_has_the_start_and_the_length_of_its_layer() {
    // A range of 1 s at twice the speed takes half a second. A quarter of the range has passed when the clock is 0.
    let layer = Layer { speed: 2.0, offset: 0.25, range: Some([1.0, 2.0]), repeat: Repeat::Once, ..Layer::default() };
    let strip = LayerStrip::new(&layer, 3.0, 0.0).expect("a strip");
    assert_eq!((strip.start, strip.end()), (-0.125, 0.375));
    assert_eq!(strip.runs([0.0, 9.0], 100).collect::<Vec<_>>(), [-0.125]);
    let looped = LayerStrip::new(&Layer { repeat: Repeat::Loop, ..layer.clone() }, 3.0, 0.0).expect("a strip");
    assert_eq!(looped.runs([0.0, 1.0], 100).collect::<Vec<_>>(), [-0.125, 0.375, 0.875]);
    // A layer that plays backward begins at its end.
    let back = LayerStrip::new(&Layer { speed: -0.5, offset: 0.5, ..Layer::default() }, 1.0, 0.0).expect("a strip");
    assert_eq!((back.start, back.end()), (1.0 - 2.0, 1.0));
    // The first run is one of which at least half is visible. A run can be followed while the layer moves.
    for (offset, start) in [(0.4, -0.4), (0.6, 0.4), (-0.4, 0.4), (-0.6, -0.4), (3.0, 0.0)] {
        let strip = LayerStrip::new(&Layer { offset, ..Layer::default() }, 1.0, 0.0).expect("a strip");
        assert!((strip.start - start).abs() < 1e-9, "{} for {offset}", strip.start);
    }
    let [before, after] = [0.0, -0.6].map(|offset| LayerStrip::new(&Layer { offset, ..Layer::default() }, 1.0, 0.0).expect("a strip"));
    assert!((after.at_run_of(&before).start - 0.6).abs() < 1e-9);
    // In a later pass, the first run is one of that pass.
    let later = LayerStrip::new(&Layer { offset: 0.25, ..Layer::default() }, 1.0, 7.1).expect("a strip");
    assert!((later.start - 6.75).abs() < 1e-9, "{}", later.start);
    assert_eq!(LayerStrip::new(&Layer { speed: 0.0, ..Layer::default() }, 1.0, 0.0), None);
    assert_eq!(LayerStrip::new(&Layer::default(), 0.0, 0.0), None);

    // The times of the strip agree with those of the layer.
    for layer in [layer, Layer { speed: -0.5, offset: 0.5, ..Layer::default() }, Layer { offset: -7.3, ..Layer::default() }] {
        let strip = LayerStrip::new(&layer, 3.0, 0.0).expect("a strip");
        let [start, end] = layer.range_within(3.0);
        let begins = if layer.speed > 0.0 { start } else { end };
        let after = layer.time(3.0, strip.start + 1e-4);
        assert!((after - begins).abs() < 1e-3, "{after} and {begins} of {layer:?}");
        assert!(strip.end() > 0.0 && strip.start < 3.0);
        let moved = layer_strip::moved(&layer, &strip, 0.5);
        assert!((moved.time(3.0, 0.5 + 1e-4) - begins).abs() < 1e-3, "{moved:?}");
        let stretched = layer_strip::stretched(&layer, &strip, strip.length / 2.0);
        assert!((stretched.speed - layer.speed * 2.0).abs() < 1e-6);
        assert!((stretched.time(3.0, strip.start + 1e-4) - begins).abs() < 1e-3, "{stretched:?}");
    }
}
