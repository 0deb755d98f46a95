import { readFileSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { listFiles } from './sourceFiles.mjs';

/** Words that we stopped using, with the ones to write instead; see docs/style.md. @type {readonly [RegExp, string][]} */
const retired = [
  [/\bwhoever\b/i, 'the caller, the client, any server'],
  [/\bnobody\b/i, 'no user, no server'],
  [/\b(some|any)body\b/i, 'a user, another server'],
  [/\banew\b/i, 'again'],
  [/\b(goes|go|went|going) on\b(?! (a|an|the|to|with its)\b)/i, 'continues, resumes'],
  [/\bcarr(y|ies|ied|ying) (it |them |executions? |an execution )?on\b/i, 'resumes, continues'],
  [/\bof (its|their) own(?=\s*([.,;:)]|$|that\b|which\b))/i, 'own, separate, dedicated'],
  [/\b(is|are|was|were|being) told\b/i, 'is notified'],
  [/\bhears? of\b/i, 'is notified of'],
  [/\b(bury|buries|buried)\b/i, 'expire, mark dead'],
  [/\bby hand\b/i, 'manually'],
  [/\bfor ever\b/i, 'endlessly, forever'],
  [/\bas good as\b/i, 'the exact term'],
  [/\bsuch a one\b/i, 'the exact term'],
];

/** Quotations: the guide itself, requirements in the words of their author, and generated pages. */
const quotes = new Set([
  'docs/style.md',
  'docs/requirements.md',
  'docs/coverage.md',
  'scripts/check/words.mjs',
  'CHANGELOG.md',
]);
const folders = ['packages', 'plugins', 'e2e', 'bench', 'scripts', 'docs', 'content'];
const isProse = (/** @type {string} */ path) => /\.md$/.test(path);
const isCode = (/** @type {string} */ path) => /\.(ts|tsx|mjs)$/.test(path);

/** Comments and documentation use the words of docs/style.md. */
export function checkWords() {
  const files = [
    ...folders.flatMap((folder) => listFiles(folder)),
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
  ];
  const found = files
    .filter((path) => (isProse(path) || isCode(path)) && !quotes.has(path))
    .flatMap((path) =>
      findRetired(readFileSync(inRoot(path), 'utf8'), isCode(path)).map((words) => `${path}:${words}`),
    );
  return { ok: found.length === 0, words: found.join('\n') };
}

/**
 * The lines of a text that use a retired word. In code only comments count.
 * @param {string} text
 * @param {boolean} isCode
 */
export function findRetired(text, isCode) {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (!isCode && line.startsWith('```')) isFenced = !isFenced;
    const prose = isCode ? commentOf(line) : isFenced ? '' : line;
    const [word, instead] = retired.find(([pattern]) => pattern.test(prose)) ?? [];
    return word ? [`${index + 1} says "${word.exec(prose)?.[0]}"; write: ${instead}`] : [];
  });
}

/** @param {string} line */
const commentOf = (line) =>
  /^\s*(?:\/\*\*?|\*|\/\/)(.*)$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1] ?? '';
