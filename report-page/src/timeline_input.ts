// Wheel, mouse, fingers on a timeline.
import { el, tip } from './dom';
import type { TimelineView } from './timeline_view';

interface Finger { x: number; y: number }

/** The wheel belongs to the page until the timeline is picked by a click (or by the key Tab); with Ctrl it always zooms. */
export class TimelineInput {
  readonly hint = el('div', { class: 'hint no-print', hidden: true, 'aria-hidden': 'true' }, 'Ctrl + wheel zooms; so does the wheel after a click into the timeline');
  private readonly fingers = new Map<number, Finger>();
  private drag: (Finger & { from: number; rank: number }) | null = null;
  private vanish = 0;

  constructor(private readonly view: TimelineView) {
    const canvas = view.canvas;
    canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (e) => this.up(e));
    canvas.addEventListener('pointerleave', () => tip.hide());
    canvas.addEventListener('dblclick', (e) => view.time.zoom(0.25, view.timeAt(this.place(e).x)));
    canvas.addEventListener('keydown', (e) => { if (e.key === 'Escape') canvas.blur(); });
    // One finger up and down scrolls the page; what two do is not the page's.
    canvas.addEventListener('touchmove', (e) => { if (e.touches.length > 1) e.preventDefault(); }, { passive: false });
  }

  private place(e: MouseEvent): Finger {
    const box = this.view.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private wheel(e: WheelEvent): void {
    const { view } = this;
    if (!e.ctrlKey && document.activeElement !== view.canvas) return this.showHint();
    const turn = e.deltaY || e.deltaX;
    const range = e.shiftKey ? view.ranks : view.time;
    // All is shown, and more is wanted: the page may go on.
    if (!e.ctrlKey && turn > 0 && range.whole) return;
    e.preventDefault();
    this.hint.hidden = true;
    const at = this.place(e);
    range.zoom(Math.exp(Math.max(-1, Math.min(1, turn / 240))), e.shiftKey ? view.rankAt(at.y) : view.timeAt(at.x));
  }
  private showHint(): void {
    this.hint.hidden = false;
    clearTimeout(this.vanish);
    this.vanish = window.setTimeout(() => { this.hint.hidden = true; }, 1500);
  }

  private down(e: PointerEvent): void {
    const { view } = this;
    view.canvas.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, this.place(e));
    this.drag = { ...this.place(e), from: view.time.from, rank: view.ranks.from };
    view.canvas.classList.add('dragging');
    if (e.pointerType !== 'mouse') this.hover(e);
  }
  private up(e: PointerEvent): void {
    this.fingers.delete(e.pointerId);
    this.drag = null;
    this.view.canvas.classList.remove('dragging');
  }
  private move(e: PointerEvent): void {
    if (!this.fingers.has(e.pointerId)) return this.hover(e);
    const before = [...this.fingers.values()];
    this.fingers.set(e.pointerId, this.place(e));
    if (before.length === 2) return this.pinch(before, [...this.fingers.values()]);
    const { view, drag } = this;
    if (drag === null) return;
    const at = this.place(e);
    if (Math.hypot(at.x - drag.x, at.y - drag.y) < 3) return;
    view.ranks.show(drag.rank + ((drag.y - at.y) / view.plotHeight) * view.ranks.span);
    view.time.show(drag.from + ((drag.x - at.x) / view.plotWidth) * view.time.span);
  }

  /** Two fingers zoom along the axis that they are apart on, and move what is between them. */
  private pinch(before: Finger[], after: Finger[]): void {
    const { view } = this;
    const wide = (f: Finger[]) => Math.abs(f[0].x - f[1].x);
    const high = (f: Finger[]) => Math.abs(f[0].y - f[1].y);
    const middle = (f: Finger[]) => ({ x: (f[0].x + f[1].x) / 2, y: (f[0].y + f[1].y) / 2 });
    const [m0, m1] = [middle(before), middle(after)];
    const least = 24;
    if (wide(before) >= high(before)) view.time.zoom(Math.max(least, wide(before)) / Math.max(least, wide(after)), view.timeAt(m0.x));
    else view.ranks.zoom(Math.max(least, high(before)) / Math.max(least, high(after)), view.rankAt(m0.y));
    view.time.show(view.time.from - ((m1.x - m0.x) / view.plotWidth) * view.time.span);
    view.ranks.show(view.ranks.from - ((m1.y - m0.y) / view.plotHeight) * view.ranks.span);
  }

  private hover(e: PointerEvent): void {
    const { x, y } = this.place(e);
    const lines = this.view.under(x, y);
    if (lines.length === 0) return tip.hide();
    tip.show(e.clientX, e.clientY, lines);
  }
}
