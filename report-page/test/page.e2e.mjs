// Pages as readers see them, in headless Chromium: HEDDLE names the program, CHROMIUM the browser, OUTPUT a folder for
// pictures. Run by scripts/check-page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
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
  browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
});
after(() => browser?.close());

const phone = { width: 390, height: 844, isMobile: true, hasTouch: true };
const open = async (name, scheme = 'light', viewport = { width: 1280, height: 900 }) => {
  const page = await browser.newPage();
  // What is written on canvases, in the order in which it is.
  await page.evaluateOnNewDocument(() => {
    window.written = [];
    window.cut = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, ...more) {
      window.written.push(String(text));
      const wide = this.measureText(text).width;
      const left = x - { right: 1, end: 1, center: 0.5 }[this.textAlign] * wide || x;
      const { a, b } = this.getTransform();
      if (b === 0 && (left < -1 || left + wide > this.canvas.width / a + 1)) window.cut.push(String(text));
      return write.call(this, text, x, ...more);
    };
  });
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('request', (r) => { if (!r.url().startsWith('file:') && !r.url().startsWith('data:')) errors.push(`asks for ${r.url()}`); });
  await page.setViewport(viewport);
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
/** What automatic checks find that keeps people from reading or using the page. */
const barriers = async (page) => {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], rules: { 'label-content-name-mismatch': { enabled: true } } }));
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 120)} ${n.any[0]?.message ?? ''}`));
};
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
    assert.equal(await text(page, '#verdict .main'), summary.verdict[0].replace(/(\d) us\b/g, '$1 µs'));
    const data = await page.$eval('#data', (e) => JSON.parse(e.textContent).summary);
    assert.deepEqual({ ...data, wall_s: 0, slowdown: 0 }, { ...summary, wall_s: 0, slowdown: 0 });
    const tiles = await page.$$eval('.tile .value', (all) => all.map((e) => e.textContent.replace(/\s/g, '')));
    assert.ok(tiles.includes(String(summary.messages)), `${summary.messages} messages in ${tiles}`);
    const gains = await page.$$eval('.gains:not(.efficiencies) .gain', (all) => all.length);
    assert.equal(gains, summary.what_if.filter((w) => w.share >= 0.001).length);
    // The wheel is the page's until it is asked to zoom; then everything again.
    await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
    const whole = await fingerprint(page);
    const box = await (await page.$('#timeline canvas')).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    await page.mouse.wheel({ deltaY: -120 });
    await page.waitForFunction((y) => scrollY < y, {}, before);
    assert.equal(await fingerprint(page), whole, 'the wheel scrolls the page');
    assert.match(await text(page, '#timeline .hint:not([hidden])'), /Ctrl/);
    await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
    const rest = await scrolled();
    await page.keyboard.down('Control');
    await page.mouse.wheel({ deltaY: -600 });
    await page.keyboard.up('Control');
    await settle(page);
    const zoomed = await fingerprint(page);
    assert.notEqual(zoomed, whole, 'Ctrl + wheel zooms');
    await page.mouse.click(box.x + box.width / 2, box.y + 60);
    await page.mouse.wheel({ deltaY: -600 });
    await settle(page);
    assert.notEqual(await fingerprint(page), zoomed, 'after a click the wheel zooms');
    assert.equal(await scrolled(), rest, 'and does not scroll');
    await page.keyboard.press('0');
    await page.mouse.move(box.x + box.width / 2, box.y + 61);
    await settle(page);
    assert.equal(await fingerprint(page), whole, 'the key 0 shows everything');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.notEqual(await fingerprint(page), whole, 'keys zoom and move');
    // However far it is zoomed, no two labels of the axis are alike.
    for (let i = 0; i < 30; ++i) await page.keyboard.press('+');
    await settle(page);
    await page.evaluate(() => { window.written.length = 0; });
    await page.keyboard.press('+');
    await settle(page);
    const labels = (await page.evaluate(() => window.written)).filter((t) => /^\+?[\d.]+ (ps|ns|µs|ms)$/.test(t));
    assert.ok(labels.length >= 3 && new Set(labels).size === labels.length, `${labels}`);
    await page.keyboard.press('0');
    // Hover.
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.waitForFunction(() => !document.getElementById('tip').hidden);
    assert.match(await text(page, '#tip'), /rank \d+ at/);
    await page.keyboard.press('+');
    await settle(page);
    assert.ok(await page.$eval('#tip', (e) => e.hidden), 'what was there is elsewhere now');
    await page.keyboard.press('0');
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
  });
}

test('pages can be read by all: light and dark, wide and on a phone', async () => {
  const machine = ['-p', 'fat-tree-64', '--set', 'mpi.transport=portals'];
  compile(join(sources, 'examples/mpi/stencil.c'), 'stencil');
  run('run', '-q', '-n', '16', ...machine, '--report', 'stencil.html', './stencil');
  run('run', '-q', '-n', '16', '-p', 'fat-tree-64', '--report', 'stencil2.html', './stencil');
  run('report', 'stencil.html', 'stencil2.html', '--report', 'compare-pages.html');
  run('traffic', '-p', 'fat-tree-64', '--pattern', 'tornado', '--load', '0.3,0.6,0.9', '--duration', '10us', '--report', 'sweep.html');
  for (const name of ['stencil', 'many', 'sweep', 'compare-pages']) {
    for (const [kind, viewport] of [['', undefined], ['-phone', phone]]) {
      for (const scheme of ['light', 'dark']) {
        const { page, errors } = await open(`${name}.html`, scheme, viewport);
        await picture(page, `${name}${kind}-${scheme}.png`);
        assert.deepEqual(await page.evaluate(() => window.cut), [], `labels of ${name}${kind} are within their pictures`);
        assert.deepEqual(await barriers(page), [], `${name}${kind} ${scheme}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}${kind} is not wider than the screen`);
        // A share is written whole on its part of a bar, or not at all.
        const cut = await page.$$eval('.stack span', (all) => all.filter((e) => !e.hidden && e.getBoundingClientRect().width > e.parentElement.getBoundingClientRect().width).length);
        assert.equal(cut, 0);
        assert.deepEqual(errors, []);
        await page.close();
      }
    }
  }
});

test('two fingers zoom on a phone, one scrolls the page', async () => {
  const { page, errors } = await open('two.html', 'light', phone);
  await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
  const box = await (await page.$('#timeline canvas')).boundingBox();
  const [x, y] = [box.x + 0.6 * box.width, box.y + 60];
  const whole = await fingerprint(page);
  const client = await page.createCDPSession();
  const touch = (type, ...places) => client.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([px, py], id) => ({ x: px, y: py, id })) });
  await touch('touchStart', [x - 20, y], [x + 20, y]);
  for (let i = 1; i <= 6; ++i) await touch('touchMove', [x - 20 - 10 * i, y], [x + 20 + 10 * i, y]);
  await touch('touchEnd');
  await settle(page);
  assert.notEqual(await fingerprint(page), whole, 'what was between the fingers is larger');
  const span = () => page.$eval('#timeline canvas', (c) => c.getAttribute('aria-label'));
  const zoomed = await span();
  const before = await page.evaluate(() => scrollY);
  await touch('touchStart', [x, y + 40]);
  for (let i = 1; i <= 8; ++i) await touch('touchMove', [x, y + 40 - 20 * i]);
  await touch('touchEnd');
  await page.waitForFunction((from) => scrollY > from + 20, {}, before);
  assert.equal(await span(), zoomed, 'the view stays');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a call is searched for, gone to, framed, and coloured at the overview', async () => {
  const { page, errors } = await open('stencil2.html');
  await page.$eval('#timeline', (e) => e.scrollIntoView({ behavior: 'instant' }));
  const whole = await fingerprint(page);
  assert.doesNotMatch(await text(page, '#timeline .legend'), /MPI_Allreduce/);
  await page.keyboard.press('k');
  await settle(page);
  assert.notEqual(await fingerprint(page), whole, 'calls have colours');
  assert.match(await text(page, '#timeline .legend'), /MPI_Allreduce/);
  await picture(page, 'by-call-light.png');
  await page.keyboard.press('k');
  const span = () => page.$eval('#timeline canvas', (c) => c.getAttribute('aria-label'));
  const everything = await span();
  await page.keyboard.press('/');
  await page.keyboard.type('allreduce');
  await settle(page);
  const first = await text(page, '#timeline .detail');
  assert.match(first, /MPI_Allreduce: \d+ calls.* 1 of \d+ .*rank \d+/);
  assert.notEqual(await span(), everything, 'it has gone there');
  await picture(page, 'found-call-light.png');
  await page.keyboard.press('Enter');
  await settle(page);
  assert.match(await text(page, '#timeline .detail'), / 2 of /);
  await page.keyboard.down('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Shift');
  assert.equal(await text(page, '#timeline .detail'), first);
  assert.deepEqual(errors, []);
  await page.close();
});

for (const [machine, pairs] of [['fat-tree-64', [[0, 63], [5, 6], [17, 2]]], ['torus-512', [[0, 511], [3, 292], [77, 401], [292, 4]]], ['dragonfly-72', [[0, 71], [10, 3]]], ['bxi-v2-1k', [[0, 1023], [100, 900]]]]) {
  test(`routes on the map of ${machine} are those of heddle topo`, async () => {
    run('replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=16', '-p', machine, '--report', 'map.html');
    const { page, errors } = await open('map.html');
    for (const [from, to] of pairs) {
      const words = JSON.parse(execFileSync(heddle, ['topo', machine, '--route', String(from), String(to), '--json', '-'], { stdio: ['ignore', 'pipe', 'ignore'] }));
      for (const [label, value] of [['route from node', from], ['route to node', to]]) {
        await page.$eval(`input[aria-label="${label}"]`, (e, v) => { e.value = v; e.dispatchEvent(new Event('change')); }, String(value));
      }
      const links = (await text(page, '#map .route')).split(', ').map((t) => t.replace(/ \(.*\)$/, ''));
      // Buses of nodes are not on the map.
      assert.deepEqual(links, words.route.links.map((l) => l.link).filter((name) => name.includes('->')));
    }
    await picture(page, `map-${machine}.png`);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test('switches fold, and two clicks ask for a route', async () => {
  run('replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=16', '-p', 'fat-tree-64', '--report', 'fold.html');
  const { page, errors } = await open('fold.html');
  await page.$eval('#map', (e) => e.scrollIntoView({ behavior: 'instant' }));
  // Where points of the map are is not said: all places are tried until one answers.
  const box = await (await page.$('#map canvas')).boundingBox();
  const find = (pattern) => page.evaluate((expression, { x: left, y: top, width, height }) => {
    const canvas = document.querySelector('#map canvas');
    const tip = document.getElementById('tip');
    for (let y = top + 3; y < top + height; y += 4) {
      for (let x = left + 3; x < left + width; x += 4) {
        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }));
        if (!tip.hidden && new RegExp(expression).test(tip.textContent)) return [x, y];
      }
    }
    throw new Error(`nothing on the map says ${expression}`);
  }, pattern, box);
  const [nx, ny] = await find('^n0node');
  const [mx, my] = await find('^n63node');
  await page.mouse.click(nx, ny);
  assert.match(await text(page, '#map .detail'), /from n0/);
  await page.mouse.click(mx, my);
  assert.match(await text(page, '#map .detail'), /n0 → n63, \d links: n0->/);
  const [sx, sy] = await find('click: fold its nodes');
  await page.mouse.click(sx, sy);
  await page.mouse.move(sx + 1, sy);
  assert.match(await text(page, '#tip'), /click: unfold its nodes/);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a study of traffic shows its curve and its links', async () => {
  run('traffic', '-p', 'fat-tree-64', '--pattern', 'tornado', '--load', '0.2,0.5,0.8', '--duration', '20us', '--report', 'traffic.html', '--heat-map', 'map.svg');
  const { page, errors } = await open('traffic.html');
  await page.waitForSelector('#loads .uplot');
  await page.waitForSelector('#flow .uplot');
  // Axes begin at 0 and reach the last load; what is full is said, and how to repeat it.
  const written = await page.evaluate(() => window.written);
  for (const mark of ['0', '80']) assert.ok(written.includes(mark), `${mark} in ${written}`);
  assert.match(await text(page, '#flow .note'), /the run at 80 % load/);
  assert.match(await text(page, '#parameters pre'), /^heddle traffic --platform machine.yaml$/);
  assert.doesNotMatch(await text(page, '#loads'), /--/, 'no empty values in the legend');
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

test('queues, pauses, marks and rates are drawn, of traffic and of schedules', async () => {
  const pausing = ['--network', 'packet', '--set', 'packet.flow_control=pfc', '--set', 'packet.congestion=dcqcn', '--set', 'pfc.threshold=32KiB'];
  run('traffic', '-p', 'fat-tree-64', '--pattern', 'incast', '--size', '256KiB', '--messages', '2', ...pausing, '--report', 'queues.html', '--summary', 'queues.json');
  const { queues } = JSON.parse(readFileSync(join(output, 'queues.json'), 'utf8'));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  for (const column of ['queued_bytes', 'held_up_ps', 'marked', 'carried_bytes']) assert.ok(sum(queues.all[column]) > 0, column);
  for (const scheme of ['light', 'dark']) {
    const { page, errors } = await open('queues.html', scheme);
    const titles = await page.$$eval('#queues h3', (all) => all.map((e) => e.textContent));
    for (const part of [/^At all links together/, /^Packets marked/, /^Queues/, /^Held up/, /^Marks/, /^Rates/]) assert.ok(titles.some((t) => part.test(t)), `${part} in ${titles}`);
    assert.ok(!titles.some((t) => /^Losses/.test(t)), 'nothing was lost');
    // The row of the longest queue says how long it was, and the note where.
    const worst = queues.links[0];
    const written = await page.evaluate(() => window.written);
    const longest = Math.max(...worst.queued_bytes);
    assert.ok(written.some((t) => t.includes(`${Math.floor(longest / 1024)}`) && t.includes('KiB')), `${longest} in ${written}`);
    await page.$eval('#queues', (e) => e.scrollIntoView({ behavior: 'instant' }));
    const canvases = await page.$$('#queues canvas[role="img"]');
    const box = await canvases[0].boundingBox();
    await page.mouse.move(box.x + 150 + 0.5 * (box.width - 150), box.y + 7);
    await page.waitForFunction(() => !document.getElementById('tip').hidden);
    assert.match(await text(page, '#tip'), /waiting around/);
    assert.ok((await text(page, '#tip')).startsWith(worst.link), `${worst.link} in ${await text(page, '#tip')}`);
    assert.deepEqual(await page.evaluate(() => window.cut), []);
    assert.deepEqual(await barriers(page), []);
    await (await page.$('#queues')).screenshot({ path: join(output, `queues-${scheme}.png`) });
    assert.deepEqual(errors, []);
    await page.close();
  }
  run('replay', '--pattern', 'linear-alltoall', '--set', 'pattern.ranks=16', '--set', 'pattern.size=64KiB', '-p', 'fat-tree-64', ...pausing, '--report', 'queues2.html');
  const replay = await open('queues2.html', 'light', phone);
  assert.ok((await replay.page.$$('#queues .uplot')).length >= 1);
  assert.ok(await replay.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is not wider than a phone');
  assert.deepEqual(replay.errors, []);
  await replay.page.close();
  // Where there are no packets there is nothing to draw.
  const none = await open('traffic.html');
  assert.equal(await none.page.$('#queues'), null);
  await none.page.close();
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
  // The slower run has the longer bar, and its time is worse; how many messages there are is neither.
  const bars = await page.$$eval('#compare .bars:first-of-type .stack', (all) => all.map((e) => e.getBoundingClientRect().width));
  assert.ok(bars.length >= 2 && bars[1] > 1.1 * bars[0], `${bars}`);
  assert.match(await text(page, '#compare .worse'), /\+/);
  const rows = await page.$$eval('#figures tbody tr', (all) => all.map((e) => [e.textContent, e.querySelector('.better, .worse')?.className ?? '']));
  assert.ok(rows.some(([words, judged]) => words.startsWith('simulated time') && judged === 'worse'), `${rows}`);
  assert.ok(rows.filter(([words]) => words.startsWith('ranks: ')).every(([words]) => !/[+−]/.test(words) || /points/.test(words)), `${rows}`);
  assert.equal(await page.$('#timelines'), null, 'summaries have no timelines');
  await picture(page, 'compare-light.png');
  assert.deepEqual(errors, []);
  await page.close();
});

test('timelines of four pages stand side by side and move together', async () => {
  const words = ['replay', '--pattern', 'dissemination', '--set', 'pattern.ranks=8', '-p', 'quito', '--set', 'replay.ranks_per_node=4'];
  const files = ['1us', '2us', '3us', '4us'].map((latency, i) => {
    run(...words, '--set', `link.latency=${latency}`, '--report', `run${i}.html`);
    return `run${i}.html`;
  });
  run('report', ...files, '--report', 'four.html');
  const { page, errors } = await open('four.html');
  const labels = () => page.$$eval('#timelines canvas', (all) => all.map((c) => c.getAttribute('aria-label')));
  const before = await labels();
  assert.equal(before.length, 4);
  assert.equal(new Set(before).size, 1, 'one scale of time');
  await page.$$eval('#timelines button', (all) => all[0].click());
  await settle(page);
  const after = await labels();
  assert.notEqual(after[0], before[0]);
  assert.equal(new Set(after).size, 1, 'all were moved');
  await page.$$eval('#timelines button', (all) => all[2].click());
  await settle(page);
  await picture(page, 'four-light.png');
  assert.deepEqual(await barriers(page), []);
  assert.deepEqual(errors, []);
  await page.close();
});

test('prints on white', async () => {
  const { page } = await open('two.html', 'dark');
  await page.evaluate(() => addEventListener('beforeprint', () => {
    window.printedIn = document.documentElement.dataset.theme;
    // The ground of the axis, as it is drawn when printing begins.
    window.ground = document.querySelector('#timeline canvas').getContext('2d').getImageData(1, 1, 1, 1).data[0];
  }));
  const pdf = await page.pdf({ format: 'A4' });
  writeFileSync(join(output, 'two.pdf'), pdf);
  assert.ok(pdf.length > 10_000);
  assert.equal(await page.evaluate(() => window.printedIn), 'light');
  assert.ok(await page.evaluate(() => window.ground) > 240, 'the timeline as well');
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
