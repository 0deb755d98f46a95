import { readdirSync, readFileSync } from 'node:fs';
import { findChromium, headlessShell } from '../../e2e/browser/findChromium.mjs';
import { fail } from './fail.mjs';
import { hasPostgres } from './postgres.mjs';
import { findProgram } from './program.mjs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';

/** Installs missing programs where possible: the tests use a real browser and real servers. */
export async function provideTestPrograms() {
  const missing = await listMissing();
  if (missing.length === 0) return;
  if (canInstall()) await installPackages(missing.map(({ debian }) => debian));
  const still = await listMissing();
  if (still.length > 0) fail(still.map(({ advice }) => advice).join('\n'));
}

async function listMissing() {
  const wanted = [
    {
      isThere: hasPostgres(),
      debian: 'postgresql',
      advice:
        'The tests need PostgreSQL 14 or newer: put initdb on the PATH, or set MILLRACE_TEST_POSTGRES_URL to an empty server.',
    },
    {
      isThere: Boolean(await findChromium()),
      debian: headlessShell,
      advice:
        'The tests need Chromium: install it, run "npx playwright-core install chromium", or set TEST_CHROMIUM to its program.',
    },
    ...familyPrograms(),
  ];
  return wanted.filter(({ isThere }) => !isThere);
}

/** The `testPrograms` of each plugin family's package.json: program → Debian package. */
function familyPrograms() {
  return readdirSync(inRoot('plugins')).flatMap((family) => {
    const manifest = JSON.parse(readFileSync(inRoot('plugins', family, 'package.json'), 'utf8'));
    /** @type {Record<string, string>} */
    const programs = manifest.testPrograms ?? {};
    return Object.entries(programs).map(([program, debian]) => ({
      isThere: findProgram([program]) !== undefined,
      debian,
      advice: `The tests of plugins/${family} need "${program}" on the PATH (Debian: apt-get install ${debian}).`,
    }));
  });
}

const canInstall = () => process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined;

/** @param {string[]} packages */
async function installPackages(packages) {
  console.log(`Installing ${[...new Set(packages)].join(', ')} for the tests …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', ...new Set(packages)]]) {
    const { code, output } = await run('apt-get', args, { env, quiet: true });
    if (code !== 0) fail(`${output}\n"apt-get ${args.join(' ')}" failed; the lines above say why.`, code);
  }
}
