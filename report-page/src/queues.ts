// What waited for links as time went by: queues, pauses, marks and losses, and at what rates links carried.
import { axisStyle, chart, noteAtCursor } from './curves';
import type { QueueData, QueueSeries, Summary } from './data';
import { card, el } from './dom';
import * as format from './format';
import { heatRows } from './rows';
import { colour } from './theme';

type Column = keyof QueueSeries;
const largest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

/** What a chart has a curve of: values by slice, in a unit that the axis names. */
interface Curve { label: string; values: number[]; told: (i: number) => string }

/** Two curves over the same time, each with an axis of its own. */
const curves = (q: QueueData, end: number, name: string, left: Curve, right: Curve): HTMLElement => {
  const [unit, scale] = format.timeUnit(end);
  const [marks, others] = [format.marks(largest(left.values) || 1), format.marks(largest(right.values) || 1)];
  const top = (of: number[]): [number, number] => [0, of[of.length - 1]];
  const note = (i: number) => [`around ${format.time((i + 0.5) * q.slice_ps)}`, left.told(i), right.told(i)];
  return el('div', {}, el('h3', {}, name), chart((width) => ({
    width, height: 200,
    scales: { x: { time: false, range: [0, end / scale] }, y: { range: top(marks) }, other: { range: top(others) } },
    series: [{ label: `time ${unit}` },
      { label: left.label, stroke: colour('compute'), width: 2, points: { show: false } },
      { label: right.label, stroke: colour('overhead'), width: 2, dash: [6, 4], scale: 'other', points: { show: false } }],
    axes: [{ ...axisStyle(), label: `simulated time, ${unit}` }, { ...axisStyle(), splits: () => marks, label: left.label, size: 64 },
      { ...axisStyle(), scale: 'other', side: 1, size: 64, splits: () => others, label: right.label, grid: { show: false } }],
    hooks: { setCursor: [noteAtCursor(note)] },
  }), [left.values.map((_, i) => ((i + 0.5) * q.slice_ps) / scale), left.values, right.values]));
};

export const queuesCard = (s: Summary): HTMLElement | null => {
  const q = s.queues;
  if (q === undefined || q === null || q.all.queued_bytes.length < 2) return null;
  const end = Math.max(1, q.end_ps);
  // The last slice may be shorter than the others.
  const length = (i: number) => Math.max(1, Math.min(q.slice_ps, end - i * q.slice_ps));
  const perSlice = (values: number[], of: number) => values.map((v, i) => (v * of) / length(i));
  const kilobytes = q.all.queued_bytes.map((b) => b / 1000);
  const heldUp = perSlice(q.all.held_up_ps, 1);
  const [marked, lost] = [perSlice(q.all.marked, 1e6), perSlice(q.all.lost, 1e6)];
  const some = (column: Column) => largest(q.all[column]) > 0;
  const parts: HTMLElement[] = [];
  parts.push(curves(q, end, 'At all links together: what waits, and how many links are held up',
    { label: 'waiting, kB', values: kilobytes, told: (i) => `${format.bytes(q.all.queued_bytes[i])} waiting` },
    { label: 'links held up', values: heldUp, told: (i) => `${format.digits(heldUp[i], 3)} links held up, in the mean` }));
  if (some('marked') || some('lost')) {
    parts.push(curves(q, end, 'Packets marked, and packets lost or cut',
      { label: 'marked per µs', values: marked, told: (i) => `${format.count(q.all.marked[i])} marked` },
      { label: 'lost per µs', values: lost, told: (i) => `${format.count(q.all.lost[i])} lost or cut` }));
  }
  const rows = (column: Column, title: string, most: (links: QueueSeries[]) => number, value: (v: number, i: number) => number, told: (v: number, i: number) => string, total: (values: number[]) => string) => {
    const links = q.links.filter((l) => largest(l[column]) > 0);
    if (links.length === 0) return;
    const scale = Math.max(1e-12, most(links));
    parts.push(el('div', {}, el('h3', { style: 'margin-top: 14px' }, title),
      heatRows(title, links.map((l) => ({ name: l.link, sum: total(l[column]), values: l[column].map((v, i) => value(v, i) / scale) })),
        (row, i) => [links[row].link, `${told(links[row][column][i] ?? 0, i)} around ${format.time((i + 0.5) * q.slice_ps)}`])));
  };
  const greatest = (column: Column, value: (v: number, i: number) => number) => (links: QueueSeries[]) => largest(links.flatMap((l) => l[column].map(value)));
  const itself = (v: number) => v;
  const part = (v: number, i: number) => v / length(i);
  const held = (v: number, i: number) => Math.min(1, part(v, i));  // Each of several lanes may be.
  rows('queued_bytes', 'Queues: strong is the longest', greatest('queued_bytes', itself), itself, (v) => `${format.bytes(v)} waiting`, (v) => format.bytes(largest(v)));
  rows('held_up_ps', 'Held up, by pauses or for want of credits: strong is all the time', () => 1, held, (v, i) => `held up ${format.percent(held(v, i))} of the time`, (v) => format.percent(Math.min(1, sum(v) / end)));
  rows('marked', 'Marks: strong is where most packets were marked', greatest('marked', part), part, (v) => `${format.count(v)} marked`, (v) => format.brief(sum(v)));
  rows('lost', 'Losses: strong is where most packets were lost or cut', greatest('lost', part), part, (v) => `${format.count(v)} lost or cut`, (v) => format.brief(sum(v)));
  const gbps = (v: number, i: number) => (8000 * v) / length(i);
  const rate = (v: number, i: number) => `${format.digits(gbps(v, i), 3)} Gb/s`;
  rows('carried_bytes', 'Rates of these links: strong is the highest', greatest('carried_bytes', gbps), gbps, rate, (v) => `${format.digits((8000 * sum(v)) / end, 3)} Gb/s`);
  const which = q.links.length === 0 ? 'links are too many to be told apart' : 'links with most of each, and those of the nodes that send most';
  return card('queues', 'Queues, pauses, marks and rates', [which, s.kind === 'traffic' ? 'of the last run' : ''].filter((t) => t !== '').join('; '), ...parts);
};
