// Small helpers for elements.

type Child = Node | string | null | undefined | false;

export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | number | boolean | ((e: Event) => void)> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
};

export const svg = (tag: string, attributes: Record<string, string | number> = {}, ...children: Node[]): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

/** The floating note beside the pointer. */
export const tip = {
  show(x: number, y: number, lines: string[]): void {
    const note = document.getElementById('tip')!;
    note.replaceChildren(...lines.map((line, i) => el('div', { class: i === 0 ? 'first' : '' }, line)));
    note.hidden = false;
    const box = note.getBoundingClientRect();
    note.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    note.style.top = `${y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18}px`;
  },
  hide(): void { document.getElementById('tip')!.hidden = true; },
};

/** A box that can be scrolled by keys where its contents do not fit. */
export const scroller = <T extends HTMLElement>(box: T, label: string): T => {
  new ResizeObserver(() => {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    for (const [name, value] of [['tabindex', '0'], ['role', 'region'], ['aria-label', label]]) {
      if (scrolls) box.setAttribute(name, value); else box.removeAttribute(name);
    }
  }).observe(box);
  return box;
};

export const card = (id: string, title: string, note: string, ...children: Child[]): HTMLElement =>
  el('section', { class: 'card', id, 'aria-labelledby': `${id}-title` },
    el('header', {}, el('h2', { id: `${id}-title` }, title), note !== '' && el('p', { class: 'note' }, note)),
    ...children);

/** A table whose columns sort when their heads are pressed. */
export const table = (
  heads: { name: string; number?: boolean; title?: string }[],
  rows: { cells: (string | Node)[]; values: (string | number)[]; mark?: boolean }[], most = 12,
): HTMLElement => {
  const body = el('tbody');
  let shown = most;
  const more = el('button', { class: 'plain', type: 'button', click: () => { shown = rows.length; fill(); } });
  const fill = () => {
    body.replaceChildren(...rows.slice(0, shown).map((row) =>
      el('tr', { class: row.mark === true ? 'mark' : '' },
        ...row.cells.map((cell, i) => el('td', { class: heads[i].number ? 'number' : '' }, cell)))));
    more.hidden = rows.length <= shown;
    more.textContent = `show all ${rows.length}`;
  };
  const headRow = el('tr', {}, ...heads.map((head, i) => {
    let down = head.number === true;
    const button = el('button', { type: 'button', title: head.title ?? 'sort by this column', click: () => {
      rows.sort((a, b) => (a.values[i] < b.values[i] ? -1 : a.values[i] > b.values[i] ? 1 : 0) * (down ? -1 : 1));
      down = !down;
      fill();
    } }, head.name);
    return el('th', { class: head.number ? 'number' : '', scope: 'col' }, button);
  }));
  fill();
  return el('div', { class: 'table' }, el('table', {}, el('thead', {}, headRow), body), more);
};
