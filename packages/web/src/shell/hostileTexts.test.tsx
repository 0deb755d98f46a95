import { executions, flows } from '@millrace/contract';
import { render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { call } from '../api/call.ts';
import { aFlow, anExecution } from '../testing/factories.ts';
import { failure, fakeServer, reply } from '../testing/fakeServer.ts';
import { renderAt } from '../testing/renderAt.tsx';
import { Markdown } from '../ui/markdown/Markdown.tsx';

/** Harmful texts that a user could enter in any text field. */
const hostile = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"></svg>',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<a href="javascript:window.hacked = 1">x</a>',
  '[x](javascript:window.hacked=1) [y](data:text/html,<script>1</script>) [z](vbscript:x) [w](JaVaScRiPt:1)',
  '![p](javascript:1)',
  '</title><script>window.hacked = 1</script>',
].join(' ');

const harmful =
  'body script, iframe, object, embed, [onerror], [onload], a[href^="javascript" i], a[href^="data" i], a[href^="vbscript" i], img[src^="javascript" i]';

function expectHarmless(): void {
  expect([...document.querySelectorAll(harmful)].map(({ outerHTML }) => outerHTML)).toEqual([]);
  expect((window as { hacked?: unknown }).hacked).toBeUndefined();
}

describe('texts of strangers', () => {
  it('[A26] names, descriptions and labels in lists are texts', async () => {
    const labels = [{ key: 'team', value: hostile }];
    fakeServer(
      reply(flows.searchFlows, () => ({ results: [aFlow({ description: hostile, labels })], total: 1 })),
      reply(flows.listNamespaces, () => [hostile]),
      reply(executions.searchExecutions, () => ({
        results: [anExecution({ labels, inputs: { evil: hostile } })],
        total: 1,
      })),
    );
    const { router } = renderAt('/flows');
    await screen.findByRole('link', { name: 'nightly' });
    expectHarmless();
    await router.navigate({ to: '/{-$tenant}/executions', search: {} });
    await waitFor(() => expect(document.body.textContent).toContain('window.hacked'));
    expectHarmless();
  });

  it('[A26] messages of errors, which are Markdown, run nothing', async () => {
    fakeServer(
      reply(flows.searchFlows, () => ({ results: [], total: 0 })),
      reply(flows.listNamespaces, () => []),
      reply(flows.getFlow, () =>
        failure(422, {
          message: `Illegal argument: ${hostile}`,
          _embedded: { errors: [{ path: hostile, message: hostile }] },
        }),
      ),
    );
    renderAt('/flows');
    await screen.findByText('No flows yet');
    await call(flows.getFlow, { params: { namespace: 'a', id: 'b' } }).catch(() => {});
    await screen.findByText('Illegal argument');
    await waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toContain('x'));
    expectHarmless();
  });

  it('[A26] [A27] Markdown keeps the words and drops what could run or lead elsewhere', async () => {
    render(<Markdown text={`# Title\n\n${hostile}\n\n[good](https://example.org/page) [own](/flows)`} />);
    await screen.findByRole('link', { name: 'good' });
    expectHarmless();
    expect(screen.getByRole('link', { name: 'own' }).getAttribute('href')).toBe('/flows');
  });
});
