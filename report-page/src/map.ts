// The card of the map: draws the fabric, folds switches, asks for routes.
import type { PageData } from './data';
import { card, el, tip } from './dom';
import { Fabric } from './fabric';
import type { Layout } from './fabric';
import * as format from './format';
import { painted } from './painted';
import type { RouteLink } from './routes';
import { colour, heat, onTheme } from './theme';

class MapView {
  readonly canvas: HTMLCanvasElement;
  readonly said = el('div', { class: 'detail', 'aria-live': 'polite' });
  readonly from = el('input', { type: 'text', size: 8, 'aria-label': 'route from node', placeholder: 'from node' });
  readonly to = el('input', { type: 'text', size: 8, 'aria-label': 'route to node', placeholder: 'to node' });
  private readonly end: number;
  private laid: { width: number; layout: Layout } | null = null;
  private picked: number | null = null;
  private route: RouteLink[] = [];
  private unfolded = false;

  constructor(private readonly fabric: Fabric) {
    this.end = format.scaleEnd(fabric.largestUse);
    this.canvas = painted('use of links, drawn on the fabric', (w) => this.layout(w).height, (g, w) => this.paint(g, w));
    this.canvas.addEventListener('pointermove', (e) => this.hover(e));
    this.canvas.addEventListener('pointerleave', () => tip.hide());
    this.canvas.addEventListener('click', (e) => this.click(e));
    for (const input of [this.from, this.to]) input.addEventListener('change', () => this.ask());
  }

  get scaleEnd(): number { return this.end; }
  fold(all: boolean): void {
    if (all) this.fabric.foldAll(); else this.fabric.unfoldAll();
    this.changed();
  }
  private changed(): void {
    this.laid = null;
    tip.hide();
    this.canvas.dispatchEvent(new Event('repaint'));
  }
  private layout(width: number): Layout {
    // Where there is room all is shown, at first.
    if (!this.unfolded && this.fabric.fits(width)) this.fabric.unfoldAll();
    this.unfolded = true;
    if (this.laid === null || this.laid.width !== width) this.laid = { width, layout: this.fabric.layout(width) };
    return this.laid.layout;
  }

  // Asking for routes.

  private ask(): void {
    const ends = [this.from, this.to].map((input) => (input.value.trim() === '' ? null : this.fabric.node(input.value)));
    const wrong = ends.indexOf(undefined);
    if (wrong >= 0) { this.said.textContent = `no node is called “${[this.from, this.to][wrong].value}”: a name on the map, or a number from 0`; return; }
    if (ends[0] != null && ends[1] != null) this.show(ends[0], ends[1]);
  }
  private show(from: number, to: number): void {
    const { fabric } = this;
    this.route = fabric.route(from, to);
    this.picked = null;
    this.from.value = fabric.name(from);
    this.to.value = fabric.name(to);
    const uses = this.route.map((l) => {
      const [a, b] = fabric.points([l]);
      const line = fabric.lineBetween(a, b);
      if (line === undefined) return '';
      const [first, , there, back] = fabric.data.lines[line];
      return ` (${format.percent(first === a ? there : back)})`;
    });
    this.said.replaceChildren(
      el('b', {}, `${fabric.name(from)} → ${fabric.name(to)}`), `, ${this.route.length} links: `,
      el('span', { class: 'route' }, this.route.map((l, i) => fabric.linkName(l) + uses[i]).join(', ')),
      fabric.routesAreFixed ? '' : '. The routing of this machine chooses as messages go: this is the way it has without a choice.');
    this.changed();
  }
  private pick(node: number): void {
    if (!this.fabric.hasRoutes) return;
    if (this.picked !== null && this.picked !== node) return this.show(this.picked, node);
    this.picked = node;
    this.route = [];
    this.said.textContent = `from ${this.fabric.name(node)}: click on the node that a message goes to`;
    this.changed();
  }

  // Pointing.

  private under(e: MouseEvent): { point?: number; line?: number } {
    const box = this.canvas.getBoundingClientRect();
    const { at } = this.layout(this.canvas.clientWidth);
    const [x, y] = [e.clientX - box.left, e.clientY - box.top];
    let nearest = 8;
    let point: number | undefined;
    at.forEach((p, i) => { if (p !== null && Math.hypot(p.x - x, p.y - y) < nearest) { nearest = Math.hypot(p.x - x, p.y - y); point = i; } });
    if (point !== undefined) return { point };
    nearest = 6;
    let line: number | undefined;
    this.fabric.data.lines.forEach(([a, b], i) => {
      const [p, q] = [at[a], at[b]];
      if (p === null || q === null) return;
      const long = (q.x - p.x) ** 2 + (q.y - p.y) ** 2;
      const f = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - p.x) * (q.x - p.x) + (y - p.y) * (q.y - p.y)) / long));
      const d = Math.hypot(x - p.x - f * (q.x - p.x), y - p.y - f * (q.y - p.y));
      if (d <= nearest) { nearest = d; line = i; }
    });
    return { line };
  }
  private hover(e: PointerEvent): void {
    const { fabric } = this;
    const { point, line } = this.under(e);
    this.canvas.style.cursor = point !== undefined && (!fabric.isSwitch(point) || fabric.hosts[point].length > 0) ? 'pointer' : '';
    if (point !== undefined) return tip.show(e.clientX, e.clientY, this.about(point));
    if (line === undefined) return tip.hide();
    tip.show(e.clientX, e.clientY, [fabric.lineName(line), `${format.percent(fabric.data.lines[line][2])} one way, ${format.percent(fabric.data.lines[line][3])} the other`]);
  }
  private about(point: number): string[] {
    const { fabric } = this;
    const name = fabric.name(point) || 'junction';
    if (!fabric.isSwitch(point)) {
      const on = fabric.data.points[point][5];
      const line = on === undefined ? undefined : fabric.lineBetween(point, on);
      return [name, line === undefined ? 'node' : `node, its link ${format.percent(fabric.use(line))} used`, ...(fabric.hasRoutes ? ['click: routes from or to it'] : [])];
    }
    const hosts = fabric.hosts[point];
    if (hosts.length === 0) return [name, 'switch'];
    const most = Math.max(...fabric.hostLines(point).map((l) => fabric.use(l)));
    return [name, `switch of ${hosts.length} nodes, ${fabric.name(hosts[0])} to ${fabric.name(hosts[hosts.length - 1])}`,
      `their links: ${format.percent(most)} at most`, `click: ${fabric.open.has(point) ? 'fold' : 'unfold'} its nodes`];
  }
  private click(e: MouseEvent): void {
    const { point } = this.under(e);
    if (point === undefined) return;
    if (!this.fabric.isSwitch(point)) return this.pick(point);
    if (this.fabric.hosts[point].length === 0) return;
    this.fabric.toggle(point);
    this.changed();
  }

  // Drawing.

  private paint(g: CanvasRenderingContext2D, w: number): void {
    const { at, size } = this.layout(w);
    this.paintLines(g, at);
    this.paintPoints(g, at, size);
    this.paintRoute(g, at);
    this.nameBusiest(g, at, w);
  }
  private paintLines(g: CanvasRenderingContext2D, at: Layout['at']): void {
    const { fabric } = this;
    const order = fabric.data.lines.map((_, i) => i).sort((a, b) => fabric.use(a) - fabric.use(b));
    g.lineCap = 'round';
    // Thousands of lines are drawn thinner, so that they do not become one.
    const thin = order.length > 2000 ? 0.5 : 1;
    for (const i of order) {
      const [p, q] = [at[fabric.data.lines[i][0]], at[fabric.data.lines[i][1]]];
      if (p === null || q === null) continue;
      const use = fabric.use(i) / this.end;
      g.strokeStyle = heat(use);
      g.lineWidth = thin * (0.8 + 4.5 * use);
      g.beginPath();
      g.moveTo(p.x, p.y);
      g.lineTo(q.x, q.y);
      g.stroke();
    }
  }
  /** A switch whose nodes are folded has the colour of their links below it. */
  private paintPoints(g: CanvasRenderingContext2D, at: Layout['at'], size: number): void {
    const { fabric } = this;
    at.forEach((p, i) => {
      if (p === null) return;
      const isSwitch = fabric.isSwitch(i);
      if (isSwitch && fabric.hosts[i].length > 0 && !fabric.open.has(i)) {
        g.fillStyle = heat(Math.max(...fabric.hostLines(i).map((l) => fabric.use(l))) / this.end);
        g.fillRect(p.x - size * 0.6, p.y - size / 2, size * 1.2, size + 8);
      }
      g.fillStyle = i === this.picked ? colour('path') : isSwitch ? colour('ink') : colour('soft');
      if (isSwitch) g.fillRect(p.x - size / 2, p.y - size / 2, size, size);
      else { g.beginPath(); g.arc(p.x, p.y, i === this.picked ? 5 : 2.5, 0, 7); g.fill(); }
    });
    this.nameNodes(g, at);
  }
  /** Names of nodes where there is room for them. */
  private nameNodes(g: CanvasRenderingContext2D, at: Layout['at']): void {
    const { fabric } = this;
    const shown = at.map((_, i) => i).filter((i) => at[i] !== null && fabric.isHost(i));
    if (shown.length < 2 || fabric.fits(this.laid!.width) || !fabric.data.in_rows) return;
    if (Math.abs(at[shown[1]]!.x - at[shown[0]]!.x) < 30) return;
    g.font = '10px system-ui, sans-serif';
    g.textAlign = 'center';
    g.fillStyle = colour('soft');
    for (const i of shown) g.fillText(fabric.name(i), at[i]!.x, at[i]!.y + 14);
  }
  private paintRoute(g: CanvasRenderingContext2D, at: Layout['at']): void {
    const places = this.fabric.points(this.route).map((p) => at[this.fabric.shown(p)]!);
    if (places.length === 0) return;
    g.strokeStyle = colour('path');
    g.lineWidth = 3;
    g.setLineDash([7, 4]);
    g.beginPath();
    places.forEach((p, i) => (i === 0 ? g.moveTo(p.x, p.y) : g.lineTo(p.x, p.y)));
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = colour('path');
    for (const p of [places[0], places[places.length - 1]]) { g.beginPath(); g.arc(p.x, p.y, 5, 0, 7); g.fill(); }
  }
  /** Names of the busiest, for those who see no colours. */
  private nameBusiest(g: CanvasRenderingContext2D, at: Layout['at'], w: number): void {
    const { fabric } = this;
    g.font = '600 11px system-ui, sans-serif';
    g.textAlign = 'center';
    const taken: [number, number, number][] = [];
    const order = fabric.data.lines.map((_, i) => i).sort((a, b) => fabric.use(b) - fabric.use(a)).slice(0, 3);
    for (const i of order) {
      const [a, b] = fabric.data.lines[i];
      const [p, q] = [at[fabric.shown(a)]!, at[fabric.shown(b)]!];
      if (fabric.use(i) === 0) continue;
      const text = `${fabric.lineName(i)} ${format.percent(fabric.use(i))}`;
      const wide = g.measureText(text).width / 2 + 5;
      const [x, y] = [Math.max(wide, Math.min(w - wide, (p.x + q.x) / 2)), (p.y + q.y) / 2];
      if (taken.some(([tx, ty, half]) => Math.abs(tx - x) < half + wide && Math.abs(ty - y) < 17)) continue;
      taken.push([x, y, wide]);
      g.fillStyle = colour('card');
      g.globalAlpha = 0.85;
      g.fillRect(x - wide, y - 8, 2 * wide, 16);
      g.globalAlpha = 1;
      g.fillStyle = colour('ink');
      g.fillText(text, x, y + 4);
    }
  }
}

export const mapCard = (data: PageData): HTMLElement | null => {
  if (data.fabric === undefined || data.fabric.lines.length === 0) return null;
  const fabric = new Fabric(data.fabric);
  const view = new MapView(fabric);
  const folds = fabric.folding.length > 0;
  const bar = el('div', { class: 'bar-row' },
    folds && el('button', { type: 'button', click: () => view.fold(true) }, 'fold all'),
    folds && el('button', { type: 'button', click: () => view.fold(false) }, 'unfold all'),
    fabric.hasRoutes && el('span', { class: 'note' }, 'route'), fabric.hasRoutes && view.from, fabric.hasRoutes && view.to);
  const scaleBar = el('i', { style: 'width: 180px; height: 10px; border-radius: 5px; border: 1px solid var(--line)' });
  const paintScale = () => {
    scaleBar.style.background = `linear-gradient(90deg, ${Array.from({ length: 11 }, (_, i) => `${heat(i / 10)} ${i * 10}%`).join(', ')})`;
  };
  onTheme(paintScale);
  paintScale();
  const legend = el('div', { class: 'legend' },
    el('span', {}, '0 %', scaleBar, format.percent(view.scaleEnd)),
    view.scaleEnd < 1 && el('span', {}, `scaled to the busiest link, ${format.percent(fabric.largestUse)}`),
    el('span', {}, 'thicker lines are used more'),
    folds && el('span', { class: 'no-print' }, 'click a switch: fold or unfold its nodes'),
    el('span', { class: 'no-print' }, fabric.hasRoutes ? 'click two nodes: the route between them' : 'routes of this machine: heddle topo --route'));
  return card('map', 'Use of the fabric', 'of each link’s bandwidth, over the whole run', bar, view.canvas, view.said, legend);
};
