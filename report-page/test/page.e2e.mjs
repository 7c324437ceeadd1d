// Pages as readers see them, in headless Chromium: HEDDLE names the program, CHROMIUM the browser, OUTPUT a folder for
// pictures. Run by scripts/check-page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const heddle = process.env.HEDDLE;
const output = process.env.OUTPUT ?? '/tmp/heddle-pages';
mkdirSync(output, { recursive: true });
const here = dirname(fileURLToPath(import.meta.url));
// Where programs are to be found that are run: beside the sources, which SOURCES names.
const sources = process.env.SOURCES ?? join(here, '../..');
const compile = (source, name) => execFileSync(join(dirname(heddle), 'heddlecc'), ['-O1', '-pthread', source, '-o', join(output, name)], { stdio: 'inherit' });
const run = (...words) => execFileSync(heddle, words, { cwd: output, stdio: ['ignore', 'ignore', 'pipe'] });

let browser;
before(async () => {
  browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(() => browser?.close());

const open = async (name, scheme = 'light') => {
  const page = await browser.newPage();
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('request', (r) => { if (!r.url().startsWith('file:') && !r.url().startsWith('data:')) errors.push(`asks for ${r.url()}`); });
  await page.setViewport({ width: 1280, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(`file://${join(output, name)}`);
  await page.waitForSelector('#verdict, #compare');
  await new Promise((r) => setTimeout(r, 300));
  return { page, errors };
};
const picture = (page, name) => page.screenshot({ path: join(output, name), fullPage: true });
const text = (page, selector) => page.$eval(selector, (e) => e.textContent);
// What the canvas shows, as one number.
const fingerprint = (page) => page.$eval('#timeline canvas', (c) => {
  const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  let hash = 0;
  for (let i = 0; i < data.length; i += 4) hash = (hash * 31 + data[i] * 65536 + data[i + 1] * 256 + data[i + 2]) | 0;
  return hash;
});
const settle = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));

const cases = [
  ['two', ['replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=2', '-p', 'quito']],
  ['many', ['replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=1024', '-p', 'bxi-v2-1k']],
];
for (const [name, words] of cases) {
  test(`the page of ${name} ranks: numbers, zoom, hover, search, keys`, async () => {
    run(...words, '--report', `${name}.html`, '--summary', `${name}.json`);
    assert.ok(statSync(join(output, `${name}.html`)).size < 5_000_000, 'a page has less than 5 MB');
    const summary = JSON.parse(readFileSync(join(output, `${name}.json`), 'utf8'));
    const { page, errors } = await open(`${name}.html`);
    // Numbers on the page are those of the summary.
    assert.equal(await text(page, '#verdict .main'), summary.verdict[0]);
    const data = await page.$eval('#data', (e) => JSON.parse(e.textContent).summary);
    assert.deepEqual({ ...data, wall_s: 0, slowdown: 0 }, { ...summary, wall_s: 0, slowdown: 0 });
    const tiles = await page.$$eval('.tile .value', (all) => all.map((e) => e.textContent.replace(/\s/g, '')));
    assert.ok(tiles.includes(String(summary.messages)), `${summary.messages} messages in ${tiles}`);
    const gains = await page.$$eval('.gain', (all) => all.length);
    assert.equal(gains, summary.what_if.filter((w) => w.share >= 0.001).length);
    // Zoom by wheel and keys, then everything again.
    await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
    const whole = await fingerprint(page);
    const box = await (await page.$('#timeline canvas')).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.wheel({ deltaY: -600 });
    await settle(page);
    assert.notEqual(await fingerprint(page), whole, 'the wheel zooms');
    await page.keyboard.press('0');
    await settle(page);
    assert.equal(await fingerprint(page), whole, 'the key 0 shows everything');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.notEqual(await fingerprint(page), whole, 'keys zoom and move');
    await page.keyboard.press('0');
    // Hover.
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.waitForFunction(() => !document.getElementById('tip').hidden);
    assert.match(await text(page, '#tip'), /rank \d+ at/);
    // Search.
    await page.keyboard.press('/');
    await page.keyboard.type('rank 1');
    await settle(page);
    assert.match(await text(page, '#timeline .detail'), /rank 1/);
    await page.keyboard.press('Escape');
    // Dark by key.
    await page.keyboard.press('t');
    assert.equal(await page.$eval('html', (e) => e.dataset.theme), 'dark');
    await page.keyboard.press('?');
    assert.ok(await page.$eval('dialog', (e) => e.open));
    assert.deepEqual(errors, []);
    await page.close();
    for (const scheme of ['light', 'dark']) {
      const seen = await open(`${name}.html`, scheme);
      await picture(seen.page, `${name}-${scheme}.png`);
      assert.deepEqual(seen.errors, []);
      await seen.page.close();
    }
  });
}

test('a study of traffic shows its curve and its links', async () => {
  run('traffic', '-p', 'fat-tree-64', '--pattern', 'tornado', '--load', '0.2,0.5,0.8', '--duration', '20us', '--report', 'traffic.html', '--heat-map', 'map.svg');
  const { page, errors } = await open('traffic.html');
  await page.waitForSelector('#loads .uplot');
  await page.waitForSelector('#flow .uplot');
  for (const part of ['#map canvas', '#matrix canvas', '#sizes svg', '#flow canvas', '#links table']) assert.ok(await page.$(part), part);
  // The node that tornado sends to is half way round, and nobody sends elsewhere.
  const box = await (await page.$('#matrix canvas')).boundingBox();
  await page.$eval('#matrix', (e) => e.scrollIntoView({ behavior: 'instant' }));
  const seen = await (await page.$('#matrix canvas')).boundingBox();
  const cell = Math.min(box.width - 60, 420) / 64;
  await page.mouse.move(seen.x + 52 + 31.5 * cell, seen.y + 4 + 0.5 * cell);
  await page.waitForFunction(() => !document.getElementById('tip').hidden);
  assert.match(await text(page, '#tip'), /node 0 → 31/);
  await picture(page, 'traffic-light.png');
  assert.deepEqual(errors, []);
  await page.close();
  const dark = await open('traffic.html', 'dark');
  await picture(dark.page, 'traffic-dark.png');
  assert.deepEqual(dark.errors, []);
  await dark.page.close();
  assert.match(readFileSync(join(output, 'map.svg'), 'utf8'), /^<\?xml|^<svg/);
});

test('a program of Portals counts its puts, and shows what adapters did', async () => {
  compile(join(sources, 'examples/portals/pingpong.c'), 'pingpong');
  run('run', '-q', '-n', '2', '-p', 'bxi-v2', '--report', 'portals.html', '--summary', 'portals.json', './pingpong');
  const summary = JSON.parse(readFileSync(join(output, 'portals.json'), 'utf8'));
  assert.ok(summary.operations.puts > 0);
  const { page, errors } = await open('portals.html');
  const tiles = await page.$$eval('.tile', (all) => all.map((e) => e.textContent.replace(/\s/g, '')));
  assert.ok(tiles.includes(`${summary.operations.puts}puts`), `${summary.operations.puts} puts in ${tiles}`);
  assert.ok(await page.$('#sequence svg'));
  await picture(page, 'portals-light.png');
  assert.deepEqual(errors, []);
  await page.close();
});

test('threads of a rank have a part of its row', async () => {
  writeFileSync(join(output, 'threads.c'), `
    #include <heddle.h>
    #include <pthread.h>
    static void* work(void* us) { heddle_compute(1e-6 * *(int*)us); return 0; }
    int main(void) {
      pthread_t threads[3];
      int us[3] = {100, 200, 300};
      for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, &us[i]);
      for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
      heddle_barrier();
      return 0;
    }`);
  compile(join(output, 'threads.c'), 'threads');
  run('run', '-q', '-n', '2', '-p', 'quito', '--report', 'threads.html', './threads');
  const { page, errors } = await open('threads.html');
  await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
  const box = await (await page.$('#timeline canvas')).boundingBox();
  // The lower end of the first of two rows is the last thread, which has the core at the end.
  await page.mouse.move(box.x + 0.9 * box.width, box.y + 22 + 65);
  await page.waitForFunction(() => !document.getElementById('tip').hidden);
  assert.match(await text(page, '#tip'), /rank 0, thread 3 at .*computation/);
  await picture(page, 'threads-light.png');
  assert.deepEqual(errors, []);
  await page.close();
});

test('runs stand side by side', async () => {
  const words = ['replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=8', '-p', 'quito', '--set', 'replay.ranks_per_node=4'];
  run(...words, '--summary', 'a.json');
  run(...words, '--set', 'link.latency=1us', '--summary', 'b.json');
  run('report', 'a.json', 'b.json', '--report', 'compare.html');
  const { page, errors } = await open('compare.html');
  assert.match(await text(page, '#changed'), /link\.latency|latency/);
  await picture(page, 'compare-light.png');
  assert.deepEqual(errors, []);
  await page.close();
});

test('prints on white', async () => {
  const { page } = await open('two.html', 'dark');
  await page.evaluate(() => addEventListener('beforeprint', () => { window.printedIn = document.documentElement.dataset.theme; }));
  const pdf = await page.pdf({ format: 'A4' });
  writeFileSync(join(output, 'two.pdf'), pdf);
  assert.ok(pdf.length > 10_000);
  assert.equal(await page.evaluate(() => window.printedIn), 'light');
  assert.equal(await page.$eval('html', (e) => e.dataset.theme), 'dark', 'and dark again afterwards');
  // What is on paper: nothing to press, and everything within its width.
  await page.setViewport({ width: 794, height: 1123 });
  await page.emulateMediaType('print');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await settle(page);
  assert.equal(await page.$eval('.tools', (e) => getComputedStyle(e).display), 'none');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await picture(page, 'two-print.png');
  await page.close();
});
