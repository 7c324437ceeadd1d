// Who sends to whom, and messages by their sizes.
import { readMatrix } from './data';
import type { PageData, SizeRow } from './data';
import { card, el, svg, tip } from './dom';
import * as format from './format';
import { painted } from './painted';
import { colour, heat } from './theme';

export const matrixCard = (data: PageData): HTMLElement | null => {
  const matrix = data.matrix;
  if (matrix === undefined || matrix.count === 0) return null;
  const pairs = readMatrix(matrix);
  const byPlace = new Map(pairs.map((p) => [p.from * matrix.groups + p.to, p]));
  let what: 'bytes' | 'messages' = 'bytes';
  const n = matrix.groups;
  const noun = data.summary!.kind === 'traffic' ? 'node' : 'rank';
  const all = data.summary!.kind === 'traffic' ? data.summary!.nodes : data.summary!.ranks;
  const name = (g: number) => matrix.group === 1 ? `${g}` : `${g * matrix.group}–${Math.min(all, (g + 1) * matrix.group) - 1}`;
  const label = 10 + 6.5 * name(n - 1).length;  // Room for the longest, in pixels.
  const left = Math.max(52, label);
  const size = (w: number) => Math.min(w - left - 8, 420, Math.max(120, n * 56));
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
    const step = Math.max(1, format.niceStep(n, Math.min(8, s / (label + 6))));
    for (let i = 0; i < n; i += step) {
      g.textAlign = 'right';
      g.fillText(name(i), left - 4, 4 + (i + 0.5) * cell + 4);
      g.textAlign = 'center';
      g.fillText(name(i), Math.min(left + (i + 0.5) * cell, w - label / 2), s + 18);
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

const kDigit = 7.5;  // A digit of a label is at most so wide.

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
    // Above both of its bars, and only where it is no wider than they are.
    const number = format.brief(s.messages);
    if (number.length * kDigit < step) {
      const label = svg('text', { x: x + step / 2, y: h - bottom - Math.max(tall, byBytes) - 4, 'text-anchor': 'middle' });
      label.textContent = number;
      picture.append(label);
    }
  }
  picture.append(svg('line', { x1: 10, x2: w - 10, y1: h - bottom, y2: h - bottom, class: 'axis' }));
  return card('sizes', 'Sizes of messages', `from this size to twice as much${traffic ? ', in the last run' : ''}`,
    picture, el('div', { class: 'legend' },
      el('span', {}, el('i', { class: 'swatch', style: 'background: var(--compute)' }), 'messages'),
      el('span', {}, el('i', { class: 'swatch', style: 'background: var(--overhead)' }), 'part of all bytes')));
};
