// Solids in three dimensions: turned, taken apart, built piece by piece.

import {
  AmbientLight,
  BufferGeometry,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { button, h, labelled } from "./dom";
import type { Part } from "./drawing";
import { faces } from "./lattice";
import type { Board } from "./types";

/** Where the units are. */
type Ground = Pick<Board, "lattice" | "units">;

const THICK = 0.09;
/** The radius of the rods that edges are. */

/** The faces of some units that only one of them has: the outside of a piece. */
function outside(board: Ground, units: number[]): number[][][] {
  const seen = new Map<string, number[][] | null>();
  for (const unit of units)
    for (const face of faces(board.lattice, board.units[unit]!)) {
      const id = face.map((c) => c.map((x) => Math.round(x * 100)).join(",")).sort().join(" ");
      seen.set(id, seen.has(id) ? null : face);
    }
  return [...seen.values()].filter((face) => face !== null);
}

function solid(board: Ground, part: Part): Group {
  const group = new Group();
  const material = new MeshLambertMaterial({ color: part.color, side: DoubleSide });
  if (board.lattice.edges) {
    for (const unit of part.units) group.add(rod(faces(board.lattice, board.units[unit]!)[0]!, material));
    return group;
  }
  const triangles: number[] = [];
  const lines: number[] = [];
  for (const face of outside(board, part.units)) {
    for (let i = 1; i + 1 < face.length; i++) triangles.push(...face[0]!, ...face[i]!, ...face[i + 1]!);
    face.forEach((corner, i) => lines.push(...corner, ...face[(i + 1) % face.length]!));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(triangles, 3));
  geometry.computeVertexNormals();
  const borders = new BufferGeometry();
  borders.setAttribute("position", new Float32BufferAttribute(lines, 3));
  group.add(new Mesh(geometry, material), new LineSegments(borders, new LineBasicMaterial({ color: 0x24262b })));
  return group;
}

function rod([from, to]: number[][], material: MeshLambertMaterial): Mesh {
  const [a, b] = [new Vector3(...(from as [number, number, number])), new Vector3(...(to as [number, number, number]))];
  const way = b.clone().sub(a);
  const mesh = new Mesh(new CylinderGeometry(THICK, THICK, way.length() * 0.92, 10), material);
  mesh.position.copy(a.add(b).multiplyScalar(0.5));
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), way.normalize());
  return mesh;
}

export class SolidView {
  readonly element: HTMLElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.1, 1000);
  private readonly turning = new Group();
  private readonly pieces = new Group();
  private readonly middle: Vector3;
  private readonly reach: number;
  private readonly apart = h("input", { type: "range", min: 0, max: 2, step: 0.02, value: 0 });
  private readonly upTo = h("input", { type: "range", min: 0, max: 1, value: 1 });
  private homes: Vector3[] = [];

  constructor(private readonly board: Ground) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    const places = board.units.flatMap((unit) => faces(board.lattice, unit).flat());
    const [low, high] = [Math.min, Math.max].map(
      (best) => new Vector3(...([0, 1, 2].map((k) => places.reduce((a, p) => best(a, p[k]!), places[0]![k]!)) as [number, number, number])),
    ) as [Vector3, Vector3];
    this.middle = low.clone().add(high).multiplyScalar(0.5);
    this.reach = high.distanceTo(low);
    this.pieces.position.copy(this.middle).negate();
    this.turning.add(this.pieces);
    this.turning.rotation.set(-1.05, 0, -0.6, "XYZ");
    const light = new DirectionalLight(0xffffff, 1.9);
    light.position.set(2, 3, 6);
    this.scene.add(new AmbientLight(0xffffff, 1.6), light, this.turning);
    this.camera.position.z = this.reach * 2.4;
    const canvas = this.renderer.domElement;
    canvas.className = "scene";
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The solid; arrow keys turn it, plus and minus change its size");
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) this.turn(event.movementX / 120, event.movementY / 120);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1);
    });
    canvas.addEventListener("keydown", (event) => {
      const turns: Record<string, [number, number]> = {
        ArrowLeft: [-0.15, 0],
        ArrowRight: [0.15, 0],
        ArrowUp: [0, -0.15],
        ArrowDown: [0, 0.15],
      };
      if (turns[event.key]) this.turn(...turns[event.key]!);
      else if (event.key === "+") this.zoom(1 / 1.1);
      else if (event.key === "-") this.zoom(1.1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.apart.addEventListener("input", () => this.draw());
    this.upTo.addEventListener("input", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas);
    this.element = h(
      "div",
      {},
      canvas,
      h(
        "div",
        { class: "row" },
        labelled("Apart", this.apart),
        labelled("Piece by piece", this.upTo),
        button("Larger", () => this.zoom(1 / 1.2)),
        button("Smaller", () => this.zoom(1.2)),
      ),
    );
  }

  /** Show placements, from below to above. */
  show(parts: Part[]): void {
    const height = (part: Part) => Math.min(...part.units.map((u) => faces(this.board.lattice, this.board.units[u]!)[0]![0]![2]!));
    const sorted = [...parts].sort((a, b) => height(a) - height(b));
    this.pieces.clear();
    const groups = sorted.map((part) => solid(this.board, part));
    if (groups.length) this.pieces.add(...groups);
    this.homes = sorted.map((part) => {
      const corners = part.units.flatMap((u) => faces(this.board.lattice, this.board.units[u]!).flat());
      const sum = corners.reduce((a, c) => a.add(new Vector3(...(c as [number, number, number]))), new Vector3());
      return sum.multiplyScalar(1 / corners.length).sub(this.middle);
    });
    this.upTo.max = String(Math.max(parts.length, 1));
    this.upTo.value = this.upTo.max;
    this.draw();
  }

  private turn(x: number, y: number): void {
    this.turning.rotateOnWorldAxis(new Vector3(0, 1, 0), x);
    this.turning.rotateOnWorldAxis(new Vector3(1, 0, 0), y);
    this.draw();
  }

  private zoom(factor: number): void {
    const z = this.camera.position.z * factor;
    this.camera.position.z = Math.min(Math.max(z, this.reach), this.reach * 8);
    this.draw();
  }

  private draw(): void {
    const canvas = this.renderer.domElement;
    const { clientWidth, clientHeight } = canvas;
    if (!clientWidth) return;
    this.pieces.children.forEach((group, i) => {
      group.position.copy(this.homes[i]!).multiplyScalar(Number(this.apart.value));
      group.visible = i < Number(this.upTo.value);
    });
    if (canvas.width !== Math.floor(clientWidth * devicePixelRatio) || canvas.height !== Math.floor(clientHeight * devicePixelRatio)) {
      this.renderer.setPixelRatio(devicePixelRatio);
      this.renderer.setSize(clientWidth, clientHeight, false); // this makes the canvas anew
      this.camera.aspect = clientWidth / clientHeight;
      this.camera.updateProjectionMatrix();
    }
    this.renderer.render(this.scene, this.camera);
  }

  close(): void {
    this.renderer.dispose();
  }
}
