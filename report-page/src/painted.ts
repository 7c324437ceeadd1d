// Canvases that keep themselves up to date.
import { el } from './dom';
import * as format from './format';
import { onTheme } from './theme';

/** A name, shortened in its middle until it has room. */
export const fitted = (g: CanvasRenderingContext2D, name: string, room: number): string => {
  let text = name;
  for (let most = name.length - 1; most >= 4 && g.measureText(text).width > room; --most) text = format.short(name, most);
  return text;
};

/** A canvas that paints itself again when its size or the colours change, and on the event 'repaint'. */
export const painted = (label: string, height: (width: number) => number, paint: (g: CanvasRenderingContext2D, w: number, h: number) => void): HTMLCanvasElement => {
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
