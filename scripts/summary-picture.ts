// Draws docs/summary.png, or the given file: two job summaries, light and dark.
// It needs Chromium and fonts (scripts/install-programs.sh); CHROMIUM is the path of another one.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { chromium } from 'playwright-core';
import { runExamples } from './summary-examples.ts';

const require = createRequire(import.meta.url);
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const [picture = join(import.meta.dirname, '..', 'docs', 'summary.png')] = process.argv.slice(2);
/** In CSS pixels. */
const WIDTH = 1040;
/** Pixels of the picture per CSS pixel. */
const SCALE = 1.5;
// No network, and text without subpixel colours, which would double the size of the picture.
const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-lcd-text',
  '--font-render-hinting=none',
];
const STYLE = `
  body { margin: 0 }
  main[class] .markdown-body { padding: 24px 32px 12px; font-size: 14px }
`;

function renderSummary(summary: string, theme: 'light' | 'dark'): string {
  const html = micromark(summary, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  // The style of a theme is for the whole page; nested, it is for this part of it.
  const style = require.resolve(`github-markdown-css/github-markdown-${theme}.css`);
  return `<style>.${theme} { ${readFileSync(style, 'utf8')} }</style>
    <main class="${theme}"><article class="markdown-body">${html}</article></main>`;
}

async function makePage(): Promise<string> {
  const { accepted, refused } = await runExamples();
  const summaries = [renderSummary(accepted, 'light'), renderSummary(refused, 'dark')];
  return `<!doctype html><meta charset="utf-8">${summaries.join('')}<style>${STYLE}</style>`;
}

async function draw(): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: OPTIONS });
  try {
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: 100 },
      deviceScaleFactor: SCALE,
      javaScriptEnabled: false,
      offline: true,
    });
    await page.setContent(await makePage());
    writeFileSync(picture, await page.screenshot({ fullPage: true }));
  } finally {
    await browser.close();
  }
}

await draw();
console.log(`Drawn: ${picture}`);
