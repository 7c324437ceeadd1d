// The ways of messages through a fabric, from tables of where each vertex sends them on.
import { Unpacker } from './unpacker';

export interface RouteTables { choice: 'fixed' | 'drawn' | 'adaptive' | 'detour' | 'own'; classes: string; ports: string; tables: string }
/** One link of a route: from vertex to vertex, the n-th between them. */
export interface RouteLink { from: number; to: number; twin: number }

export class Routes {
  private readonly classes: number[] = [];
  private readonly ports: number[][] = [];
  /** By class of the source and vertex: the port for each destination; none where there is only one port. */
  private readonly tables: (Uint16Array | null)[][] = [];

  constructor(packed: RouteTables) {
    const classes = new Unpacker(packed.classes);
    while (classes.more()) this.classes.push(classes.number());
    const ports = new Unpacker(packed.ports);
    while (ports.more()) {
      let before = 0;
      this.ports.push(Array.from({ length: ports.number() }, () => (before += ports.signed())));
    }
    const from = new Unpacker(packed.tables);
    const told: Uint16Array[] = [new Uint16Array(this.nodes)];
    while (from.more()) this.tables.push(this.ports.map((out) => (out.length > 1 ? readRow(from, told) : null)));
  }

  get nodes(): number { return this.classes.length; }

  /** Between two nodes; empty if they are one. */
  find(source: number, destination: number): RouteLink[] {
    const links: RouteLink[] = [];
    for (let at = source; at !== destination && links.length <= 4 * this.ports.length;) {
      const port = this.tables[this.classes[source]][at]?.[destination] ?? 0;
      const to = this.ports[at][port];
      links.push({ from: at, to, twin: this.ports[at].slice(0, port).filter((v) => v === to).length });
      at = to;
    }
    return links;
  }
}

/** A row says how far before it the row stands that it is like, and where it differs from that. */
const readRow = (from: Unpacker, told: Uint16Array[]): Uint16Array => {
  const row = told[told.length - from.number()].slice();
  told.push(row);
  for (let at = 0; at < row.length;) {
    at += from.number();
    for (let n = from.number(); n > 0; --n) row[at++] = from.number();
  }
  return row;
};
