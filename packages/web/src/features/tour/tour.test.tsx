import { executions, flows, product, provider } from '@millrace/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../testing/factories.ts';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { byLesson, taskTypesOf } from './FullscreenStep.tsx';
import { placeCard, scrollTo } from './HighlightStep.tsx';
import { stepDelayMs, steps } from './steps.ts';
import { chooseFlow, nextStep, startTour, stopTour, tourIndex } from './tourState.ts';

const hello = aFlow({
  id: 'hello',
  namespace: 'tutorial',
  description: 'Says **hello**',
  tasks: [
    {
      id: 'both',
      type: 'core.flow.Sequential',
      tasks: [{ id: 'say', type: 'core.log.Log' }],
    },
  ],
});
const loop = aFlow({ id: 'loop', namespace: 'tutorial', description: 'Goes round' });

function tourServer(tutorial = [hello, loop]) {
  return fakeServer(
    reply(product.getConfiguration, () => aConfiguration({ isAnonymousUsageEnabled: true })),
    reply(provider.reportEvent, () => undefined),
    reply(flows.listFlowsOfNamespace, () => tutorial),
    reply(flows.searchFlows, () => ({ results: [], total: 0 })),
    reply(flows.listNamespaces, () => ['tutorial']),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
  );
}

const eventsOf = (server: ReturnType<typeof fakeServer>) =>
  server
    .to(provider.reportEvent)
    .map(({ body }) => JSON.parse(String(body)) as { type: string; onboarding?: object; page: object })
    .filter(({ type }) => type === 'ONBOARDING');

async function startAtWelcome(tutorial?: ReturnType<typeof aFlow>[]) {
  const server = tourServer(tutorial);
  const view = renderAt('/welcome');
  await view.user.click(await screen.findByRole('button', { name: /^Product tour/ }));
  await screen.findByRole('dialog', { name: 'Welcome to Millrace' });
  const press = (name: string) => view.user.click(screen.getByRole('button', { name }));
  return { ...view, server, press };
}

/** A separate page for the steps that highlight: their targets, and the tour over it. */
async function pointAt(index: number) {
  const server = tourServer();
  const view = renderAt('/admin/iam');
  await screen.findByText('Users, groups and roles');
  const target = document.createElement('div');
  target.id = steps[index]?.target.slice(1) ?? '';
  document.body.append(target);
  targets.push(target);
  act(() => {
    startTour();
    chooseFlow('hello');
    for (let at = 0; at < index; at += 1) nextStep();
  });
  const note = await screen.findByRole('dialog');
  return { ...view, server, target, note: within(note) };
}

const targets: Element[] = [];
beforeEach(() => expect(tourIndex()).toBe(-1));
afterEach(() => {
  act(stopTour);
  for (const target of targets.splice(0)) target.remove();
});

describe('welcome page', () => {
  it('S1-2.1.4 S2-2.21 offers the first flow, the tour, the tutorial and help', async () => {
    tourServer();
    renderAt('/welcome');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /tour/i })).toBeTruthy();
    expect(screen.getByRole('link', { name: /^Tutorial/ }).getAttribute('href')).toBe(
      '/docs/get-started/tutorial',
    );
    expect(screen.getByRole('link', { name: /Ask people/ }).getAttribute('target')).toBe('_blank');
  });

  it('A-10.1 the first flow starts the tour unless it was done', async () => {
    localStorage.setItem('tourDoneOrSkip', 'true');
    tourServer();
    const { user, href } = renderAt('/welcome');
    await user.click(await screen.findByRole('button', { name: 'Create my first flow' }));
    await waitFor(() => expect(href()).toBe('/flows/new'));
    expect(tourIndex()).toBe(-1);
  });
});

// A machine that may be busy.
describe('tour', () => {
  it('S1-2.2.1 S1-2.2.15 S1-2.2.16 S1-2.2.18 starts with a welcome over everything', async () => {
    await startAtWelcome();
    const names = within(screen.getByRole('dialog'))
      .getAllByRole('button')
      .map((button) => button.textContent);
    expect(names).toEqual(['Skip tour', 'Next']);
  });

  it('A-10.2 offers the first lesson first, and flows without a lesson last', () => {
    const flow = (id: string, lesson?: string) =>
      aFlow({ id, labels: lesson === undefined ? [] : [{ key: 'lesson', value: lesson }] });
    const given = [flow('own'), flow('ten', '10'), flow('two', '2'), flow('hello_world', '1')];
    expect(byLesson(given).map(({ id }) => id)).toEqual(['hello_world', 'two', 'ten', 'own']);
  });

  it('S1-2.2.2 S1-2.2.3 S1-3.1 S1-7.5 lets one flow be chosen from cards', async () => {
    const { press, user, server } = await startAtWelcome();
    await press('Next');
    const card = await screen.findByRole('radio', { name: 'hello' });
    const label = card.closest('label');
    expect((await screen.findByText('hello', { selector: 'strong' })).closest('label')).toBe(label);
    const types = [...(label?.querySelectorAll('[data-type]') ?? [])].map((icon) =>
      icon.getAttribute('data-type'),
    );
    expect(types).toEqual(['core.flow.Sequential', 'core.log.Log']);
    // One is chosen from the start, so that Enter on Next is enough.
    expect(await screen.findByRole('radio', { checked: true })).toBe(card);
    await user.click(screen.getByRole('radio', { name: 'loop' }));
    expect(screen.getAllByRole('radio', { checked: true })).toHaveLength(1);
    expect(server.to(flows.listFlowsOfNamespace)[0]?.path).toBe('/api/v1/flows/tutorial');
  });

  it('S1-2.2.7 S1-2.2.8 S1-5.2 says so when there are no flows, and does not advance', async () => {
    const { press } = await startAtWelcome([]);
    await press('Next');
    await screen.findByText('There are no tutorial flows on this server.');
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
  });

  it('S1-2.1.49 S1-4.1 S1-4.5 S1-4.6 S1-3.12 S1-7.8 leaving the choice opens that flow in the editor', async () => {
    const { press, user, server, href } = await startAtWelcome();
    await press('Next');
    await user.click(await screen.findByRole('radio', { name: 'loop' }));
    await press('Next');
    await waitFor(() => expect(href()).toBe('/flows/edit/tutorial/loop/edit'));
    expect(tourIndex()).toBe(2);
    expect(eventsOf(server).map(({ onboarding }) => onboarding)).toEqual([
      { step: 0, action: 'next' },
      { step: 1, action: 'next', template: 'loop' },
    ]);
    expect(eventsOf(server)[0]?.page).toMatchObject({ path: expect.any(String) });
  });

  it('S1-2.1.50 S1-4.2 S1-4.8 S1-3.14 skipping marks it as done, ends it and opens a new flow', async () => {
    const { press, server, href } = await startAtWelcome();
    await press('Skip tour');
    await waitFor(() => expect(href()).toBe('/flows/new'));
    expect(localStorage.getItem('tourDoneOrSkip')).toBe('true');
    expect(tourIndex()).toBe(-1);
    expect(eventsOf(server)[0]?.onboarding).toMatchObject({ step: 0, action: 'skip' });
  });

  it.each([
    ['S1-2.2.9', 2, '#editor'],
    ['S1-2.2.10', 3, '#topology'],
    ['S1-2.2.11', 4, '#execute-button'],
    ['S1-2.2.12', 5, '#execute-submit'],
    ['S1-2.2.13', 6, '#gantt'],
  ])('%s S1-4.7 S1-2.2.20 step %d points at %s and the page does not scroll', async (_, index, target) => {
    await pointAt(index);
    expect(document.querySelector(`[data-target="${target}"]`)).toBeTruthy();
    expect(document.documentElement.dataset.scroll).toBe('locked');
  });

  it.each([
    [2, ['Skip tour', 'Previous', 'Next']],
    [4, ['Skip tour', 'Previous']],
    [5, ['Skip tour', 'Previous']],
    [6, ['Explore more flows', 'Finish']],
  ])('S1-2.2.14 S1-2.2.15 S1-2.2.16 S1-2.2.17 step %d has the buttons %j', async (index, names) => {
    const { note } = await pointAt(index);
    expect(note.getAllByRole('button').map((button) => button.textContent)).toEqual(names);
  });

  it('a click on the execute button advances, also before the tour asks for it', async () => {
    const { user } = await pointAt(2);
    const button = document.createElement('button');
    button.id = 'execute-button';
    document.body.append(button);
    targets.push(button);
    await user.click(button);
    expect(tourIndex()).toBe(5);
  });

  it('S1-4.3 S1-2.1.50 finishing marks it as done, reports the execution and opens a new flow', async () => {
    const { note, user, server, href } = await pointAt(6);
    await user.click(note.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(href()).toBe('/flows/new'));
    expect(localStorage.getItem('tourDoneOrSkip')).toBe('true');
    const actions = eventsOf(server).map(({ onboarding }) => onboarding);
    expect(actions.slice(-2)).toEqual([
      { step: 6, action: 'finish', template: 'hello' },
      { step: 6, action: 'executed', template: 'hello' },
    ]);
  });

  it('S1-4.4 S1-2.1.51 S1-2.2.14 exploring opens the flows of the tutorial', async () => {
    const { note, user, href, server } = await pointAt(6);
    await user.click(note.getByRole('button', { name: 'Explore more flows' }));
    await waitFor(() => expect(href()).toContain('/flows?'));
    expect(decodeURIComponent(href())).toContain('tutorial');
    expect(localStorage.getItem('tourDoneOrSkip')).toBe('true');
    const actions = eventsOf(server).map(({ onboarding }) => onboarding);
    expect(actions.slice(-2)).toMatchObject([{ action: 'explore' }, { action: 'executed' }]);
  });

  it('S1-2.2.19 arrow keys move forward and back, Escape ends the tour', async () => {
    const { user } = await pointAt(2);
    await user.keyboard('{ArrowRight}');
    expect(tourIndex()).toBe(3);
    await user.keyboard('{ArrowLeft}');
    expect(tourIndex()).toBe(2);
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    expect(tourIndex()).toBe(-1);
  });

  it('S1-2.2.19 in a field the arrows move the caret, and Escape still leaves', async () => {
    const { user, target } = await pointAt(5);
    const field = document.createElement('input');
    target.append(field);
    field.focus();
    await user.keyboard('{ArrowLeft}{ArrowRight}');
    expect(tourIndex()).toBe(5);
    await user.keyboard('{Escape}');
    expect(tourIndex()).toBe(-1);
  });

  it('S1-1.10 S1-4.8 has the steps 0 to 6', () => {
    act(startTour);
    const seen = [tourIndex()];
    for (let at = 0; at < 8; at += 1) {
      act(nextStep);
      seen.push(tourIndex());
    }
    expect([...new Set(seen)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('the card stands beside what it explains, on a narrow screen below or above', () => {
    const phone = { width: 390, height: 844 };
    const editor = { left: 8, top: 147, width: 374, height: 358 };
    expect(placeCard(editor, 'right', phone).top).toBeGreaterThan(505);
    expect(placeCard({ ...editor, top: 507, height: 295 }, 'left', phone).top + 200).toBeLessThan(507);
    expect(placeCard({ ...editor, width: 600 }, 'right', { width: 1440, height: 900 })).toEqual({
      left: 622,
      top: 187,
    });
  });

  it('S1-4.9 waits 200 ms before it points', () => {
    expect(stepDelayMs).toBe(200);
  });

  it('S1-2.2.21 scrolls for a second to what is out of sight', () => {
    expect(steps[2]?.durationMs).toBe(1_000);
    const scroller = document.createElement('div');
    const target = document.createElement('div');
    scroller.style.overflowY = 'auto';
    scroller.append(target);
    document.body.append(scroller);
    targets.push(scroller);
    vi.spyOn(scroller, 'scrollHeight', 'get').mockReturnValue(5_000);
    vi.spyOn(scroller, 'clientHeight', 'get').mockReturnValue(500);
    scroller.getBoundingClientRect = () => new DOMRect(0, 0, 500, 500);
    target.getBoundingClientRect = () => new DOMRect(0, 2_000, 500, 500);
    let frame: FrameRequestCallback = () => {};
    vi.stubGlobal('requestAnimationFrame', (next: FrameRequestCallback) => {
      frame = next;
      return 1;
    });
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    scrollTo(target, 1_000);
    frame(500);
    expect(scroller.scrollTop).toBeGreaterThan(0);
    expect(scroller.scrollTop).toBeLessThan(2_000);
    frame(1_000);
    expect(scroller.scrollTop).toBe(2_000);
    now.mockRestore();
  });
});

describe('icons of a card', () => {
  it('S1-2.2.4 S1-2.2.5 S1-2.2.6 are the distinct types of all tasks, Docker once and its runner not', () => {
    const flow = {
      tasks: [
        { id: 'a', type: 'core.log.Log' },
        {
          id: 'each',
          type: 'core.flow.ForEach',
          tasks: [
            { id: 'b', type: 'core.log.Log' },
            { id: 'c', type: 'docker.Build' },
            {
              id: 'd',
              type: 'docker.Run',
              taskRunner: { id: 'r', type: 'scripts.runner.docker.Docker' },
            },
          ],
        },
      ],
    };
    expect(taskTypesOf(flow)).toEqual(['core.log.Log', 'core.flow.ForEach', 'docker.Run']);
  });
});
