import type { Browser, Page } from 'playwright-core';
import { openPage } from '../../e2e/browser/openBrowser.ts';
import { inRoot } from '../../scripts/setup/root.mjs';

/** The content that makes a page ready: the number of elements that this selector must find. */
export interface Sign {
  readonly selector: string;
  readonly count?: number;
}

export interface Visited {
  readonly page: Page;
  /** From the navigation to the paint that shows the sign. */
  readonly readyMs: number;
}

/** From the navigation to the paint that shows the sign. */
export async function openAddress(page: Page, address: string, sign: Sign): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return page.evaluate<number>(`whenPainted(${asArguments(sign)})`);
}

export const asArguments = ({ selector, count = 1 }: Sign): string =>
  `${JSON.stringify(selector)}, ${JSON.stringify(count)}`;

/** A page that is never ready, or a measurement that never ends, fails after this time and closes its page. */
const limitMs = 180_000;

/** Opens pages as a first-time visitor: nothing is in the browser's cache. */
export class Visitor {
  readonly #browser: Browser;
  readonly #url: string;
  outsideRequests = 0;

  constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  async visit<T>(address: string, sign: Sign, use: (visited: Visited) => Promise<T>): Promise<T> {
    const { page, complaints } = await openPage(this.#browser, this.#url);
    const measure = async () => {
      await page.addInitScript({ path: inRoot('bench', 'pages', 'stopwatch.mjs') });
      const readyMs = await openAddress(page, address, sign);
      return use({ page, readyMs });
    };
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${address}: no result in ${limitMs / 1000} s`)), limitMs);
    });
    try {
      const result = await Promise.race([measure(), limit]);
      this.#judge(address, complaints);
      return result;
    } finally {
      clearTimeout(timer);
      await page.context().close();
    }
  }

  /** Fails when the page reported errors, because its figure would be meaningless. */
  #judge(address: string, complaints: readonly string[]): void {
    const outside = complaints.filter((text) => text.startsWith('outside request'));
    this.outsideRequests += outside.length;
    const broken = complaints.find((text) => !outside.includes(text));
    if (broken !== undefined) throw new Error(`${address}: ${broken}`);
  }
}
