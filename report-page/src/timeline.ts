// The timeline: what every rank did, the messages between them, and below how much links were used.
import { card, el } from './dom';
import * as format from './format';
import type { Range } from './range';
import { TimelineData } from './timeline_data';
import type { TimelineSource } from './timeline_data';
import { TimelineInput } from './timeline_input';
import { callLegend } from './timeline_rows';
import { TimelineSearch } from './timeline_search';
import { TimelineView } from './timeline_view';
import { spoken, swatch } from './verdict';

/** A timeline and what moves it, for a card. */
export const timelinePicture = (source: TimelineSource, time?: Range, most?: number): { view: TimelineView; element: HTMLElement } => {
  const view = new TimelineView(new TimelineData(source), time, most);
  const input = new TimelineInput(view);
  return { view, element: el('div', { class: 'picture' }, view.canvas, input.hint) };
};

/** What the colours mean. */
export const timelineLegend = (activities: string[]): HTMLElement[] => [
  ...activities.map((name) => el('span', {}, swatch(name), spoken(name))),
  el('span', {}, 'stronger: more of a slice of time'),
];
export const kMoves = 'click, then wheel (or Ctrl + wheel, or pinch): zoom · with Shift: ranks · drag: move';

export class Timeline {
  readonly element: HTMLElement;
  private readonly view: TimelineView;
  private readonly search: TimelineSearch;
  private readonly legend = el('div', { class: 'legend' });
  private readonly buttons: Record<'path' | 'messages' | 'calls', HTMLButtonElement>;

  constructor(source: TimelineSource) {
    const { view, element } = timelinePicture(source);
    this.view = view;
    this.search = new TimelineSearch(view);
    this.buttons = {
      path: this.toggle('critical path', 'key c', () => view.showPath, (on) => { view.showPath = on; }),
      messages: this.toggle('messages', 'key m', () => view.showMessages, (on) => { view.showMessages = on; }),
      calls: this.toggle('colour by call', 'key k', () => view.byCall, (on) => { view.byCall = on; this.explain(); }),
    };
    const action = (name: string, title: string, f: () => void) => el('button', { type: 'button', title, 'aria-label': `${name}: ${title}`, click: f }, name);
    const bar = el('div', { class: 'bar-row' },
      action('+', 'zoom in (key +)', () => this.zoom(0.5)), action('−', 'zoom out (key -)', () => this.zoom(2)),
      action('all', 'show everything (key 0)', () => this.reset()),
      this.buttons.path, this.buttons.messages, view.data.names.length > 0 && this.buttons.calls,
      el('span', { class: 'space' }), this.search.input);
    this.explain();
    this.element = card('timeline', 'Timeline', this.rules(), bar, element, this.search.detail, this.legend);
    this.element.classList.add('timeline');
  }

  zoom(factor: number): void { this.view.time.zoom(factor); }
  pan(dt: number, dr: number): void {
    if (dr !== 0) this.view.ranks.pan(dr);
    if (dt !== 0) this.view.time.pan(dt);
  }
  reset(): void { this.search.clear(); this.view.reset(); }
  focusSearch(): void { this.search.focus(); }
  press(which: 'path' | 'messages' | 'calls'): void { this.buttons[which].click(); }

  private toggle(name: string, title: string, get: () => boolean, set: (on: boolean) => void): HTMLButtonElement {
    const button = el('button', { type: 'button', title, 'aria-pressed': String(get()), click: () => {
      set(!get());
      button.setAttribute('aria-pressed', String(get()));
      this.view.draw();
    } }, name);
    return button;
  }

  /** What is left out. */
  private rules(): string {
    const { data } = this.view;
    const exact = data.source.timeline!.exact_ranks;
    const every = data.source.messages?.every ?? 1;
    return [
      exact < data.ranks ? `${format.count(exact)} of ${format.count(data.ranks)} ranks are kept interval by interval, those on the critical path first; the others in ${data.slices} slices of time` : '',
      every > 1 ? `one of ${format.count(every)} messages is drawn` : '',
      (data.summary.other_threads ?? 0) > 0 ? 'threads of a rank share its row, the first on top' : '',
    ].filter((s) => s !== '').join('; ');
  }

  /** The legend of what is shown. */
  private explain(): void {
    const { data, byCall } = this.view;
    const kept = data.source.timeline!.exact_ranks;
    const items = byCall
      ? [...callLegend(data).map(([name, ground]) => el('span', {}, el('i', { class: 'swatch', style: `background: ${ground}` }), name)),
        el('span', {}, kept < data.ranks ? `pale: outside of calls, and ranks whose calls are not kept (all but ${format.count(kept)})` : 'pale: outside of calls')]
      : timelineLegend(data.activities);
    items.push(el('span', {}, el('i', { class: 'swatch', style: 'background: var(--path); height: 4px; border: 0' }), 'critical path'));
    items.push(el('span', { class: 'no-print' }, `${kMoves} · ? for keys`));
    this.legend.replaceChildren(...items);
  }
}
