// The headline and what limits the run.
import type { Efficiency, Summary } from './data';
import { card, el } from './dom';
import * as format from './format';

const kNames: Record<string, string> = {
  compute: 'computation', overhead: 'software overhead', nic: 'adapters', pcie: 'PCIe', latency: 'wire latency',
  bandwidth: 'wire bandwidth', contention: 'contention', wait: 'waiting', gap: 'adapter gap', sleep: 'sleep', storage: 'file system', other: 'other',
};
export const spoken = (name: string): string => kNames[name] ?? name;

export const swatch = (name: string): HTMLElement =>
  el('i', { class: `swatch ${name}`, style: name === 'wait' ? '' : `background: var(--${name})` });

/** Parts of a bar, with their shares written on them where there is room for it. */
export const stack = (parts: { name: string; share: number; title: string }[], label: string, width = '100%'): HTMLElement => {
  const bar = el('div', { class: 'stack', role: 'img', 'aria-label': label, style: `width: ${width}` },
    ...parts.filter((p) => p.share > 0).map((p) =>
      el('div', { class: p.name, title: p.title, style: `flex: ${p.share} 0 0;${p.name === 'wait' ? '' : `background: var(--${p.name}); color: var(--on-${p.name})`}` },
        el('span', {}, format.percent(p.share)))));
  new ResizeObserver(() => {
    for (const part of bar.children) {
      const text = part.firstElementChild as HTMLElement;
      text.hidden = false;
      text.hidden = text.offsetWidth + 4 > (part as HTMLElement).clientWidth;
    }
  }).observe(bar);
  return bar;
};

const legend = (parts: { name: string; share: number }[]) =>
  el('div', { class: 'legend' }, ...parts.filter((p) => p.share > 0).map((p) =>
    el('span', {}, swatch(p.name), `${spoken(p.name)} ${format.percent(p.share)}`)));

const share = (title: string, parts: { name: string; share: number; title: string }[]) => {
  const words = parts.filter((p) => p.share > 0).map((p) => `${spoken(p.name)} ${format.percent(p.share)}`).join(', ');
  return el('div', {}, el('h3', {}, title), stack(parts, words), legend(parts));
};

/** What ranks asked of their adapters, where nothing else says what was sent. */
const operationTiles = (s: Summary): [string, string][] => {
  const o = s.operations;
  if (s.messages > 0 || o === undefined || o.puts + o.gets + o.atomics === 0) {
    return [['messages', format.count(s.messages)], ['sent', format.bytes(s.bytes)]];
  }
  const kinds: [string, number][] = [['puts', o.puts], ['gets', o.gets], ['atomics', o.atomics]];
  return [...kinds.filter(([, n]) => n > 0).map(([name, n]): [string, string] => [name, format.count(n)]), ['moved', format.bytes(o.bytes)]];
};

export const tiles = (s: Summary): HTMLElement => {
  const tile = (name: string, value: string, title = '') =>
    el('div', { class: 'tile', title }, el('div', { class: 'value' }, value), el('div', { class: 'name' }, name));
  return el('div', { class: 'tiles' },
    tile('simulated time', format.time(s.time_ps), format.words(s.time)),
    tile('time it took to simulate', format.time(s.wall_s * 1e12)),
    tile('than the machine itself', format.pace(s.slowdown)),
    tile(s.kind === 'traffic' ? 'nodes that send' : `ranks on ${format.count(s.nodes)} nodes`, format.count(s.ranks)),
    ...operationTiles(s).map(([name, value]) => tile(name, value)));
};

/** As the POP project defines them: each is a part of what the one before it leaves. */
const efficiencies = (e: Efficiency) => {
  const row = (name: string, value: number, title: string) =>
    el('div', { class: 'gain', title }, el('span', {}, name),
      el('div', { class: 'bar' }, el('div', { style: `width: ${100 * value}%` })), el('span', { class: 'number' }, format.percent(value)));
  return el('div', { class: 'further' }, el('h3', {}, 'Efficiency'), el('div', { class: 'gains efficiencies' },
    row('parallel efficiency', e.parallel, 'the mean of what ranks compute, of the time of the run: the product of the next three'),
    row('load balance', e.load_balance, 'the mean of what ranks compute, of the longest that one computes'),
    row('serialisation', e.serialisation, 'that, of what the run would take if messages and calls took no time'),
    row('transfer', e.transfer, 'and that, of the time of the run')));
};

export const verdict = (s: Summary): HTMLElement => {
  const box = card('verdict', s.kind === 'traffic' ? 'What limits it?' : 'Where did the time go?',
    s.critical_path === undefined ? '' : 'along the critical path: the chain of work and messages that made the run as long as it was');
  box.classList.add('verdict');
  if (s.verdict.length > 0) box.append(el('p', { class: 'main' }, format.words(s.verdict[0])));
  box.append(el('ul', {}, ...s.verdict.slice(1).map((line) => el('li', {}, format.words(line)))));
  const path = s.critical_path;
  if (path === undefined) return box;
  const left = el('div', { style: 'display: grid; gap: 16px; align-content: start' },
    share('The critical path', path.resources.map((r) => ({ name: r.resource, share: r.share, title: `${spoken(r.resource)}: ${format.time(r.time_ps)}` }))));
  if (s.rank_time !== undefined) {
    left.append(share('All ranks together', s.rank_time.map((r) => ({ name: r.activity, share: r.share, title: spoken(r.activity) }))));
  }
  const worth = (s.what_if ?? []).filter((w) => w.share >= 0.001);
  const most = Math.max(0.001, ...worth.map((w) => w.share));
  const gains = el('div', { class: 'gains' }, ...worth.map((w) =>
    el('div', { class: 'gain', title: `${format.time(w.gain_ps)} of the path; the run: ${format.time(w.at_least_ps ?? w.gain_ps)} to ${format.time(w.at_most_ps ?? w.gain_ps)}` }, el('span', {}, format.words(w.what)),
      el('div', { class: 'bar' }, el('div', { style: `width: ${(100 * w.share) / most}%` })),
      el('span', { class: 'number' }, `${w.sure === false ? '≈' : '−'} ${format.percent(w.share)}`))));
  const right = el('div', {}, el('h3', {}, 'What an improvement could give'), gains,
    el('p', { class: 'note', style: 'margin-top: 8px' }, worth.some((w) => w.sure === false)
      ? 'Much is held up by others here: this is what the path would be shorter by, and the run may gain more, or less, or become longer.'
      : 'When one chain gets shorter, another may become the longest.'));
  if (s.efficiency) right.append(efficiencies(s.efficiency));
  box.append(el('div', { class: 'split' }, left, right));
  return box;
};
