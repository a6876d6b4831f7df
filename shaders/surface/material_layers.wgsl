// Shades material layers for brdf.wgsl: clearcoat, sheen (KHR_materials_sheen; Estevez and Kulla 2017), anisotropic microfacets
// (KHR_materials_anisotropy), and thin films (KHR_materials_iridescence; Belcour and Barla 2017). Has no bindings of its own.

//if clearcoat
// Adds the clearcoat's reflection of `environment`, a radiance, to the light of the layers below.
fn mix_coat(s: Surface, below: vec3<f32>, environment: vec3<f32>) -> vec3<f32> {
    return below * (1.0 - s.coat_albedo) + environment * s.coat_albedo;
}

//end
//if sheen
// Returns the directional albedo of a white sheen: a fit to the integral of `sheen_lobe`, which tests/render/surface/energy.rs computes.
fn sheen_albedo(roughness: f32, n_dot_v: f32) -> f32 {
    let square = roughness * roughness;
    let r = vec4(1.0, roughness, square, square * roughness);
    let n = max(n_dot_v, 0.0);
    let exponent = dot(r, vec4(1.545, -8.18, 12.942, -6.274))
        + dot(r, vec4(-3.99, 15.311, -25.58, 13.439)) * sqrt(n)
        + dot(r, vec4(-7.182, 19.524, -16.976, 3.751)) * n
        + dot(r, vec4(0.126, -7.237, 12.883, -5.89)) * (n * n);
    return exp(clamp(exponent, -60.0, 0.0));
}

// Returns the fraction of light that passes the sheen to the layers below.
fn sheen_transmittance(s: Surface, cosine: f32) -> f32 {
    return max(1.0 - largest(s.sheen) * sheen_albedo(s.sheen_roughness, cosine), 0.0);
}

// Returns the paper's fit to the masking function, for cosines up to one half.
fn sheen_masking_fit(x: f32, alpha: f32) -> f32 {
    let t = (1.0 - alpha) * (1.0 - alpha);
    let a = mix(21.5473, 25.3245, t);
    let b = mix(3.82987, 3.32435, t);
    let c = mix(0.19823, 0.16801, t);
    let d = mix(-1.97760, -1.27393, t);
    let e = mix(-4.32054, -4.85967, t);
    return a / (1.0 + b * pow(x, c)) + d * x + e;
}

// Returns the masking term of one direction. Above one half, the paper mirrors the fit at that point.
fn sheen_masking(cosine: f32, alpha: f32) -> f32 {
    let mirrored_fit = 2.0 * sheen_masking_fit(0.5, alpha) - sheen_masking_fit(max(1.0 - cosine, 1e-4), alpha);
    return exp(select(mirrored_fit, sheen_masking_fit(max(cosine, 1e-4), alpha), cosine < 0.5));
}

// Returns the sheen's distribution term times its visibility term.
fn sheen_lobe(roughness: f32, n_dot_h: f32, n_dot_v: f32, n_dot_l: f32) -> f32 {
    let alpha = roughness * roughness;
    let sine = sqrt(max(1.0 - n_dot_h * n_dot_h, 1e-6));
    let distribution = (2.0 + 1.0 / alpha) * pow(sine, 1.0 / alpha) / (2.0 * PI);
    let masking = 1.0 + sheen_masking(n_dot_v, alpha) + sheen_masking(n_dot_l, alpha);
    return distribution / max(masking * 4.0 * n_dot_v * n_dot_l, 1e-4);
}

//end
//if anisotropy
// Computes the same as `round_lobe` for a lobe that is widened along the tangent by the anisotropy strength. `cosines` are n.v and n.l.
fn stretched_lobe(s: Surface, l: vec3<f32>, h: vec3<f32>, alpha: f32, cosines: vec2<f32>) -> f32 {
    let width = vec2(mix(alpha, 1.0, s.anisotropy * s.anisotropy), alpha);
    let half = vec3(vec2(dot(s.tangent, h), dot(s.bitangent, h)) / width, clamp(dot(s.normal, h), 0.0, 1.0));
    let square = max(dot(half, half), 1e-7);
    let view = vec3(vec2(dot(s.tangent, s.view), dot(s.bitangent, s.view)) * width, cosines.x);
    let light = vec3(vec2(dot(s.tangent, l), dot(s.bitangent, l)) * width, cosines.y);
    let visibility = 0.5 / (cosines.y * length(view) + cosines.x * length(light) + 1e-7);
    return visibility / (PI * width.x * width.y * square * square);
}

//end
//if iridescence
// Returns the reflectance at normal incidence of the interface between two media, given by their indices of refraction.
fn interface_f0(inner: vec3<f32>, outer: f32) -> vec3<f32> {
    let ratio = (inner - outer) / (inner + outer);
    return ratio * ratio;
}

// Returns the linear sRGB color of interference with this optical path difference (in meters) and these phase shifts. The paper gives the
// XYZ color as a sum of Gaussians. The result is divided by the sum for white light.
fn interference_color(path_difference: f32, shift: vec3<f32>) -> vec3<f32> {
    let phase = 2.0 * PI * path_difference;
    let square = phase * phase;
    let peak_heights = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
    let peak_positions = vec3(1.6810e6, 1.7953e6, 2.2084e6);
    let peak_widths = vec3(4.3278e9, 9.3046e9, 6.6121e9);
    var xyz = peak_heights * sqrt(2.0 * PI * peak_widths) * cos(peak_positions * phase + shift) * exp(-square * peak_widths);
    // X has a second peak.
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e9) * cos(2.2399e6 * phase + shift.x) * exp(-4.5282e9 * square);
    let rgb_from_xyz = mat3x3(3.2404542, -0.9692660, 0.0556434, -1.5371385, 1.8760108, -0.2040259, -0.4985314, 0.0415560, 1.0572252);
    return rgb_from_xyz * (xyz / 1.0685e-7);
}

// Returns the f0 for which Schlick's approximation gives the reflectance of the thin film at this angle.
fn film_f0(s: Surface, n_dot_v: f32) -> vec3<f32> {
    // As the thickness of the film approaches 0, its index of refraction approaches that of air.
    let film_ior = mix(1.0, s.film_ior, smoothstep(0.0, 0.03, s.film_thickness));
    let sine = (1.0 - n_dot_v * n_dot_v) / (film_ior * film_ior);
    if (sine > 1.0) {
        return vec3(1.0);
    }
    let inside = sqrt(1.0 - sine);
    // Compute the reflectances of the upper and the lower interface. The base's index of refraction follows from its reflectance.
    let r0 = interface_f0(vec3(film_ior), 1.0).x;
    let upper = r0 + (1.0 - r0) * fresnel_weight(n_dot_v);
    let root_f0 = sqrt(clamp(s.f0, vec3(0.0), vec3(0.9999)));
    let base_ior = (1.0 + root_f0) / (1.0 - root_f0);
    let r1 = interface_f0(base_ior, film_ior);
    let lower = r1 + (1.0 - r1) * fresnel_weight(inside);
    // Reflection at a denser medium shifts the phase by half a wave.
    let shift = select(PI, 0.0, film_ior < 1.0) + select(vec3(0.0), vec3(PI), base_ior < vec3(film_ior));
    let path_difference = 2.0 * film_ior * s.film_thickness * 1e-9 * inside;
    // Sum the reflections inside the film: the constant term, then the first two terms that oscillate with the path difference.
    let round_trip = clamp(upper * lower, vec3(1e-5), vec3(0.9999));
    let amplitude = sqrt(round_trip);
    let transmittance = 1.0 - upper;
    let mean = transmittance * transmittance * lower / (1.0 - round_trip);
    var light = vec3(upper) + mean;
    var oscillation = mean - transmittance;
    oscillation *= amplitude;
    light += oscillation * 2.0 * interference_color(path_difference, shift);
    oscillation *= amplitude;
    light += oscillation * 2.0 * interference_color(2.0 * path_difference, 2.0 * shift);
    let reflectance = clamp(light, vec3(0.0), vec3(1.0));
    // Solve Schlick's approximation for f0.
    let x = min(fresnel_weight(n_dot_v), 0.9999);
    return clamp((reflectance - x) / (1.0 - x), vec3(0.0), vec3(1.0));
}

//end
