import { findProgram, isExecutable } from '../../scripts/setup/program.mjs';

/** The same engine without the windows around a page, which take a third of the processor time of a journey. */
export const headlessShell = 'chromium-headless-shell';
const names = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium to drive: the one named by TEST_CHROMIUM, an installed one, or Playwright's own. */
export async function findChromium() {
  const named = process.env.TEST_CHROMIUM;
  if (named) return named;
  return findProgram(names) ?? applications.find(isExecutable) ?? (await findPlaywrightChromium());
}

async function findPlaywrightChromium() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path && isExecutable(path) ? path : undefined;
}
