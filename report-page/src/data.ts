// What heddle puts into the page, and how the packed parts of it are read.
import type { RouteTables } from './routes';
import { Unpacker } from './unpacker';

export interface Resource { resource: string; time_ps: number; time: string; share: number }
export interface Efficiency { parallel: number; load_balance: number; serialisation: number; transfer: number }
export interface WhatIf { key: string; what: string; gain_ps: number; gain: string; share: number; at_least_ps?: number; at_most_ps?: number; sure?: boolean }
export interface CallRow {
  call: string; collective: boolean; calls: number; bytes: number;
  total_ps: number; waiting_ps: number; longest_ps: number;
}
export interface LinkRow {
  link: string; bytes: number; utilisation: number; peak: number;
  path_bandwidth_ps: number; path_contention_ps: number;
}
export interface SizeRow { from_bytes: number; to_bytes: number; messages: number; bytes: number }
export interface LoadRow {
  load: number; accepted: number; mean_latency_ps: number | null; p99_latency_ps: number | null; saturated: boolean;
}
/** Slice by slice: what waits at its end, and what happened in it. */
export interface QueueSeries { queued_bytes: number[]; held_up_ps: number[]; marked: number[]; lost: number[]; carried_bytes: number[] }
export interface QueueData { slice_ps: number; end_ps: number; all: QueueSeries; links: (QueueSeries & { link: string })[] }
export interface ProgramRow { title: string; first_rank: number; ranks: number; time_ps: number; cause: string; verdict: string[] }
export interface Summary {
  schema: string; heddle: string; kind: string; title: string; platform: string; machine: string;
  network: string; fidelity: string; ranks: number; nodes: number; time_ps: number; time: string;
  wall_s: number; slowdown: number; cause: string; verdict: string[];
  critical_path?: { length_ps: number; messages: number; late_receivers: number; resources: Resource[] };
  programs?: ProgramRow[];
  what_if?: WhatIf[]; efficiency?: Efficiency | null; rank_time?: { activity: string; share: number }[];
  messages: number; bytes: number; operations?: { puts: number; gets: number; atomics: number; bytes: number };
  other_threads?: number; sizes?: SizeRow[]; calls?: CallRow[]; links?: LinkRow[];
  loads?: LoadRow[]; queues?: QueueData | null;
  parameters?: Record<string, string>; configuration?: string; command?: string[];
}
/** The fabric as it is drawn. */
export interface FabricData {
  width: number; height: number; in_rows: boolean;
  /** x, y, name, 1 for a switch, vertex (or -1), and of a node that hangs on a switch the point of that. */
  points: [number, number, string, number, number, number?][];
  /** Two points, the use there and back, and the name of the busier direction unless it says no more than the points. */
  lines: [number, number, number, number, string?][];
  routes?: RouteTables;
}
/** A run on a page that compares several; what pages have beside summaries only if it was read from one. */
export interface ComparedRun { name: string; summary: Summary; timeline?: PageData['timeline']; path?: PageData['path'] }
export interface PageData {
  summary?: Summary;
  compare?: ComparedRun[];
  timeline?: {
    per_row: number; rows: number; slices: number; cells: string; activities: string[];
    call_names: string[]; exact_ranks: number; lanes: [number, number][]; intervals: string; calls: string;
  };
  ranks?: string;
  path?: { count: number; pieces: string; resources: string[] };
  messages?: { every: number; count: number; packed: string };
  matrix?: { group: number; groups: number; count: number; packed: string };
  rounds?: { every: number; all: number; rows: [number, string, number, number, number, number, number, number, number, string, number][] };
  steps?: [number, number, number, number, number, number, number][];
  series?: { slices: number; slice_ps: number; scale?: number; links: { name: string; utilisation: number; peak: number; use: string }[] };
  fabric?: FabricData;
  flow?: { slice_ps: number; end_ps: number; bytes: number[]; under_way: number[]; capacity: number; load: number | null; window?: [number, number] };
}

/** Intervals of one thread: what, begin and end of each, in the order of time. */
export interface Lane { thread: number; what: Uint16Array; begin: Float64Array; end: Float64Array }

/** By rank, its threads. */
export const readLanes = (packed: string, places: [number, number][]): Map<number, Lane[]> => {
  const from = new Unpacker(packed);
  const lanes = new Map<number, Lane[]>();
  for (const [rank, thread] of places) {
    const n = from.number();
    const lane = { thread, what: new Uint16Array(n), begin: new Float64Array(n), end: new Float64Array(n) };
    let before = 0;
    for (let i = 0; i < n; ++i) {
      lane.what[i] = from.number();
      lane.begin[i] = before + from.signed();
      before = lane.end[i] = lane.begin[i] + from.number();
    }
    if (thread === 0) lanes.set(rank, [lane]); else lanes.get(rank)!.push(lane);
  }
  return lanes;
};

/** The first interval of a lane that ends after an instant. */
export const firstAfter = (lane: Lane, t: number): number => {
  let low = 0;
  let high = lane.end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.end[middle] > t) high = middle; else low = middle + 1;
  }
  return low;
};

export interface Piece { rank: number; to: number; thread: number; resource: number; begin: number; end: number; bytes: number }

export const readPath = (path: NonNullable<PageData['path']>): Piece[] => {
  const from = new Unpacker(path.pieces);
  const pieces: Piece[] = [];
  let before = 0;
  while (from.more()) {
    const rank = from.number();
    const to = from.number();
    const thread = from.number();
    const resource = from.number();
    const begin = before + from.signed();
    const end = begin + from.number();
    pieces.push({ rank, to, thread, resource, begin, end, bytes: from.number() });
    before = end;
  }
  return pieces;
};

export interface Message { from: number; to: number; bytes: number; sent: number; met: number; arrived: number; way: number }

export const readMessages = (packed: string): Message[] => {
  const from = new Unpacker(packed);
  const messages: Message[] = [];
  let before = 0;
  while (from.more()) {
    const sender = from.number();
    const receiver = from.number();
    const size = from.number();
    const sent = before + from.signed();
    const met = sent + from.signed();
    const arrived = sent + from.number();
    messages.push({ from: sender, to: receiver, bytes: size, sent, met, arrived, way: from.number() });
    before = sent;
  }
  return messages;
};

export interface Pair { from: number; to: number; messages: number; bytes: number }

export const readMatrix = (matrix: NonNullable<PageData['matrix']>): Pair[] => {
  const from = new Unpacker(matrix.packed);
  const pairs: Pair[] = [];
  let at = 0;
  while (from.more()) {
    at += from.number();
    pairs.push({ from: Math.floor(at / matrix.groups), to: at % matrix.groups, messages: from.number(), bytes: from.number() });
  }
  return pairs;
};

export interface RankRow { times: number[]; end: number; path: number; sent: number; bytes: number }

export const readRanks = (packed: string, activities: number): RankRow[] => {
  const from = new Unpacker(packed);
  const rows: RankRow[] = [];
  while (from.more()) {
    const times: number[] = [];
    for (let i = 0; i < activities; ++i) times.push(from.number());
    rows.push({ times, end: from.number(), path: from.number(), sent: from.number(), bytes: from.number() });
  }
  return rows;
};
