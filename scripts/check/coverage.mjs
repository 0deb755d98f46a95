import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { listFiles } from './sourceFiles.mjs';
import { findRequirements } from './testNames.mjs';

/** @typedef {Map<string, string>} Requirements id → what is required, in the order of the document */
/** @typedef {{ id: string, name: string, file: string }} Mention */

const page = 'docs/coverage.md';
const isTest = (/** @type {string} */ path) => /\.test\.tsx?$|\/suite\/.*\.ts$/.test(path);

/**
 * Writes the page that lists the tests of each requirement. In `CI`, an outdated page is a failure instead.
 */
export function checkCoverage() {
  const requirements = parseRequirements(readFileSync(inRoot('docs/requirements.md'), 'utf8'));
  const mentions = collectMentions();
  const unknown = mentions.filter(({ id }) => !requirements.has(id));
  if (unknown.length > 0) {
    return {
      ok: false,
      words: unknown
        .map(({ id, file }) => `${file} names ${id}, which docs/requirements.md does not have.`)
        .join('\n'),
    };
  }
  const text = describeCoverage(requirements, mentions);
  const current = existsSync(inRoot(page)) ? readFileSync(inRoot(page), 'utf8') : '';
  const summary = summarize(requirements, mentions);
  if (text === current) return { ok: true, words: summary };
  if (process.env.CI) {
    return { ok: false, words: `${page} is not up to date: run "npm run check" and commit it.` };
  }
  writeFileSync(inRoot(page), text);
  return { ok: true, words: `${summary}\nWrote ${page}.` };
}

/** @param {string} text @returns {Requirements} */
export function parseRequirements(text) {
  return new Map(
    [...text.matchAll(/^\| ((?:S[12]|[AO])-\S+) \| (.+) \|$/gm)].map(([, id, title]) => [
      String(id),
      String(title),
    ]),
  );
}

/** @returns {Mention[]} */
function collectMentions() {
  return ['packages', 'plugins', 'e2e', 'scripts']
    .flatMap((folder) => listFiles(folder))
    .filter((file) => isTest(file) && !file.startsWith('scripts/check/'))
    .flatMap((file) =>
      findRequirements(readFileSync(inRoot(file), 'utf8')).map((mention) => ({ ...mention, file })),
    );
}

/** The level at which a test proves a behavior, from the closest to the user to the farthest. */
const levels = /** @type {const} */ (['browser', 'HTTP', 'component', 'unit']);

/** @param {string} file @returns {(typeof levels)[number]} */
function levelOf(file) {
  if (file.startsWith('e2e/')) return 'browser';
  if (file.startsWith('packages/server/')) return 'HTTP';
  if (/^packages\/web\/.*\.test\.tsx$/.test(file)) return 'component';
  return 'unit';
}

/** @param {Mention[]} mentions */
const levelsOf = (mentions) => levels.filter((level) => mentions.some(({ file }) => levelOf(file) === level));

/** @param {Requirements} requirements @param {Mention[]} mentions */
export function describeCoverage(requirements, mentions) {
  const rows = [...requirements].map(([id, title]) => {
    const found = mentions.filter((mention) => mention.id === id);
    const tests = [...new Set(found.map(describeMention))].sort();
    return `| ${id} | ${title} | ${levelsOf(found).join(', ')} | ${tests.join('<br>')} |`;
  });
  return `# Coverage

Which tests show which requirement of [requirements.md](requirements.md). \`npm run check\` writes this page from the names of the tests.

The level says what a test drives: *browser* the whole product in Chromium, *HTTP* the API of a server, *component* a page of the web app with a faked server, *unit* one function or class.

${summarize(requirements, mentions)}

| Id | Requirement | Level | Tests |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** @param {Mention} mention */
const describeMention = ({ id, name, file }) =>
  name === id ? file : `${file}: ${name.replaceAll('|', '\\|').replaceAll('<', '&lt;')}`;

/** @param {Requirements} requirements @param {Mention[]} mentions */
function summarize(requirements, mentions) {
  const shown = new Set(mentions.map(({ id }) => id));
  const counts = levels.map((level) => {
    const ids = new Set(mentions.filter(({ file }) => levelOf(file) === level).map(({ id }) => id));
    return `${ids.size} ${level}`;
  });
  return `${shown.size} of ${requirements.size} requirements have a test (${counts.join(', ')}).`;
}
