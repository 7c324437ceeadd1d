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
