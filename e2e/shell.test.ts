import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('a new installation', () => {
  let product: Product;
  beforeAll(async () => {
    product = await launchProduct({ env: { MILLRACE_TUTORIAL_ENABLED: 'true' } });
  });
  afterAll(() => product.stop());

  it('S1-1.10 S1-2.1.49 S1-2.2.9 S1-2.2.10 S1-2.2.11 S1-2.2.12 S1-2.2.13 S1-4.3 S1-4.7 leads through the tour over a real flow', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    await page.goto('/welcome');
    await page.getByRole('button', { name: 'Product tour' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('radio', { name: 'hello_world' }).check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**/flows/edit/tutorial/hello_world/edit');
    await page.locator('[data-target="#editor"]').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('[data-target="#topology"]').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('[data-target="#execute-button"]').waitFor();
    await page.locator('#execute-button').click();
    await page.locator('[data-target="#execute-submit"]').waitFor();
    await page.locator('#execute-submit').click();
    await page.waitForURL('**/executions/tutorial/hello_world/*/gantt');
    await page.locator('[data-target="#gantt"]').waitFor();
    const content = page.locator('main header + div').first();
    expect(await content.evaluate((element) => getComputedStyle(element).overflowY)).toBe('hidden');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.waitForURL('**/flows/new');
    expect(await page.evaluate(() => localStorage.getItem('tourDoneOrSkip'))).toBe('true');
    expect(complaints).toEqual([]);
  });

  it('S1-2.4.2 S1-2.4.15 S1-2.4.7 S1-2.4.24 shows the documentation beside the page', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    await page.goto('/flows');
    await page.getByRole('button', { name: 'Docs' }).click();
    const panel = page.getByRole('region', { name: 'Docs' });
    await panel.getByRole('heading', { level: 2 }).first().waitFor();
    const before = await panel.boundingBox();
    const handle = await panel.getByRole('separator').boundingBox();
    if (!before || !handle) throw new Error('The panel must be on the page.');
    await page.mouse.move(handle.x + 4, 300);
    await page.mouse.down();
    await page.mouse.move(handle.x + 104, 300, { steps: 5 });
    await page.mouse.up();
    // The hand may rest a pixel beside the edge that it pulls.
    await expect.poll(async () => (await panel.boundingBox())?.width).toBeCloseTo(before.width - 100, -1);
    await panel.getByRole('button', { name: 'Contents' }).click();
    await panel.getByRole('link', { name: 'Tutorial' }).click();
    await panel.getByRole('heading', { level: 2, name: 'Tutorial' }).waitFor();
    expect(page.url()).toContain('/flows');
    await page.goto('/docs/get-started/concepts');
    await page.getByRole('img', { name: 'Diagram' }).locator('svg').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('S1-2.3.1 S1-2.3.2 S1-1.20 the sidebar has its widths; settings take effect at once', async () => {
    const { page } = await openPage(browser, product.url);
    await page.goto('/settings');
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await menu.waitFor();
    expect((await menu.boundingBox())?.width).toBe(268);
    await page.getByRole('textbox', { name: 'Environment name' }).fill('journey');
    await page.getByRole('button', { name: 'Save' }).click();
    await menu.getByText('journey').waitFor();
    expect(await page.title()).toBe('Settings | Millrace - journey');
    await page.getByRole('button', { name: 'Collapse the menu' }).click();
    await expect.poll(async () => (await menu.boundingBox())?.width).toBe(65);
  });
});

describe('an installation with credentials, below a path of its host', () => {
  const base = '/orchestrator';
  let product: Product;
  beforeAll(async () => {
    product = await launchProduct({
      env: {
        MILLRACE_AUTH_USERNAME: 'ada@example.com',
        MILLRACE_AUTH_PASSWORD: 'Secret-1',
        MILLRACE_SERVER_BASE_PATH: base,
      },
    });
  });
  afterAll(() => product.stop());

  it('S1-4.17 S1-4.18 S1-5.28 asks who one is, keeps the way back, renews the session and lets one go', async () => {
    const { page } = await openPage(browser, product.url);
    const strays: string[] = [];
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.startsWith(base)) strays.push(request.url());
    });
    await page.goto(`${base}/flows?q=night`);
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: false }).first().fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect username or password').waitFor();
    await page.getByLabel('Password', { exact: false }).first().fill('Secret-1');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${base}/flows?q=night*`);

    // Without its short-lived cookie the session is renewed with the other one, unnoticed by the user: neither in the
    // middle of what a page asks for, nor in two tabs at once.
    const other = await page.context().newPage();
    for (const wait of ['commit', 'domcontentloaded', 'load'] as const) {
      await dropSession(page.context());
      await Promise.all([
        page.reload({ waitUntil: wait }),
        other.goto(`${base}/executions`, { waitUntil: wait }),
      ]);
      await dropSession(page.context());
      // Once more before the page is there; the browser cannot be told to reload a page that is only coming.
      await page.goto(page.url(), { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
      await other.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
      expect([page.url(), other.url()].filter((url) => url.includes('/login'))).toEqual([]);
    }
    await other.close();

    await page.getByRole('button', { name: /Sign out/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor();
    await page.goto(`${base}/flows`);
    await page.getByRole('heading', { name: 'Sign in to Millrace' }).waitFor();
    expect(strays.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
  });
});

describe('an installation that starts quietly', () => {
  let product: Product;
  beforeAll(async () => {
    product = await launchProduct({ env: { MILLRACE_SERVER_QUIET_START: 'true' } });
  });
  afterAll(() => product.stop());

  it('shows its note below the page, not over the last row', async () => {
    const { page } = await openPage(browser, product.url);
    for (const size of [
      { width: 1280, height: 720 },
      { width: 720, height: 720 },
    ]) {
      await page.setViewportSize(size);
      await page.goto('/flows');
      const note = await page
        .getByText(/^Quiet start:/)
        .locator('..')
        .boundingBox();
      const main = await page.getByRole('main').boundingBox();
      if (!note || !main) throw new Error('The note and the page must be visible.');
      expect(main.y + main.height).toBeLessThanOrEqual(note.y);
      expect(note.y + note.height).toBeLessThanOrEqual(size.height);
    }
  });
});

async function dropSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies();
  const session = cookies.find(({ name }) => name.endsWith('millrace-session'));
  if (session) await context.clearCookies({ name: session.name });
}
