// Calls, collectives, links, ranks and parameters.
import { readRanks } from './data';
import type { PageData, Summary } from './data';
import { card, el, scroller, table } from './dom';
import * as format from './format';
import { rankName } from './programs';
import { spoken } from './verdict';

/** A bar of which `end` is the whole, and the share itself. */
const meter = (share: number, end = 1) =>
  el('span', {}, el('span', { class: 'meter', 'aria-hidden': 'true' }, el('div', { style: `width: ${Math.min(100, (100 * share) / end)}%` })), format.percent(share));

export const callsCard = (s: Summary): HTMLElement | null => {
  if (s.calls === undefined || s.calls.length === 0) return null;
  const whole = s.time_ps * s.ranks;
  return card('calls', 'Calls', 'of all ranks together', table(
    [{ name: 'call' }, { name: 'calls', number: true }, { name: 'sent', number: true }, { name: 'of all time', number: true }, { name: 'time', number: true }, { name: 'waiting', number: true }, { name: 'longest', number: true }],
    s.calls.map((c) => ({
      cells: [c.call, format.count(c.calls), format.bytes(c.bytes), meter(c.total_ps / whole), format.time(c.total_ps), format.time(c.waiting_ps), format.time(c.longest_ps)],
      values: [c.call, c.calls, c.bytes, c.total_ps, c.total_ps, c.waiting_ps, c.longest_ps],
    }))));
};

export const collectivesCard = (data: PageData): HTMLElement | null => {
  const rounds = data.rounds;
  if (rounds === undefined || rounds.rows.length === 0) return null;
  const note = `${format.count(rounds.all)} rounds${rounds.every > 1 ? `, one of ${rounds.every} listed` : ''}; spread: from the first rank to arrive to the last`;
  const several = rounds.rows.some((row) => row[10] > 1);
  return card('collectives', 'Collectives', note, table(
    [{ name: 'call' }, { name: 'communicator' }, { name: 'round', number: true, title: 'of this operation on this communicator' }, { name: 'ranks', number: true }, { name: 'sent', number: true }, { name: 'begin', number: true }, { name: 'spread', number: true }, { name: 'last to come', number: true }, { name: 'then', number: true, title: 'from the last arrival to the last end' }],
    rounds.rows.map(([round, call, ranks, size, first, last, end, who, complete, communicator, program]) => {
      const where = several ? `${communicator} of program ${program}` : communicator;
      return {
        cells: [call + (complete ? '' : ' (some ranks)'), where, String(round), format.count(ranks), format.bytes(size), format.time(first), format.time(last - first), `rank ${who}`, format.time(end - last)],
        values: [call, where, round, ranks, size, first, last - first, who, end - last],
      };
    }), 8));
};

export const linksCard = (s: Summary): HTMLElement | null => {
  if (s.links === undefined || s.links.length === 0) return null;
  // Traffic has no critical path.
  const columns = s.critical_path === undefined ? 4 : 6;
  const end = format.scaleEnd(Math.max(...s.links.map((l) => l.utilisation)));
  const note = `those used most${s.kind === 'traffic' ? ', in the last run' : ''}${end < 1 ? `; a full bar is ${format.percent(end)}` : ''}`;
  return card('links', 'Links', note, table(
    [{ name: 'link' }, { name: 'use', number: true }, { name: 'at its busiest', number: true }, { name: 'carried', number: true }, { name: 'on the path', number: true, title: 'bytes passing one after another' }, { name: 'held up', number: true, title: 'contention on the critical path' }].slice(0, columns),
    s.links.map((l) => ({
      cells: [l.link, meter(l.utilisation, end), format.percent(l.peak), format.bytes(l.bytes), format.time(l.path_bandwidth_ps), format.time(l.path_contention_ps)].slice(0, columns),
      values: [l.link, l.utilisation, l.peak, l.bytes, l.path_bandwidth_ps, l.path_contention_ps].slice(0, columns),
    })), 10));
};

export const ranksCard = (data: PageData): HTMLElement | null => {
  if (data.ranks === undefined || data.timeline === undefined) return null;
  const rows = readRanks(data.ranks, data.timeline.activities.length);
  if (rows.length === 0) return null;
  const end = data.summary!.time_ps;
  // What nobody did is no column.
  const done = data.timeline.activities.map((_, i) => i).filter((i) => rows.some((r) => r.times[i] > 0));
  return card('ranks', 'Ranks', 'parts of the run', table(
    [{ name: 'rank', number: true }, ...done.map((i) => ({ name: spoken(data.timeline!.activities[i]), number: true })), { name: 'on the critical path', number: true }, { name: 'messages', number: true }, { name: 'sent', number: true }],
    rows.map((r, i) => ({
      cells: [rankName(data.summary, i), ...done.map((d) => format.percent(r.times[d] / end)), format.percent(r.path / end), format.count(r.sent), format.bytes(r.bytes)],
      values: [i, ...done.map((d) => r.times[d]), r.path, r.sent, r.bytes],
    })), 8));
};

export const parametersCard = (s: Summary): HTMLElement | null => {
  const more = Object.entries(s.parameters ?? {});
  if (more.length === 0 && !s.configuration && !s.command?.length) return null;
  const box = card('parameters', 'Parameters', 'what it was run with');
  if (more.length > 0) box.append(table([{ name: 'parameter' }, { name: 'value' }], more.map(([name, value]) => ({ cells: [name, value], values: [name, value] })), 40));
  const quoted = (w: string): string => (/^[\w@%+=:,./-]+$/.test(w) ? w : `'${w}'`);
  const [verb, ...rest] = s.command ?? [];
  // All settings are in the configuration.
  const machine = s.configuration ? ['--platform', 'machine.yaml'] : [];
  if (verb !== undefined) box.append(scroller(el('pre', {}, `heddle ${[verb, ...machine, ...rest].map(quoted).join(' ')}`), 'the command that repeats it'));
  if (s.configuration) box.append(el('details', { style: 'margin-top: 10px' }, el('summary', {}, verb === undefined ? 'the machine’s whole configuration' : 'machine.yaml: the machine’s whole configuration, with all settings'), scroller(el('pre', {}, s.configuration), 'configuration')));
  return box;
};
