// What a timeline shows, unpacked.
import { firstAfter, readLanes, readMessages, readPath } from './data';
import type { Lane, Message, PageData, Piece, Summary } from './data';
import { unbase64 } from './unpacker';

/** A run with a timeline: a page's own, or one of several that are compared. */
export type TimelineSource = Pick<PageData, 'timeline' | 'path' | 'messages' | 'series'> & { summary?: Summary };

/** What a row did in a slice of time: most besides waiting, which part of it that took, and about which part waiting did. */
export interface Cell { what: string; share: number; waiting: number }
export interface Occurrence { rank: number; thread: number; begin: number; end: number }

export const kNoCall = 0xffff;
const kMostLinks = 12;

export class TimelineData {
  readonly summary: Summary;
  readonly activities: string[];
  readonly names: string[];
  readonly lanes: Map<number, Lane[]>;
  readonly calls: Map<number, Lane[]>;
  readonly messages: Message[];
  readonly path: Piece[];
  readonly resources: string[];
  readonly linkUse: Uint8Array[];
  readonly links: NonNullable<PageData['series']>['links'];
  private readonly cells: Uint8Array;
  private callCells: Uint16Array | null = null;

  constructor(readonly source: TimelineSource) {
    const t = source.timeline!;
    this.summary = source.summary!;
    this.activities = t.activities;
    this.names = t.call_names;
    this.cells = unbase64(t.cells);
    this.lanes = readLanes(t.intervals, t.lanes);
    this.calls = readLanes(t.calls, t.lanes);
    this.messages = source.messages === undefined ? [] : readMessages(source.messages.packed);
    this.path = source.path === undefined ? [] : readPath(source.path);
    this.resources = source.path?.resources ?? [];
    this.links = (source.series?.links ?? []).slice(0, kMostLinks);
    this.linkUse = this.links.map((l) => unbase64(l.use));
  }

  get end(): number { return Math.max(1, this.summary.time_ps); }
  get ranks(): number { return this.summary.ranks; }
  get rows(): number { return this.source.timeline!.rows; }
  get slices(): number { return this.source.timeline!.slices; }
  get perRow(): number { return this.source.timeline!.per_row; }
  /** What the largest value of a link's use over time stands for. */
  get linkScale(): number { return this.source.series?.scale ?? 1; }
  linkUseAt(link: number, t: number): number {
    const use = this.linkUse[link];
    return (use[Math.min(use.length - 1, Math.floor(t / this.source.series!.slice_ps))] / 255) * this.linkScale;
  }

  cell(row: number, slice: number): Cell | null {
    const at = 2 * (row * this.slices + slice);
    const what = this.activities[this.cells[at] & 15];
    return what === undefined ? null : { what, share: this.cells[at + 1] / 255, waiting: (this.cells[at] >> 4) / 15 };
  }
  cellAt(rank: number, t: number): Cell | null {
    return this.cell(Math.floor(rank / this.perRow), Math.min(this.slices - 1, Math.floor((t / this.end) * this.slices)));
  }

  /** By row and slice, the call that took most of it, of the ranks that are kept interval by interval. */
  callsBySlice(): Uint16Array {
    this.callCells ??= this.sumUpCalls();
    return this.callCells;
  }
  private sumUpCalls(): Uint16Array {
    const { slices, rows, perRow, names } = this;
    const width = this.end / slices;
    const most = new Uint16Array(rows * slices).fill(kNoCall);
    const spent = new Float64Array(slices * names.length);
    for (let row = 0; row < rows; ++row) {
      spent.fill(0);
      for (let rank = row * perRow; rank < (row + 1) * perRow; ++rank) {
        for (const lane of this.calls.get(rank) ?? []) addUp(lane, width, slices, names.length, spent);
      }
      for (let s = 0; s < slices; ++s) {
        let best = 0;
        for (let c = 0; c < names.length; ++c) {
          if (spent[s * names.length + c] > best) { best = spent[s * names.length + c]; most[row * slices + s] = c; }
        }
      }
    }
    return most;
  }

  /** All that are kept of a call, in the order of time. */
  occurrences(call: number): Occurrence[] {
    const found: Occurrence[] = [];
    for (const [rank, lanes] of this.calls) {
      for (const lane of lanes) {
        lane.what.forEach((what, i) => { if (what === call) found.push({ rank, thread: lane.thread, begin: lane.begin[i], end: lane.end[i] }); });
      }
    }
    return found.sort((a, b) => a.begin - b.begin || a.rank - b.rank);
  }

  /** The interval of a lane at an instant, or -1. */
  static at(lane: Lane, t: number): number {
    const i = firstAfter(lane, t);
    return i < lane.what.length && lane.begin[i] <= t ? i : -1;
  }
}

const addUp = (lane: Lane, width: number, slices: number, names: number, spent: Float64Array) => {
  for (let i = 0; i < lane.what.length; ++i) {
    for (let s = Math.min(slices - 1, Math.floor(lane.begin[i] / width)); s < slices && s * width < lane.end[i]; ++s) {
      spent[s * names + lane.what[i]] += Math.min(lane.end[i], (s + 1) * width) - Math.max(lane.begin[i], s * width);
    }
  }
};
