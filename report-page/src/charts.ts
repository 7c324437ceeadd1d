// Matrix, histogram, map of the fabric, and curves.
import uPlot from 'uplot';
import { readMatrix } from './data';
import type { LoadRow, MapData, PageData, SizeRow } from './data';
import { card, el, svg, tip } from './dom';
import * as format from './format';
import { colour, heat, onTheme } from './theme';

/** A canvas that paints itself again when its size or the colours change. */
const painted = (label: string, height: (width: number) => number, paint: (g: CanvasRenderingContext2D, w: number, h: number) => void): HTMLCanvasElement => {
  const canvas = el('canvas', { role: 'img', 'aria-label': label });
  const again = () => {
    const w = canvas.clientWidth;
    if (w === 0) return;
    const h = height(w);
    const scale = devicePixelRatio || 1;
    canvas.style.height = `${h}px`;
    canvas.width = w * scale;
    canvas.height = h * scale;
    const g = canvas.getContext('2d')!;
    g.scale(scale, scale);
    paint(g, w, h);
  };
  new ResizeObserver(again).observe(canvas);
  canvas.addEventListener('repaint', again);
  onTheme(again);
  return canvas;
};

export const matrixCard = (data: PageData): HTMLElement | null => {
  const matrix = data.matrix;
  if (matrix === undefined || matrix.count === 0) return null;
  const pairs = readMatrix(matrix);
  const byPlace = new Map(pairs.map((p) => [p.from * matrix.groups + p.to, p]));
  let what: 'bytes' | 'messages' = 'bytes';
  const n = matrix.groups;
  const noun = data.summary!.kind === 'traffic' ? 'node' : 'rank';
  const all = data.summary!.kind === 'traffic' ? data.summary!.nodes : data.summary!.ranks;
  const left = 52;
  const size = (w: number) => Math.min(w - left - 8, 420, Math.max(120, n * 56));
  const name = (g: number) => matrix.group === 1 ? `${g}` : `${g * matrix.group}–${Math.min(all, (g + 1) * matrix.group) - 1}`;
  const canvas = painted('who sent how much to whom', (w) => size(w) + 34, (g, w) => {
    const s = size(w);
    const most = Math.max(...pairs.map((p) => p[what]));
    g.fillStyle = colour('empty');
    g.fillRect(left, 4, s, s);
    const cell = s / n;
    for (const p of pairs) {
      g.fillStyle = heat(most === 0 ? 0 : 0.04 + 0.96 * (p[what] / most));
      g.fillRect(left + p.to * cell, 4 + p.from * cell, Math.max(cell - (cell > 6 ? 0.6 : 0), 0.7), Math.max(cell - (cell > 6 ? 0.6 : 0), 0.7));
    }
    g.strokeStyle = colour('line');
    g.strokeRect(left + 0.5, 4.5, s, s);
    g.fillStyle = colour('soft');
    g.font = '11px system-ui, sans-serif';
    const step = Math.max(1, format.niceStep(n, 8));
    for (let i = 0; i < n; i += step) {
      g.textAlign = 'right';
      g.fillText(name(i), left - 4, 4 + (i + 0.5) * cell + 4);
      g.textAlign = 'center';
      g.fillText(name(i), left + (i + 0.5) * cell, s + 18);
    }
    g.textAlign = 'left';
    g.fillText('from ↓ to →', 2, s + 32);
  });
  canvas.addEventListener('pointermove', (e) => {
    const box = canvas.getBoundingClientRect();
    const cell = size(box.width) / n;
    const to = Math.floor((e.clientX - box.left - left) / cell);
    const from = Math.floor((e.clientY - box.top - 4) / cell);
    const p = to < 0 || to >= n || from < 0 || from >= n ? undefined : byPlace.get(from * n + to);
    if (p === undefined) return tip.hide();
    tip.show(e.clientX, e.clientY, [`${noun}${matrix.group === 1 ? '' : 's'} ${name(from)} → ${name(to)}`, format.bytes(p.bytes), `${format.count(p.messages)} messages`]);
  });
  canvas.addEventListener('pointerleave', () => tip.hide());
  const button = el('button', { type: 'button', click: () => {
    what = what === 'bytes' ? 'messages' : 'bytes';
    button.textContent = what === 'bytes' ? 'show messages' : 'show bytes';
    canvas.dispatchEvent(new Event('repaint'));
  } }, 'show messages');
  const notes = [noun === 'node' ? 'in the last run' : '', matrix.group === 1 ? '' : `${matrix.group} ${noun}s to a cell`].filter((t) => t !== '').join(', ');
  return card('matrix', 'Who sends to whom', notes, el('div', { class: 'bar-row' }, button), canvas);
};

export const histogramCard = (sizes: SizeRow[] | undefined, traffic: boolean): HTMLElement | null => {
  if (sizes === undefined || sizes.length === 0) return null;
  const first = sizes[0].from_bytes;
  const log = (n: number) => (n === 0 ? -1 : Math.round(Math.log2(n)));
  const low = log(first);
  const slots = log(sizes[sizes.length - 1].from_bytes) - low + 1;
  const [w, h, bottom, topRoom] = [560, 240, 46, 18];
  const most = Math.max(...sizes.map((s) => s.messages));
  const allBytes = sizes.reduce((sum, s) => sum + s.bytes, 0);
  const step = Math.min((w - 20) / slots, 84);
  const picture = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': 'messages by size', style: 'width: 100%; max-height: 300px' });
  for (const s of sizes) {
    const i = log(s.from_bytes) - low;
    const tall = Math.max(1, (h - bottom - topRoom) * (s.messages / most));
    const byBytes = allBytes === 0 ? 0 : (h - bottom - topRoom) * (s.bytes / allBytes);
    const x = 10 + i * step;
    const bar = svg('rect', { x: x + step * 0.1, y: h - bottom - tall, width: step * 0.5, height: tall, fill: 'var(--compute)', rx: 2 });
    const second = svg('rect', { x: x + step * 0.62, y: h - bottom - byBytes, width: step * 0.26, height: byBytes, fill: 'var(--overhead)', rx: 2 });
    const title = svg('title');
    title.textContent = `${format.bytes(s.from_bytes)}${s.to_bytes > s.from_bytes ? ` to ${format.bytes(s.to_bytes)}` : ''}: ${format.count(s.messages)} messages, ${format.bytes(s.bytes)}`;
    bar.append(title);
    const label = svg('text', { x: x + step / 2, y: h - bottom + 14, 'text-anchor': 'end', transform: `rotate(-35 ${x + step / 2} ${h - bottom + 14})`, class: 'soft' });
    label.textContent = format.bytes(s.from_bytes);
    picture.append(bar, second, label);
    if (slots < 16) {
      const number = svg('text', { x: x + step * 0.35, y: h - bottom - tall - 4, 'text-anchor': 'middle' });
      number.textContent = s.messages >= 1e5 ? format.digits(s.messages / 1000, 3) + 'k' : format.count(s.messages);
      picture.append(number);
    }
  }
  picture.append(svg('line', { x1: 10, x2: w - 10, y1: h - bottom, y2: h - bottom, class: 'axis' }));
  return card('sizes', 'Sizes of messages', `from this size to twice as much${traffic ? ', in the last run' : ''}`,
    picture, el('div', { class: 'legend' },
      el('span', {}, el('i', { class: 'swatch', style: 'background: var(--compute)' }), 'messages'),
      el('span', {}, el('i', { class: 'swatch', style: 'background: var(--overhead)' }), 'part of all bytes')));
};

export const mapCard = (map: MapData | undefined): HTMLElement | null => {
  if (map === undefined || map.lines.length === 0) return null;
  const lines = [...map.lines].sort((a, b) => Math.max(a[5], a[6]) - Math.max(b[5], b[6]));
  const frame = (w: number) => {
    const scale = Math.min((w - 20) / Math.max(1, map.width), 520 / Math.max(1, map.height), 2.2);
    return { scale, dx: (w - map.width * scale) / 2, dy: 12 };
  };
  const canvas = painted('use of links, drawn on the fabric', (w) => map.height * frame(w).scale + 24, (g, w) => {
    const { scale, dx, dy } = frame(w);
    g.lineCap = 'round';
    for (const [x0, y0, x1, y1, , there, back] of lines) {
      const use = Math.max(there, back);
      g.strokeStyle = heat(use);
      g.lineWidth = 0.8 + 4.5 * use;
      g.beginPath();
      g.moveTo(dx + x0 * scale, dy + y0 * scale);
      g.lineTo(dx + x1 * scale, dy + y1 * scale);
      g.stroke();
    }
    for (const [x, y, , isSwitch] of map.points) {
      g.fillStyle = isSwitch ? colour('ink') : colour('soft');
      if (isSwitch) g.fillRect(dx + x * scale - 3, dy + y * scale - 3, 6, 6);
      else { g.beginPath(); g.arc(dx + x * scale, dy + y * scale, 2, 0, 7); g.fill(); }
    }
    // Names of the busiest, for those who see no colours.
    g.font = '600 11px system-ui, sans-serif';
    g.textAlign = 'center';
    const taken: [number, number, number][] = [];
    for (const [x0, y0, x1, y1, name, there, back] of lines.slice(-3).reverse()) {
      const use = Math.max(there, back);
      if (use < 0.01) continue;
      const text = `${name} ${format.percent(use)}`;
      const [x, y] = [dx + ((x0 + x1) / 2) * scale, dy + ((y0 + y1) / 2) * scale];
      const wide = g.measureText(text).width / 2 + 5;
      const at = Math.max(wide, Math.min(w - wide, x));
      if (taken.some(([tx, ty, half]) => Math.abs(tx - at) < half + wide && Math.abs(ty - y) < 17)) continue;
      taken.push([at, y, wide]);
      g.fillStyle = colour('card');
      g.globalAlpha = 0.85;
      g.fillRect(at - wide, y - 8, 2 * wide, 16);
      g.globalAlpha = 1;
      g.fillStyle = colour('ink');
      g.fillText(text, at, y + 4);
    }
  });
  canvas.addEventListener('pointermove', (e) => {
    const box = canvas.getBoundingClientRect();
    const { scale, dx, dy } = frame(box.width);
    const [x, y] = [(e.clientX - box.left - dx) / scale, (e.clientY - box.top - dy) / scale];
    let best: MapData['lines'][number] | null = null;
    let nearest = 8 / scale;
    for (const line of lines) {
      const [x0, y0, x1, y1] = line;
      const long = (x1 - x0) ** 2 + (y1 - y0) ** 2;
      const f = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / long));
      const d = Math.hypot(x - x0 - f * (x1 - x0), y - y0 - f * (y1 - y0));
      if (d <= nearest) { nearest = d; best = line; }
    }
    const point = map.points.find((p) => Math.hypot(p[0] - x, p[1] - y) < 6 / scale);
    if (point !== undefined) return tip.show(e.clientX, e.clientY, [point[2] || 'junction', point[3] ? 'switch' : 'node']);
    if (best === null) return tip.hide();
    tip.show(e.clientX, e.clientY, [best[4], `${format.percent(best[5])} one way, ${format.percent(best[6])} the other`]);
  });
  canvas.addEventListener('pointerleave', () => tip.hide());
  const scaleBar = el('div', { class: 'legend' }, '0 %', el('i', { style: 'width: 180px; height: 10px; border-radius: 5px; border: 1px solid var(--line)', class: 'scale' }), '100 %', ' · thicker lines are used more');
  const paintScale = () => {
    const stops = Array.from({ length: 11 }, (_, i) => `${heat(i / 10)} ${i * 10}%`).join(', ');
    (scaleBar.querySelector('.scale') as HTMLElement).style.background = `linear-gradient(90deg, ${stops})`;
  };
  onTheme(paintScale);
  paintScale();
  return card('map', 'Use of the fabric', 'of each link’s bandwidth, over the whole run', canvas, scaleBar);
};

export const loadCard = (loads: LoadRow[] | undefined): HTMLElement | null => {
  if (loads === undefined || loads.length < 2) return null;
  const place = el('div');
  const draw = () => {
    const width = Math.max(320, place.clientWidth || 800);
    const x = loads.map((l) => 100 * l.load);
    const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line') } };
    place.replaceChildren();
    new uPlot({
      width, height: 300, scales: { x: { time: false } },
      series: [{ label: 'offered load %' },
        { label: 'mean latency µs', stroke: colour('compute'), width: 2, points: { size: 7 } },
        { label: '99 % within µs', stroke: colour('overhead'), width: 2, dash: [6, 4], points: { size: 7 } },
        { label: 'accepted %', stroke: colour('latency'), width: 2, dash: [2, 3], scale: 'accepted', points: { size: 7 } }],
      axes: [{ ...axis, label: 'offered load, % of what nodes can inject' }, { ...axis, label: 'latency, µs', size: 64 }, { ...axis, scale: 'accepted', side: 1, label: 'accepted, %', grid: { show: false } }],
    }, [x, loads.map((l) => (l.mean_latency_ps === null ? null : l.mean_latency_ps / 1e6)),
      loads.map((l) => (l.p99_latency_ps === null ? null : l.p99_latency_ps / 1e6)), loads.map((l) => 100 * l.accepted)], place);
  };
  onTheme(draw);
  addEventListener('resize', draw);
  requestAnimationFrame(draw);
  return card('loads', 'Latency against load', loads.some((l) => l.saturated) ? `saturated from ${format.percent(loads.find((l) => l.saturated)!.load)}` : 'not saturated', place);
};
