// Puts the page together from the data in it.
import { histogramCard, matrixCard } from './charts';
import { compareCards } from './compare';
import type { PageData, Summary } from './data';
import { el, tip } from './dom';
import { loadCard } from './loads';
import { mapCard } from './map';
import { sequenceCard } from './sequence';
import { callsCard, collectivesCard, linksCard, parametersCard, ranksCard } from './tables';
import { flowCard } from './flow';
import { startTheme, toggleTheme } from './theme';
import { Timeline } from './timeline';
import { programsCard } from './programs';
import { queuesCard } from './queues';
import { tiles, verdict } from './verdict';

const help = (): HTMLDialogElement => {
  const keys: [string, string][] = [['+ −', 'zoom in and out'], ['Ctrl + wheel', 'zoom; after a click into the timeline the wheel alone'], ['Shift', 'with the wheel: ranks'], ['Esc', 'give the wheel back to the page'], ['← → ↑ ↓', 'move'], ['0', 'show everything'], ['/', 'search'],
    ['c', 'critical path'], ['m', 'messages'], ['k', 'colour by call'], ['t', 'light or dark'], ['?', 'this list']];
  const box = el('dialog', { 'aria-label': 'keys' }, el('h2', {}, 'Keys'),
    el('dl', { class: 'keys' }, ...keys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
    el('button', { type: 'button', click: () => box.close() }, 'close'));
  return box;
};

const top = (s: Summary | undefined, title: string, keys: HTMLDialogElement): HTMLElement =>
  el('div', { class: 'top' },
    el('div', {}, el('div', { class: 'brand' }, `Heddle ${s?.heddle ?? ''} · ${s?.kind ?? 'comparison'}`), el('h1', {}, title),
      s !== undefined && el('div', { class: 'where' }, [s.machine || s.platform, s.fidelity].filter((t) => t !== '').join(' · '))),
    el('div', { class: 'tools' },
      el('button', { type: 'button', title: 'light or dark (key t)', click: toggleTheme }, 'light / dark'),
      el('button', { type: 'button', title: 'keys (key ?)', 'aria-label': 'keys', click: () => keys.showModal() }, '?')));

const listen = (timeline: Timeline | null, keys: HTMLDialogElement) => {
  // What a note was beside is elsewhere now.
  addEventListener('scroll', () => tip.hide(), { passive: true });
  addEventListener('keydown', (e) => {
    if (e.target instanceof HTMLInputElement) { if (e.key === 'Escape') e.target.blur(); return; }
    if (e.key === 'Escape') tip.hide();
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const onTimeline = document.activeElement?.tagName === 'CANVAS';
    const actions: Record<string, () => void> = {
      t: toggleTheme, '?': () => (keys.open ? keys.close() : keys.showModal()),
      '+': () => timeline?.zoom(0.5), '=': () => timeline?.zoom(0.5), '-': () => timeline?.zoom(2), '0': () => timeline?.reset(),
      '/': () => timeline?.focusSearch(), c: () => timeline?.press('path'), m: () => timeline?.press('messages'), k: () => timeline?.press('calls'),
      ArrowLeft: () => timeline?.pan(-0.2, 0), ArrowRight: () => timeline?.pan(0.2, 0),
      // Up and down scroll the page unless the timeline has been picked.
      ...(onTimeline ? { ArrowUp: () => timeline?.pan(0, -0.2), ArrowDown: () => timeline?.pan(0, 0.2) } : {}),
    };
    const action = actions[e.key];
    if (action === undefined) return;
    e.preventDefault();
    action();
  });
};

const start = () => {
  startTheme();
  const page = document.getElementById('page')!;
  const text = document.getElementById('data')!.textContent ?? '';
  if (text.trim() === '') { page.replaceChildren(el('p', {}, 'This page has no data: heddle run --report page.html writes one that has.')); return; }
  const data = JSON.parse(text) as PageData;
  const s = data.summary;
  const title = s?.title ?? (data.compare ?? []).map((r) => r.name).join(' · ');
  document.title = `${title} – Heddle`;
  const keys = help();
  const timeline = s !== undefined && data.timeline !== undefined && data.timeline.rows > 0 && s.time_ps > 0 ? new Timeline(data) : null;
  const pair = (a: HTMLElement | null, b: HTMLElement | null) => (a !== null && b !== null ? el('div', { class: 'split' }, a, b) : a ?? b);
  page.replaceChildren(...[
    top(s, title, keys), ...(s === undefined ? [] : [tiles(s), verdict(s), programsCard(s)]), ...compareCards(data),
    timeline?.element, loadCard(s?.loads), flowCard(data), ...(s === undefined ? [] : [queuesCard(s)]), mapCard(data),
    ...(s === undefined ? [] : [linksCard(s)]),
    pair(matrixCard(data), histogramCard(s?.sizes, s?.kind === 'traffic')),
    ...(s === undefined ? [] : [callsCard(s)]), collectivesCard(data), sequenceCard(data), ranksCard(data),
    ...(s === undefined ? [] : [parametersCard(s)]),
    el('footer', {}, 'The file needs nothing else: it can be sent, kept and printed as it is.'), keys,
  ].filter((e): e is HTMLElement => e !== null && e !== undefined));
  listen(timeline, keys);
};

start();
