//! Models of a few vertices, and a stage to draw them on. One unit is one pixel, the origin is the upper left corner, pixel rows run
//! towards -y, and the eye looks along -Z.

use std::sync::{Arc, Mutex, OnceLock};

use glam::{DVec3, Mat4, Vec2, Vec3, Vec4};
use image::RgbaImage;
use sinew::animation::hierarchy::pose::Pose;
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::camera::bounds::Bounds;
use sinew::camera::{Camera, Projection};
use sinew::codec::texels::DecodedImage;
use sinew::colors;
use sinew::export::error::ExportError;
use sinew::export::picture::picture_options;
use sinew::export::still::Stills;
use sinew::export::still::options::StillOptions;
use sinew::export::still::tiles;
use sinew::model::Model;
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::material::Material;
use sinew::model::mesh::{Mesh, Primitive, Vertices};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::texture::{Image, Sampler, Texture, TextureTransform};
use sinew::render::actor::Actor;
use sinew::render::annotations::line::Line;
use sinew::render::annotations::skeleton::SolidJoint;
use sinew::render::device::gpu::Gpu;
use sinew::render::device::readback;
use sinew::render::environment::EnvironmentLight;
use sinew::render::environment::map::EnvironmentMap;
use sinew::render::light::punctual::PlacedLight;
use sinew::render::material::mipmap::{self, PreparedImage};
use sinew::render::model::GpuModel;
use sinew::render::model::simplification::simplified_lists;
use sinew::render::picture::{Background, Msaa, Picture, Resolution, Tile, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::Subject;
use sinew::session::inspect::heat_map::VertexHeats;
use sinew::session::pose::geometry_mask::VisibleIndices;
use sinew::session::time::moment::Moment;
use sinew::session::view::display::{Display, Lighting, Tonemap};

use crate::common::skip::skip_outside_ci;

/// Returns the shared device, or `None` with a message if there is no adapter. In CI a missing adapter is a failure.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Result<Gpu, String>> = OnceLock::new();
    let gpu = GPU.get_or_init(|| Gpu::headless().map_err(|error| error.to_string()));
    gpu.as_ref().map_err(|error| skip_outside_ci(&format!("no graphics adapter: {error}"))).ok()
}

/// A model with one node per mesh. All nodes rest at the origin; `palette` places them.
#[derive(Default)]
pub struct Scene {
    pub model: Model,
    pub decoded: Vec<DecodedImage>,
    /// The palettes of all crowd members, one after another.
    pub palette: Vec<JointMatrix>,
    /// The number of crowd members after the first.
    pub others: usize,
    /// The morph weights of all crowd members, one after another. `None` means that all weights are at rest.
    pub weights: Option<Vec<f32>>,
}

impl Scene {
    pub fn new(materials: Vec<Material>, primitives: Vec<Primitive>) -> Self {
        let mut scene = Self { model: Model { materials, ..Model::default() }, ..Self::default() };
        for primitive in primitives {
            scene.add(primitive, Mat4::IDENTITY);
        }
        scene
    }

    /// Adds a node with its own mesh. `matrix` is the node's global matrix.
    pub fn add(&mut self, primitive: Primitive, matrix: Mat4) {
        let model = &mut self.model;
        let target_count = primitive.vertices.targets.len();
        let weights = model.rest_weights.len()..model.rest_weights.len() + target_count;
        model.rest_weights.resize(weights.end, 0.0);
        let (mesh, source) = (Some(model.meshes.len()), model.nodes.len());
        model.nodes.push(Node { source, mesh, weights, rigid_matrix: Some(model.palette_len), visible: true, ..Node::default() });
        model.node_of_source.push(NodeIndex(source as u32));
        model.meshes.push(Mesh { primitives: vec![primitive], target_count, ..Mesh::default() });
        model.palette_len += 1;
        let h: &mut Hierarchy = &mut model.hierarchy;
        h.parents.push(None);
        h.subtree_ends.push(source as u32 + 1);
        h.rest.push(Trs::IDENTITY);
        h.fixed_local.push(None);
        self.palette.push(matrix_rows(&matrix));
    }

    /// Adds an image of RGBA texels. A material's texture refers to it by its index.
    pub fn image(mut self, width: u32, height: u32, texels: &[[u8; 4]]) -> Self {
        assert_eq!(texels.len(), (width * height) as usize);
        self.decoded.push(DecodedImage::rgba(width, height, texels.concat()));
        self.model.images.push(Image { width, height, ..Image::default() });
        self
    }

    /// Draws a picture and returns its pixels. Asserts that validation reports no error.
    pub fn draw(&self, gpu: &Gpu, shot: &Shot) -> RgbaImage {
        /// Renderers that are not in use. Sharing them saves making the same pipelines for each picture.
        static IDLE: Mutex<Vec<Renderer>> = Mutex::new(Vec::new());
        let idle = || IDLE.lock().unwrap();
        // A renderer keeps its environment and its limits.
        let is_shared = shot.around.is_none() && shot.page_limit.is_none() && shot.indices_at_once.is_none();
        let shared = if is_shared { idle().pop() } else { None };
        let mut renderer = shared.unwrap_or_else(|| Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, msaa(shot.samples)));
        let picture = self.draw_again(gpu, shot, &mut renderer);
        if is_shared {
            idle().push(renderer);
        }
        picture
    }

    /// Draws into a viewport of a larger target and returns the target's pixels. Outside the viewport the target is transparent black.
    pub fn draw_into(&self, gpu: &Gpu, shot: &Shot, [width, height]: [u32; 2], viewport: [u32; 4]) -> RgbaImage {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let mut rgba = Vec::new();
        self.staged(gpu, shot, |renderer, picture, actors| {
            let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            renderer.draw(gpu, &mut encoder, &Viewport { target: &target, rect: viewport }, &picture, actors);
            readback::read_rows(gpu, encoder, &texture, [width, height], |_, row| rgba.extend_from_slice(row)).unwrap();
        });
        RgbaImage::from_raw(width, height, rgba).unwrap()
    }

    /// Returns how many bytes a picture uploads to the device.
    pub fn uploaded(&self, gpu: &Gpu, shot: &Shot) -> u64 {
        let [width, height] = shot.size;
        let (mut rgba, mut uploaded) = (vec![0; (width * height * 4) as usize], 0);
        self.staged(gpu, shot, |renderer, picture, actors| {
            tiles::draw_tiles(gpu, renderer, picture, actors, &mut rgba, [shot.tile; 2], None).unwrap();
            uploaded = renderer.statistics.uploaded;
        });
        uploaded
    }

    /// Returns the number of draws of a picture.
    pub fn draws(&self, gpu: &Gpu, shot: &Shot) -> usize {
        let [width, height] = shot.size;
        let (mut rgba, mut draws) = (vec![0; (width * height * 4) as usize], 0);
        self.staged(gpu, shot, |renderer, picture, actors| {
            tiles::draw_tiles(gpu, renderer, picture, actors, &mut rgba, [shot.tile; 2], None).unwrap();
            draws = renderer.statistics.draws;
        });
        draws
    }

    /// Draws with a renderer that may have drawn before, and returns the pixels.
    pub fn draw_again(&self, gpu: &Gpu, shot: &Shot, renderer: &mut Renderer) -> RgbaImage {
        let [width, height] = shot.size;
        let mut rgba = vec![0; (width * height * 4) as usize];
        self.staged_with(gpu, shot, renderer, |renderer, picture, actors| {
            tiles::draw_tiles(gpu, renderer, picture, actors, &mut rgba, [shot.tile; 2], None).unwrap();
        });
        RgbaImage::from_raw(width, height, rgba).unwrap()
    }

    pub fn staged(&self, gpu: &Gpu, shot: &Shot, draw: impl FnOnce(&mut Renderer, Picture, &[Actor])) {
        self.staged_with(gpu, shot, &mut Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, msaa(shot.samples)), draw);
    }

    fn staged_with(&self, gpu: &Gpu, shot: &Shot, renderer: &mut Renderer, draw: impl FnOnce(&mut Renderer, Picture, &[Actor])) {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let mut gpu_model = GpuModel::new(gpu, &self.model).unwrap();
        let uses = mipmap::image_uses(&self.model, self.model.images.len());
        for (i, image) in self.decoded.iter().enumerate() {
            gpu_model.set_image(gpu, i, Some(&PreparedImage::new(uses[i], image.clone()))).unwrap();
        }
        if shot.is_simplified {
            gpu_model.set_simplified(gpu, &simplified_lists(&self.model, || false).unwrap());
        }
        if let Some(map) = &shot.around {
            renderer.set_environment(EnvironmentLight::new(gpu, map));
        }
        (renderer.samples, renderer.culls) = (msaa(shot.samples), shot.culls);
        let visible = vec![true; self.model.nodes.len()];
        let pose = Pose::rest(&self.model);
        let picture = Picture {
            camera: &shot.camera(),
            tile: Tile::whole(shot.size),
            resolution: shot.resolution,
            is_simplified: shot.is_simplified,
            anchor: DVec3::ZERO,
            options: picture_options(&shot.display),
            background: shot.background,
            lights: &shot.lights,
            lines: &shot.lines,
            solid_joints: &shot.solid_joints,
            bounds: shot.bounds,
            theme: &colors::DARK,
            pixels_per_point: shot.pixels_per_point,
        };
        if let Some(limit) = shot.page_limit {
            renderer.limits.page_bytes = limit;
        }
        if let Some(indices) = shot.indices_at_once {
            renderer.limits.indices_per_chunk = indices;
        }
        let (count, palettes) = (1 + self.others, &self.palette);
        let weights = self.weights.clone().unwrap_or_else(|| pose.weights.repeat(count));
        let actors = [Actor {
            model: &self.model,
            gpu: &gpu_model,
            count,
            palettes,
            weights: &weights,
            materials: &[],
            tints: &shot.tints,
            heats: shot.heats.as_ref(),
            visible_indices: &shot.left,
            visible: &visible,
            ghost: None,
            outlined: &shot.outlined,
        }];
        draw(renderer, picture, &actors);
        assert_eq!(renderer.failure(), None);
        if let Some(error) = pollster::block_on(scope.pop()) {
            panic!("{error}");
        }
    }
}

/// Draws the subject's document as its view shows it at a moment, or at a time in seconds on the animation's time axis.
pub fn still(
    gpu: &Gpu,
    renderer: &mut Renderer,
    gpu_model: &GpuModel,
    subject: Subject,
    moment: impl Into<Moment>,
    options: &StillOptions,
) -> Result<RgbaImage, ExportError> {
    Stills::new(gpu, renderer, subject).draw(gpu_model, moment.into(), options)
}

/// Converts a number of samples, 1 or 4.
pub fn msaa(samples: u32) -> Msaa {
    if samples == 1 { Msaa::One } else { Msaa::Four }
}

/// How a scene is drawn. Without lighting, colors are drawn unchanged.
pub struct Shot {
    pub size: [u32; 2],
    pub samples: u32,
    pub resolution: Resolution,
    /// Whether the meshes are simplified if they can be.
    pub is_simplified: bool,
    pub tile: u32,
    pub background: Background,
    pub display: Display,
    pub lights: Vec<PlacedLight>,
    pub tints: Vec<Vec4>,
    pub heats: Option<VertexHeats>,
    pub left: Arc<VisibleIndices>,
    pub lines: Vec<Line>,
    pub solid_joints: Vec<SolidJoint>,
    /// Whether each node is outlined.
    pub outlined: Vec<bool>,
    pub pixels_per_point: f32,
    pub perspective: bool,
    /// `None` uses the default camera, which is orthographic unless `perspective` is set.
    pub camera: Option<Camera>,
    /// The bounds of the shown model.
    pub bounds: Bounds,
    /// `None` uses the studio light.
    pub around: Option<EnvironmentMap>,
    /// Limit of a palette page in bytes. `None` uses the device's limit.
    pub page_limit: Option<u64>,
    pub culls: bool,
    /// Indices drawn per step. `None` draws all at once.
    pub indices_at_once: Option<u32>,
}

impl Default for Shot {
    fn default() -> Self {
        Self {
            size: [64, 64],
            samples: 1,
            resolution: Resolution::FULL,
            is_simplified: false,
            tile: 2048,
            background: Background::Color([10, 20, 30]),
            display: Display { lighting: Lighting::None, tonemap: Tonemap::None, grid: false, ..Display::default() },
            lights: Vec::new(),
            tints: Vec::new(),
            heats: None,
            left: Arc::default(),
            lines: Vec::new(),
            solid_joints: Vec::new(),
            outlined: Vec::new(),
            pixels_per_point: 1.0,
            perspective: false,
            camera: None,
            bounds: Bounds { min: DVec3::ZERO, max: DVec3::splat(10.0) },
            around: None,
            page_limit: None,
            culls: true,
            indices_at_once: None,
        }
    }
}

impl Shot {
    pub fn camera(&self) -> Camera {
        if let Some(camera) = self.camera {
            return camera;
        }
        let [width, height] = self.size.map(f64::from);
        let target = DVec3::new(width / 2.0, -height / 2.0, 0.0);
        if self.perspective {
            // Both cameras show the same part of the plane z = 0.
            let yfov = 1.0f64;
            let distance = height / 2.0 / (yfov / 2.0).tan();
            let projection = Projection::Perspective { yfov, aspect_ratio: None, zfar: None };
            return Camera::look_at(target + DVec3::Z * distance, target, DVec3::Y, projection, 1.0);
        }
        let projection = Projection::Orthographic { ymag: height / 2.0, xmag: None, depth: 2000.0 };
        Camera::look_at(target + DVec3::Z * 1000.0, target, DVec3::Y, projection, 0.0)
    }
}

/// Builds two triangles that cover a rectangle of pixels from (x, y). They face the eye, with the texture upright.
pub fn quad(x: f32, y: f32, width: f32, height: f32) -> Primitive {
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let vertices = Vertices {
        positions: corners.map(|[u, v]| Vec3::new(x + u * width, -(y + v * height), 0.0)).to_vec(),
        tex_coords: [corners.map(Vec2::from).to_vec(), Vec::new()],
        ..Vertices::default()
    };
    Primitive {
        vertices: vertices.into(),
        indices: vec![0, 1, 2, 0, 2, 3],
        source_vertex_count: 4,
        material: Some(0),
        ..Primitive::default()
    }
}

/// Builds a sphere. u runs around it, and v from the top down.
pub fn ball(center: Vec3, radius: f32) -> Primitive {
    let (rings, sectors) = (24u32, 48u32);
    let (mut normals, mut tex_coords) = (Vec::new(), Vec::new());
    for i in 0..=rings {
        for j in 0..=sectors {
            let uv = Vec2::new(j as f32 / sectors as f32, i as f32 / rings as f32);
            let (theta, phi) = (uv.y * std::f32::consts::PI, uv.x * std::f32::consts::TAU);
            normals.push(Vec3::new(theta.sin() * phi.sin(), theta.cos(), theta.sin() * phi.cos()));
            tex_coords.push(uv);
        }
    }
    let at = |i: u32, j: u32| i * (sectors + 1) + j;
    let quads = (0..rings).flat_map(|i| (0..sectors).map(move |j| (i, j)));
    let indices = quads.flat_map(|(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)]).collect();
    let positions = normals.iter().map(|&n| n * radius + center).collect();
    let vertices = Vertices { positions, normals, tex_coords: [tex_coords, Vec::new()], ..Vertices::default() }.into();
    Primitive { vertices, indices, material: Some(0), ..Primitive::default() }
}

pub fn moved(primitive: Primitive, by: Vec3) -> Primitive {
    with(primitive, |vertices| vertices.positions.iter_mut().for_each(|position| *position += by))
}

/// Returns a primitive with changed vertices.
pub fn with(mut primitive: Primitive, change: impl FnOnce(&mut Vertices)) -> Primitive {
    change(Arc::make_mut(&mut primitive.vertices));
    primitive
}

/// The colors of the checkerboard that replaces missing color textures.
pub const CHECKER: [[u8; 4]; 2] = [[196, 80, 168, 255], [92, 92, 96, 255]];

/// Makes a material with a linear base color.
pub fn colored(color: [f32; 4]) -> Material {
    Material { base_color_factor: Vec4::from(color), ..Material::default() }
}

/// Makes a texture of the scene's image 0, with nearest filters and without mip maps.
pub fn texture() -> Texture {
    let sampler = Sampler { mag_linear: false, min_linear: false, mip_linear: None, ..Sampler::DEFAULT };
    Texture { source: 0, image: Some(0), sampler, tex_coord: 0, transform: TextureTransform::IDENTITY }
}

pub fn matrix_rows(matrix: &Mat4) -> JointMatrix {
    JointMatrix { rows: [matrix.row(0), matrix.row(1), matrix.row(2)] }
}
