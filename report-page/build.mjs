// Bundles the page into one file: node build.mjs [OUTPUT]
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist/page.html');

const bundle = async (entry) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2021',
    legalComments: 'none',
    loader: { '.css': 'css' },
  });
  return result.outputFiles[0].text;
};

const script = (await bundle('src/main.ts')).replaceAll('</script', '<\\/script');
const style = await bundle('src/style.css');
const page = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replace('/* style */', () => style)
  .replace('/* script */', () => script);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1024).toFixed(0)} KiB`);
