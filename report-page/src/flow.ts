// How the last run of a study of traffic went by: what arrived, what was under way, and the busiest links.
import uPlot from 'uplot';
import { unbase64 } from './data';
import type { PageData } from './data';
import { card, el, tip } from './dom';
import * as format from './format';
import { colour, heat, onTheme } from './theme';

const kLeft = 150;
const kRow = 14;
const kMostLinks = 16;

/** A scale of time for a whole chart: the unit, and how many ps it has. */
const unitOf = (ps: number): [string, number] => (ps < 2e6 ? ['ns', 1e3] : ps < 2e9 ? ['µs', 1e6] : ['ms', 1e9]);

const curves = (flow: NonNullable<PageData['flow']>): HTMLElement => {
  const place = el('div');
  const [unit, scale] = unitOf(flow.end_ps);
  const draw = () => {
    const width = Math.max(320, place.clientWidth || 800);
    const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line') } };
    // Of what nodes can inject where that has a limit, else bytes per second.
    const share = flow.capacity > 0;
    const length = (i: number) => Math.max(1, Math.min(flow.slice_ps, flow.end_ps - i * flow.slice_ps));
    const arrived = flow.bytes.map((b, i) => {
      const perSecond = (b / length(i)) * 1e12;
      return share ? (100 * perSecond) / flow.capacity : perSecond / 1e9;
    });
    const label = share ? 'accepted, %' : 'accepted, GB/s';
    place.replaceChildren();
    new uPlot({
      width, height: 260, scales: { x: { time: false } },
      series: [{ label: `time ${unit}` },
        { label, stroke: colour('compute'), width: 2, points: { show: false } },
        { label: 'messages under way', stroke: colour('overhead'), width: 2, dash: [6, 4], scale: 'messages', points: { show: false } }],
      axes: [{ ...axis, label: `simulated time, ${unit}` }, { ...axis, label, size: 64 }, { ...axis, scale: 'messages', side: 1, size: 70, label: 'messages under way', grid: { show: false } }],
    }, [flow.bytes.map((_, i) => ((i + 0.5) * flow.slice_ps) / scale), arrived, flow.under_way], place);
  };
  onTheme(draw);
  addEventListener('resize', draw);
  requestAnimationFrame(draw);
  return place;
};

/** One row for each of the busiest links: how much of it was used, slice by slice. */
const linkRows = (data: PageData): HTMLElement | null => {
  const series = data.series;
  if (series === undefined || series.links.length === 0) return null;
  const links = series.links.slice(0, kMostLinks);
  const uses = links.map((l) => unbase64(l.use));
  const canvas = el('canvas', { role: 'img', 'aria-label': 'use of the busiest links over time', style: 'width: 100%' });
  const paint = () => {
    const width = canvas.clientWidth;
    if (width === 0) return;
    const height = links.length * kRow + 4;
    const scale = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const g = canvas.getContext('2d')!;
    g.scale(scale, scale);
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    const wide = (width - kLeft) / Math.max(1, series.slices);
    uses.forEach((use, i) => {
      g.fillStyle = colour('soft');
      g.fillText(`${format.short(links[i].name, 17)} ${format.percent(links[i].utilisation)}`, kLeft - 6, (i + 0.5) * kRow);
      g.fillStyle = colour('empty');
      g.fillRect(kLeft, i * kRow + 1, width - kLeft, kRow - 2);
      use.forEach((u, s) => {
        if (u === 0) return;
        g.fillStyle = heat(u / 255);
        g.fillRect(kLeft + s * wide, i * kRow + 1, wide + 0.4, kRow - 2);
      });
    });
  };
  canvas.addEventListener('pointermove', (e) => {
    const box = canvas.getBoundingClientRect();
    const i = Math.floor((e.clientY - box.top) / kRow);
    const s = Math.floor(((e.clientX - box.left - kLeft) / (box.width - kLeft)) * series.slices);
    if (i < 0 || i >= links.length || s < 0 || s >= series.slices) return tip.hide();
    tip.show(e.clientX, e.clientY, [links[i].name, `${format.percent(uses[i][s] / 255)} used at ${format.time(s * series.slice_ps)}`, `${format.percent(links[i].utilisation)} in the measured time`]);
  });
  canvas.addEventListener('pointerleave', () => tip.hide());
  new ResizeObserver(paint).observe(canvas);
  onTheme(paint);
  return el('div', {}, el('h3', { style: 'margin-top: 14px' }, 'Use of the busiest links over the same time, pale: little, strong: all of it'), canvas);
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
