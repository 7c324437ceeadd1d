// The map of a fabric: how much links were used, nodes that fold into their switches, and routes.
import type { FabricData } from './data';
import { Routes } from './routes';
import type { RouteLink } from './routes';

/** A place on the map. */
export interface Place { x: number; y: number }

/** Room for the map: so high, a place for each point that is shown, and how large switches may be drawn. */
export interface Layout { height: number; at: (Place | null)[]; size: number }

const kSpace = 12;
const kSwitch = 6;
const kMostHeight = 520;
const kRoomy = 5;       // Pixels between nodes that can be told apart.
const kBand = 64;       // Below levels of switches: the nodes of those that are unfolded.
const kLeastLevels = 70;

export class Fabric {
  /** Points of switches, by whether their nodes are shown. */
  readonly open = new Set<number>();
  readonly hosts: number[][];
  /** Of the map's points, by vertex of the fabric. */
  private readonly pointOf = new Map<number, number>();
  private readonly lineOf = new Map<string, number>();
  private found: Routes | null = null;

  constructor(readonly data: FabricData) {
    this.hosts = data.points.map(() => []);
    data.points.forEach((p, i) => {
      if (p[4] >= 0) this.pointOf.set(p[4], i);
      if (p[5] !== undefined) this.hosts[p[5]].push(i);
    });
    data.lines.forEach(([a, b], i) => { this.lineOf.set(`${a} ${b}`, i); this.lineOf.set(`${b} ${a}`, i); });
  }

  isHost(point: number): boolean { return this.data.points[point][5] !== undefined; }
  isSwitch(point: number): boolean { return this.data.points[point][3] === 1; }
  name(point: number): string { return this.data.points[point][2]; }
  get folding(): number[] { return this.hosts.map((_, i) => i).filter((i) => this.hosts[i].length > 0); }
  /** The busiest direction of a line. */
  use(line: number): number { return Math.max(this.data.lines[line][2], this.data.lines[line][3]); }
  lineName(line: number): string {
    const [a, b, there, back, name] = this.data.lines[line];
    return name ?? (there >= back ? `${this.name(a)}->${this.name(b)}` : `${this.name(b)}->${this.name(a)}`);
  }
  lineBetween(a: number, b: number): number | undefined { return this.lineOf.get(`${a} ${b}`); }
  /** Of a switch, its nodes' links. */
  hostLines(point: number): number[] { return this.hosts[point].map((h) => this.lineBetween(h, point)!); }
  get largestUse(): number { return this.data.lines.reduce((most, l) => Math.max(most, l[2], l[3]), 0); }

  // Folding.

  unfoldAll(): void { for (const point of this.folding) this.open.add(point); }
  foldAll(): void { this.open.clear(); }
  toggle(point: number): void { if (!this.open.delete(point)) this.open.add(point); }
  /** Where a point is seen: a folded node at its switch. */
  shown(point: number): number {
    const on = this.data.points[point][5];
    return on !== undefined && !this.open.has(on) ? on : point;
  }

  // Places.

  /** Whether the nodes can be told apart where the drawing has them. */
  fits(width: number): boolean {
    const scale = this.scale(width);
    return this.hosts.every((hosts) => hosts.length < 2 ||
      Math.hypot(this.data.points[hosts[0]][0] - this.data.points[hosts[1]][0], this.data.points[hosts[0]][1] - this.data.points[hosts[1]][1]) * scale >= kRoomy);
  }
  private scale(width: number): number {
    return Math.min((width - 2 * kSpace) / Math.max(1, this.data.width), kMostHeight / Math.max(1, this.data.height), 2.2);
  }

  /** As the drawing has it where there is room, else by switches, with the nodes of those that are unfolded beside. */
  layout(width: number): Layout {
    return this.fits(width) ? this.roomy(width) : this.data.in_rows ? this.levels(width) : this.plane(width);
  }
  private roomy(width: number): Layout {
    const scale = this.scale(width);
    const left = (width - this.data.width * scale) / 2;
    return {
      height: this.data.height * scale + 2 * kSpace, size: kSwitch,
      at: this.data.points.map(([x, y], i) => (this.shown(i) === i ? { x: left + x * scale, y: kSpace + y * scale } : null)),
    };
  }
  /** Levels one above the other: along them and between them distances are free. */
  private levels(width: number): Layout {
    const switches = this.data.points.filter((_, i) => !this.isHost(i));
    const [x0, x1] = extent(switches.map((p) => p[0]));
    const [y0, y1] = extent(switches.map((p) => p[1]));
    const rows = new Map<number, number>();
    for (const p of switches) rows.set(Math.round(p[1]), (rows.get(Math.round(p[1])) ?? 0) + 1);
    const high = y1 > y0 ? Math.max(kLeastLevels * (rows.size - 1), Math.min(kMostHeight / 2, 110 * (rows.size - 1))) : 0;
    const place = (x: number, y: number) => ({
      x: x1 > x0 ? 2 * kSpace + ((x - x0) / (x1 - x0)) * (width - 4 * kSpace) : width / 2,
      y: 2 * kSpace + (y1 > y0 ? ((y - y0) / (y1 - y0)) * high : 0),
    });
    const at = this.data.points.map(([x, y], i) => (this.isHost(i) ? null : place(x, y)));
    // Unfolded nodes share the band, in the order of their switches.
    const nodes = [...this.open].sort((a, b) => this.data.points[a][0] - this.data.points[b][0]).flatMap((s) => this.hosts[s]);
    nodes.forEach((n, i) => { at[n] = { x: 2 * kSpace + ((i + 0.5) / nodes.length) * (width - 4 * kSpace), y: 2 * kSpace + high + kBand }; });
    const perRow = Math.max(...rows.values());
    return { height: high + 4 * kSpace + (nodes.length > 0 ? kBand : 0), at, size: Math.max(2, Math.min(kSwitch, (0.7 * (width - 4 * kSpace)) / perRow)) };
  }
  /** Switches on a plane: unfolded nodes stand around theirs. */
  private plane(width: number): Layout {
    const scale = this.scale(width);
    const left = (width - this.data.width * scale) / 2;
    const at = this.data.points.map(([x, y], i): Place | null => (this.isHost(i) ? null : { x: left + x * scale, y: kSpace + y * scale }));
    for (const s of this.open) {
      const around = Math.max(12, (this.hosts[s].length * kRoomy * 1.6) / (2 * Math.PI));
      this.hosts[s].forEach((h, i) => {
        const angle = (2 * Math.PI * (i + 0.5)) / this.hosts[s].length;
        at[h] = { x: at[s]!.x + around * Math.cos(angle), y: at[s]!.y + around * Math.sin(angle) };
      });
    }
    return { height: this.data.height * scale + 2 * kSpace, at, size: kSwitch };
  }

  // Routes.

  get hasRoutes(): boolean { return this.data.routes !== undefined; }
  /** Whether messages keep to the routes that are shown. */
  get routesAreFixed(): boolean { return this.data.routes?.choice === 'fixed'; }
  /** The point of the node called so, or of that number. */
  node(text: string): number | undefined {
    const name = text.trim();
    const byName = this.data.points.findIndex((p) => p[3] === 0 && p[2] === name);
    if (byName >= 0) return byName;
    const point = /^\d+$/.test(name) ? this.pointOf.get(Number(name)) : undefined;
    return point !== undefined && !this.isSwitch(point) ? point : undefined;
  }
  /** The links between the nodes at two points. */
  route(from: number, to: number): RouteLink[] {
    this.found ??= new Routes(this.data.routes!);
    return this.found.find(this.data.points[from][4], this.data.points[to][4]);
  }
  /** As `heddle topo --route` calls them. */
  linkName(link: RouteLink): string {
    return `${this.name(this.pointOf.get(link.from)!)}->${this.name(this.pointOf.get(link.to)!)}${link.twin > 0 ? `#${link.twin}` : ''}`;
  }
  /** The points that a route goes through. */
  points(route: RouteLink[]): number[] {
    return route.length === 0 ? [] : [route[0].from, ...route.map((l) => l.to)].map((v) => this.pointOf.get(v)!);
  }
}

const extent = (values: number[]): [number, number] => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
