// Several programs with worlds of their own: what is said of each, and what their ranks are called.
import type { Summary } from './data';
import { card, el } from './dom';
import * as format from './format';

/** "3", or "2:3" for rank 3 of program 2. */
export const rankName = (s: Summary | undefined, rank: number): string => {
  const programs = s?.programs ?? [];
  const i = programs.findIndex((p) => rank >= p.first_rank && rank < p.first_rank + p.ranks);
  return i < 0 ? String(rank) : `${i + 1}:${rank - programs[i].first_rank}`;
};

export const programsCard = (s: Summary): HTMLElement | null => {
  if (s.programs === undefined) return null;
  return card('programs', 'Programs', 'each by itself, with ranks as it numbers them', el('dl', {}, ...s.programs.flatMap((p, i) => [
    el('dt', { style: 'font-weight: 650' }, `Program ${i + 1}, ${p.title}: ${format.count(p.ranks)} ranks, ${format.time(p.time_ps)}`),
    el('dd', { style: 'margin: 0 0 10px' }, p.verdict.join(' ')),
  ])));
};
