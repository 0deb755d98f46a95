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
  [/\bfor good\b/i, 'permanently'],
  [/\b(server|worker|executor|owner|process|broker)s? (die|dies|died|is dying)\b/i, 'crashes, expires'],
  [/\b(living|silent) (servers?|workers?)\b/i, 'active, expired'],
  [/\bfires next\b/i, 'next run'],
  [/\b(hold|holds|takes|free|a) places? of the limit\b/i, 'concurrency slot'],
  [/\bno strike\b/i, 'no lost attempt'],
  [/\blets? go of\b/i, 'releases, evicts'],
  [/\b(time|duration|window|execution|attempts?) (is|are) over\b/i, 'ended, expired'],
  [/\bWhat becomes of\b/, 'what happens to, how to return'],
  [/\bas good as\b/i, 'the exact term'],
  [/\bsuch a one\b/i, 'the exact term'],
];

/** Quotations: the guide itself, requirements in the words of their author, and generated pages. */
const quotes = new Set([
  'docs/style.md',
  'docs/requirements.md',
  'docs/coverage.md',
  'scripts/check/words.mjs',
  'scripts/check/words.test.ts',
  'CHANGELOG.md',
]);
const folders = ['packages', 'plugins', 'e2e', 'bench', 'scripts', 'docs', 'content'];
const isProse = (/** @type {string} */ path) => /\.md$/.test(path);
/** The English texts of the web app count as code: each is quoted. */
const isCode = (/** @type {string} */ path) => /\.(ts|tsx|mjs)$|\/i18n\/en\.json$/.test(path);

/** Comments, messages, test names and documentation use the words of docs/style.md. */
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
 * The lines of a text that use a retired word. In code only comments and quoted sentences count.
 * @param {string} text
 * @param {boolean} isCode
 */
export function findRetired(text, isCode) {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (!isCode && line.startsWith('```')) isFenced = !isFenced;
    const prose = isCode ? proseOf(line) : isFenced ? '' : line;
    const [word, instead] = retired.find(([pattern]) => pattern.test(prose)) ?? [];
    return word ? [`${index + 1} says "${word.exec(prose)?.[0]}"; write: ${instead}`] : [];
  });
}

/** @param {string} line */
const proseOf = (line) =>
  /^\s*(?:\/\*\*?|\*|\/\/)(.*)$/.exec(line)?.[1] ??
  [...quoted(line), /\s\/\/ (.*)$/.exec(line)?.[1]].join('\n');

/** The quoted texts with several words: single words are names and values. @param {string} line */
const quoted = (line) =>
  [...line.matchAll(/(['"`])((?:(?!\1)[^\\]|\\.)* (?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text]) => text);
