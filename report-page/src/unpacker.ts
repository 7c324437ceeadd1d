// Bytes and numbers from text, as heddle packs them.
export const unbase64 = (text: string): Uint8Array => {
  const raw = atob(text);
  const result = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) result[i] = raw.charCodeAt(i);
  return result;
};

/** Reads numbers of seven bits per byte, the lowest first. */
export class Unpacker {
  private readonly data: Uint8Array;
  private at = 0;
  constructor(text: string) { this.data = unbase64(text); }
  more(): boolean { return this.at < this.data.length; }
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const b = this.data[this.at++];
      value += (b & 127) * factor;
      if (b < 128) return value;
    }
  }
  signed(): number {
    const n = this.number();
    return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
  }
}
