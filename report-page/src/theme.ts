// Light and dark: what the reader's system says, or what the reader chose for this page.
import { channels, readableOn } from './contrast';

const kDark = matchMedia('(prefers-color-scheme: dark)');
let chosen: string | null = null;
const listeners: (() => void)[] = [];

/** Colours that text stands on: what is written there is dark or light, whichever can be read. */
const kGrounds = ['compute', 'overhead', 'gap', 'sleep', 'storage', 'other', 'nic', 'pcie', 'latency', 'bandwidth', 'contention'];

const apply = () => {
  const root = document.documentElement;
  root.dataset.theme = chosen ?? (kDark.matches ? 'dark' : 'light');
  cache.clear();
  for (const name of kGrounds) root.style.setProperty(`--on-${name}`, readableOn(colour(name)));
  for (const listener of listeners) listener();
};

export const startTheme = () => {
  kDark.addEventListener('change', apply);
  // Paper is white.
  addEventListener('beforeprint', () => { const before = chosen; chosen = 'light'; apply(); chosen = before; });
  addEventListener('afterprint', apply);
  apply();
};
export const toggleTheme = () => {
  chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  apply();
};
/** Called when colours have changed. */
export const onTheme = (listener: () => void) => { listeners.push(listener); };

const cache = new Map<string, string>();
/** The value of a custom property: `colour('compute')`. */
export const colour = (name: string): string => {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#888888';
    cache.set(name, value);
  }
  return value;
};

export const rgb = (name: string): [number, number, number] => channels(colour(name));

/** How hot a use of 0 to 1 looks; the steps differ in brightness, so they can be told apart without colour. */
export const heat = (use: number): string => {
  const dark = document.documentElement.dataset.theme === 'dark';
  const stops: [number, number[]][] = dark
    ? [[0, [45, 55, 66]], [0.05, [38, 84, 124]], [0.3, [54, 140, 196]], [0.6, [232, 150, 60]], [1, [255, 214, 170]]]
    : [[0, [222, 227, 233]], [0.05, [158, 202, 225]], [0.3, [66, 146, 198]], [0.6, [227, 119, 45]], [1, [140, 20, 30]]];
  const u = Math.max(0, Math.min(1, use));
  let i = 1;
  while (i < stops.length - 1 && u > stops[i][0]) ++i;
  const [a, low] = stops[i - 1];
  const [b, high] = stops[i];
  const f = (u - a) / (b - a);
  return `rgb(${low.map((c, k) => Math.round(c + f * (high[k] - c))).join(',')})`;
};
