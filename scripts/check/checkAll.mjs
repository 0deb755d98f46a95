import { installWhenNeeded } from '../setup/install.mjs';
import { checkCoverage } from './coverage.mjs';
import { checkFileLengths } from './fileLength.mjs';
import { lint } from './lint.mjs';
import { checkTypes, listProjects } from './types.mjs';
import { checkWords } from './words.mjs';

/**
 * One check; it returns what is wrong, or a summary of what it found.
 * @typedef {{ ok: boolean, words: string }} Verdict
 * @typedef {{ title: string, check: () => Promise<Verdict> | Verdict }} Step
 */

/** Implements `npm run check`. */
export async function checkAndExit() {
  await installWhenNeeded();
  const { failures } = await checkAll();
  process.exit(failures.length === 0 ? 0 : 1);
}

/**
 * Types, lint, file lengths, words and requirement coverage.
 * @param {{ atOnce?: number, print?: (text: string) => void }} [options]
 */
export async function checkAll({ atOnce = 2, print = console.log } = {}) {
  /** @type {Step[]} */
  const steps = [
    { title: 'lint and format', check: lint },
    ...listProjects().map((project) => ({ title: `types of ${project}`, check: () => checkTypes(project) })),
    { title: 'file lengths', check: checkFileLengths },
    { title: 'words', check: checkWords },
    { title: 'requirement coverage', check: checkCoverage },
  ];
  const waiting = [...steps];
  /** @type {string[]} */
  const failures = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const startedAt = Date.now();
      const { ok, words } = await step.check();
      if (!ok) failures.push(step.title);
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      print(`${ok ? '✓' : '✗'} ${step.title} (${seconds} s)${words ? `\n${indent(words)}` : ''}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { passed: steps.length - failures.length, failures };
}

/** @param {string} text */
const indent = (text) => text.trimEnd().replace(/^/gm, '  ');
