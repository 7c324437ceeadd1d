// Charts of curves, drawn again when their size or the colours change.
import uPlot from 'uplot';
import { el, tip } from './dom';
import { colour, onTheme } from './theme';

export const axisStyle = (): uPlot.Axis => ({ stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line') } });

/** Values are told by the note beside the pointer, so the legend needs none. */
export const noteAtCursor = (lines: (index: number) => string[]) => (u: uPlot) => {
  const { idx, left, top } = u.cursor;
  if (idx == null || left === undefined || top === undefined || left < 0) return tip.hide();
  const box = u.over.getBoundingClientRect();
  tip.show(box.left + left, box.top + top, lines(idx));
};

export const chart = (options: (width: number) => Omit<uPlot.Options, 'legend'>, data: uPlot.AlignedData): HTMLElement => {
  const place = el('div');
  let drawn = 0;
  const draw = () => {
    const width = place.clientWidth;
    if (width === 0) return;
    drawn = width;
    place.replaceChildren();
    new uPlot({ ...options(width), legend: { live: false } }, data, place);
  };
  onTheme(draw);
  new ResizeObserver(() => { if (place.clientWidth !== drawn) draw(); }).observe(place);
  return place;
};
