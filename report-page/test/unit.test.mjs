// What the page computes itself: numbers as people read them, and the packed parts of its data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
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
