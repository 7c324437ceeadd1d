// How the last run of a study of traffic went by: what arrived, what was under way, and the busiest links.
import { axisStyle, chart, noteAtCursor } from './curves';
import { unbase64 } from './unpacker';
import type { PageData } from './data';
import { card, el } from './dom';
import * as format from './format';
import { heatRows } from './rows';
import { colour } from './theme';

const kMostLinks = 16;

const curves = (flow: NonNullable<PageData['flow']>): HTMLElement => {
  const [unit, scale] = format.timeUnit(flow.end_ps);
  // Of what nodes can inject where that has a limit, else bytes per second.
  const share = flow.capacity > 0;
  const length = (i: number) => Math.max(1, Math.min(flow.slice_ps, flow.end_ps - i * flow.slice_ps));
  const arrived = flow.bytes.map((b, i) => {
    const perSecond = (b / length(i)) * 1e12;
    return share ? (100 * perSecond) / flow.capacity : perSecond / 1e9;
  });
  const label = share ? 'accepted, %' : 'accepted, GB/s';
  const [rates, counts] = [format.marks(Math.max(...arrived)), format.marks(Math.max(1, ...flow.under_way))];
  const note = (i: number) => [`around ${format.time((i + 0.5) * flow.slice_ps)}`, `accepted ${share ? format.percent(arrived[i] / 100) : `${format.digits(arrived[i])} GB/s`}`, `${format.count(flow.under_way[i])} messages under way`];
  return chart((width) => ({
    width, height: 260,
    scales: { x: { time: false, range: [0, flow.end_ps / scale] }, y: { range: [0, rates[rates.length - 1]] }, messages: { range: [0, counts[counts.length - 1]] } },
    series: [{ label: `time ${unit}` },
      { label, stroke: colour('compute'), width: 2, points: { show: false } },
      { label: 'messages under way', stroke: colour('overhead'), width: 2, dash: [6, 4], scale: 'messages', points: { show: false } }],
    axes: [{ ...axisStyle(), label: `simulated time, ${unit}` }, { ...axisStyle(), splits: () => rates, label, size: 64 },
      { ...axisStyle(), scale: 'messages', side: 1, size: 70, splits: () => counts, label: 'messages under way', grid: { show: false } }],
    hooks: { setCursor: [noteAtCursor(note)] },
  }), [flow.bytes.map((_, i) => ((i + 0.5) * flow.slice_ps) / scale), arrived, flow.under_way]);
};

/** One row for each of the busiest links: how much of it was used, slice by slice. */
const linkRows = (data: PageData): HTMLElement | null => {
  const series = data.series;
  if (series === undefined || series.links.length === 0) return null;
  const links = series.links.slice(0, kMostLinks);
  const most = series.scale ?? 1;
  const end = format.scaleEnd(most);
  const uses = links.map((l) => unbase64(l.use));
  const use = (i: number, slice: number) => (uses[i][slice] / 255) * most;
  const canvas = heatRows('use of the busiest links over time',
    links.map((l, i) => ({ name: l.name, sum: format.percent(l.utilisation), values: Array.from(uses[i], (_, slice) => use(i, slice) / end) })),
    (i, slice) => [links[i].name, `${format.percent(use(i, slice))} used at ${format.time(slice * series.slice_ps)}`, `${format.percent(links[i].utilisation)} in the measured time`]);
  return el('div', {}, el('h3', { style: 'margin-top: 14px' }, `Use of the busiest links over the same time, pale: little, strong: ${end < 1 ? `${format.percent(end)}, never more` : 'all of it'}`), canvas);
};

export const flowCard = (data: PageData): HTMLElement | null => {
  const flow = data.flow;
  if (flow === undefined || flow.bytes.length < 2) return null;
  const notes = [
    flow.load === null ? '' : `the run at ${format.percent(flow.load)} load, accepted: of what nodes can inject`,
    flow.window === undefined ? '' : `measured from ${format.time(flow.window[0])} to ${format.time(flow.window[1])}`,
  ].filter((t) => t !== '').join(', ');
  return card('flow', 'As time went by', notes, curves(flow), linkRows(data));
};
