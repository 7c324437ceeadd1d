// The picture of a timeline: the part of it that is shown, drawn on a canvas.
import { firstAfter } from './data';
import { el, tip } from './dom';
import * as format from './format';
import { fitted } from './painted';
import { Range } from './range';
import { colour, heat, onTheme } from './theme';
import { TimelineData } from './timeline_data';
import type { Occurrence } from './timeline_data';
import { RowPainter } from './timeline_rows';
import { spoken } from './verdict';

const kLeft = 74;  // Names of rows.
const kTop = 22;          // The axis of time.
const kGap = 26;          // Between ranks and links.
const kLinkRow = 13;
const kManyArrows = 1500;
const kShortest = 1000;   // Picoseconds that are shown at least.

/** What a search has found. */
export interface Mark { rank?: number; call?: number; at?: Occurrence }

export class TimelineView {
  readonly canvas = el('canvas', { tabindex: 0, role: 'img' });
  readonly ranks: Range;
  readonly left = kLeft;
  showPath = true;
  showMessages = true;
  private marked: Mark = {};
  private readonly rows: RowPainter;
  private pending = false;

  /** Views that share `time` show the same part of it. */
  constructor(readonly data: TimelineData, readonly time = new Range(data.end, kShortest), private readonly most = 460) {
    this.ranks = new Range(data.ranks, 2);
    this.rows = new RowPainter(data, this);
    for (const range of [this.time, this.ranks]) range.onChange(() => { tip.hide(); this.draw(); });
    // At once: what is to be printed is not waited for.
    onTheme(() => { this.rows.forget(); this.paint(); });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  get byCall(): boolean { return this.rows.byCall; }
  set byCall(on: boolean) { this.rows.byCall = on; this.rows.forget(); }
  get mark(): Mark { return this.marked; }
  set mark(mark: Mark) { this.marked = mark; this.draw(); }
  reset(): void { this.ranks.reset(); this.time.reset(); }

  // Geometry.

  get plotHeight(): number { return Math.max(140, Math.min(this.most, this.data.ranks * 26)); }
  get plotWidth(): number { return this.canvas.clientWidth - kLeft; }
  get rowHeight(): number { return this.plotHeight / this.ranks.span; }
  private get linksHeight(): number { return this.data.linkUse.length === 0 ? 0 : kGap + this.data.linkUse.length * kLinkRow; }
  private get linksTop(): number { return kTop + this.plotHeight + kGap; }
  x(t: number): number { return kLeft + ((t - this.time.from) / this.time.span) * this.plotWidth; }
  y(rank: number): number { return kTop + ((rank - this.ranks.from) / this.ranks.span) * this.plotHeight; }
  timeAt(x: number): number { return this.time.from + ((x - kLeft) / this.plotWidth) * this.time.span; }
  rankAt(y: number): number { return this.ranks.from + ((y - kTop) / this.plotHeight) * this.ranks.span; }
  /** Where in a rank's row a thread has its middle. */
  private middle(rank: number, thread: number): number {
    const threads = this.data.lanes.get(rank);
    if (threads === undefined || threads.length < 2) return this.rowHeight / 2;
    const i = Math.max(0, threads.findIndex((lane) => lane.thread === thread));
    return (this.rowHeight * (i + 0.5)) / threads.length;
  }

  // What is at a place of the canvas, for the note beside the pointer.

  /** As exactly as it can be seen. */
  private instant(t: number): string { return format.instant(t, this.time.span / this.plotWidth); }

  under(x: number, y: number): string[] {
    if (x < kLeft) return [];
    const t = this.timeAt(x);
    if (y > kTop + this.plotHeight) return this.underLink(t, y);
    if (y < kTop) return [this.instant(t)];
    const rank = Math.floor(this.rankAt(y));
    if (rank < 0 || rank >= this.data.ranks || t > this.data.end) return [];
    const threads = this.data.lanes.get(rank);
    if (threads === undefined) return [`rank ${rank} at ${this.instant(t)}`, ...this.underCell(rank, t)];
    const i = Math.min(threads.length - 1, Math.floor(((y - this.y(rank)) / this.rowHeight) * threads.length));
    const who = threads.length > 1 ? `rank ${rank}, thread ${threads[i].thread}` : `rank ${rank}`;
    return [`${who} at ${this.instant(t)}`, ...this.underLane(rank, i, t), ...this.underPath(rank, t)];
  }
  private underCell(rank: number, t: number): string[] {
    const cell = this.data.cellAt(rank, t);
    if (cell === null) return [];
    const words = `${spoken(cell.what)}: ${format.percent(cell.share)} of the slice`;
    return cell.what === 'wait' || cell.waiting === 0 ? [words] : [words, `waiting: about ${format.percent(cell.waiting)}`];
  }
  private underLane(rank: number, thread: number, t: number): string[] {
    const calls = this.data.calls.get(rank)![thread];
    const lane = this.data.lanes.get(rank)![thread];
    const c = TimelineData.at(calls, t);
    const n = TimelineData.at(lane, t);
    return [
      ...(c < 0 ? [] : [`${this.data.names[calls.what[c]]}: ${format.time(calls.end[c] - calls.begin[c])}`]),
      ...(n < 0 ? [] : [`${spoken(this.data.activities[lane.what[n]])}: ${format.time(lane.end[n] - lane.begin[n])}`]),
    ];
  }
  private underPath(rank: number, t: number): string[] {
    const piece = this.data.path.find((p) => p.begin <= t && t < p.end);
    if (piece === undefined || (piece.rank !== rank && piece.to !== rank)) return [];
    return [piece.rank === piece.to ? `on the critical path: ${spoken(this.data.resources[piece.resource])}`
      : `critical message ${piece.rank} → ${piece.to}, ${format.bytes(piece.bytes)}, ${format.time(piece.end - piece.begin)}`];
  }
  private underLink(t: number, y: number): string[] {
    const i = Math.floor((y - this.linksTop) / kLinkRow);
    if (i < 0 || i >= this.data.linkUse.length) return [];
    const link = this.data.links[i];
    return [link.name, `${format.percent(this.data.linkUseAt(i, t))} used at ${this.instant(t)}`, `${format.percent(link.utilisation)} over the run`];
  }

  // Drawing.

  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  private paint(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const height = kTop + this.plotHeight + this.linksHeight + 6;
    const scale = devicePixelRatio || 1;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.setAttribute('aria-label', `what ${this.data.ranks} ranks did from ${this.instant(this.time.from)} to ${this.instant(this.time.to)}`);
    const g = this.canvas.getContext('2d')!;
    g.scale(scale, scale);
    g.fillStyle = colour('empty');
    g.fillRect(0, 0, width, height);
    this.paintAxis(g, width);
    g.save();
    g.beginPath();
    g.rect(kLeft, kTop, width - kLeft, this.plotHeight);
    g.clip();
    this.rows.paint(g);
    if (this.showMessages) this.paintMessages(g);
    if (this.showPath) this.paintPath(g);
    this.paintMark(g);
    g.restore();
    this.paintNames(g);
    this.paintLinks(g, width);
  }

  private paintAxis(g: CanvasRenderingContext2D, width: number): void {
    const axis = format.timeAxis(this.time.from, this.time.to, this.plotWidth / 90);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    for (const { at, text } of axis.ticks) {
      const x = this.x(at);
      const half = g.measureText(text).width / 2;
      g.fillStyle = colour('line');
      g.fillRect(x, kTop - 4, 1, this.plotHeight + 4 + this.linksHeight);
      g.fillStyle = colour('soft');
      if (x - half > kLeft + 2 && x + half < width - 2) g.fillText(text, x, 9);
    }
    g.textAlign = 'right';
    g.fillText(axis.base, kLeft - 5, 9);
  }

  private paintMessages(g: CanvasRenderingContext2D): void {
    const only = this.marked.rank;
    const seen = this.data.messages.filter((m) => m.arrived >= this.time.from && m.sent <= this.time.to &&
      (only === undefined || m.from === only || m.to === only));
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
    const seen = this.data.path.filter((p) => p.end >= this.time.from && p.begin <= this.time.to);
    // Where it goes to and fro in less than some pixels, lines across all ranks would hide these: its stays are drawn alone.
    const crossings = seen.reduce((n, p) => n + (p.rank === p.to ? 0 : Math.abs(p.to - p.rank)), 0);
    const crowded = (crossings * this.rowHeight) / this.plotHeight > this.plotWidth / 10;
    g.strokeStyle = colour('path');
    g.lineWidth = Math.max(1.4, Math.min(2.5, this.rowHeight / 5));
    let lastX = -10;
    let lastY = -10;
    g.beginPath();
    for (const p of seen) {
      if (crowded && p.rank !== p.to) continue;
      const [x0, y0, y1] = [this.x(p.begin), this.y(p.rank) + this.middle(p.rank, p.thread),
        this.y(p.to) + this.middle(p.to, p.to === p.rank ? p.thread : 0)];
      const x1 = crowded ? Math.max(x0 + 2, this.x(p.end)) : this.x(p.end);
      if (Math.abs(x1 - lastX) < 0.4 && Math.abs(y1 - lastY) < 0.4) continue;
      g.moveTo(x0, y0);
      g.lineTo(x1, y1);
      lastX = x1;
      lastY = y1;
    }
    g.stroke();
  }

  /** A frame around the rank, or around the call, that was searched for. */
  private paintMark(g: CanvasRenderingContext2D): void {
    g.strokeStyle = colour('path');
    const { rank, at } = this.marked;
    if (rank !== undefined) {
      g.lineWidth = 1.5;
      g.strokeRect(kLeft, this.y(rank), this.plotWidth - 1, this.rowHeight);
    }
    if (at !== undefined) {
      g.lineWidth = 2.5;
      g.strokeRect(this.x(at.begin) - 2, this.y(at.rank), Math.max(3, this.x(at.end) - this.x(at.begin)) + 4, Math.max(4, this.rowHeight));
    }
  }

  private paintNames(g: CanvasRenderingContext2D): void {
    g.fillStyle = colour('card');
    g.fillRect(0, kTop, kLeft, this.plotHeight);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    const every = Math.max(1, format.niceStep(this.ranks.span, this.plotHeight / 15));
    const found = this.marked.rank ?? this.marked.at?.rank;
    for (let rank = Math.ceil(this.ranks.from / every) * every; rank < Math.min(this.ranks.to, this.data.ranks); rank += every) {
      g.fillStyle = rank === found ? colour('path') : colour('soft');
      g.fillText(`rank ${rank}`, kLeft - 6, Math.max(kTop + 6, this.y(rank) + this.rowHeight / 2));
    }
  }

  private paintLinks(g: CanvasRenderingContext2D, width: number): void {
    const { linkUse, links } = this.data;
    if (linkUse.length === 0) return;
    const slice = this.data.source.series!.slice_ps;
    const end = format.scaleEnd(this.data.linkScale);
    g.fillStyle = colour('card');
    g.fillRect(0, kTop + this.plotHeight, width, kGap);
    g.textBaseline = 'middle';
    g.textAlign = 'left';
    g.fillStyle = colour('soft');
    g.font = '11px system-ui, sans-serif';
    const words = [`use of the busiest links: pale 0 % to strong ${format.percent(end)}${end < 1 ? ', never more' : ''}`, `busiest links: 0 to ${format.percent(end)}`];
    g.fillText(words.find((text) => g.measureText(text).width < width - 12) ?? words[1], 6, this.linksTop - 10);
    g.save();
    g.beginPath();
    g.rect(kLeft, this.linksTop, width - kLeft, linkUse.length * kLinkRow);
    g.clip();
    const first = Math.max(0, Math.floor(this.time.from / slice));
    linkUse.forEach((use, i) => {
      for (let s = first; s < use.length && s * slice < this.time.to; ++s) {
        if (use[s] === 0) continue;
        const x0 = this.x(s * slice);
        g.fillStyle = heat(((use[s] / 255) * this.data.linkScale) / end);
        g.fillRect(x0, this.linksTop + i * kLinkRow + 1, this.x((s + 1) * slice) - x0 + 0.5, kLinkRow - 2);
      }
    });
    g.restore();
    g.fillStyle = colour('card');
    g.fillRect(0, this.linksTop, kLeft, linkUse.length * kLinkRow + 6);
    g.textAlign = 'right';
    g.font = '10px system-ui, sans-serif';
    g.fillStyle = colour('soft');
    links.forEach((link, i) => g.fillText(fitted(g, link.name, kLeft - 8), kLeft - 5, this.linksTop + (i + 0.5) * kLinkRow));
  }

  /** Whether rows show intervals, not slices of time: then calls can be told apart. */
  showsIntervals(rank: number): boolean {
    const lanes = this.data.lanes.get(rank);
    if (lanes === undefined || this.rowHeight < 3) return false;
    const shown = lanes.reduce((sum, lane) => sum + firstAfter(lane, this.time.to) - firstAfter(lane, this.time.from), 0);
    return shown <= 0.5 * this.plotWidth;
  }
}
