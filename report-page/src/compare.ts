// Several runs side by side.
import type { ComparedRun, PageData, Summary } from './data';
import { card, el, scroller } from './dom';
import * as format from './format';
import { Range } from './range';
import { kMoves, timelineLegend, timelinePicture } from './timeline';
import { spoken, stack, swatch } from './verdict';

/** Which direction of a change is good, if one is. */
type Good = 'less' | 'more' | 'neither';

const coloured = (good: Good, up: boolean): string => (good === 'neither' ? '' : (good === 'more') === up ? 'better' : 'worse');

const rowsOf = (runs: ComparedRun[]): HTMLElement[] => {
  const row = (name: string, cells: (Node | string)[], differs: boolean) =>
    el('tr', { class: differs ? 'mark' : '' }, el('th', { scope: 'row' }, name), ...cells.map((c) => el('td', {}, c)));
  const numbers = (name: string, get: (s: Summary) => number | undefined, show: (n: number) => string, good: Good, share = false) => {
    const values = runs.map((r) => get(r.summary));
    if (values.every((v) => v === undefined || v === 0)) return null;
    const changes = values.map((v) => (v === undefined || values[0] === undefined ? null : format.change(values[0], v, share)));
    return row(name, values.map((v, i) => el('span', {}, v === undefined ? '–' : show(v), changes[i] !== null && el('span', { class: coloured(good, changes[i].up) }, ` ${changes[i].text}`))), changes.some((c) => c !== null));
  };
  const words = (name: string, get: (s: Summary) => string) => {
    const values = runs.map((r) => get(r.summary));
    return values.every((v) => v === '') ? null : row(name, values, values.some((v) => v !== values[0]));
  };
  const goodOf: Record<string, Good> = { compute: 'more', wait: 'less' };
  const rows = [
    words('what', (s) => s.title), words('machine', (s) => s.platform), words('fidelity', (s) => s.fidelity),
    numbers('ranks', (s) => s.ranks, format.count, 'neither'), numbers('simulated time', (s) => s.time_ps, format.time, 'less'),
    numbers('messages', (s) => s.messages, format.count, 'neither'), numbers('bytes', (s) => s.bytes, format.bytes, 'neither'),
    words('limited by', (s) => spoken(s.cause)),
    ...namesOf(runs, (s) => s.critical_path?.resources.map((r) => r.resource)).map((name) => numbers(`path: ${spoken(name)}`,
      (s) => s.critical_path?.resources.find((o) => o.resource === name)?.time_ps, format.time, 'less')),
    ...namesOf(runs, (s) => s.rank_time?.map((r) => r.activity)).map((name) => numbers(`ranks: ${spoken(name)}`,
      (s) => s.rank_time?.find((o) => o.activity === name)?.share, format.percent, goodOf[name] ?? 'neither', true)),
  ];
  return rows.filter((r): r is HTMLTableRowElement => r !== null);
};

/** What any of the runs has, in the order in which it comes. */
const namesOf = (runs: ComparedRun[], get: (s: Summary) => string[] | undefined): string[] => [...new Set(runs.flatMap((r) => get(r.summary) ?? []))];

/** The path of each run as a bar that is as long as the run, and what all ranks did. */
const bars = (runs: ComparedRun[]): HTMLElement => {
  const longest = Math.max(1, ...runs.map((r) => r.summary.time_ps));
  const resources = namesOf(runs, (s) => s.critical_path?.resources.filter((r) => r.share > 0).map((r) => r.resource));
  const activities = namesOf(runs, (s) => s.rank_time?.filter((r) => r.share > 0).map((r) => r.activity));
  const words = (parts: { name: string; share: number }[]) => parts.filter((p) => p.share > 0).map((p) => `${spoken(p.name)} ${format.percent(p.share)}`).join(', ');
  const path = (s: Summary) => {
    const width = `${(100 * s.time_ps) / longest}%`;
    const parts = s.critical_path?.resources.map((r) => ({ name: r.resource, share: r.share, title: `${spoken(r.resource)}: ${format.time(r.time_ps)}` }));
    return parts === undefined ? el('div', { class: 'stack', style: `width: ${width}; background: var(--accent)` }) : stack(parts, words(parts), width);
  };
  const time = (s: Summary) => {
    const c = format.change(runs[0].summary.time_ps, s.time_ps, false);
    return el('span', { class: 'number' }, format.time(s.time_ps), c !== null && el('span', { class: coloured('less', c.up) }, ` ${c.text}`));
  };
  const ranks = (s: Summary) => {
    const parts = (s.rank_time ?? []).map((r) => ({ name: r.activity, share: r.share, title: spoken(r.activity) }));
    return stack(parts, words(parts));
  };
  const legend = (names: string[]) => el('div', { class: 'legend' }, ...names.map((n) => el('span', {}, swatch(n), spoken(n))));
  const rows = (cells: (s: Summary) => HTMLElement[]) => el('div', { class: 'bars' }, ...runs.flatMap((r) => [el('span', { class: 'run' }, r.name), ...cells(r.summary)]));
  return el('div', { style: 'display: grid; gap: 16px' },
    el('div', {}, el('h3', {}, 'Simulated time, by what the critical path is spent on'), rows((s) => [path(s), time(s)]), legend(resources)),
    activities.length > 0 && el('div', {}, el('h3', {}, 'All ranks together'), rows((s) => [ranks(s), el('span')]), legend(activities)));
};

/** Lines of the configurations that are not the same in all. */
const parameterRows = (runs: ComparedRun[]): HTMLElement[] => {
  const settings = runs.map(({ summary }) => {
    const all = new Map<string, string>(Object.entries(summary.parameters ?? {}));
    let section = '';
    for (const line of (summary.configuration ?? '').split('\n')) {
      const top = /^([\w-]+):\s*$/.exec(line);
      if (top !== null) section = top[1];
      const entry = /^(\s*)([\w.-]+):\s+(.+?)\s*$/.exec(line);
      if (entry !== null) all.set(entry[1] === '' ? entry[2] : `${section}.${entry[2]}`, entry[3]);
    }
    return all;
  });
  // What a machine is called says the same in words.
  const names = [...new Set(settings.flatMap((s) => [...s.keys()]))].filter((n) => n !== 'about' && n !== 'name').sort();
  return names.filter((n) => settings.some((s) => s.get(n) !== settings[0].get(n))).map((n) =>
    el('tr', { class: 'mark' }, el('th', { scope: 'row' }, n), ...settings.map((s) => el('td', {}, s.get(n) ?? '–'))));
};

/** The timelines of the runs that were read from pages, all of the same length of time. */
const timelines = (runs: ComparedRun[]): HTMLElement | null => {
  const shown = runs.filter((r) => (r.timeline?.rows ?? 0) > 0 && r.summary.time_ps > 0);
  if (shown.length === 0) return null;
  const time = new Range(Math.max(...shown.map((r) => r.summary.time_ps)), 1000);
  const pictures = shown.map((r) => {
    const { view, element } = timelinePicture(r, time, 220);
    return { view, box: el('div', {}, el('h3', {}, `${r.name}, ${format.time(r.summary.time_ps)}`), element) };
  });
  const action = (name: string, title: string, f: () => void) => el('button', { type: 'button', title, 'aria-label': `${name}: ${title}`, click: f }, name);
  const box = card('timelines', 'Timelines', 'of one scale of time: what moves one moves all',
    el('div', { class: 'bar-row' }, action('+', 'zoom in', () => time.zoom(0.5)), action('−', 'zoom out', () => time.zoom(2)),
      action('all', 'show everything', () => { for (const p of pictures) p.view.reset(); })),
    el('div', { class: 'beside' }, ...pictures.map((p) => p.box)),
    el('div', { class: 'legend' }, ...timelineLegend(shown[0].timeline!.activities), el('span', { class: 'no-print' }, kMoves)));
  box.classList.add('timeline');
  return box;
};

export const compareCards = (data: PageData): HTMLElement[] => {
  const runs = data.compare ?? [];
  if (runs.length < 2) return [];
  const table = (rows: HTMLElement[], label: string) => scroller(el('div', { class: 'table compared' }, el('table', {},
    el('thead', {}, el('tr', {}, el('td'), ...runs.map((r) => el('th', { scope: 'col' }, r.name)))), el('tbody', {}, ...rows))), label);
  const changed = parameterRows(runs);
  const pictures = timelines(runs);
  return [
    card('compare', 'Runs side by side', `changes are against the first${pictures === null ? '; of pages (--report) timelines are shown, too' : ''}`, bars(runs)),
    ...(pictures === null ? [] : [pictures]),
    card('figures', 'Figures', 'shares change by points', table(rowsOf(runs), 'figures of the runs')),
    card('changed', 'What was changed', changed.length === 0 ? 'no parameter differs' : 'parameters that differ',
      changed.length === 0 ? null : table(changed, 'parameters that differ')),
    card('verdicts', 'Verdicts', '', el('dl', {}, ...runs.flatMap((r) => [el('dt', { style: 'font-weight: 650' }, r.name), el('dd', { style: 'margin: 0 0 10px' }, format.words(r.summary.verdict.join(' ')))]))),
  ];
};
