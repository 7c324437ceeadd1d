// The timeline: what every rank did, the messages between them, and below how much links were used.
import { firstAfter, readLanes, readMessages, readPath, unbase64 } from './data';
import type { Lane, Message, PageData, Piece } from './data';
import { card, el, tip } from './dom';
import * as format from './format';
import { colour, heat, onTheme } from './theme';
import { spoken } from './verdict';

const kLeft = 74;   // Names of rows.
const kTop = 22;    // The axis of time.
const kGap = 26;    // Between ranks and links.
const kLinkRow = 13;
const kMostLinks = 12;
const kManyArrows = 1500;

const kPalette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#bb7733', '#8899aa', '#44bb99', '#994455'];

interface View { t0: number; t1: number; r0: number; r1: number }

export class Timeline {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas', { tabindex: 0, role: 'img' });
  private readonly detail = el('div', { class: 'detail', 'aria-live': 'polite' });
  private readonly search = el('input', { type: 'search', placeholder: 'rank 3, MPI_Allreduce …', 'aria-label': 'search for a rank or a call' });
  private readonly activities: string[];
  private readonly names: string[];
  private readonly cells: Uint8Array;
  private readonly lanes: Map<number, Lane[]>;
  private readonly calls: Map<number, Lane[]>;
  private readonly messages: Message[];
  private readonly path: Piece[];
  private readonly linkUse: Uint8Array[];
  private overview: HTMLCanvasElement | null = null;
  private view: View;
  private showPath = true;
  private showMessages = true;
  private byCall = false;
  private found: { rank?: number; call?: number } = {};
  private hatch: CanvasPattern | null = null;
  private pending = false;

  constructor(private readonly data: PageData) {
    const t = data.timeline!;
    this.activities = t.activities;
    this.names = t.call_names;
    this.cells = unbase64(t.cells);
    this.lanes = readLanes(t.intervals, t.lanes);
    this.calls = readLanes(t.calls, t.lanes);
    this.messages = data.messages === undefined ? [] : readMessages(data.messages.packed);
    this.path = data.path === undefined ? [] : readPath(data.path);
    this.linkUse = (data.series?.links ?? []).slice(0, kMostLinks).map((l) => unbase64(l.use));
    this.view = this.whole();
    this.element = this.build();
    onTheme(() => { this.overview = null; this.hatch = null; this.draw(); });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.listen();
  }

  private get end(): number { return Math.max(1, this.data.summary!.time_ps); }
  private get ranks(): number { return this.data.summary!.ranks; }
  private whole(): View { return { t0: 0, t1: this.end, r0: 0, r1: this.ranks }; }

  // Parts of the page.

  private build(): HTMLElement {
    const toggle = (name: string, title: string, get: () => boolean, set: (on: boolean) => void) => {
      const button = el('button', { type: 'button', title, 'aria-pressed': String(get()), click: () => {
        set(!get());
        button.setAttribute('aria-pressed', String(get()));
        this.draw();
      } }, name);
      return button;
    };
    const action = (name: string, title: string, f: () => void) => el('button', { type: 'button', title, 'aria-label': title, click: f }, name);
    this.pathButton = toggle('critical path', 'key c', () => this.showPath, (on) => { this.showPath = on; });
    this.messageButton = toggle('messages', 'key m', () => this.showMessages, (on) => { this.showMessages = on; });
    this.callButton = toggle('colour by call', 'key k', () => this.byCall, (on) => { this.byCall = on; this.overview = null; });
    this.search.addEventListener('input', () => this.find(false));
    this.search.addEventListener('keydown', (e) => { if (e.key === 'Enter') this.find(true); });
    const bar = el('div', { class: 'bar-row' },
      action('+', 'zoom in (key +)', () => this.zoom(0.5)), action('−', 'zoom out (key -)', () => this.zoom(2)),
      action('all', 'show everything (key 0)', () => this.reset()),
      this.pathButton, this.messageButton, this.names.length > 0 && this.callButton,
      el('span', { class: 'space' }), this.search);
    const exact = this.data.timeline!.exact_ranks;
    const every = this.data.messages?.every ?? 1;
    const rules = [
      exact < this.ranks ? `${exact} of ${format.count(this.ranks)} ranks are kept interval by interval, those on the critical path first; the others in ${this.data.timeline!.slices} slices of time` : '',
      every > 1 ? `one of ${format.count(every)} messages is drawn` : '',
      (this.data.summary!.other_threads ?? 0) > 0 ? 'threads of a rank share its row, the first on top' : '',
    ].filter((s) => s !== '').join('; ');
    const box = card('timeline', 'Timeline', rules, bar, this.canvas, this.detail, this.legend());
    box.classList.add('timeline');
    return box;
  }
  private pathButton!: HTMLButtonElement;
  private messageButton!: HTMLButtonElement;
  private callButton!: HTMLButtonElement;

  private legend(): HTMLElement {
    const items = this.activities.map((name) => el('span', {}, el('i', { class: `swatch ${name}`, style: name === 'wait' ? '' : `background: var(--${name})` }), spoken(name)));
    items.push(el('span', {}, el('i', { class: 'swatch', style: 'background: var(--path); height: 4px; border: 0' }), 'critical path'));
    items.push(el('span', { class: 'no-print' }, 'wheel: zoom · shift + wheel: ranks · drag: move · ? for keys'));
    return el('div', { class: 'legend' }, ...items);
  }

  // Geometry.

  private get plotHeight(): number { return Math.max(140, Math.min(460, this.ranks * 26)); }
  private get linksHeight(): number { return this.linkUse.length === 0 ? 0 : kGap + this.linkUse.length * kLinkRow; }
  private width(): number { return this.canvas.clientWidth; }
  private x(t: number): number { return kLeft + ((t - this.view.t0) / (this.view.t1 - this.view.t0)) * (this.width() - kLeft); }
  private y(rank: number): number { return kTop + ((rank - this.view.r0) / (this.view.r1 - this.view.r0)) * this.plotHeight; }
  private timeAt(x: number): number { return this.view.t0 + ((x - kLeft) / (this.width() - kLeft)) * (this.view.t1 - this.view.t0); }
  private rankAt(y: number): number { return Math.floor(this.view.r0 + ((y - kTop) / this.plotHeight) * (this.view.r1 - this.view.r0)); }
  private get rowHeight(): number { return this.plotHeight / (this.view.r1 - this.view.r0); }

  // Moving.

  reset(): void { this.view = this.whole(); this.found = {}; this.search.value = ''; this.draw(); }

  zoom(factor: number, at = (this.view.t0 + this.view.t1) / 2): void {
    const span = Math.max(Math.min((this.view.t1 - this.view.t0) * factor, this.end), Math.min(1000, this.end));
    const left = at - ((at - this.view.t0) / (this.view.t1 - this.view.t0)) * span;
    this.move(left, span);
  }
  private zoomRanks(factor: number, at: number): void {
    const span = Math.max(Math.min((this.view.r1 - this.view.r0) * factor, this.ranks), Math.min(2, this.ranks));
    const top = at - ((at - this.view.r0) / (this.view.r1 - this.view.r0)) * span;
    this.view.r0 = Math.max(0, Math.min(top, this.ranks - span));
    this.view.r1 = this.view.r0 + span;
    this.draw();
  }
  private move(left: number, span: number): void {
    this.view.t0 = Math.max(0, Math.min(left, this.end - span));
    this.view.t1 = this.view.t0 + span;
    this.draw();
  }
  pan(dt: number, dr: number): void {
    const span = this.view.t1 - this.view.t0;
    const rows = this.view.r1 - this.view.r0;
    this.view.r0 = Math.max(0, Math.min(this.view.r0 + dr * rows, this.ranks - rows));
    this.view.r1 = this.view.r0 + rows;
    this.move(this.view.t0 + dt * span, span);
  }
  focusSearch(): void { this.search.focus(); this.search.select(); }
  press(which: 'path' | 'messages' | 'calls'): void {
    ({ path: this.pathButton, messages: this.messageButton, calls: this.callButton })[which].click();
  }

  private listen(): void {
    const canvas = this.canvas;
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      const factor = Math.exp(Math.max(-1, Math.min(1, (e.deltaY || e.deltaX) / 240)));
      const box = canvas.getBoundingClientRect();
      if (e.shiftKey) this.zoomRanks(factor, this.view.r0 + ((e.clientY - box.top - kTop) / this.plotHeight) * (this.view.r1 - this.view.r0));
      else this.zoom(factor, this.timeAt(e.clientX - box.left));
    }, { passive: false });
    let drag: { x: number; y: number; view: View } | null = null;
    canvas.addEventListener('pointerdown', (e) => {
      drag = { x: e.clientX, y: e.clientY, view: { ...this.view } };
      canvas.setPointerCapture(e.pointerId);
      canvas.classList.add('dragging');
    });
    canvas.addEventListener('pointermove', (e) => {
      if (drag === null) return this.hover(e);
      const span = drag.view.t1 - drag.view.t0;
      const rows = drag.view.r1 - drag.view.r0;
      const dt = ((drag.x - e.clientX) / (this.width() - kLeft)) * span;
      this.view.r0 = Math.max(0, Math.min(drag.view.r0 + ((drag.y - e.clientY) / this.plotHeight) * rows, this.ranks - rows));
      this.view.r1 = this.view.r0 + rows;
      this.move(drag.view.t0 + dt, span);
    });
    const stop = () => { drag = null; canvas.classList.remove('dragging'); };
    canvas.addEventListener('pointerup', stop);
    canvas.addEventListener('pointercancel', stop);
    canvas.addEventListener('pointerleave', () => tip.hide());
    canvas.addEventListener('dblclick', (e) => this.zoom(0.25, this.timeAt(e.clientX - canvas.getBoundingClientRect().left)));
  }

  // Searching.

  private find(next: boolean): void {
    const text = this.search.value.trim().toLowerCase();
    this.found = {};
    if (text === '') { this.detail.textContent = ''; return this.draw(); }
    const rank = /^(?:rank\s*)?(\d+)$/.exec(text);
    if (rank !== null && Number(rank[1]) < this.ranks) {
      this.found.rank = Number(rank[1]);
      const rows = Math.min(this.ranks, Math.max(8, Math.min(32, this.ranks)));
      this.view.r0 = Math.max(0, Math.min(this.found.rank - rows / 2, this.ranks - rows));
      this.view.r1 = this.view.r0 + rows;
      this.detail.textContent = this.describeRank(this.found.rank);
      return this.draw();
    }
    const call = this.names.findIndex((name) => name.toLowerCase().includes(text));
    if (call < 0) { this.detail.textContent = `nothing is called “${this.search.value}”`; return this.draw(); }
    this.found.call = call;
    const row = this.data.summary!.calls?.find((c) => c.call === this.names[call]);
    this.detail.textContent = `${this.names[call]}: ${format.count(row?.calls ?? 0)} calls, ${format.time(row?.total_ps ?? 0)} in all, the longest ${format.time(row?.longest_ps ?? 0)}`;
    if (next) this.goToNext(call);
    this.draw();
  }
  private goToNext(call: number): void {
    let best = Infinity;
    let span = this.view.t1 - this.view.t0;
    for (const lane of [...this.calls.values()].flat()) {
      for (let i = firstAfter(lane, (this.view.t0 + this.view.t1) / 2); i < lane.what.length; ++i) {
        if (lane.what[i] !== call || lane.begin[i] <= (this.view.t0 + this.view.t1) / 2) continue;
        if (lane.begin[i] < best) { best = lane.begin[i]; span = Math.min(span, Math.max(1000, (lane.end[i] - lane.begin[i]) * 8)); }
        break;
      }
    }
    if (best < Infinity) this.move(best - span / 2, span);
  }
  private describeRank(rank: number): string {
    return `rank ${rank}${this.lanes.has(rank) ? '' : ' (in slices of time)'}`;
  }

  // Pointing.

  private hover(e: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = e.clientX - box.left;
    const y = e.clientY - box.top;
    const lines = x < kLeft ? [] : this.under(x, y);
    if (lines.length === 0) return tip.hide();
    tip.show(e.clientX, e.clientY, lines);
  }
  /** What is at a place of the canvas, for the note beside the pointer. */
  private under(x: number, y: number): string[] {
    const t = this.timeAt(x);
    if (y > kTop + this.plotHeight) return this.underLink(t, y);
    if (y < kTop) return [format.time(t)];
    const rank = this.rankAt(y);
    if (rank < 0 || rank >= this.ranks) return [];
    const threads = this.lanes.get(rank);
    const i = threads === undefined ? 0 : Math.min(threads.length - 1, Math.floor(((y - this.y(rank)) / this.rowHeight) * threads.length));
    const who = threads !== undefined && threads.length > 1 ? `rank ${rank}, thread ${threads[i].thread}` : `rank ${rank}`;
    const lines = [`${who} at ${format.time(t)}`];
    if (threads === undefined) {
      const [name, share] = this.cellAt(rank, t);
      return name === '' ? lines : [...lines, `mostly ${spoken(name)} (${format.percent(share)} of the slice)`];
    }
    const lane = threads[i];
    const calls = this.calls.get(rank)![i];
    const c = firstAfter(calls, t);
    if (c < calls.what.length && calls.begin[c] <= t) lines.push(`${this.names[calls.what[c]]}: ${format.time(calls.end[c] - calls.begin[c])}`);
    const n = firstAfter(lane, t);
    if (n < lane.what.length && lane.begin[n] <= t) lines.push(`${spoken(this.activities[lane.what[n]])}: ${format.time(lane.end[n] - lane.begin[n])}`);
    const piece = this.path.find((p) => p.begin <= t && t < p.end);
    if (piece !== undefined && (piece.rank === rank || piece.to === rank)) {
      lines.push(piece.rank === piece.to ? `on the critical path: ${spoken(this.data.path!.resources[piece.resource])}`
        : `critical message ${piece.rank} → ${piece.to}, ${format.bytes(piece.bytes)}, ${format.time(piece.end - piece.begin)}`);
    }
    return lines;
  }
  private underLink(t: number, y: number): string[] {
    const i = Math.floor((y - kTop - this.plotHeight - kGap) / kLinkRow);
    const series = this.data.series;
    if (series === undefined || i < 0 || i >= this.linkUse.length) return [];
    const use = this.linkUse[i][Math.min(this.linkUse[i].length - 1, Math.floor(t / series.slice_ps))] / 255;
    return [series.links[i].name, `${format.percent(use)} used at ${format.time(t)}`, `${format.percent(series.links[i].utilisation)} over the run`];
  }
  private cellAt(rank: number, t: number): [string, number] {
    const d = this.data.timeline!;
    const slice = Math.min(d.slices - 1, Math.floor((t / this.end) * d.slices));
    const at = 2 * (Math.floor(rank / d.per_row) * d.slices + slice);
    return [this.activities[this.cells[at]] ?? '', this.cells[at + 1] / 255];
  }

  // Drawing.

  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  private paint(): void {
    const width = this.width();
    if (width === 0) return;
    const height = kTop + this.plotHeight + this.linksHeight + 6;
    const scale = devicePixelRatio || 1;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.setAttribute('aria-label', `what ${this.ranks} ranks did from ${format.time(this.view.t0)} to ${format.time(this.view.t1)}`);
    const g = this.canvas.getContext('2d')!;
    g.scale(scale, scale);
    g.fillStyle = colour('empty');
    g.fillRect(0, 0, width, height);
    this.paintAxis(g, width);
    g.save();
    g.beginPath();
    g.rect(kLeft, kTop, width - kLeft, this.plotHeight);
    g.clip();
    this.paintSlices(g);
    this.paintLanes(g);
    if (this.showMessages) this.paintMessages(g);
    if (this.showPath) this.paintPath(g);
    g.restore();
    this.paintNames(g);
    this.paintLinks(g, width);
  }

  private paintAxis(g: CanvasRenderingContext2D, width: number): void {
    const step = format.niceStep(this.view.t1 - this.view.t0, (width - kLeft) / 110);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    for (let t = Math.ceil(this.view.t0 / step) * step; t <= this.view.t1; t += step) {
      const x = this.x(t);
      g.fillStyle = colour('line');
      g.fillRect(x, kTop - 4, 1, this.plotHeight + 4 + (this.linksHeight > 0 ? this.linksHeight : 0));
      g.fillStyle = colour('soft');
      if (x > kLeft + 18 && x < width - 20) g.fillText(format.time(t), x, 9);
    }
  }

  /** The picture of all slices of time, drawn once and stretched. */
  private paintSlices(g: CanvasRenderingContext2D): void {
    const d = this.data.timeline!;
    if (this.overview === null) {
      this.overview = el('canvas', { width: d.slices, height: d.rows });
      const o = this.overview.getContext('2d')!;
      for (let r = 0; r < d.rows; ++r) {
        for (let s = 0; s < d.slices; ++s) {
          const at = 2 * (r * d.slices + s);
          const name = this.activities[this.cells[at]];
          if (name === undefined) continue;
          o.globalAlpha = 0.35 + (0.65 * this.cells[at + 1]) / 255;
          o.fillStyle = colour(name);
          o.fillRect(s, r, 1, 1);
        }
      }
    }
    g.imageSmoothingEnabled = false;
    const sx = (this.view.t0 / this.end) * d.slices;
    const sw = ((this.view.t1 - this.view.t0) / this.end) * d.slices;
    g.drawImage(this.overview, sx, this.view.r0 / d.per_row, Math.max(sw, 1e-6), (this.view.r1 - this.view.r0) / d.per_row,
      kLeft, kTop, this.width() - kLeft, this.plotHeight);
  }

  private fill(name: string, g: CanvasRenderingContext2D): string | CanvasPattern {
    if (name !== 'wait') return colour(name);
    if (this.hatch === null) {
      const tile = el('canvas', { width: 6, height: 6 });
      const h = tile.getContext('2d')!;
      h.fillStyle = colour('wait');
      h.fillRect(0, 0, 6, 6);
      h.strokeStyle = colour('wait-strong');
      h.lineWidth = 1;
      h.beginPath();
      h.moveTo(0, 6); h.lineTo(6, 0); h.moveTo(-1, 1); h.lineTo(1, -1); h.moveTo(5, 7); h.lineTo(7, 5);
      h.stroke();
      this.hatch = g.createPattern(tile, 'repeat');
    }
    return this.hatch!;
  }

  private paintLanes(g: CanvasRenderingContext2D): void {
    const h = this.rowHeight;
    if (h < 3) return;
    const pad = h > 8 ? 1.5 : 0.5;
    for (const [rank, threads] of this.lanes) {
      if (rank + 1 < this.view.r0 || rank > this.view.r1) continue;
      // What has more intervals than pixels is told better by its slices.
      const shown = threads.reduce((sum, lane) => sum + firstAfter(lane, this.view.t1) - firstAfter(lane, this.view.t0), 0);
      if (shown > 0.5 * (this.width() - kLeft)) continue;
      g.fillStyle = colour('empty');
      g.fillRect(kLeft, this.y(rank) + pad, this.width() - kLeft, h - 2 * pad);
      const each = (h - 2 * pad) / threads.length;
      threads.forEach((lane, i) => {
        const y = this.y(rank) + pad + i * each;
        const high = threads.length > 1 && each > 3 ? each - 0.75 : each;
        this.paintLane(g, lane, y, high);
        const calls = this.calls.get(rank)?.[i];
        if (calls !== undefined) this.paintCalls(g, calls, y, high);
      });
    }
  }
  /** Where in a rank's row a thread has its middle. */
  private middle(rank: number, thread: number): number {
    const threads = this.lanes.get(rank);
    if (threads === undefined || threads.length < 2) return this.rowHeight / 2;
    const i = Math.max(0, threads.findIndex((lane) => lane.thread === thread));
    return (this.rowHeight * (i + 0.5)) / threads.length;
  }
  /** What is narrower than a pixel is drawn once for all that share it: the longest. */
  private paintLane(g: CanvasRenderingContext2D, lane: Lane, y: number, h: number): void {
    let lastPixel = -1;
    let longest = 0;
    for (let i = firstAfter(lane, this.view.t0); i < lane.what.length && lane.begin[i] < this.view.t1; ++i) {
      const x0 = this.x(lane.begin[i]);
      const w = this.x(lane.end[i]) - x0;
      const pixel = Math.floor(x0);
      if (w < 1 && pixel === lastPixel && w <= longest) continue;
      if (pixel !== lastPixel) longest = 0;
      lastPixel = pixel;
      longest = w;
      g.fillStyle = this.fill(this.activities[lane.what[i]], g);
      g.fillRect(x0, y, Math.max(w, 0.8), h);
    }
  }
  private callColour(call: number): string { return kPalette[call % kPalette.length]; }
  private paintCalls(g: CanvasRenderingContext2D, lane: Lane, y: number, h: number): void {
    let lastPixel = -1;
    g.font = '10px system-ui, sans-serif';
    g.textAlign = 'left';
    g.textBaseline = 'middle';
    for (let i = firstAfter(lane, this.view.t0); i < lane.what.length && lane.begin[i] < this.view.t1; ++i) {
      const x0 = Math.max(this.x(lane.begin[i]), kLeft);
      const w = this.x(lane.end[i]) - x0;
      const hit = this.found.call === lane.what[i];
      if (!hit && Math.floor(x0 + w) === lastPixel) continue;
      lastPixel = Math.floor(x0 + w);
      if (this.byCall || hit) {
        g.fillStyle = hit ? colour('path') : this.callColour(lane.what[i]);
        const band = hit ? h : h > 10 ? Math.min(6, h / 3) : h;
        g.fillRect(x0, y + h - band, Math.max(w, 1), band);
      } else if (w > 3 && h > 9) {
        g.strokeStyle = colour('soft');
        g.globalAlpha = 0.55;
        g.lineWidth = 0.75;
        g.strokeRect(x0 + 0.5, y + 0.5, w - 1, h - 1);
        g.globalAlpha = 1;
      }
      const name = this.names[lane.what[i]];
      if (w > 46 && h > 13) {
        const text = name.replace(/^(MPI|shmem)_/, '');
        const wide = g.measureText(text).width;
        if (wide + 8 < w) {
          g.fillStyle = colour('card');
          g.globalAlpha = 0.8;
          g.fillRect(x0 + 3, y + h / 2 - 6.5, wide + 6, 13);
          g.globalAlpha = 1;
          g.fillStyle = colour('ink');
          g.fillText(text, x0 + 6, y + h / 2);
        }
      }
    }
  }

  private paintMessages(g: CanvasRenderingContext2D): void {
    const seen = this.messages.filter((m) => m.arrived >= this.view.t0 && m.sent <= this.view.t1 &&
      (this.found.rank === undefined || m.from === this.found.rank || m.to === this.found.rank));
    if (seen.length > kManyArrows || this.rowHeight < 4) return;
    g.strokeStyle = colour('message');
    g.fillStyle = colour('message');
    g.lineWidth = 0.8;
    g.globalAlpha = seen.length > 300 ? 0.3 : 0.65;
    for (const m of seen) this.arrow(g, m.sent, m.from, m.arrived, m.to, seen.length < 400);
    g.globalAlpha = 1;
  }
  private arrow(g: CanvasRenderingContext2D, t0: number, from: number, t1: number, to: number, head: boolean): void {
    const h = this.rowHeight / 2;
    const [x0, y0, x1, y1] = [this.x(t0), this.y(from) + h, this.x(t1), this.y(to) + h];
    g.beginPath();
    g.moveTo(x0, y0);
    g.lineTo(x1, y1);
    g.stroke();
    if (!head) return;
    const angle = Math.atan2(y1 - y0, x1 - x0);
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x1 - 6 * Math.cos(angle - 0.4), y1 - 6 * Math.sin(angle - 0.4));
    g.lineTo(x1 - 6 * Math.cos(angle + 0.4), y1 - 6 * Math.sin(angle + 0.4));
    g.fill();
  }

  private paintPath(g: CanvasRenderingContext2D): void {
    g.strokeStyle = colour('path');
    g.fillStyle = colour('path');
    g.lineWidth = Math.max(1.4, Math.min(2.5, this.rowHeight / 5));
    let lastX = -10;
    let lastY = -10;
    g.beginPath();
    for (const p of this.path) {
      if (p.end < this.view.t0 || p.begin > this.view.t1) continue;
      const [x0, y0, x1, y1] = [this.x(p.begin), this.y(p.rank) + this.middle(p.rank, p.thread),
        this.x(p.end), this.y(p.to) + this.middle(p.to, p.to === p.rank ? p.thread : 0)];
      if (Math.abs(x1 - lastX) < 0.4 && Math.abs(y1 - lastY) < 0.4) continue;
      g.moveTo(x0, y0);
      g.lineTo(x1, y1);
      lastX = x1;
      lastY = y1;
    }
    g.stroke();
  }

  private paintNames(g: CanvasRenderingContext2D): void {
    g.fillStyle = colour('card');
    g.fillRect(0, kTop, kLeft, this.plotHeight);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    const every = Math.max(1, format.niceStep(this.view.r1 - this.view.r0, this.plotHeight / 15));
    for (let rank = Math.ceil(this.view.r0 / every) * every; rank < Math.min(this.view.r1, this.ranks); rank += every) {
      g.fillStyle = rank === this.found.rank ? colour('path') : colour('soft');
      g.fillText(`rank ${rank}`, kLeft - 6, this.y(rank) + Math.min(this.rowHeight, this.rowHeight * every) / 2);
    }
    if (this.found.rank !== undefined) {
      g.strokeStyle = colour('path');
      g.lineWidth = 1.5;
      g.strokeRect(kLeft, this.y(this.found.rank), this.width() - kLeft - 1, this.rowHeight);
    }
  }

  private paintLinks(g: CanvasRenderingContext2D, width: number): void {
    const series = this.data.series;
    if (series === undefined || this.linkUse.length === 0) return;
    const top = kTop + this.plotHeight + kGap;
    g.fillStyle = colour('card');
    g.fillRect(0, kTop + this.plotHeight, width, kGap);
    g.textBaseline = 'middle';
    g.textAlign = 'left';
    g.fillStyle = colour('soft');
    g.font = '11px system-ui, sans-serif';
    g.fillText('use of the busiest links, 0 % pale to 100 % dark (or, at night, bright)', 6, top - 10);
    g.save();
    g.beginPath();
    g.rect(kLeft, top, width - kLeft, this.linkUse.length * kLinkRow);
    g.clip();
    const first = Math.max(0, Math.floor(this.view.t0 / series.slice_ps));
    for (let i = 0; i < this.linkUse.length; ++i) {
      const use = this.linkUse[i];
      for (let s = first; s < use.length && s * series.slice_ps < this.view.t1; ++s) {
        if (use[s] === 0) continue;
        const x0 = this.x(s * series.slice_ps);
        g.fillStyle = heat(use[s] / 255);
        g.fillRect(x0, top + i * kLinkRow + 1, this.x((s + 1) * series.slice_ps) - x0 + 0.5, kLinkRow - 2);
      }
    }
    g.restore();
    g.fillStyle = colour('card');
    g.fillRect(0, top, kLeft, this.linkUse.length * kLinkRow + 6);
    g.textAlign = 'right';
    g.font = '10px system-ui, sans-serif';
    g.fillStyle = colour('soft');
    for (let i = 0; i < this.linkUse.length; ++i) {
      g.fillText(format.short(series.links[i].name, 13), kLeft - 5, top + (i + 0.5) * kLinkRow);
    }
  }
}
