import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { htmlToMarkdown, markdownToHtml, markdownToText } from './markdownTypes.ts';

async function convert(definition: typeof markdownToHtml, content: string, properties = {}) {
  const context = aTaskContext();
  const from = await context.files.put('in', content);
  const { uri } = await runType(definition, { from, ...properties }, context);
  const text = await context.files.text(String(uri));
  expect(context.metrics).toEqual([{ name: 'bytes', type: 'counter', value: Buffer.byteLength(text) }]);
  return text;
}

const markdown =
  '# Title\n\nSome *text* with [a link](https://example.com).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>\n';

test('Markdown becomes HTML that is safe to show', async () => {
  const html = await convert(markdownToHtml, markdown);
  expect(html).toContain('<h1>Title</h1>');
  expect(html).toContain('<td>1</td>');
  expect(html).not.toContain('<script>');
});

test('Markdown becomes plain text', async () => {
  expect(await convert(markdownToText, markdown)).toBe(
    'Title\n\nSome text with a link.\n\n- one\n- two\n\na\tb\n1\t2\n',
  );
});

test('HTML becomes Markdown, with complete links and without ignored elements', async () => {
  const html =
    '<head><title>x</title></head><nav>menu</nav><h2>Hi</h2><p>See <a href="/a">this</a> <img src="i.png" alt="i"></p><script>x()</script>';
  expect(
    await convert(htmlToMarkdown, html, { ignoreTags: ['nav'], baseUri: 'https://example.com/p/' }),
  ).toBe('## Hi\n\nSee [this](https://example.com/a) ![i](https://example.com/p/i.png)\n');
});
