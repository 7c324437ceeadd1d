// Who passed what to whom, one below the other: for small runs.
import { readMessages } from './data';
import type { PageData } from './data';
import { card, el, scroller, svg } from './dom';
import * as format from './format';

const kSteps = ['BXI ack', 'Portals ack', 'get response', 'put', 'get', 'atomic', 'fetch atomic', 'fetch atomic response',
  'PIO payload', 'DMA payload', 'DMA request', 'payload write', 'event', 'command', 'compute'];
const kBus = 8;
const kToProcess = new Set([11, 12]);
const kRow = 22;
const kMostRows = 240;

interface Arrow { from: number; to: number; begin: number; end: number; text: string; colour: string }

/** Lifelines: the process of each rank and, where adapters were recorded, its adapter. */
const arrowsOf = (data: PageData): { lines: string[]; arrows: Arrow[] } | null => {
  const steps = data.steps ?? [];
  const ranks = data.summary!.ranks;
  if (steps.length > 0) {
    const used = [...new Set(steps.flatMap((s) => [s[2], s[3]]))].sort((a, b) => a - b).slice(0, 8);
    const place = (rank: number, adapter: boolean) => {
      const i = used.indexOf(rank);
      // The last one's adapter stands left of it, so that wires are short between two.
      return i < 0 ? -1 : 2 * i + ((i === used.length - 1 && used.length > 1) !== adapter ? 1 : 0);
    };
    const lines: string[] = [];
    for (const rank of used) { lines[place(rank, false)] = `rank ${rank}`; lines[place(rank, true)] = `adapter ${rank}`; }
    const arrows = steps.map(([what, , from, to, size, begin, end]): Arrow => {
      const bus = what >= kBus;
      return {
        from: bus ? place(from, kToProcess.has(what)) : place(from, true), to: bus ? place(from, !kToProcess.has(what)) : place(to, true),
        begin, end, text: `${kSteps[what] ?? what}${size > 0 ? ` ${format.bytes(size)}` : ''}`, colour: bus ? 'var(--pcie)' : 'var(--bandwidth)',
      };
    }).filter((a) => a.from >= 0 && a.to >= 0);
    return { lines, arrows };
  }
  if (ranks > 8 || data.messages === undefined) return null;
  const arrows = readMessages(data.messages.packed).map((m): Arrow => ({
    from: m.from, to: m.to, begin: m.sent, end: m.arrived, text: format.bytes(m.bytes), colour: m.way === 2 ? 'var(--contention)' : 'var(--bandwidth)' }));
  return { lines: Array.from({ length: ranks }, (_, i) => `rank ${i}`), arrows };
};

export const sequenceCard = (data: PageData): HTMLElement | null => {
  const found = data.summary === undefined ? null : arrowsOf(data);
  if (found === null || found.arrows.length === 0) return null;
  const all = found.arrows.sort((a, b) => a.begin - b.begin);
  const arrows = all.slice(0, kMostRows);
  const { lines } = found;
  const left = 96;
  const width = left + 40 + lines.length * 130;
  const x = (i: number) => left + 60 + i * 130;
  const height = 44 + arrows.length * kRow + 12;
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'sequence of operations' });
  const text = (words: string, attributes: Record<string, string | number>) => { const t = svg('text', attributes); t.textContent = words; return t; };
  lines.forEach((name, i) => picture.append(
    svg('line', { x1: x(i), x2: x(i), y1: 30, y2: height, class: 'axis', 'stroke-dasharray': name.startsWith('adapter') ? '4 3' : 'none' }),
    text(name, { x: x(i), y: 18, 'text-anchor': 'middle', 'font-weight': 600 })));
  arrows.forEach((a, i) => {
    const y = 44 + i * kRow;
    const [x0, x1] = [x(a.from), x(a.to)];
    const way = x1 >= x0 ? 1 : -1;
    const group = svg('g');
    const title = svg('title');
    title.textContent = `${a.text}: ${format.time(a.begin)} to ${format.time(a.end)} (${format.time(a.end - a.begin)})`;
    group.append(title,
      svg('line', { x1: x0, x2: x1 - way * 6, y1: y, y2: y + 8, stroke: a.colour, 'stroke-width': 2 }),
      svg('path', { d: `M ${x1} ${y + 8} l ${-way * 8} -5 l 0 9 z`, fill: a.colour }),
      text(a.text, { x: (x0 + x1) / 2, y: y - 1, 'text-anchor': 'middle', style: 'font-size: 11px; paint-order: stroke; stroke: var(--card); stroke-width: 3px' }),
      text(format.time(a.begin), { x: left - 10, y: y + 4, 'text-anchor': 'end', class: 'soft', style: 'font-size: 11px' }));
    picture.append(group);
  });
  const note = all.length > arrows.length ? `the first ${arrows.length} of those kept; green: PCIe, blue: wire` : (data.steps?.length ?? 0) > 0 ? 'green: PCIe, blue: wire' : 'red: waited for its receiver';
  return card('sequence', 'Sequence', note, scroller(el('div', { class: 'scroll' }, picture), 'sequence of operations'));
};
