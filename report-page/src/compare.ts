// Several runs side by side.
import type { PageData, Summary } from './data';
import { card, el } from './dom';
import * as format from './format';
import { spoken } from './verdict';

const change = (a: number, b: number): HTMLElement | string => {
  if (a === b || a === 0) return '';
  const f = b / a - 1;
  return el('span', { class: f < 0 ? 'better' : 'worse' }, ` ${f < 0 ? '−' : '+'}${format.percent(Math.abs(f))}`);
};

const rowsOf = (runs: { name: string; summary: Summary }[]): HTMLElement[] => {
  const first = runs[0].summary;
  const row = (name: string, cells: (Node | string)[], differs: boolean) =>
    el('tr', { class: differs ? 'mark' : '' }, el('th', { scope: 'row' }, name), ...cells.map((c) => el('td', {}, c)));
  const numbers = (name: string, get: (s: Summary) => number | undefined, show: (n: number) => string) => {
    const values = runs.map((r) => get(r.summary));
    if (values.every((v) => v === undefined || v === 0)) return null;
    return row(name, values.map((v, i) => el('span', {}, v === undefined ? '–' : show(v), i > 0 && v !== undefined && values[0] !== undefined ? change(values[0], v) : '')), values.some((v) => v !== values[0]));
  };
  const words = (name: string, get: (s: Summary) => string) => {
    const values = runs.map((r) => get(r.summary));
    return values.every((v) => v === '') ? null : row(name, values, values.some((v) => v !== values[0]));
  };
  const rows = [
    words('what', (s) => s.title), words('machine', (s) => s.platform), words('fidelity', (s) => s.fidelity),
    numbers('ranks', (s) => s.ranks, format.count), numbers('simulated time', (s) => s.time_ps, format.time),
    numbers('messages', (s) => s.messages, format.count), numbers('bytes', (s) => s.bytes, format.bytes),
    words('limited by', (s) => spoken(s.cause)),
    ...(first.critical_path?.resources ?? []).map((r) => numbers(`path: ${spoken(r.resource)}`,
      (s) => s.critical_path?.resources.find((o) => o.resource === r.resource)?.time_ps, format.time)),
    ...(first.rank_time ?? []).map((r) => numbers(`ranks: ${spoken(r.activity)}`, (s) => s.rank_time?.find((o) => o.activity === r.activity)?.share, format.percent)),
  ];
  return rows.filter((r): r is HTMLTableRowElement => r !== null);
};

/** Lines of the configurations that are not the same in all. */
const parameterRows = (runs: { summary: Summary }[]): HTMLElement[] => {
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

export const compareCards = (data: PageData): HTMLElement[] => {
  const runs = data.compare ?? [];
  if (runs.length < 2) return [];
  const head = el('thead', {}, el('tr', {}, el('th', {}, ''), ...runs.map((r) => el('th', { scope: 'col' }, r.name))));
  const changed = parameterRows(runs);
  return [
    card('compare', 'Runs side by side', 'changes are against the first', el('div', { class: 'table' }, el('table', {}, head, el('tbody', {}, ...rowsOf(runs))))),
    card('changed', 'What was changed', changed.length === 0 ? 'no parameter differs' : 'parameters that differ',
      changed.length === 0 ? null : el('div', { class: 'table' }, el('table', {}, head.cloneNode(true), el('tbody', {}, ...changed)))),
    card('verdicts', 'Verdicts', '', el('dl', {}, ...runs.flatMap((r) => [el('dt', { style: 'font-weight: 650' }, r.name), el('dd', { style: 'margin: 0 0 10px' }, r.summary.verdict.join(' '))]))),
  ];
};
