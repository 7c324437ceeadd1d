// The part of an axis that is shown.

/** From 0 to `end`; never less than `least` is shown, unless there is no more. */
export class Range {
  from = 0;
  to: number;
  private readonly listeners: (() => void)[] = [];

  constructor(readonly end: number, private readonly least: number) { this.to = end; }

  get span(): number { return this.to - this.from; }
  get whole(): boolean { return this.span >= this.end; }
  onChange(listener: () => void): void { this.listeners.push(listener); }

  /** Shows so much, beginning there, as far as there is something. */
  show(from: number, span = this.span): void {
    const most = Math.max(Math.min(span, this.end), Math.min(this.least, this.end));
    this.from = Math.max(0, Math.min(from, this.end - most));
    this.to = this.from + most;
    for (const listener of this.listeners) listener();
  }
  reset(): void { this.show(0, this.end); }
  /** Shows `factor` times as much; what is at `at` stays in its place. */
  zoom(factor: number, at = (this.from + this.to) / 2): void {
    const span = Math.max(Math.min(this.span * factor, this.end), Math.min(this.least, this.end));
    this.show(at - ((at - this.from) / this.span) * span, span);
  }
  /** Moves by a part of what is shown. */
  pan(part: number): void { this.show(this.from + part * this.span); }
}
