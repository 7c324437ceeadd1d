// What the page computes itself: numbers as people read them, and the packed parts of its data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../src');
const load = async (name) => {
  const result = await build({ entryPoints: [join(sources, name)], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString('base64')}`);
};

test('times, sizes and shares have units and four digits', async () => {
  const format = await load('format.ts');
  assert.equal(format.time(930_800_000), '930.8 µs');
  assert.equal(format.time(1_234_567_890_123), '1.235 s');
  assert.equal(format.time(0), '0');
  assert.equal(format.bytes(8192), '8 KiB');
  assert.equal(format.percent(0.62), '62 %');
  assert.equal(format.percent(0.034), '3.4 %');
  assert.equal(format.pace(20), '20× slower');
  assert.equal(format.pace(0.1), '10× faster');
  assert.equal(format.niceStep(930, 10), 100);
});

const pack = (numbers) => {
  const bytes = [];
  for (let n of numbers) {
    for (; n >= 128; n = Math.floor(n / 128)) bytes.push((n % 128) + 128);
    bytes.push(n);
  }
  return Buffer.from(bytes).toString('base64');
};
const signed = (n) => (n >= 0 ? 2 * n : -2 * n - 1);

test('intervals of ranks are read back', async () => {
  const data = await load('data.ts');
  // Rank 4: activity 0 from 10 to 30, activity 3 from 40 to 2^40; its thread 2: activity 1 from 5 to 6; rank 9: none.
  const packed = pack([2, 0, signed(10), 20, 3, signed(10), 2 ** 40 - 40, 1, 1, signed(5), 1, 0]);
  const lanes = data.readLanes(packed, [[4, 0], [4, 2], [9, 0]]);
  const [first, second] = lanes.get(4);
  assert.deepEqual([...first.begin], [10, 40]);
  assert.deepEqual([...first.end], [30, 2 ** 40]);
  assert.equal(second.thread, 2);
  assert.deepEqual([...second.end], [6]);
  assert.equal(lanes.get(9)[0].what.length, 0);
  assert.equal(data.firstAfter(first, 35), 1);
});

test('messages and pairs are read back', async () => {
  const data = await load('data.ts');
  const [message] = data.readMessages(pack([1, 2, 4096, signed(100), signed(-5), 50, 2]));
  assert.deepEqual(message, { from: 1, to: 2, bytes: 4096, sent: 100, met: 95, arrived: 150, way: 2 });
  const pairs = data.readMatrix({ group: 1, groups: 4, count: 2, packed: pack([1, 7, 700, 5, 1, 2]) });
  assert.deepEqual(pairs, [{ from: 0, to: 1, messages: 7, bytes: 700 }, { from: 1, to: 2, messages: 1, bytes: 2 }]);
});

test('labels of the axis of time all differ, however far it is zoomed', async () => {
  const format = await load('format.ts');
  // From a whole run of 930 µs down to single nanoseconds, at several places of it.
  for (const at of [0, 1234, 269_512_345, 929_000_000]) {
    for (let span = 930_800_000; span >= 1000; span /= 1.7) {
      const { ticks, base } = format.timeAxis(at, at + span, 8);
      assert.ok(ticks.length >= 3, `${ticks.length} labels of ${span} ps at ${at}`);
      assert.equal(new Set(ticks.map((t) => t.text)).size, ticks.length, `${ticks.map((t) => t.text)}`);
      assert.ok(ticks.every((t) => t.at >= at && t.at <= at + span));
      assert.ok(ticks.every((t) => t.text.length <= 11), `${ticks.map((t) => t.text)}`);
      assert.equal(base === '', !ticks.some((t) => t.text.startsWith('+')));
    }
  }
  // 40 ns from 269.512 µs on, in steps of 5 ns: added to 269 µs, as instants would need seven digits.
  const zoomed = format.timeAxis(269_512_000, 269_552_000, 8);
  assert.equal(zoomed.base, '269 µs');
  assert.deepEqual(zoomed.ticks.slice(0, 2).map((t) => t.text), ['+515 ns', '+520 ns']);
  assert.deepEqual(format.timeAxis(0, 930_800_000, 8).ticks[1], { at: 200_000_000, text: '200 µs' });
  assert.equal(format.instant(269_512_345, 1), '269.512345 µs');
  assert.equal(format.instant(269_512_345, 800_000), '269.5 µs');
});

test('axes, scales and changes are those that people expect', async () => {
  const format = await load('format.ts');
  assert.deepEqual(format.marks(90), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  assert.deepEqual(format.marks(0.31), [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]);
  assert.equal(format.scaleEnd(0.0017), 0.002, 'a busiest link of 0.17 % is nearly at the end of its scale');
  assert.equal(format.scaleEnd(0.93), 1);
  assert.equal(format.scaleEnd(0), 1);
  assert.equal(format.words('The run took 12.3 us, of 5 us each; us'), 'The run took 12.3 µs, of 5 µs each; us');
  assert.equal(format.brief(1234567), '1.23M');
  // A share of 10 % that becomes 12 % has changed by two points, a time of 10 that becomes 12 by a fifth.
  assert.deepEqual(format.change(0.1, 0.12, true), { text: '+2.0 points', up: true });
  assert.deepEqual(format.change(10, 12, false), { text: '+20 %', up: true });
  assert.equal(format.change(1, 1.000024, false), null, 'what changed by 0.0024 % did not change');
});

test('a range keeps to its ends, and zooms about a place', async () => {
  const { Range } = await load('range.ts');
  const range = new Range(1000, 10);
  range.zoom(0.5, 250);
  assert.deepEqual([range.from, range.to], [125, 625], '250 stays at a quarter of what is shown');
  range.pan(-1);
  assert.deepEqual([range.from, range.to], [0, 500]);
  for (let i = 0; i < 20; ++i) range.zoom(0.5);
  assert.ok(Math.abs(range.span - 10) < 1e-9);
  range.show(995, 100);
  assert.deepEqual([range.from, range.to], [900, 1000]);
  range.reset();
  assert.ok(range.whole);
});

test('every text can be read on what it stands on: 4.5 to 1, light and dark', async () => {
  const { contrast, readableOn } = await load('contrast.ts');
  assert.equal(contrast('#000000', '#ffffff').toFixed(1), '21.0');
  const css = readFileSync(join(sources, 'style.css'), 'utf8');
  const theme = (start) => Object.fromEntries([...css.slice(css.indexOf(start), css.indexOf('}', css.indexOf(start))).matchAll(/--([\w-]+): (#\w{6})/g)].map((m) => [m[1], m[2]]));
  const light = theme(':root {');
  for (const colours of [light, { ...light, ...theme(":root[data-theme='dark'] {") }]) {
    const onGround = [['ink', 'page'], ['ink', 'card'], ['ink', 'empty'], ['ink', 'hover'], ['ink', 'wait'], ['soft', 'page'], ['soft', 'card'], ['soft', 'empty'], ['soft', 'hover'],
      ['accent', 'card'], ['card', 'accent'], ['accent', 'page'], ['path', 'card'], ['better', 'card'], ['worse', 'card'], ['better', 'hover'], ['worse', 'hover']];
    for (const [text, ground] of onGround) {
      const seen = contrast(colours[text], colours[ground]);
      assert.ok(seen >= 4.5, `${text} ${colours[text]} on ${ground} ${colours[ground]}: ${seen.toFixed(2)}`);
    }
    // On parts of bars it is black or white.
    for (const ground of ['compute', 'overhead', 'gap', 'sleep', 'storage', 'other', 'nic', 'pcie', 'latency', 'bandwidth', 'contention']) {
      assert.ok(contrast(readableOn(colours[ground]), colours[ground]) >= 4.5, ground);
    }
  }
});

test('routes are followed from switch to switch', async () => {
  const { Routes } = await load('routes.ts');
  // Nodes 0 and 1 at switch 3, node 2 at switch 4, two cables between these. Ports in the order of links: 3 has nodes 0, 1
  // and twice 4; 4 has node 2 and twice 3. Two classes: messages from node 0 take the first cable, those of others the second.
  const ports = [[3], [3], [4], [0, 1, 4, 4], [2, 3, 3]];
  const packedPorts = ports.flatMap((list) => [list.length, ...list.map((v, i) => signed(v - (i > 0 ? list[i - 1] : 0)))]);
  // Rows say how far before them the row stands that they are like (at first one of zeros), then how many ports are as there,
  // how many are not, and those. Of the class of node 0: switch 3 has ports 0, 1, 2 for the nodes, switch 4 has 1, 1, 0; of
  // the other class 0, 1, 3, like two rows before, and 2, 2, 0.
  const packedRows = [1, 1, 2, 1, 2, 1, 0, 1, 1, 1, 1, 0, 2, 2, 1, 3, 2, 0, 2, 2, 2, 1, 0];
  const routes = new Routes({ choice: 'fixed', classes: pack([0, 1, 1]), ports: pack(packedPorts), tables: pack(packedRows) });
  assert.deepEqual(routes.find(0, 2), [{ from: 0, to: 3, twin: 0 }, { from: 3, to: 4, twin: 0 }, { from: 4, to: 2, twin: 0 }]);
  assert.deepEqual(routes.find(1, 2), [{ from: 1, to: 3, twin: 0 }, { from: 3, to: 4, twin: 1 }, { from: 4, to: 2, twin: 0 }]);
  assert.deepEqual(routes.find(1, 1), []);
});

/** Two levels of switches, each with nodes that stand close together. */
const tree = (leaves, nodes) => {
  const points = [[leaves * 100 / 2, 0, 'top', 1, leaves * nodes]];
  const lines = [];
  for (let i = 0; i < leaves; ++i) { points.push([100 * i + 50, 60, `s${i}`, 1, leaves * nodes + 1 + i]); lines.push([i + 1, 0, 0.001, 0]); }
  for (let i = 0; i < leaves; ++i) {
    for (let n = 0; n < nodes; ++n) { lines.push([points.length, i + 1, 0.0017, 0.0003]); points.push([100 * i + n * (100 / nodes), 100, `n${i * nodes + n}`, 0, i * nodes + n, i + 1]); }
  }
  return { width: leaves * 100, height: 100, in_rows: true, points, lines };
};

test('a map of thousands of nodes is folded by switch, and has a height', async () => {
  const { Fabric } = await load('fabric.ts');
  const large = new Fabric(tree(256, 16));
  assert.equal(large.fits(1200), false, '4096 nodes on 1200 pixels cannot be told apart');
  const folded = large.layout(1200);
  assert.equal(folded.at.filter((p) => p !== null).length, 257, 'the switches');
  assert.ok(folded.height >= 100, `${folded.height} pixels`);
  assert.ok(folded.at.every((p) => p === null || (p.x >= 0 && p.x <= 1200 && p.y <= folded.height)));
  assert.equal(large.largestUse, 0.0017);
  // Unfolded, the nodes of a switch are told apart; folded ones are seen at their switch.
  large.toggle(1);
  const unfolded = large.layout(1200);
  assert.equal(unfolded.at.filter((p) => p !== null).length, 257 + 16);
  const xs = large.hosts[1].map((h) => unfolded.at[h].x);
  assert.ok(xs[1] - xs[0] > 20, `${xs[1] - xs[0]} pixels between nodes`);
  assert.ok(unfolded.height > folded.height);
  assert.equal(large.shown(large.hosts[1][0]), large.hosts[1][0]);
  assert.equal(large.shown(large.hosts[2][0]), 2);
  const small = new Fabric(tree(4, 4));
  assert.ok(small.fits(1200));
  small.unfoldAll();
  assert.ok(small.layout(1200).at.every((p) => p !== null), 'what fits is shown as it was drawn');
  assert.equal(small.lineName(4), 'n0->s0');
});

test('calls have slices of time, too', async () => {
  const { TimelineData, kNoCall } = await load('timeline_data.ts');
  // One rank, 100 ps in ten slices: call 0 from 10 to 30, call 1 from 32 to 60; of the slice from 30 to 40 the second has most.
  const calls = pack([2, 0, signed(10), 20, 1, signed(2), 28]);
  const cells = Buffer.from(Array.from({ length: 10 }, () => [3 + 16 * 14, 17]).flat()).toString('base64');
  const data = new TimelineData({
    summary: { time_ps: 100, ranks: 1, calls: [] },
    timeline: { per_row: 1, rows: 1, slices: 10, cells, activities: ['compute', 'overhead', 'gap', 'wait'], call_names: ['a', 'b'], exact_ranks: 1, lanes: [[0, 0]], intervals: pack([0]), calls },
  });
  assert.deepEqual([...data.callsBySlice()], [kNoCall, 0, 0, 1, 1, 1, kNoCall, kNoCall, kNoCall, kNoCall]);
  assert.deepEqual(data.occurrences(1), [{ rank: 0, thread: 0, begin: 32, end: 60 }]);
  assert.deepEqual(data.cellAt(0, 55), { what: 'wait', share: 17 / 255, waiting: 14 / 15 });
});
