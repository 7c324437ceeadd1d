// How the last run of a study of traffic went by: what arrived, what was under way, and the busiest links.
import { axisStyle, chart, noteAtCursor } from './curves';
import { unbase64 } from './data';
import type { PageData } from './data';
import { card, el, tip } from './dom';
import * as format from './format';
import { fitted, painted } from './painted';
import { colour, heat } from './theme';

const kLeft = 150;
const leftOf = (width: number): number => Math.min(kLeft, width * 0.3);
const kRow = 14;
const kMostLinks = 16;

/** A scale of time for a whole chart: the unit, and how many ps it has. */
const unitOf = (ps: number): [string, number] => (ps < 2e6 ? ['ns', 1e3] : ps < 2e9 ? ['µs', 1e6] : ['ms', 1e9]);

const curves = (flow: NonNullable<PageData['flow']>): HTMLElement => {
  const [unit, scale] = unitOf(flow.end_ps);
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
  const canvas = painted('use of the busiest links over time', () => links.length * kRow + 4, (g, width) => {
    const left = leftOf(width);
    const wide = (width - left) / Math.max(1, series.slices);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    uses.forEach((bytes, i) => {
      g.fillStyle = colour('soft');
      const use = ` ${format.percent(links[i].utilisation)}`;
      g.fillText(fitted(g, links[i].name, left - 10 - g.measureText(use).width) + use, left - 6, (i + 0.5) * kRow);
      g.fillStyle = colour('empty');
      g.fillRect(left, i * kRow + 1, width - left, kRow - 2);
      bytes.forEach((u, s) => {
        if (u === 0) return;
        g.fillStyle = heat(((u / 255) * most) / end);
        g.fillRect(left + s * wide, i * kRow + 1, wide + 0.4, kRow - 2);
      });
    });
  });
  canvas.addEventListener('pointermove', (e) => {
    const box = canvas.getBoundingClientRect();
    const i = Math.floor((e.clientY - box.top) / kRow);
    const left = leftOf(box.width);
    const s = Math.floor(((e.clientX - box.left - left) / (box.width - left)) * series.slices);
    if (i < 0 || i >= links.length || s < 0 || s >= series.slices) return tip.hide();
    tip.show(e.clientX, e.clientY, [links[i].name, `${format.percent((uses[i][s] / 255) * most)} used at ${format.time(s * series.slice_ps)}`, `${format.percent(links[i].utilisation)} in the measured time`]);
  });
  canvas.addEventListener('pointerleave', () => tip.hide());
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
