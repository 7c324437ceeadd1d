// Latency and throughput against load.
import uPlot from 'uplot';
import { axisStyle, chart, noteAtCursor } from './curves';
import type { LoadRow } from './data';
import { card } from './dom';
import * as format from './format';
import { colour } from './theme';

/** From the first load that is not delivered on, latency has no limit. */
const shade = (from: number | undefined) => (u: uPlot) => {
  if (from === undefined) return;
  const left = u.valToPos(from, 'x', true);
  const g = u.ctx;
  g.save();
  g.fillStyle = colour('wait');
  g.globalAlpha = 0.6;
  g.fillRect(left, u.bbox.top, u.bbox.left + u.bbox.width - left, u.bbox.height);
  g.restore();
};

export const loadCard = (loads: LoadRow[] | undefined): HTMLElement | null => {
  if (loads === undefined || loads.length < 2) return null;
  const x = loads.map((l) => 100 * l.load);
  const us = (ps: number | null) => (ps === null ? null : ps / 1e6);
  const latencies = loads.flatMap((l) => [us(l.mean_latency_ps), us(l.p99_latency_ps)]).filter((v): v is number => v !== null);
  const first = loads.find((l) => l.saturated);
  const [latency, accepted] = [format.marks(Math.max(1e-3, ...latencies)), format.marks(Math.max(...loads.map((l) => 100 * l.accepted)))];
  const offered = (width: number) => format.marks(Math.max(...x), width < 560 ? 5 : 10);
  const range = (of: number[]): [number, number] => [0, of[of.length - 1]];
  const note = (i: number) => {
    const l = loads[i];
    return [`offered ${format.percent(l.load)}`, l.mean_latency_ps === null ? 'saturated: latency has no limit' : `mean latency ${format.time(l.mean_latency_ps)}`,
      ...(l.p99_latency_ps === null ? [] : [`99 % within ${format.time(l.p99_latency_ps)}`]), `accepted ${format.percent(l.accepted)}`];
  };
  const place = chart((width) => ({
    width, height: 300,
    scales: { x: { time: false, range: range(offered(width)) }, y: { range: range(latency) }, accepted: { range: range(accepted) } },
    series: [{ label: 'offered load, %' },
      { label: 'mean latency', stroke: colour('compute'), width: 2, points: { size: 7 } },
      { label: '99 % within', stroke: colour('overhead'), width: 2, dash: [6, 4], points: { size: 7 } },
      { label: 'accepted', stroke: colour('latency'), width: 2, dash: [2, 3], scale: 'accepted', points: { size: 7 } }],
    axes: [{ ...axisStyle(), splits: () => offered(width), label: 'offered load, % of what nodes can inject' },
      { ...axisStyle(), splits: () => latency, label: 'latency, µs', size: 64 },
      { ...axisStyle(), scale: 'accepted', side: 1, splits: () => accepted, label: 'accepted, %', grid: { show: false } }],
    hooks: { drawClear: [shade(first === undefined ? undefined : 100 * first.load)], setCursor: [noteAtCursor(note)] },
  }), [x, loads.map((l) => us(l.mean_latency_ps)), loads.map((l) => us(l.p99_latency_ps)), loads.map((l) => 100 * l.accepted)]);
  return card('loads', 'Latency against load', first === undefined ? 'not saturated' : `saturated from ${format.percent(first.load)} on, grey: there latency has no limit`, place);
};
