import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The relative links of a Markdown file whose file or anchor does not exist, in order. */
export function findBrokenLinks(path: string): readonly string[] {
  const links = listLinks(readFileSync(path, 'utf8'));
  return links.filter((link) => !resolves(path, link));
}

/** The targets of all relative links and pictures of a Markdown text. */
export function listLinks(markdown: string): readonly string[] {
  const text = dropCode(markdown).replaceAll(/`[^`\n]+`/g, 'code');
  const inline = [...text.matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]: *(\S+)/gm)];
  const targets = [...inline, ...references].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

/** The anchors that GitHub gives to the headings of a Markdown text. */
export function listAnchors(markdown: string): readonly string[] {
  const counts = new Map<string, number>();
  return [...dropCode(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
    const slug = makeSlug(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function resolves(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), decodeURIComponent(path));
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  return target.endsWith('.md') && listAnchors(readFileSync(target, 'utf8')).includes(anchor);
}

function dropCode(markdown: string): string {
  return markdown.replaceAll(/^ *(```+|~~~+)[^\n]*\n[^]*?^ *\1 *$/gm, '');
}

/** Lower-case letters, digits, `-` and `_`, with spaces as `-`; of a link, only its text. */
function makeSlug(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/gu, '-');
}
