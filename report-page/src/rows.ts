// Rows of slices of time, one per link: how much there was of something, by colour.
import { tip } from './dom';
import { fitted, painted } from './painted';
import { colour, heat } from './theme';

const kLeft = 150;
const leftOf = (width: number): number => Math.min(kLeft, width * 0.3);
const kRow = 14;

export interface HeatRow {
  name: string;
  /** Beside the name; never shortened. */
  sum: string;
  /** Slice by slice, 1 being the end of the scale. */
  values: number[];
}

/** `note` says what is under the pointer: of a row, a slice. */
export const heatRows = (label: string, rows: HeatRow[], note: (row: number, slice: number) => string[]): HTMLCanvasElement => {
  const slices = Math.max(1, ...rows.map((r) => r.values.length));
  const canvas = painted(label, () => rows.length * kRow + 4, (g, width) => {
    const left = leftOf(width);
    const wide = (width - left) / slices;
    g.font = '11px system-ui, sans-serif';
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    rows.forEach((row, i) => {
      g.fillStyle = colour('soft');
      const sum = ` ${row.sum}`;
      g.fillText(fitted(g, row.name, left - 10 - g.measureText(sum).width) + sum, left - 6, (i + 0.5) * kRow);
      g.fillStyle = colour('empty');
      g.fillRect(left, i * kRow + 1, width - left, kRow - 2);
      row.values.forEach((value, s) => {
        if (value === 0) return;
        g.fillStyle = heat(value);
        g.fillRect(left + s * wide, i * kRow + 1, wide + 0.4, kRow - 2);
      });
    });
  });
  canvas.addEventListener('pointermove', (e) => {
    const box = canvas.getBoundingClientRect();
    const i = Math.floor((e.clientY - box.top) / kRow);
    const left = leftOf(box.width);
    const s = Math.floor(((e.clientX - box.left - left) / (box.width - left)) * slices);
    if (i < 0 || i >= rows.length || s < 0 || s >= slices) return tip.hide();
    tip.show(e.clientX, e.clientY, note(i, s));
  });
  canvas.addEventListener('pointerleave', () => tip.hide());
  return canvas;
};
