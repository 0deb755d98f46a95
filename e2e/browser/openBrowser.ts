import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './findChromium.mjs';

/**
 * Chromium takes the last list of features only, so the ones that Playwright switches off stand here again. The last two
 * are the pages behind Chromium's own address bar: every new visitor is a window with its own, which is loading
 * (1.4 s of processor time) just when the page does that the visitor came for.
 */
const withoutFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/** A browser without a window. As root it runs without its sandbox, which needs an ordinary user. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error('There is no Chromium to drive; npm test says what to install.');
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: asRoot ? [...quiet, '--no-sandbox'] : quiet });
}

export interface OpenPage {
  readonly page: Page;
  /** What went wrong behind the user's back: script errors, and requests to other hosts. */
  readonly complaints: string[];
}

/** A page of a fresh visitor, on a screen of usual size, that keeps account of what should never happen. */
export async function openPage(
  browser: Browser,
  url: string,
  theme: 'light' | 'dark' = 'light',
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // Refused requests are reported below, with their address.
    const isTold = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isTold) complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    const isLocal = target.origin === url || target.protocol === 'blob:' || target.protocol === 'data:';
    if (!isLocal) complaints.push(`outside request: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, complaints };
}
