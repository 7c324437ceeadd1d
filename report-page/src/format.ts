// Numbers as people read them.

/** The beginning and the end of a name that is too long. */
export const short = (name: string, most: number): string =>
  name.length <= most ? name : `${name.slice(0, Math.floor(most / 2) - 1)}…${name.slice(name.length - Math.ceil(most / 2))}`;

export const digits = (value: number, significant = 4): string => {
  if (value === 0 || !isFinite(value)) return String(value);
  const text = value.toPrecision(significant);
  return text.includes('e') ? String(Number(text)) : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

const kTimes: [number, string][] = [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']];

/** A number of picoseconds. */
export const time = (ps: number): string => {
  for (const [unit, name] of kTimes) {
    if (Math.abs(ps) >= unit) return `${digits(ps / unit)} ${name}`;
  }
  return ps === 0 ? '0' : `${digits(ps)} ps`;
};

export const bytes = (n: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; ++i) n /= 1024;
  return `${digits(n)} ${units[i]}`;
};

export const count = (n: number): string => n.toLocaleString('en').replaceAll(',', '\u202f');

/** A count in at most four characters and a letter. */
export const brief = (n: number): string => {
  if (n < 10000) return String(n);
  const [unit, letter]: [number, string] = n >= 1e9 ? [1e9, 'G'] : n >= 1e6 ? [1e6, 'M'] : [1e3, 'k'];
  return digits(n / unit, 3) + letter;
};

export const percent = (share: number): string => {
  const p = 100 * share;
  return `${p === 0 ? '0' : p >= 10 ? p.toFixed(0) : p >= 0.95 ? p.toFixed(1) : digits(p, 2)} %`;
};

/** How much faster or slower than real time. */
export const pace = (slowdown: number): string =>
  slowdown === 0 ? '–' : slowdown >= 1 ? `${count(Number(digits(slowdown, 3)))}× slower` : `${count(Number(digits(1 / slowdown, 3)))}× faster`;

/** Steps for an axis of so many picoseconds. */
export const niceStep = (span: number, steps: number): number => {
  const raw = span / Math.max(1, steps);
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
};

/** The end of a scale from 0 that shows such a largest value well: 1, 2 or 5 times a power of ten, at most all of it. */
export const scaleEnd = (largest: number): number => (largest > 0 ? Math.min(1, niceStep(largest * (1 - 1e-12), 1)) : 1);

/** A unit of time for a whole chart that ends so late, and how many ps it has. */
export const timeUnit = (ps: number): [string, number] => (ps < 2e6 ? ['ns', 1e3] : ps < 2e9 ? ['µs', 1e6] : ['ms', 1e9]);

/** The largest unit that an instant has at least one of. */
const unitOf = (ps: number): [number, string] => kTimes.find(([unit]) => Math.abs(ps) >= unit) ?? kTimes[kTimes.length - 1];
/** Digits behind the point that tell `step` apart in a unit. */
const decimals = (step: number, unit: number): number => Math.max(0, Math.min(12, Math.ceil(-Math.log10(step / unit) - 1e-9)));

/** An instant, as exactly as steps of `resolution` picoseconds can be told apart. */
export const instant = (ps: number, resolution: number): string => {
  if (ps === 0) return '0';
  const [unit, name] = unitOf(ps);
  return `${(ps / unit).toFixed(decimals(Math.max(1, resolution), unit))} ${name}`;
};

export interface TimeAxis { ticks: { at: number; text: string }[]; base: string }
const kMostDigits = 5;

/** Labels that all differ: instants, or where these would be long, what is to be added to `base`. */
export const timeAxis = (from: number, to: number, steps: number): TimeAxis => {
  const step = niceStep(to - from, steps);
  const places = Array.from({ length: Math.floor(to / step) - Math.ceil(from / step) + 1 }, (_, i) => (Math.ceil(from / step) + i) * step);
  const [unit, name] = unitOf(to);
  const digitsBehind = decimals(step, unit);
  if (digitsBehind + Math.floor(Math.log10(to / unit)) + 1 <= kMostDigits) {
    return { ticks: places.map((at) => ({ at, text: at === 0 ? '0' : `${(at / unit).toFixed(digitsBehind)} ${name}` })), base: '' };
  }
  // A round instant that stays the same while the view moves a little.
  const round = 10 ** Math.ceil(Math.log10(100 * step) - 1e-9);
  const base = Math.floor(from / round) * round;
  const [small, smallName] = unitOf(to - base);
  return {
    ticks: places.map((at) => ({ at, text: `+${((at - base) / small).toFixed(decimals(step, small))} ${smallName}` })),
    base: instant(base, round),
  };
};

/** Sentences of the program write units in plain letters. */
export const words = (text: string): string => text.replace(/(\d) us\b/g, '$1 µs');

/** The difference of two shares. */
export const points = (difference: number): string => {
  const p = Math.abs(100 * difference);
  return `${difference < 0 ? '−' : '+'}${p >= 10 ? p.toFixed(0) : p >= 0.95 ? p.toFixed(1) : digits(p, 2)} points`;
};

const kSlight = 0.0005;  // Changes that nobody would name.

/** What became of a value: shares change by points, all else in relation to what it was; null if by nothing much. */
export const change = (a: number, b: number, share: boolean): { text: string; up: boolean } | null => {
  const f = share ? b - a : a === 0 ? 0 : b / a - 1;
  if (Math.abs(f) < kSlight) return null;
  return { text: share ? points(f) : `${f < 0 ? '−' : '+'}${percent(Math.abs(f))}`, up: f > 0 };
};

/** Marks of an axis from 0 to at least `most`, one more than `steps` at most. */
export const marks = (most: number, steps = 10): number[] => {
  const step = niceStep(Math.max(most, 1e-9), steps);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
};
