// Searching a timeline: for a rank, which is framed, or for a call, whose occurrences are gone through.
import { el } from './dom';
import * as format from './format';
import type { Occurrence } from './timeline_data';
import type { TimelineView } from './timeline_view';

const kRows = 16;  // Around what was found.

export class TimelineSearch {
  readonly input = el('input', { type: 'search', placeholder: 'rank 3, MPI_Allreduce …', 'aria-label': 'search for a rank or a call', title: 'Enter: the next, Shift + Enter: the one before' });
  readonly detail = el('div', { class: 'detail', 'aria-live': 'polite' });
  private call = -1;
  private found: Occurrence[] = [];
  private at = 0;

  constructor(private readonly view: TimelineView) {
    this.input.addEventListener('input', () => this.find());
    this.input.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter' || this.found.length === 0) return;
      this.at = (this.at + (e.shiftKey ? this.found.length - 1 : 1)) % this.found.length;
      this.goTo();
    });
  }

  focus(): void { this.input.focus(); this.input.select(); }
  clear(): void { this.input.value = ''; this.find(); }

  private find(): void {
    const text = this.input.value.trim().toLowerCase();
    this.found = [];
    this.call = -1;
    this.at = 0;
    this.view.mark = {};
    if (text === '') { this.detail.textContent = ''; return; }
    const rank = /^(?:rank\s*)?(\d+)$/.exec(text);
    if (rank !== null && Number(rank[1]) < this.view.data.ranks) this.findRank(Number(rank[1]));
    else this.findCall(text);
  }
  private findRank(rank: number): void {
    this.view.mark = { rank };
    this.view.ranks.show(rank - kRows, 2 * kRows);
    this.detail.textContent = `rank ${rank}${this.view.data.lanes.has(rank) ? '' : ' (in slices of time)'}`;
  }
  private findCall(text: string): void {
    const names = this.view.data.names.map((name) => name.toLowerCase());
    const rules = [(n: string) => n === text, (n: string) => n.replace(/^[a-z]+_/, '').startsWith(text), (n: string) => n.includes(text)];
    this.call = rules.map((rule) => names.findIndex(rule)).find((i) => i >= 0) ?? -1;
    if (this.call < 0) { this.detail.textContent = `nothing is called “${this.input.value}”`; return; }
    this.found = this.view.data.occurrences(this.call);
    this.goTo();
  }

  /** Shows the occurrence whose turn it is, with what is around it, and says which it is. */
  private goTo(): void {
    const { view } = this;
    const name = view.data.names[this.call];
    const row = view.data.summary.calls?.find((c) => c.call === name);
    const sums = `${name}: ${format.count(row?.calls ?? 0)} calls, ${format.time(row?.total_ps ?? 0)} in all, the longest ${format.time(row?.longest_ps ?? 0)}`;
    if (this.found.length === 0) {
      this.detail.textContent = `${sums}; none is kept by itself`;
      return;
    }
    const here = this.found[this.at];
    view.mark = { call: this.call, at: here };
    const long = here.end - here.begin;
    view.time.show(here.begin - 3.5 * long, 8 * long);
    view.ranks.show(here.rank + 0.5 - kRows / 2, kRows);
    this.detail.textContent = `${sums} · ${format.count(this.at + 1)} of ${format.count(this.found.length)} that can be shown: rank ${here.rank}, ${format.instant(here.begin, Math.max(1, long / 10))}, ${format.time(long)} (Enter: next)`;
  }
}
