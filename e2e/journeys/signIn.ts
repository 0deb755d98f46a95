import type { Browser } from 'playwright-core';
import { openPage } from '../browser/openBrowser.ts';
import { Hands } from './hands.ts';

/** A new visitor who signs in by keys and sees the flows. */
export async function signInAt(browser: Browser, url: string, user: { name: string; password: string }) {
  const opened = await openPage(browser, url);
  await opened.page.goto('/flows');
  const keys = new Hands(opened.page);
  await keys.write(opened.page.getByLabel('Email'), user.name);
  await keys.write(opened.page.getByLabel('Password').first(), user.password);
  await keys.press('Enter');
  await opened.page.getByRole('heading', { name: 'Flows' }).waitFor();
  return { ...opened, context: opened.page.context() };
}
