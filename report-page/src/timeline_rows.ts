// The rows of a timeline: slices of time where there is much, intervals and calls where there is room.
import { firstAfter } from './data';
import type { Lane } from './data';
import { el } from './dom';
import { channels } from './contrast';
import { colour, rgb } from './theme';
import { kNoCall } from './timeline_data';
import type { TimelineData } from './timeline_data';
import type { Range } from './range';

const kPalette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#bb7733', '#44bb99', '#994455'];
const kOtherCalls = '#8899aa';

/** How strong a part of a slice is drawn: little can be seen, more is stronger. */
export const strength = (share: number): number => (share === 0 ? 0 : 0.3 + 0.7 * Math.sqrt(share));

/** Where rows are painted, and which of them: a view's part of the timeline. */
export interface Frame {
  readonly ranks: Range;
  readonly time: Range;
  readonly left: number;
  readonly plotHeight: number;
  readonly plotWidth: number;
  readonly rowHeight: number;
  readonly mark: { readonly call?: number };
  x(t: number): number;
  y(rank: number): number;
  showsIntervals(rank: number): boolean;
}

export class RowPainter {
  byCall = false;
  private overview: HTMLCanvasElement | null = null;
  private hatch: CanvasPattern | null = null;
  private readonly colours = new Map<number, string>();

  constructor(private readonly data: TimelineData, private readonly view: Frame) {
    coloured(data).forEach((call, i) => this.colours.set(call, kPalette[i]));
  }

  /** What was drawn is not as it should be now. */
  forget(): void { this.overview = null; this.hatch = null; }

  paint(g: CanvasRenderingContext2D): void {
    this.paintSlices(g);
    this.paintLanes(g);
  }

  /** The picture of all slices of time, drawn once and stretched. */
  private paintSlices(g: CanvasRenderingContext2D): void {
    const { data, view } = this;
    this.overview ??= this.drawSlices();
    const sh = view.ranks.span / data.perRow;
    const right = Math.min(view.time.to, data.end);
    if (right <= view.time.from) return;
    // Of rows that share a pixel each has its part.
    g.imageSmoothingEnabled = sh > view.plotHeight;
    g.drawImage(this.overview, (view.time.from / data.end) * data.slices, view.ranks.from / data.perRow,
      Math.max(((right - view.time.from) / data.end) * data.slices, 1e-6), sh, view.left, view.y(view.ranks.from), view.x(right) - view.left, view.plotHeight);
  }
  private drawSlices(): HTMLCanvasElement {
    const { rows, slices } = this.data;
    const canvas = el('canvas', { width: slices, height: rows });
    const g = canvas.getContext('2d')!;
    const image = g.createImageData(slices, rows);
    const calls = this.byCall ? this.data.callsBySlice() : null;
    const ground = rgb('empty');
    const waiting = rgb('wait');
    const colours = new Map(this.data.activities.map((name) => [name, rgb(name)]));
    const callColours = this.data.names.map((_, call) => channels(this.callColour(call)));
    for (let i = 0; i < rows * slices; ++i) {
      const cell = this.data.cell(Math.floor(i / slices), i % slices);
      const call = calls === null ? kNoCall : calls[i];
      const paint = call !== kNoCall ? callColours[call] : cell === null ? ground : colours.get(cell.what)!;
      // Where calls are shown, what ranks do outside of them is of less interest.
      const strong = cell === null ? 0 : call !== kNoCall ? 1 : strength(cell.share) * (calls === null ? 1 : 0.35);
      const below = cell !== null && cell.waiting > 0 ? waiting : ground;
      for (let c = 0; c < 3; ++c) image.data[4 * i + c] = below[c] + strong * (paint[c] - below[c]);
      image.data[4 * i + 3] = 255;
    }
    g.putImageData(image, 0, 0);
    return canvas;
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
    const { view } = this;
    const h = view.rowHeight;
    const pad = h > 8 ? 1.5 : 0.5;
    for (const [rank, threads] of this.data.lanes) {
      if (rank + 1 < view.ranks.from || rank > view.ranks.to) continue;
      // What has more intervals than pixels is told better by its slices.
      if (!view.showsIntervals(rank)) continue;
      g.fillStyle = colour('empty');
      g.fillRect(view.left, view.y(rank) + pad, view.plotWidth, h - 2 * pad);
      const each = (h - 2 * pad) / threads.length;
      threads.forEach((lane, i) => {
        const y = view.y(rank) + pad + i * each;
        const high = threads.length > 1 && each > 3 ? each - 0.75 : each;
        this.paintLane(g, lane, y, high);
        const calls = this.data.calls.get(rank)?.[i];
        if (calls !== undefined) this.paintCalls(g, calls, y, high);
      });
    }
  }
  /** What is narrower than a pixel is drawn once for all that share it: the longest. */
  private paintLane(g: CanvasRenderingContext2D, lane: Lane, y: number, h: number): void {
    const { view } = this;
    let lastPixel = -1;
    let longest = 0;
    for (let i = firstAfter(lane, view.time.from); i < lane.what.length && lane.begin[i] < view.time.to; ++i) {
      const x0 = view.x(lane.begin[i]);
      const w = view.x(lane.end[i]) - x0;
      const pixel = Math.floor(x0);
      if (w < 1 && pixel === lastPixel && w <= longest) continue;
      if (pixel !== lastPixel) longest = 0;
      lastPixel = pixel;
      longest = w;
      g.fillStyle = this.fill(this.data.activities[lane.what[i]], g);
      g.fillRect(x0, y, Math.max(w, 0.8), h);
    }
  }
  callColour(call: number): string { return this.colours.get(call) ?? kOtherCalls; }
  private paintCalls(g: CanvasRenderingContext2D, lane: Lane, y: number, h: number): void {
    const { view } = this;
    let lastPixel = -1;
    for (let i = firstAfter(lane, view.time.from); i < lane.what.length && lane.begin[i] < view.time.to; ++i) {
      const x0 = Math.max(view.x(lane.begin[i]), view.left);
      const w = view.x(lane.end[i]) - x0;
      const hit = view.mark.call === lane.what[i];
      if (!hit && Math.floor(x0 + w) === lastPixel) continue;
      lastPixel = Math.floor(x0 + w);
      if (this.byCall || hit) {
        g.fillStyle = hit ? colour('path') : this.callColour(lane.what[i]);
        const band = h > 10 ? Math.max(6, h / 2) : h;
        g.fillRect(x0, y + h - band, Math.max(w, 1), band);
      } else if (w > 3 && h > 9) {
        g.strokeStyle = colour('soft');
        g.globalAlpha = 0.55;
        g.lineWidth = 0.75;
        g.strokeRect(x0 + 0.5, y + 0.5, w - 1, h - 1);
        g.globalAlpha = 1;
      }
      if (w > 46 && h > 13) paintName(g, this.data.names[lane.what[i]], x0, y + h / 2, w);
    }
  }
}

/** The calls with colours of their own: those that took most time. */
export const coloured = (data: TimelineData): number[] => {
  const total = (call: number) => data.summary.calls?.find((c) => c.call === data.names[call])?.total_ps ?? 0;
  return data.names.map((_, call) => call).sort((a, b) => total(b) - total(a) || a - b).slice(0, kPalette.length);
};
/** What the legend says of calls: names and colours. */
export const callLegend = (data: TimelineData): [string, string][] => {
  const own = coloured(data).map((call, i): [string, string] => [data.names[call], kPalette[i]]);
  return data.names.length > own.length ? [...own, ['other calls', kOtherCalls]] : own;
};

const paintName = (g: CanvasRenderingContext2D, name: string, x: number, y: number, room: number) => {
  const text = name.replace(/^(MPI|shmem)_/, '');
  g.font = '10px system-ui, sans-serif';
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  const wide = g.measureText(text).width;
  if (wide + 8 >= room) return;
  g.fillStyle = colour('card');
  g.globalAlpha = 0.8;
  g.fillRect(x + 3, y - 6.5, wide + 6, 13);
  g.globalAlpha = 1;
  g.fillStyle = colour('ink');
  g.fillText(text, x + 6, y);
};
