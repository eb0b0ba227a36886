// What turns: colored faces and lines in space, drawn in two strokes however many they are.

import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PerspectiveCamera,
  Raycaster,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { h } from "./dom";

/** Numbers in threes: corners of triangles with normals and colors, and the ends of lines. */
export interface Shapes {
  corners: number[];
  normals: number[];
  colors: number[];
  lines: number[];
}

const SLOW = 20;
/** Milliseconds between frames that are too many: then fewer pixels are drawn while it moves. */

const REST = 150;
/** Milliseconds without a move after which it is drawn as finely as possible. */

const LEAST = 0.5;
/** The least part of the pixels of a line that is drawn. */

/** Light comes from the eye's upper right; a face that looks away is seen from its other side. */
const LIT = `
  varying vec3 shade;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vec3 up = normalize(normalMatrix * normal);
    if (dot(up, place.xyz) > 0.0) up = -up;
    shade = color * (0.66 + 0.4 * max(dot(up, vec3(0.29, 0.43, 0.86)), 0.0));
    gl_Position = projectionMatrix * place;
  }`;

const PLAIN = `
  varying vec3 shade;
  void main() {
    gl_FragColor = vec4(shade, 1.0);
  }`;

/** Whether the processor draws: then edges are smoothed at rest only. */
function inSoftware(): boolean {
  const context = h("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context === null;
}

function filled(numbers: Record<string, number[]>): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const [name, values] of Object.entries(numbers)) geometry.setAttribute(name, new Float32BufferAttribute(values, 3));
  return geometry;
}

/** A canvas on which shapes around a middle turn. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly software = inSoftware();
  private readonly renderer = new WebGLRenderer({ antialias: !this.software, alpha: true });
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.1, 1000);
  private readonly turning = new Group();
  private readonly faces = new Mesh(
    new BufferGeometry(),
    new ShaderMaterial({
      vertexShader: LIT,
      fragmentShader: PLAIN,
      vertexColors: true,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }),
  );
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x24262b }));
  private readonly rims = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x8a919e }));
  private closeness = 1;
  private wide = 1;
  private frame = 0;
  private last = 0;
  private pace = 16;
  private part = 1;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    middle: Vector3,
    private readonly reach: number,
  ) {
    for (const drawn of [this.faces, this.lines, this.rims]) {
      drawn.position.copy(middle).negate();
      drawn.frustumCulled = false;
      this.turning.add(drawn);
    }
    this.reset();
    this.scene.add(this.turning);
    this.canvas = this.renderer.domElement;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Draw some lines always, however little is filled. */
  outline(lines: number[]): void {
    this.rims.geometry = filled({ position: lines });
    this.draw();
  }

  /** Draw shapes; `wide` says how many times as wide as at first. */
  fill({ corners, normals, colors, lines }: Shapes, wide = 1): void {
    this.rims.visible = wide === 1;
    this.wide = wide;
    this.approach();
    this.faces.geometry.dispose();
    this.lines.geometry.dispose();
    this.faces.geometry = filled({ position: corners, normal: normals, color: colors });
    this.lines.geometry = filled({ position: lines });
    this.draw();
  }

  /** Look at it as at first. */
  reset(): void {
    this.turning.rotation.set(-1.05, 0, -0.6, "XYZ");
    this.closeness = 1;
    this.approach();
  }

  turn(x: number, y: number): void {
    this.turning.rotateOnWorldAxis(new Vector3(0, 1, 0), x);
    this.turning.rotateOnWorldAxis(new Vector3(1, 0, 0), y);
    this.draw();
  }

  /** How far from the eye places are that are nearer than `near` to what a pointer is at; -1 for others. */
  depths(at: { clientX: number; clientY: number }, places: Vector3[], near: number): number[] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    this.scene.updateMatrixWorld();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new Vector2((2 * (at.clientX - left)) / width - 1, 1 - (2 * (at.clientY - top)) / height), this.camera);
    return places.map((place) => {
      const there = this.faces.localToWorld(place.clone());
      return caster.ray.distanceToPoint(there) < near ? there.distanceTo(caster.ray.origin) : -1;
    });
  }

  zoom(factor: number): void {
    this.closeness = Math.min(Math.max(this.closeness * factor, 0.5), 4);
    this.approach();
    this.draw();
  }

  /** Put the eye where all is in the picture, and as much nearer as was asked for. */
  private approach(): void {
    this.camera.position.z = this.reach * (0.85 + this.wide) * this.closeness;
  }

  /** Draw with the next frame, however much changes until then. */
  private draw(): void {
    if (!this.frame) this.frame = requestAnimationFrame((time) => this.moved(time));
  }

  private moved(time: number): void {
    this.frame = 0;
    const took = time - this.last;
    this.last = time;
    if (took < REST) this.pace += (took - this.pace) / 8;
    if (this.pace > SLOW && this.part > LEAST) {
      this.part *= 0.85;
      this.pace = 16;
    }
    this.paint((this.software ? 1 : devicePixelRatio) * this.part);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.part = Math.min(1, this.part * 1.2); // what was slow then need not be slow again
      this.paint(this.software ? 2 : devicePixelRatio);
    }, REST);
  }

  private paint(ratio: number): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    const size = [clientWidth, clientHeight].map((side) => Math.floor(side * ratio));
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(clientWidth, clientHeight, false); // this makes the canvas anew
      this.camera.aspect = clientWidth / clientHeight;
      this.camera.zoom = Math.min(1, this.camera.aspect); // all of it, also where it is narrow
      this.camera.updateProjectionMatrix();
    }
    this.renderer.render(this.scene, this.camera);
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.resting);
    this.renderer.dispose();
  }
}
