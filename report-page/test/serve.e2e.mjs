// The page of `heddle serve` as its users see it, in headless Chromium: HEDDLE names the program, CHROMIUM the browser,
// OUTPUT a folder for pictures. Run by scripts/check-page.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import puppeteer from 'puppeteer-core';

const heddle = process.env.HEDDLE;
const output = process.env.OUTPUT ?? '/tmp/heddle-pages';
mkdirSync(output, { recursive: true });
const skip = existsSync(join(dirname(heddle), 'heddle-serve')) ? false : 'heddle was built without its server';

let browser;
let server;
let address;
let folder;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(output, 'served-'));
  writeFileSync(join(folder, 'ring.c'), '#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }\n');
  writeFileSync(join(folder, 'ring.goal'), 'num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n');
  execFileSync(join(dirname(heddle), 'heddlecc'), ['ring.c', '-o', 'ring'], { cwd: folder });
  server = spawn(heddle, ['serve', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  address = (await new Promise((done) => { server.stdout.once('data', (text) => done(String(text))); })).trim();
  browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
});
after(async () => {
  await browser?.close();
  if (!server) return;
  const ended = new Promise((done) => { server.once('exit', done); });
  server.kill('SIGTERM');
  await ended;
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('.heddle')), []);
  rmSync(folder, { recursive: true });
});

const open = async (scheme = 'light', viewport = { width: 1280, height: 900 }) => {
  const page = await browser.newPage();
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('request', (r) => { if (!r.url().startsWith(new URL(address).origin) && !/^(data|blob|about):/.test(r.url())) errors.push(`asks for ${r.url()}`); });
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(address);
  await page.waitForSelector('body[data-ready]', { timeout: 60000 });
  return { page, errors };
};
const says = (page, selector, words) => page.waitForFunction((s, w) => document.querySelector(s).textContent.includes(w), { timeout: 60000 }, selector, words);
const value = (page, selector) => page.$eval(selector, (e) => e.value);

test('a machine is drawn and a message moved, by keyboard alone', { skip }, async () => {
  const { page, errors } = await open();
  await says(page, '#figures', '64 nodes');
  assert.ok(!page.url().includes('token'), 'the token stays in the address');
  assert.ok(await page.$eval('#drawing', async (e) => { await e.decode(); return e.naturalWidth > 0; }));
  await page.focus('#size');
  await page.keyboard.down('Control');
  await page.keyboard.press('A');
  await page.keyboard.up('Control');
  await page.keyboard.type('1MiB');
  await page.keyboard.press('Enter');
  await says(page, '#route', '84.99 us');
  assert.equal(await value(page, '#shell'), 'heddle topo --platform=fat-tree-64 --route 0 63 --size=1MiB');
  assert.equal(await value(page, '#python'), 'import heddle as hd; hd.Machine("fat-tree-64").route("0", "63", size="1MiB")');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a machine is edited, and a mistake told with its place', { skip }, async () => {
  const { page, errors } = await open();
  await page.click('#edit');
  await page.waitForSelector('#editor:not([hidden])');
  await page.$eval('#text', (e) => { e.value = 'topology: {kind: torus, dims: 4x4}\nlink: {latency: soon}\n'; });
  await page.click('#draw');
  await says(page, '#figures', ':2:');
  await page.$eval('#text', (e) => { e.value = 'topology: {kind: torus, dims: 4x4}\n'; });
  await page.click('#draw');
  await says(page, '#figures', '16 nodes');
  assert.deepEqual(errors, []);
  await page.close();
});

test('a curve grows, in the dark and on a narrow screen', { skip }, async () => {
  const { page, errors } = await open('dark', { width: 390, height: 844, isMobile: true });
  await page.$eval('#loads', (e) => { e.value = '0.1:0.5:0.2'; });
  await page.$eval('#duration', (e) => { e.value = '3us'; });
  await page.click('#load button');
  await page.waitForFunction(() => document.querySelectorAll('#curve circle').length >= 1);
  await says(page, '#points', 'load 0.5');
  assert.equal(await value(page, '#shell'), 'heddle traffic --platform=fat-tree-64 --duration=3us --load=0.1:0.5:0.2 --pattern=uniform --size=4KiB');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
  await page.screenshot({ path: join(output, 'serve-dark.png'), fullPage: true });
  assert.deepEqual(errors, []);
  await page.close();
});

test('programs and schedules run, and their pages open and compare', { skip }, async () => {
  const { page, errors } = await open();
  assert.deepEqual(await page.$$eval('#what option', (all) => all.map((o) => o.value)), ['ring', 'ring.goal']);
  for (const ranks of ['2', '4']) {
    await page.$eval('#ranks', (e, n) => { e.value = n; }, ranks);
    await page.click('#work button');
    await page.waitForFunction((n) => document.querySelectorAll('#runs input').length === n, { timeout: 60000 }, Number(ranks) / 2);
  }
  await page.select('#what', 'ring.goal');
  await page.click('#work button');
  await page.waitForFunction(() => document.querySelectorAll('#runs input').length === 3, { timeout: 60000 });
  for (const box of (await page.$$('#runs input')).slice(1)) await box.click();
  await page.click('#compare');
  const frame = await (await page.waitForSelector('#page[src]')).contentFrame();
  await frame.waitForSelector('#compare', { timeout: 60000 });
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'best-practice'], iframes: false }));
  assert.deepEqual(found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 120)}`)), []);
  await page.screenshot({ path: join(output, 'serve.png'), fullPage: true });
  assert.deepEqual(errors, []);
  await page.close();
});
